// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

namespace kanor::host {

/// Returns true if assigning to a temporary of this class may change something else, as for a tuple of
/// references or a class with an assignment of its own. Containers own their elements.
bool is_proxy(clang::QualType type);
/// Returns true for an element, by [], of a temporary that owns it.
bool is_element_of_temporary(const clang::Expr* expression);

}  // namespace kanor::host
