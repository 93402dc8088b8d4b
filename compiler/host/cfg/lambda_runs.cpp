// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/lambda_runs.hpp"

#include <clang/AST/DeclCXX.h>

#include "host/cfg/evaluation.hpp"
#include "host/cfg/library_effects.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

bool calls_at_once(const clang::FunctionDecl* function) {
  return function != nullptr && is_standard_function(function) &&
         library::function_has(function->getName(), library::FunctionTrait::calls_at_once);
}

/// Returns true for a wrapper that a closure passes through unchanged, or copied.
bool is_wrapper(const clang::Stmt* statement) {
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(statement))
    return made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor();
  return llvm::isa<clang::ImplicitCastExpr, clang::ParenExpr, clang::MaterializeTemporaryExpr,
                   clang::CXXBindTemporaryExpr, clang::ExprWithCleanups>(statement);
}

class Runs {
 public:
  Runs(const clang::ParentMap& parents, const std::function<bool(const clang::Stmt*)>& is_elsewhere)
      : parents_(parents), is_elsewhere_(is_elsewhere) {}

  bool find(const clang::LambdaExpr* lambda, const clang::Stmt* body) {
    const clang::Stmt* user = user_of(lambda);
    if (run_by(user)) return true;
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(user);
    const auto* variable = declared == nullptr || !declared->isSingleDecl()
                               ? nullptr
                               : llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
    if (variable == nullptr || !variable->hasLocalStorage() ||
        variable->getType().getNonReferenceType()->getAsCXXRecordDecl() != lambda->getLambdaClass())
      return false;
    variable_ = variable;
    return all_run(body, false);
  }

  std::vector<const clang::CallExpr*> take() { return std::move(found_); }

 private:
  /// The innermost statement around the closure that uses it; sets `given_` to the part of it that is the
  /// closure.
  const clang::Stmt* user_of(const clang::Stmt* closure) {
    given_ = closure;
    const clang::Stmt* user = parents_.getParent(closure);
    while (user != nullptr && is_wrapper(user)) {
      given_ = user;
      user = parents_.getParent(user);
    }
    return user;
  }

  bool run_by(const clang::Stmt* user) {
    const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(user);
    if (call == nullptr || is_elsewhere_(call)) return false;
    const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    const bool is_called = operation != nullptr && operation->getOperator() == clang::OO_Call &&
                           operation->getNumArgs() > 0 && operation->getArg(0) == given_;
    if (!is_called && (call->getCallee() == given_ || !calls_at_once(call->getDirectCallee()))) return false;
    // std::for_each gives the closure back.
    const auto* result = is_called ? nullptr : call->getType()->getAsCXXRecordDecl();
    if (result != nullptr && result->isLambda() && !is_discarded(call, parents_)) return false;
    found_.push_back(call);
    return true;
  }

  /// Returns true if every use of the variable runs it, in statements of the function itself.
  bool all_run(const clang::Stmt* statement, bool is_inside) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement))
      return name->getDecl() != variable_ || (!is_inside && run_by(user_of(name)));
    is_inside = is_inside || llvm::isa<clang::LambdaExpr>(statement) || is_elsewhere_(statement);
    for (const clang::Stmt* child : statement->children())
      if (child != nullptr && !all_run(child, is_inside)) return false;
    return true;
  }

  const clang::ParentMap& parents_;
  const std::function<bool(const clang::Stmt*)>& is_elsewhere_;
  const clang::VarDecl* variable_ = nullptr;
  const clang::Stmt* given_ = nullptr;
  std::vector<const clang::CallExpr*> found_;
};

}  // namespace

std::optional<std::vector<const clang::CallExpr*>> runs_of(
    const clang::LambdaExpr* lambda, const clang::Stmt* body, const clang::ParentMap& parents,
    const std::function<bool(const clang::Stmt*)>& is_elsewhere) {
  Runs runs(parents, is_elsewhere);
  if (!runs.find(lambda, body)) return std::nullopt;
  return runs.take();
}

}  // namespace kanor::host
