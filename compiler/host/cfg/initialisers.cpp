// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What declarations give variables: the part of Values that is about initialisers.
#include <clang/AST/ExprCXX.h>

#include "host/cfg/values.hpp"

namespace kanor::host {

using flow::Location;
using flow::Unknown;
using flow::Use;
using flow::Uses;

void Values::initialise(const clang::VarDecl* variable) {
  if (const auto* record = variables_.split_objects().class_of(variable))
    return initialise_parts(variable, record);
  if (const int which = variables_.of(variable); which >= 0)
    initialise(which, variable->getInit(), variable->getType());
}

void Values::initialise_parts(const clang::VarDecl* object, const clang::CXXRecordDecl* record) {
  const auto* list = object->getInit() == nullptr
                         ? nullptr
                         : llvm::dyn_cast<clang::InitListExpr>(object->getInit()->IgnoreImplicit());
  if (list != nullptr && list->isSyntacticForm() && list->getSemanticForm() != nullptr)
    list = list->getSemanticForm();
  unsigned at = 0;
  for (const auto* field : record->fields()) {
    if (field->isUnnamedBitField()) continue;
    const clang::Expr* init = list == nullptr            ? field->getInClassInitializer()
                              : at < list->getNumInits() ? list->getInit(at)
                                                         : nullptr;
    ++at;
    if (const int part = variables_.part_of(object, field); part >= 0)
      initialise(part, init, field->getType());
  }
}

void Values::initialise(int which, const clang::Expr* init, clang::QualType type) {
  // A function's static variable gets its first value once, not whenever the function is called.
  const bool whole = function_ < 0 || variables_[which].kind != flow::VariableKind::global;
  if (init == nullptr) {
    if (type->getBaseElementTypeUnsafe()->isArithmeticType() &&
        variables_[which].kind == flow::VariableKind::local)
      bare_.insert(which);
    change(which, {}, whole, variables_[which].declared);
    for (const int length : {variables_.length_of(which), variables_.inner_length_of(which)})
      if (length >= 0) change(length, {}, whole, variables_[which].declared);
    return;
  }
  const Location here = at(init);
  Uses uses = type->isReferenceType() ? selector(init) : value(init);
  if (is_handle(type)) {
    const auto found = roots(init);
    if (found.empty() && type->isReferenceType()) append(uses, value(init));
    refer(which, found);
  }
  const Location where = here.source != nullptr ? here : variables_[which].declared;
  if (const int own = variables_.length_of(which); own >= 0) change(own, length(init), whole, where);
  if (const int inner = variables_.inner_length_of(which); inner >= 0)
    change(inner, inner_lengths(init), whole, where);
  if (const int team = variables_.team_of(which); team >= 0) {
    const flow::Team named = team_of_grid(init);
    change(team, {}, true, where, named);
    // What is said of the team that it is made of is said of the grid's own.
    std::erase_if(uses, [&](const Use& use) {
      return use.unknown == Unknown::team_size && named.kind == flow::Team::Kind::variable &&
             use.variable == named.variable;
    });
    append(uses, {{team, -1, Unknown::team_size, where}});
  }
  change(which, uses, whole, where, is_team(type) ? team_of(init) : flow::Team{});
}

Uses Values::initialise_member(const clang::FieldDecl* field, const clang::Expr* init) {
  keep(init);
  Uses given = value(init);
  const int member = variables_.of(field);
  if (member < 0) return given;
  change(variables_.overlapping(field), given, at(init));
  if (const int team = variables_.team_of(member); team >= 0) change(team, {}, false, at(init));
  if (const int own = variables_.length_of(member); own >= 0) change(own, length(init), false, at(init));
  if (const int inner = variables_.inner_length_of(member); inner >= 0)
    change(inner, inner_lengths(init), false, at(init));
  change(member, given, false, at(init));
  return given;
}

void Values::initialise(const clang::CXXCtorInitializer* initialiser) {
  const auto* field = initialiser->getAnyMember();
  if (field == nullptr) {
    value(initialiser->getInit());
    return;
  }
  initialise_member(field, initialiser->getInit());
}

void Values::catch_exception(const clang::VarDecl* variable) {
  const int which = variables_.of(variable);
  if (which < 0) return;
  const Location here = variables_[which].declared;
  const Uses thrown{{-1, -1, Unknown::exception, here}};
  change(which, thrown, true, here);
  for (const int length : {variables_.length_of(which), variables_.inner_length_of(which)})
    if (length >= 0) change(length, thrown, true, here);
  if (const auto* record = user_class(variable->getType(), places_.sources()))
    change(variables_.members_of(record), thrown, here);
}

}  // namespace kanor::host
