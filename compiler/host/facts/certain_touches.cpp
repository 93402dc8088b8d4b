// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/certain_touches.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "host/library/library.hpp"

namespace kanor::host {
namespace {

llvm::StringRef standard_class(const clang::Expr* object) {
  const auto* record = object->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->isInStdNamespace() ? record->getName() : llvm::StringRef();
}

/// Returns true for a container that owns its elements through a pointer: every member function reads the
/// object.
bool is_container(const clang::Expr* object) {
  const auto name = standard_class(object);
  return name == "vector" || name == "basic_string" || name == "deque" || name == "list";
}

bool changes_container(const clang::CXXMethodDecl* method) {
  return method != nullptr && method->getIdentifier() != nullptr &&
         library::member_has(method->getName(), library::MemberTrait::always_changes);
}

/// Returns true if a variable of the type holds its own value: it is no pointer, view or shape of other
/// memory.
bool holds_itself(clang::QualType type) {
  type = type.getNonReferenceType();
  while (const auto* array = type->getAsArrayTypeUnsafe()) type = array->getElementType();
  if (type->isArithmeticType() || type->isEnumeralType()) return true;
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) return false;
  return record->isInStdNamespace() ? !library::class_has(record->getName(), library::ClassTrait::is_view)
                                    : record->isAggregate();
}

/// The variable that an lvalue is, or is part of.
const clang::VarDecl* object_of(const clang::Expr* lvalue) {
  while (true) {
    lvalue = lvalue->IgnoreParens();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(lvalue))
      return holds_itself(name->getType()) ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(lvalue)) {
      const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
      if (member->isArrow() || field == nullptr || field->getType()->isReferenceType()) return nullptr;
      lvalue = member->getBase();
    } else if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue)) {
      lvalue = subscript->getBase()->IgnoreParenImpCasts();
      if (!lvalue->getType()->isArrayType()) return nullptr;
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(lvalue);
               call != nullptr && call->getOperator() == clang::OO_Subscript &&
               (is_container(call->getArg(0)) || standard_class(call->getArg(0)) == "array")) {
      lvalue = call->getArg(0)->IgnoreParenImpCasts();
    } else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(lvalue);
               cast != nullptr && cast->getCastKind() == clang::CK_NoOp) {
      lvalue = cast->getSubExpr();
    } else {
      return nullptr;
    }
  }
}

class Touches {
 public:
  void visit(const clang::Stmt* statement) {
    if (statement == nullptr) return;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) return visit_expression(expression);
    if (const auto* chosen = llvm::dyn_cast<clang::IfStmt>(statement)) {
      visit(chosen->getInit());
      visit(chosen->getConditionVariableDeclStmt());
      visit(chosen->getCond());
    } else if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) {
      visit(loop->getCond());
    } else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(statement)) {
      visit(counted->getInit());
      visit(counted->getCond());
    } else if (const auto* ranged = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) {
      const auto* range = ranged->getRangeInit();
      range != nullptr&& is_container(range) ? touch(range, range, false) : visit(range);
    } else if (const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
      visit(returned->getRetValue());
    } else if (const auto* braces = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
      for (const auto* child : braces->body()) {
        visit(child);
        if (may_leave(child)) return;
      }
    } else if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const auto* one : declaration->decls())
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
            variable != nullptr && !variable->isStaticLocal())
          visit(variable->getInit());
    }
  }

  std::vector<CertainTouch> found;

 private:
  void touch(const clang::Expr* lvalue, const clang::Expr* at, bool writes) {
    if (const auto* variable = object_of(lvalue)) found.push_back({variable, at, writes});
  }

  void visit_expression(const clang::Expr* expression) {
    if (may_leave(expression)) return;
    if (llvm::isa<clang::LambdaExpr, clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr,
                  clang::CXXTypeidExpr, clang::StmtExpr>(expression))
      return;
    if (const auto* chosen = llvm::dyn_cast<clang::AbstractConditionalOperator>(expression))
      return visit(chosen->getCond());
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
      if (operation->isLogicalOp()) return visit(operation->getLHS());
      if (operation->isAssignmentOp()) touch(operation->getLHS(), operation->getLHS(), true);
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
      if (unary->isIncrementDecrementOp()) touch(unary->getSubExpr(), unary->getSubExpr(), true);
    } else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue)
        touch(cast->getSubExpr(), cast->getSubExpr(), false);
    } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      if (made->getConstructor()->isCopyConstructor() && made->getNumArgs() > 0)
        touch(made->getArg(0), made->getArg(0), false);
    } else if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
      const auto* object = call->getImplicitObjectArgument();
      if (!object->getType()->isPointerType() && is_container(object))
        touch(object, object, changes_container(call->getMethodDecl()));
    } else if (const auto* operate = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression)) {
      const auto* object = operate->getArg(0);
      if (operate->isAssignmentOp())
        touch(object, object, true);
      else if (operate->getOperator() == clang::OO_Subscript && is_container(object))
        touch(object, object, false);
    }
    for (const auto* child : expression->children()) visit(child);
  }
};

}  // namespace

std::vector<CertainTouch> certain_touches(const clang::Stmt* statement) {
  Touches touches;
  touches.visit(statement);
  return std::move(touches.found);
}

bool may_leave(const clang::Stmt* statement) {
  if (statement == nullptr || llvm::isa<clang::LambdaExpr>(statement)) return false;
  if (llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt,
                clang::IndirectGotoStmt, clang::CoreturnStmt, clang::CXXThrowExpr,
                clang::CoroutineSuspendExpr, clang::DependentCoawaitExpr>(statement))
    return true;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement))
    if (const auto* callee = call->getDirectCallee(); callee != nullptr && callee->isNoReturn()) return true;
  return std::any_of(statement->child_begin(), statement->child_end(),
                     [](const clang::Stmt* child) { return may_leave(child); });
}

}  // namespace kanor::host
