// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Finds the places where user files name std::cout and the other standard streams, also in macros'
/// definitions: each rank has its own formatting and error state. Leaves out names in constant expressions
/// and those spelled by system headers' macros.
void find_own_streams(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

/// Returns true if the variable is one of the standard streams.
bool is_standard_stream(const clang::VarDecl* variable);

}  // namespace kanor::host
