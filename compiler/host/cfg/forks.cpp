// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/forks.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>

#include <optional>

#include "host/facts/steady_variables.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

bool calls_fork(const clang::Expr* expression) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParenImpCasts());
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr || !callee->isExternC()) return false;
  return callee->getName() == "fork" || callee->getName() == "vfork" || callee->getName() == "_Fork";
}

const clang::VarDecl* variable_of(const clang::Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

/// Checks that a variable is only read, and only assigned results of fork().
class Writes : public TreeWalk {
 public:
  explicit Writes(const clang::VarDecl* variable) : variable_(variable) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (name->getDecl() == variable_) ++mentions_;
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue && variable_of(cast->getSubExpr()) == variable_)
      ++harmless_;
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    if (operation->getOpcode() == clang::BO_Assign && variable_of(operation->getLHS()) == variable_ &&
        calls_fork(operation->getRHS()))
      ++harmless_, ++forks_;
    return true;
  }

  bool are_forks() const { return mentions_ == harmless_; }
  bool has_forks() const { return forks_ > 0; }

 private:
  const clang::VarDecl* variable_;
  int mentions_ = 0, harmless_ = 0, forks_ = 0;
};

bool holds_forks(const clang::VarDecl* variable) {
  if (!variable->hasLocalStorage() || llvm::isa<clang::ParmVarDecl>(variable) ||
      !variable->getType()->isIntegerType())
    return false;
  const auto* function = outermost_function(variable);
  if (function == nullptr || !function->hasBody()) return false;
  if (variable->hasInit() && !calls_fork(variable->getInit())) return false;
  Writes writes(variable);
  writes.TraverseStmt(function->getBody());
  return writes.are_forks() && (variable->hasInit() || writes.has_forks());
}

std::optional<std::int64_t> constant(const clang::Expr* expression, const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  if (expression->isValueDependent() || !expression->EvaluateAsInt(result, context) ||
      !result.Val.getInt().isRepresentableByInt64())
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

bool is_no_child(std::optional<std::int64_t> number) { return number == 0 || number == -1; }

}  // namespace

bool Forks::gives_number(const clang::Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return assignment->getOpcode() == clang::BO_Assign && calls_fork(assignment->getRHS());
  const auto* variable = variable_of(expression);
  if (variable == nullptr) return calls_fork(expression);
  const auto [found, is_new] = known_.try_emplace(variable, false);
  if (is_new) found->second = holds_forks(variable);
  return found->second;
}

bool Forks::is_asked_for_child(const clang::BinaryOperator* comparison, const clang::ASTContext& context) {
  if (!comparison->isComparisonOp()) return false;
  const auto *left = comparison->getLHS(), *right = comparison->getRHS();
  return (gives_number(left) && is_no_child(constant(right, context))) ||
         (gives_number(right) && is_no_child(constant(left, context)));
}

bool Forks::is_asked_for_child(const clang::SwitchStmt* choice, const clang::ASTContext& context) {
  if (!gives_number(choice->getCond())) return false;
  for (const auto* one = choice->getSwitchCaseList(); one != nullptr; one = one->getNextSwitchCase()) {
    const auto* number = llvm::dyn_cast<clang::CaseStmt>(one);
    if (number == nullptr) continue;
    if (number->getRHS() != nullptr || !is_no_child(constant(number->getLHS(), context))) return false;
  }
  return true;
}

}  // namespace kanor::host
