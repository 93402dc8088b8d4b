// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/named_variables.hpp"

#include <clang/AST/ExprCXX.h>

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

bool hides_names(const StatementPieces& pieces, const IsBoundName& is_bound) {
  bool found = false;
  const auto look_at = [&](const clang::Expr* piece) {
    for_each_name(piece, [&](const clang::DeclRefExpr* name) {
      found |= name->getLocation().isMacroID() && is_bound(name->getDecl());
    });
  };
  for (clang::Expr* piece : {pieces.place, pieces.receiver, pieces.sender}) look_at(piece);
  for (const auto* parts : {&pieces.place_parts, &pieces.lets, &pieces.filters})
    for (const auto& [index, part] : *parts) look_at(part);
  for (const auto& [index, set] : pieces.sets) look_at(set);
  return found;
}

}  // namespace kanor::host
