// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events that statements emit: the part of Values that is about assignments and returned values.
#include "host/cfg/values.hpp"

namespace kanor::host {
namespace {

using flow::Event;
using flow::EventKind;
using flow::Location;
using flow::Uses;

Event event_of(EventKind kind, int variable, const Uses& uses, Location at) {
  Event event;
  event.kind = kind;
  event.variable = variable;
  event.uses = uses;
  event.at = at;
  return event;
}

}  // namespace

void Values::change(int variable, const Uses& uses, bool whole, Location at, flow::Team team) {
  Event event = event_of(whole ? EventKind::overwrite : EventKind::write, variable, uses, at);
  event.team = team;
  emit(std::move(event));
}

void Values::change(const std::vector<int>& variables, const Uses& uses, Location at) {
  if (variables.empty()) return;
  Event event = event_of(EventKind::write, variables.front(), uses, at);
  event.others.assign(variables.begin() + 1, variables.end());
  emit(std::move(event));
}

void Values::receive(int variable, const Uses& uses, Location at) {
  emit(event_of(EventKind::receive, variable, uses, at));
}

void Values::refer(int handle, std::vector<int> referents) {
  std::erase(referents, handle);
  append(variables_.referents(handle), referents);
}

void Values::assign(const clang::Expr* place, Value value, bool whole, Location at, EventKind kind) {
  place = place->IgnoreParens();
  if (const int variable = whole_variable(place); variable >= 0) {
    if (kind == EventKind::receive)
      receive(variable, value.uses, at);
    else
      change(variable, value.uses, whole, at);
    if (const int own = variables_.length_of(variable); own >= 0) change(own, value.length, whole, at);
    if (const int inner = variables_.inner_length_of(variable); inner >= 0) {
      append(value.inner_length, value.length);
      change(inner, value.inner_length, whole, at);
    }
    if (const int team = variables_.team_of(variable); team >= 0) change(team, {}, false, at);
  } else {
    const Uses chosen = selector(place);
    append(value.uses, chosen);
    append(value.length, chosen);
    assign_part(place, value, at, kind);
  }
  if (kind == EventKind::receive)
    for (const int member : variables_.members_held_by(place->getType())) receive(member, value.uses, at);
}

void Values::assign_part(const clang::Expr* place, const Value& value, Location at, EventKind kind) {
  const bool sets_length = has_length(place->getType());
  std::vector<int> changed, lengths, teams;
  for (const int root : roots(place)) {
    if (variables_.is_constant(root)) continue;
    if (kind == EventKind::receive && variables_[root].kind == flow::VariableKind::member)
      receive(root, value.uses, at);
    else
      changed.push_back(root);
    if (const int team = variables_.team_of(root); team >= 0) teams.push_back(team);
    if (sets_length)
      append(lengths, {length_meant(root, place->getType()), variables_.inner_length_of(root)});
  }
  change(changed, value.uses, at);
  change(teams, {}, at);
  Uses all_lengths = value.length;
  append(all_lengths, value.inner_length);
  change(lengths, all_lengths, at);
  if (kind == EventKind::receive) return;
  if (const auto* record = user_class(place->getType(), places_.sources()))
    change(variables_.members_of(record), value.uses, at);
}

void Values::return_value(const clang::Expr* returned) {
  if (function_ < 0 || returned == nullptr) return;
  const auto& results = functions_[function_].results;
  if (results.empty()) return;
  const clang::QualType type = declaration_->getReturnType();
  const bool is_object = user_class(type, places_.sources()) != nullptr;
  Uses uses = type->isReferenceType() && is_object ? selector(returned) : reached(returned);
  if (results.size() > 1) {
    Uses lengths = length(returned);
    append(lengths, inner_lengths(returned));
    change(results[1], lengths, true, at(returned));
  }
  change(results[0], uses, true, at(returned));
}

void Values::lower(const clang::Stmt* statement) {
  if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const auto* declaration : declarations->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) initialise(variable);
  } else if (const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    return_value(returned->getRetValue());
  } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement)) {
    if (!binary->isAssignmentOp()) return;
    const clang::Expr* place = binary->getLHS();
    if (const int pointer = whole_variable(place); pointer >= 0 && is_handle(place->getType()))
      refer(pointer, roots(binary->getRHS()));
    assign(place, {value(binary->getRHS()), {}}, binary->getOpcode() == clang::BO_Assign,
           at(binary->getRHS()));
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement)) {
    if (unary->isIncrementDecrementOp()) assign(unary->getSubExpr(), {}, false, at(unary));
  } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) {
    this->call(call);
  } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
    construct(made);
  } else if (const auto* thrown = llvm::dyn_cast<clang::CXXThrowExpr>(statement)) {
    value(thrown->getSubExpr());
  } else if (llvm::isa<clang::CXXBindTemporaryExpr, clang::CXXFunctionalCastExpr>(statement)) {
    value(llvm::cast<clang::Expr>(statement));
  } else if (const auto* ended = llvm::dyn_cast<clang::CXXDeleteExpr>(statement)) {
    destroy(ended->getDestroyedType(), at(ended));
  } else if (const auto* placed = llvm::dyn_cast<clang::CXXNewExpr>(statement)) {
    if (placed->getNumPlacementArgs() > 0)
      change(roots(placed->getPlacementArg(0)), value(placed->getInitializer()), at(placed));
  } else if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) {
    for (const auto& capture : lambda->captures())
      if (capture.capturesVariable() && lambda->isInitCapture(&capture))
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar()))
          initialise(variable);
  }
}

}  // namespace kanor::host
