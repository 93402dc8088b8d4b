// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Sema;
}

namespace kanor::host {

/// Notes in the facts which blocks stand in a function that may be evaluated at compile time, which are
/// substatements without braces, and which names in blocks mean variables that no lambda can capture.
void find_surroundings(clang::Sema& sema, const FileMap& files, sema::Facts& facts);

}  // namespace kanor::host
