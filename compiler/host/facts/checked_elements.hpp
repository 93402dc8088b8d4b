// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "host/facts/file_map.hpp"
#include "sema/facts.hpp"

namespace clang {
class Expr;
class Sema;
}  // namespace clang

namespace kanor::host {

/// Adds the subscripts in an operand that checked mode can compare with a number of elements.
void add_checked_elements(const clang::Expr* operand, const clang::Sema& sema, const FileMap& files,
                          std::vector<sema::CheckedElement>& found);

}  // namespace kanor::host
