#include "host/facts/lasting_values.hpp"

#include <clang/AST/ExprCXX.h>

namespace kanor::host {

bool is_lasting(const clang::Expr* value, const IsBoundName& is_bound) {
  value = value->IgnoreParenImpCasts();
  // A pointer to what lasts may itself be a copy.
  if (llvm::isa<clang::CXXThisExpr>(value)) return true;
  if (!value->isLValue() || value->refersToBitField()) return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) return !is_bound(name->getDecl());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value))
    return is_lasting(member->getBase(), is_bound);
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(value))
    return is_lasting(element->getBase(), is_bound);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(value))
    return unary->getOpcode() == clang::UO_Deref && is_lasting(unary->getSubExpr(), is_bound);
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(value);
  if (call == nullptr) return false;
  switch (call->getOperator()) {
    case clang::OO_Subscript:
    case clang::OO_Star:
      return is_lasting(call->getArg(0), is_bound);
    default:
      return false;
  }
}

}  // namespace kanor::host
