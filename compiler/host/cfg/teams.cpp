// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which teams expressions name: the parts of Values and Calls that are about teams and grids.
#include <clang/AST/ExprCXX.h>

#include "host/cfg/calls.hpp"

namespace kanor::host {

using flow::Location;
using flow::Unknown;
using flow::Use;
using flow::Uses;

flow::Team Values::team_of(const clang::Expr* team) {
  team = without_copies(team);
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(team)) {
    const auto* method = call->getMethodDecl();
    const bool asks_grid = method != nullptr && is_grid(context_.getRecordType(method->getParent())) &&
                           method->getNameAsString() == "team";
    return asks_grid ? team_of_grid(call->getImplicitObjectArgument()) : flow::Team{};
  }
  const clang::ValueDecl* declaration = nullptr;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(team)) declaration = name->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(team)) declaration = member->getMemberDecl();
  // What a pointer points to may be another team.
  if (declaration == nullptr || declaration->getType()->isPointerType()) return {};
  if (declaration->getQualifiedNameAsString() == "kanor::world") return {flow::Team::Kind::world, -1};
  const int which = variables_.of(declaration);
  return which < 0 ? flow::Team{} : flow::Team{flow::Team::Kind::variable, which};
}

flow::Team Values::team_of_grid(const clang::Expr* grid) {
  grid = without_copies(grid);
  if (const auto* cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(grid))
    grid = without_copies(cast->getSubExpr());
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(grid))
    return made->getNumArgs() == 0 ? flow::Team{} : team_of(made->getArg(0));
  const clang::ValueDecl* declaration = nullptr;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(grid)) declaration = name->getDecl();
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(grid)) declaration = member->getMemberDecl();
  const int team = declaration == nullptr ? -1 : variables_.team_of(variables_.of(declaration));
  return team < 0 ? flow::Team{} : flow::Team{flow::Team::Kind::variable, team};
}

Value Calls::team_member(const Parts& parts) {
  const Location at = values_.at(parts.whole);
  if (parts.callee->getNameAsString() == "rank") return {{{-1, -1, Unknown::rank, at}}, {}};
  if (parts.callee->getOverloadedOperator() == clang::OO_Equal) {
    const auto* from = parts.arguments.front();
    for (const int root : values_.roots(parts.object))
      values_.change(root, values_.value(from), values_.whole_variable(parts.object) == root, at,
                     values_.team_of(from));
  }
  Uses uses;
  if (parts.object != nullptr)
    for (Use use : values_.value(parts.object)) {
      if (use.unknown == Unknown::team_size) use.at = at;
      append(uses, {use});
    }
  if (parts.callee->getNameAsString() == "split") {
    flow::Event event;
    event.kind = flow::EventKind::split;
    event.at = at;
    event.team = values_.team_of(parts.object);
    values_.emit(std::move(event));
    return {};
  }
  for (const auto* argument : parts.arguments) append(uses, values_.value(argument));
  return {uses, uses};
}

}  // namespace kanor::host
