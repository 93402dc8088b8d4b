// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables that an expression's object may be, or be a part of.
#include <vector>

#include "host/cfg/calls.hpp"
#include "host/cfg/kinds.hpp"
#include "host/cfg/values.hpp"

namespace kanor::host {
namespace {

/// Returns true if the expression is the value of a number. An object that is made of it has no part in
/// common with the variable that the number is read from.
bool reads_number(const clang::Expr* expression) {
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression->IgnoreParens());
  if (cast == nullptr) return false;
  if (cast->getCastKind() != clang::CK_LValueToRValue) return reads_number(cast->getSubExpr());
  return cast->getType()->isArithmeticType();
}

}  // namespace

std::vector<int> Values::roots(const clang::ValueDecl* declaration) {
  if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(declaration)) {
    if (binding->getHoldingVar() == nullptr)
      return binding->getBinding() == nullptr ? std::vector<int>() : roots(binding->getBinding());
    declaration = binding->getHoldingVar();
  }
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (variable == nullptr || places_.is_in_block(variable->getLocation())) return {};
  std::vector<int> found;
  const int which = variables_.of(variable);
  if (which >= 0 && is_handle(variable->getType())) append(found, variables_.referents(which));
  append(found, {which});
  if (variable->getType()->isReferenceType() && is_followed_to_the_end(which)) std::erase(found, which);
  return found;
}

/// Removes references, pointers and iterators, by way of which an object of the program's classes is meant. A
/// change of one of its members, which are variables of their own, leaves them as they are.
void Values::drop_handles(std::vector<int>& variables) const {
  std::erase_if(variables, [&](int one) { return is_handle(variables_.type_of(one)); });
}

/// Returns true for a local reference, pointer or iterator with known referents: a change of what it leads to
/// is one of theirs, by way of which everybody reads it, and leaves the variable itself as it is.
bool Values::is_followed_to_the_end(int variable) {
  return variable >= 0 && is_handle(variables_.type_of(variable)) &&
         variables_[variable].kind == flow::VariableKind::local && !variables_.referents(variable).empty();
}

/// The variables that what a pointer or iterator leads to may be a part of.
std::vector<int> Values::roots_behind(const clang::Expr* handle) {
  std::vector<int> found = roots(handle);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(handle->IgnoreParenImpCasts());
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  const int which = variable == nullptr ? -1 : variables_.of(variable);
  if (is_followed_to_the_end(which)) std::erase(found, which);
  return found;
}

std::vector<int> Values::roots(const clang::MemberExpr* member) {
  if (const int part = variables_.part_of(member); part >= 0) return {part};
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (field == nullptr) return roots(member->getMemberDecl());
  std::vector<int> found;
  append(found, {variables_.of(field)});
  append(found, variables_.overlapping(field));
  std::vector<int> objects = roots(member->getBase());
  if (variables_.of(field) >= 0) drop_handles(objects);
  append(found, objects);
  if (is_handle(field->getType()) && !field->getType()->isPointerType()) append(found, loaded(member, {}));
  return found;
}

std::vector<int> Values::roots(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) return roots(name->getDecl());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) return roots(member);
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression))
    return roots_behind(element->getBase());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
      unary != nullptr && unary->getOpcode() == clang::UO_Deref)
    return roots_behind(unary->getSubExpr());
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return Calls(*this).roots(call);
  if (llvm::isa<clang::CXXNewExpr, clang::LambdaExpr>(expression)) return {};
  std::vector<int> found;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->isPtrMemOp()) {
      append(found, members_meant_by(binary->getRHS()));
      append(found, roots(binary->getLHS()));
      return found;
    }
    // A number that is added to a pointer says which part is meant, and is itself none.
    const auto add_operand = [&](const clang::Expr* operand) {
      if (!binary->isAdditiveOp() || !operand->getType()->isIntegerType()) append(found, roots(operand));
    };
    if (binary->isAssignmentOp() || binary->isAdditiveOp()) add_operand(binary->getLHS());
    if (!binary->isAssignmentOp()) add_operand(binary->getRHS());
    return found;
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    append(found, roots(choice->getTrueExpr()));
    append(found, roots(choice->getFalseExpr()));
    return found;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression);
      cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue &&
      cast->getType()->isPointerType() && !is_followed(cast->getSubExpr()))
    append(found, loaded(cast->getSubExpr(), cast->getType()->getPointeeType()));
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) append(found, members_as_bytes(cast));
  const bool makes_object = llvm::isa<clang::CXXConstructExpr, clang::InitListExpr>(expression);
  for (const clang::Stmt* child : expression->children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
        part != nullptr && !(makes_object && reads_number(part)))
      append(found, roots(part));
  return found;
}

}  // namespace kanor::host
