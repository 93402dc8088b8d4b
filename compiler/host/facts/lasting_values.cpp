// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/lasting_values.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <map>

#include "host/facts/shapes.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

/// Counts how often each variable is named, and how often it is named to be read: as a value or, as for a
/// map's key, by a reference to const.
class ReadCounter : public TreeWalk {
 public:
  struct Count {
    int named = 0, read = 0;
  };

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* variable = local_scalar(*name)) ++counts[variable].named;
    return true;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue ||
        (cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified()))
      count_read(cast->getSubExpr());
    return true;
  }

  /// Counts a read if the expression is a local variable.
  void count_read(const clang::Expr* expression) {
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens()))
      if (const auto* variable = local_scalar(*name)) ++counts[variable].read;
  }

  std::map<const clang::ValueDecl*, Count> counts;

 private:
  /// The variable; null if it cannot be captured or, as a constant, need not be.
  static const clang::ValueDecl* local_scalar(const clang::DeclRefExpr& name) {
    const clang::ValueDecl* declaration = name.getDecl();
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(declaration))
      variable = llvm::dyn_cast<clang::VarDecl>(binding->getDecomposedDecl());
    if (variable == nullptr || !variable->hasLocalStorage()) return nullptr;
    const bool is_constant = variable->isUsableInConstantExpressions(variable->getASTContext());
    return declaration->getType().getNonReferenceType()->isScalarType() && !is_constant ? declaration
                                                                                        : nullptr;
  }
};

/// Returns true for an operator of another library's class, whose result may change with its next call.
bool is_of_another_library(const clang::CXXOperatorCallExpr& call) {
  const clang::Decl* const callee = call.getCalleeDecl();
  if (callee == nullptr) return true;
  const clang::DeclContext* context = callee->getDeclContext();
  while (context->isRecord() || context->isInlineNamespace()) context = context->getParent();
  return !context->isStdNamespace();
}

bool is_lasting(const clang::Expr* value, const IsBoundName& is_bound, bool only_standard) {
  value = value->IgnoreParenImpCasts();
  // A pointer to what lasts may itself be a copy.
  if (llvm::isa<clang::CXXThisExpr>(value)) return true;
  if (gives_shape(value))
    return is_lasting(llvm::cast<clang::CallExpr>(value->IgnoreImplicit())->getArg(0), is_bound,
                      only_standard);
  if (!only_standard && is_shape(value->getType())) return true;
  if (!value->isLValue() || value->refersToBitField()) return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) return !is_bound(name->getDecl());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value))
    return is_lasting(member->getBase(), is_bound, only_standard);
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(value))
    return is_lasting(element->getBase(), is_bound, only_standard);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(value))
    return unary->getOpcode() == clang::UO_Deref && is_lasting(unary->getSubExpr(), is_bound, only_standard);
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(value);
  if (call == nullptr || (only_standard && is_of_another_library(*call))) return false;
  switch (call->getOperator()) {
    case clang::OO_Subscript:
    case clang::OO_Star:
      return is_lasting(call->getArg(0), is_bound, only_standard);
    default:
      return false;
  }
}

}  // namespace

bool is_lasting(const clang::Expr* value, const IsBoundName& is_bound) {
  return is_lasting(value, is_bound, false);
}

bool is_readable_in_place(const clang::Expr* value, const IsBoundName& is_bound) {
  return is_lasting(value, is_bound, true);
}

void add_read_variables(const clang::Expr* expression, bool is_section_base, const IsBoundName& is_bound,
                        std::set<std::string>& names) {
  ReadCounter counter;
  counter.TraverseStmt(const_cast<clang::Expr*>(expression));
  if (is_section_base) counter.count_read(expression);
  for (const auto& [variable, count] : counter.counts)
    if (count.read == count.named && !is_bound(variable)) names.insert(variable->getNameAsString());
}

}  // namespace kanor::host
