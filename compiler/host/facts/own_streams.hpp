// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Finds where user files name std::cout and the other standard streams, in macros' definitions too: how such
/// a stream writes and what has failed is each rank's own. Left alone are names in constant expressions, and
/// those that system headers' macros spell.
void find_own_streams(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

/// Whether it is one of them.
bool is_standard_stream(const clang::VarDecl* variable);

}  // namespace kanor::host
