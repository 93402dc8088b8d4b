// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/usage.hpp"

#include <clang/AST/DeclCXX.h>

#include "host/cfg/usage_walk.hpp"

namespace kanor::host {

using flow::AccessKind;

std::vector<Usage> UsageWalk::from(const clang::DeclRefExpr* name) {
  const Evaluation evaluation = evaluation_of(name, parents_);
  if (evaluation == Evaluation::never) return {};
  is_certain_ = evaluation == Evaluation::always;
  object_ = name->getDecl();
  at_ = name;
  while (!done_) step();
  return std::move(found_);
}

void UsageWalk::step() {
  const clang::Stmt* parent = parents_.getParent(at_);
  if (parent == nullptr) return escape(at_);
  const clang::Stmt* child = std::exchange(at_, parent);
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(parent);
      expression != nullptr && expression->isInstantiationDependent())
    return escape(parent, "a template uses it that kanorc does not understand");
  if (llvm::isa<clang::ParenExpr, clang::ExprWithCleanups, clang::MaterializeTemporaryExpr,
                clang::ConstantExpr, clang::SubstNonTypeTemplateParmExpr>(parent))
    return;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(parent)) return through(cast);
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(parent)) {
    if (subscript->getBase() != child) return escape(parent, "it is used as a subscript");
    return select_from_here(subscript->getIdx());
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(parent)) return through(unary);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(parent)) return through(binary, child);
  if (const auto* conditional = llvm::dyn_cast<clang::ConditionalOperator>(parent)) {
    if (conditional->getCond() == child) return read(parent);
    is_certain_ = false;
    return lose_track();
  }
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent))
    return through(operation, child);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) return through(member);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(parent)) return given_to(call, child);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(parent)) return given_to(made);
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(parent)) return initialises(declaration);
  if (llvm::isa<clang::LambdaExpr>(parent)) return escape(parent, "a lambda captures it");
  if (llvm::isa<clang::ReturnStmt>(parent)) return escape(parent, "it is returned by reference");
  if (only_evaluates(parent)) return read(child);
  escape(parent);
}

void UsageWalk::select_from_here(const clang::Expr* subscript) {
  if (form_ == Form::pointer && is_moved_) lose_track();
  select(form_ == Form::pointer && is_moved_ ? nullptr : subscript);
  is_moved_ = false;
}

void UsageWalk::through(const clang::CastExpr* cast) {
  switch (cast->getCastKind()) {
    case clang::CK_ArrayToPointerDecay:
      form_ = Form::pointer;
      is_moved_ = false;
      return;
    case clang::CK_LValueToRValue:
      if (names_pointer_) {
        names_pointer_ = false;
        form_ = Form::pointer;
        return;
      }
      if (form_ == Form::pointer) return escape(cast, "a pointer to it is stored");
      return read(cast);
    case clang::CK_NoOp:
      // What `return` makes of a name is no move where the name is another's.
      if (llvm::isa<clang::ExplicitCastExpr>(cast) && cast->isXValue()) is_given_ = true;
      return;
    case clang::CK_ToVoid:
      return read(cast);
    case clang::CK_BitCast:
      if (form_ != Form::pointer) break;
      is_moved_ = true;  // counts in other units
      return;
    default:
      break;
  }
  escape(cast, "it is converted in a way that kanorc does not understand");
}

void UsageWalk::through(const clang::UnaryOperator* unary) {
  if (names_pointer_) return escape(unary, "the pointer to it is changed");
  switch (unary->getOpcode()) {
    case clang::UO_AddrOf:
      if (form_ == Form::object) return escape(unary, "its address is taken");
      form_ = Form::pointer;
      is_moved_ = true;
      return;
    case clang::UO_Deref:
      if (is_moved_) lose_track();
      return select(nullptr);
    case clang::UO_PreInc:
    case clang::UO_PreDec:
    case clang::UO_PostInc:
    case clang::UO_PostDec:
      add(AccessKind::read, unary);
      add(AccessKind::write, unary);
      return assigned(unary);
    default:
      return escape(unary);
  }
}

void UsageWalk::through(const clang::BinaryOperator* binary, const clang::Stmt* child) {
  if (binary->isAssignmentOp()) {
    if (names_pointer_) return escape(binary, "the pointer to it is changed");
    if (binary->getLHS() != child) return escape(binary, "a pointer to it is stored");
    if (form_ == Form::pointer) return escape(binary);
    if (binary->isCompoundAssignmentOp()) add(AccessKind::read, binary);
    add(AccessKind::write, binary);
    return assigned(binary);
  }
  if (binary->getOpcode() == clang::BO_Comma) {
    if (binary->getLHS() == child) return read(binary);
    return;
  }
  if (form_ == Form::pointer && binary->isAdditiveOp() && binary->getType()->isPointerType()) {
    is_moved_ = is_offset_ = true;
    return;
  }
  if (form_ == Form::pointer && (binary->isComparisonOp() || binary->isAdditiveOp())) return read(binary);
  escape(binary);
}

void UsageWalk::through(const clang::MemberExpr* member) {
  if (names_pointer_ && !member->isArrow()) return escape(member);
  if (member->isArrow()) select_from_here(nullptr);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
  // A field is a part of an element, or of what a pointer refers to.
  if (llvm::isa<clang::FieldDecl>(member->getMemberDecl())) return select(nullptr);
  const auto* call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(parents_.getParent(member));
  if (method == nullptr || call == nullptr) return escape(member);
  at_ = call;
  called_for(call, method);
}

void UsageWalk::assigned(const clang::Expr* assignment) {
  done_ = !assignment->isGLValue() || is_discarded(assignment, parents_);
}

void UsageWalk::initialises(const clang::DeclStmt* statement) {
  const auto* loop = llvm::dyn_cast_or_null<clang::CXXForRangeStmt>(parents_.getParent(statement));
  const auto* name = loop == nullptr || loop->getRangeStmt() != statement ? nullptr : looped_over(loop);
  if (name == nullptr || name->getDecl() != object_ || form_ == Form::pointer ||
      (loop->getLoopVariable()->getType()->isReferenceType() &&
       llvm::isa<clang::DecompositionDecl>(loop->getLoopVariable())))
    return escape(statement, "a variable refers to it");
  const auto type = loop->getLoopVariable()->getType();
  lose_track();
  if (!type->isReferenceType() || type->getPointeeType().isConstQualified()) return read(statement);
  change(statement);
}

const clang::DeclRefExpr* looped_over(const clang::CXXForRangeStmt* loop) {
  const auto* range = llvm::dyn_cast<clang::VarDecl>(loop->getRangeStmt()->getSingleDecl());
  const clang::Expr* at = range == nullptr ? nullptr : range->getInit();
  while (at != nullptr) {
    at = at->IgnoreParenImpCasts();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(at)) return name;
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at);
    const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at);
    if (operation != nullptr && operation->getOperator() != clang::OO_Subscript) return nullptr;
    at = element != nullptr ? element->getBase() : operation != nullptr ? operation->getArg(0) : nullptr;
  }
  return nullptr;
}

std::vector<Usage> usages_of(const clang::DeclRefExpr* name, const clang::ParentMap& parents,
                             bool named_by_pointer) {
  return UsageWalk(parents, named_by_pointer).from(name);
}

}  // namespace kanor::host
