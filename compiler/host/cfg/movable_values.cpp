// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/movable_values.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <set>
#include <string>

#include "host/cfg/kinds.hpp"
#include "host/facts/travel.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

/// Returns true for a container that a move takes over without moving its elements.
bool is_container(clang::QualType type) {
  return !type.isConstQualified() &&
         library::class_has(standard_template(type), library::ClassTrait::moves_elements);
}

/// The `v` of `v[i]`, if its elements stay in place while others are moved from; else null.
const clang::Expr* base_of_element(const clang::Expr* element, const clang::Expr*& subscript) {
  if (const auto* part = llvm::dyn_cast<clang::ArraySubscriptExpr>(element)) {
    subscript = part->getIdx();
    const clang::Expr* base = part->getBase()->IgnoreParenImpCasts();
    return base->getType()->isArrayType() ? base : nullptr;
  }
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(element);
  if (call == nullptr || call->getOperator() != clang::OO_Subscript || call->getNumArgs() != 2)
    return nullptr;
  const clang::Expr* base = call->getArg(0)->IgnoreParenImpCasts();
  subscript = call->getArg(1);
  const std::string container = standard_template(base->getType());
  return library::class_has(container, library::ClassTrait::is_indexed) ? base : nullptr;
}

/// The name, if the expression is only that name's value; else empty.
std::string name_alone(const clang::Expr* expression) {
  if (expression == nullptr) return {};
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
  return name == nullptr ? std::string() : name->getDecl()->getNameAsString();
}

/// Returns true if no value occurs twice in the set.
bool has_each_once(const syntax::Set& set, const clang::CallExpr* elements) {
  if (set.form != syntax::Set::Form::range) return set.form == syntax::Set::Form::interval;
  return elements != nullptr && elements->getNumArgs() == 1 && is_team(elements->getArg(0)->getType());
}

bool is_world(const clang::CallExpr* elements) {
  const auto* name = elements == nullptr || elements->getNumArgs() != 1
                         ? nullptr
                         : llvm::dyn_cast<clang::DeclRefExpr>(elements->getArg(0)->IgnoreParenImpCasts());
  return name != nullptr && name->getDecl()->getQualifiedNameAsString() == "kanor::world";
}

/// Returns true if these are two names that range over the world independently of each other.
bool are_all_pairs(const syntax::Statement& statement, const StatementPieces& pieces,
                   const std::set<std::string>& names) {
  std::size_t count = 0;
  for (std::size_t clause = 0; clause < statement.clauses.size(); ++clause) {
    const auto* generator = std::get_if<syntax::Generator>(&statement.clauses[clause]);
    const auto set = pieces.sets.find(static_cast<int>(clause));
    if (generator == nullptr || set == pieces.sets.end() || !is_world(set->second)) return false;
    for (const syntax::Name& name : generator->names) count += names.contains(name.text);
  }
  return count == 2 && names.size() == 2;
}

/// Returns true if different bindings of one sender differ in one of these names.
bool are_told_apart(const syntax::Statement& statement, const StatementPieces& pieces,
                    const std::set<std::string>& names) {
  for (std::size_t clause = 0; clause < statement.clauses.size(); ++clause) {
    if (const auto* let = std::get_if<syntax::Let>(&statement.clauses[clause]);
        let != nullptr && names.contains(let->name.text))
      return false;
    const auto* generator = std::get_if<syntax::Generator>(&statement.clauses[clause]);
    if (generator == nullptr) continue;
    const auto set = pieces.sets.find(static_cast<int>(clause));
    if (!has_each_once(generator->set, set == pieces.sets.end() ? nullptr : set->second)) return false;
    for (const syntax::Name& name : generator->names)
      if (!names.contains(name.text)) return false;
  }
  return true;
}

}  // namespace

std::optional<MovableValue> movable_value(const StatementKey& key, const StatementPieces& pieces) {
  if (key.file->shadow == nullptr || pieces.value == nullptr) return std::nullopt;
  const auto& block = key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)];
  const auto& statement = block.statements[static_cast<std::size_t>(key.statement)];
  const bool is_plain = std::all_of(block.modifiers.begin(), block.modifiers.end(), [](const auto& modifier) {
    return modifier.kind == syntax::ModifierKind::team;
  });
  const clang::Expr* value = pieces.value->IgnoreParenImpCasts();
  if (!is_plain || statement.op != syntax::Operator::assign || statement.value.is_section() ||
      !is_container(value->getType()))
    return std::nullopt;

  MovableValue found;
  const std::string sender = name_alone(pieces.sender), receiver = name_alone(pieces.receiver);
  std::set<std::string> names{sender};
  const clang::Expr* subscript = nullptr;
  while (const clang::Expr* base = base_of_element(value, subscript)) {
    found.subscripts.insert(found.subscripts.begin(), subscript);
    if (name_alone(subscript) == receiver) names.insert(receiver);
    value = base;
  }
  found.variable = llvm::dyn_cast<clang::DeclRefExpr>(value);
  const auto* variable =
      found.variable == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(found.variable->getDecl());
  if (variable == nullptr || llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasLocalStorage() ||
      variable->getType()->isReferenceType() || !are_told_apart(statement, pieces, names))
    return std::nullopt;
  const clang::Expr* at_place = nullptr;
  const clang::Expr* place = pieces.place == nullptr || statement.place.is_section()
                                 ? nullptr
                                 : base_of_element(pieces.place->IgnoreParenImpCasts(), at_place);
  const auto* exchanged = llvm::dyn_cast_or_null<clang::DeclRefExpr>(place);
  found.is_replaced = block.modifiers.empty() && exchanged != nullptr && exchanged->getDecl() == variable &&
                      found.subscripts.size() == 1 && name_alone(found.subscripts.front()) == receiver &&
                      name_alone(at_place) == sender && are_all_pairs(statement, pieces, {sender, receiver});
  return found;
}

}  // namespace kanor::host
