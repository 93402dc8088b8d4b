// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/evaluation.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/Builtins.h>

namespace kanor::host {
namespace {

/// Returns true for operators and the like that evaluate all of their operands, or those that Clang's graph
/// branches to.
bool evaluates_operands(const clang::Expr* expression) {
  return llvm::isa<clang::ParenExpr, clang::CastExpr, clang::UnaryOperator, clang::BinaryOperator,
                   clang::ConditionalOperator, clang::BinaryConditionalOperator, clang::CallExpr,
                   clang::MemberExpr, clang::ArraySubscriptExpr, clang::CXXConstructExpr,
                   clang::ExprWithCleanups, clang::MaterializeTemporaryExpr, clang::CXXBindTemporaryExpr,
                   clang::InitListExpr, clang::CXXParenListInitExpr, clang::CXXStdInitializerListExpr,
                   clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXThrowExpr, clang::StmtExpr,
                   clang::LambdaExpr, clang::ConstantExpr, clang::SubstNonTypeTemplateParmExpr,
                   clang::CXXRewrittenBinaryOperator, clang::DeclRefExpr, clang::CXXScalarValueInitExpr,
                   clang::OpaqueValueExpr, clang::ArrayInitLoopExpr, clang::CompoundLiteralExpr>(expression);
}

bool looks_only(const clang::Expr* expression) {
  if (const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(expression))
    return !size->getTypeOfArgument()->isVariablyModifiedType();
  if (const auto* type = llvm::dyn_cast<clang::CXXTypeidExpr>(expression))
    return !type->isPotentiallyEvaluated();
  if (llvm::isa<clang::CXXNoexceptExpr, clang::RequiresExpr, clang::ConceptSpecializationExpr>(expression))
    return true;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
  const clang::Decl* callee = call == nullptr ? nullptr : call->getCalleeDecl();
  return callee != nullptr && call->isUnevaluatedBuiltinCall(callee->getASTContext());
}

}  // namespace

Evaluation evaluation_of(const clang::Stmt* part, const clang::ParentMap& parents) {
  Evaluation found = Evaluation::always;
  for (; part != nullptr; part = parents.getParent(part)) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(part);
    if (expression == nullptr) continue;
    if (looks_only(expression)) return Evaluation::never;
    if (!evaluates_operands(expression)) found = Evaluation::perhaps;
  }
  return found;
}

bool only_evaluates(const clang::Stmt* statement) {
  return llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                   clang::SwitchStmt, clang::SwitchCase, clang::CXXForRangeStmt, clang::LabelStmt,
                   clang::AttributedStmt>(statement);
}

bool is_discarded(const clang::Expr* expression, const clang::ParentMap& parents) {
  const clang::Stmt* child = expression;
  const clang::Stmt* parent = parents.getParent(child);
  while (
      llvm::isa_and_nonnull<clang::ParenExpr, clang::ExprWithCleanups, clang::CXXBindTemporaryExpr>(parent))
    parent = parents.getParent(child = parent);
  if (parent == nullptr || only_evaluates(parent)) return true;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(parent))
    return cast->getCastKind() == clang::CK_ToVoid;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(parent);
  if (binary == nullptr || binary->getOpcode() != clang::BO_Comma) return false;
  return binary->getLHS() == child || is_discarded(binary, parents);
}

const clang::Expr* full_expression(const clang::Expr* part, const clang::ParentMap& parents) {
  for (const clang::Stmt* parent = parents.getParent(part); parent != nullptr;
       parent = parents.getParent(parent)) {
    const auto* expression = llvm::dyn_cast<clang::Expr>(parent);
    if (expression == nullptr || llvm::isa<clang::LambdaExpr>(expression)) break;
    part = expression;
  }
  return part;
}

int count_names(const clang::Stmt* where, const clang::ValueDecl* variable) {
  if (where == nullptr || variable == nullptr) return 0;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(where);
  int count = name != nullptr && name->getDecl() == variable ? 1 : 0;
  for (const clang::Stmt* child : where->children()) count += count_names(child, variable);
  return count;
}

}  // namespace kanor::host
