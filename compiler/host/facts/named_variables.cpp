// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/named_variables.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

const clang::ValueDecl* named(const clang::Expr* expression) {
  const auto* name =
      expression == nullptr ? nullptr : llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name == nullptr ? nullptr : name->getDecl();
}

}  // namespace

std::uint32_t number_of(const clang::VarDecl& variable) {
  return variable.getCanonicalDecl()->getLocation().getRawEncoding();
}

std::uint32_t number_of_variable(const clang::Expr* expression) {
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(named(expression));
  return variable == nullptr ? 0 : number_of(*variable);
}

bool is_world(const clang::Expr* expression) {
  const auto* name = named(expression);
  return name != nullptr && name->getQualifiedNameAsString() == "kanor::world";
}

namespace {

/// Returns true if a macro names in the piece what a clause binds.
bool hides(const clang::Expr* piece, const IsBoundName& is_bound) {
  bool found = false;
  for_each_name(piece, [&](const clang::DeclRefExpr* name) {
    found |= name->getLocation().isMacroID() && is_bound(name->getDecl());
  });
  return found;
}

template <class Parts>
bool any_hides(const Parts& parts, const IsBoundName& is_bound) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const auto& part) { return hides(part.second, is_bound); });
}

}  // namespace

bool hides_names(const StatementPieces& pieces, const IsBoundName& is_bound) {
  return hides(pieces.place, is_bound) || hides(pieces.receiver, is_bound) ||
         hides(pieces.sender, is_bound) || any_hides(pieces.place_parts, is_bound) ||
         hides(pieces.place_indices, is_bound) || any_hides(pieces.lets, is_bound) ||
         any_hides(pieces.filters, is_bound) || any_hides(pieces.sets, is_bound);
}

bool value_hides_names(const StatementPieces& pieces, const IsBoundName& is_bound) {
  return hides(pieces.value, is_bound) || any_hides(pieces.value_parts, is_bound) ||
         hides(pieces.value_indices, is_bound);
}

}  // namespace kanor::host
