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

/// Whether the expression speaks of the name, wherever the text of that stands.
bool mentions(const clang::Expr* expression, std::string_view name);

/// By how many elements `base[index]` moves on when the name grows by one: the expression is such a subscript
/// of something that has sections, the base does not speak of the name, and the index is a sum in which the
/// name has a positive constant factor. Nothing otherwise.
std::optional<std::int64_t> element_stride(const clang::Expr* expression, std::string_view name,
                                           const clang::ASTContext& context);

}  // namespace kanor::host
