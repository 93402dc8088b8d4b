// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/Expr.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace clang {
class ASTContext;
}

namespace kanor::host {

/// Returns true if the expression mentions the name, also by a macro.
bool mentions(const clang::Expr* expression, std::string_view name);

/// How `base[index]` advances when the name grows by one: by this number of elements if the index is a sum in
/// which the name has a positive constant factor, else as the index says (sema::listed). The expression must
/// be such a subscript of something that has sections, the index an integer, and the base must not mention
/// the name; else nothing.
std::optional<std::int64_t> element_stride(const clang::Expr* expression, std::string_view name,
                                           const clang::ASTContext& context);

}  // namespace kanor::host
