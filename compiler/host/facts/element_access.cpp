// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/element_access.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include "host/facts/sections.hpp"
#include "host/facts/tree_walk.hpp"
#include "host/facts/uniform_values.hpp"
#include "sema/facts.hpp"

namespace kanor::host {
namespace {

bool is_name(const clang::DeclRefExpr& reference, std::string_view name) {
  const auto* identifier = reference.getDecl()->getIdentifier();
  return identifier != nullptr && identifier->getName() == llvm::StringRef(name.data(), name.size());
}

/// The factor of the name in a sum. A conversion to a narrower type could wrap on the way.
std::optional<std::int64_t> factor(const clang::Expr* expression, std::string_view name,
                                   const clang::ASTContext& context) {
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(expression)) {
    const clang::QualType from = cast->getSubExpr()->getType(), to = cast->getType();
    if (cast->getCastKind() == clang::CK_IntegralCast &&
        context.getTypeSize(to) < context.getTypeSize(from) && mentions(expression, name))
      return std::nullopt;
    return factor(cast->getSubExpr(), name, context);
  }
  expression = expression->IgnoreParens();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return is_name(*reference, name) ? 1 : 0;
  if (!mentions(expression, name)) return 0;
  if (llvm::isa<clang::ImplicitCastExpr>(expression)) return factor(expression, name, context);
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (operation == nullptr) return std::nullopt;
  const auto left = factor(operation->getLHS(), name, context);
  const auto right = factor(operation->getRHS(), name, context);
  if (!left || !right) return std::nullopt;
  std::int64_t result = 0;
  switch (operation->getOpcode()) {
    case clang::BO_Add:
      return __builtin_add_overflow(*left, *right, &result) ? std::nullopt : std::optional(result);
    case clang::BO_Sub:
      return __builtin_sub_overflow(*left, *right, &result) ? std::nullopt : std::optional(result);
    case clang::BO_Mul: {
      const auto times = constant_value(*left == 0 ? operation->getLHS() : operation->getRHS(), context);
      if (!times || (*left != 0 && *right != 0)) return std::nullopt;
      return __builtin_mul_overflow(*left + *right, *times, &result) ? std::nullopt : std::optional(result);
    }
    default:
      return std::nullopt;
  }
}

/// Returns true if the index is an integer as it is written: one that a class converts to is not.
bool is_integer(const clang::Expr* index) {
  while (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(index)) {
    if (cast->getCastKind() == clang::CK_UserDefinedConversion) return false;
    index = cast->getSubExpr();
  }
  return index->getType()->isIntegralOrUnscopedEnumerationType();
}

}  // namespace

bool mentions(const clang::Expr* expression, std::string_view name) {
  bool found = false;
  for_each_name(expression, [&](const clang::DeclRefExpr* one) { found |= is_name(*one, name); });
  return found;
}

std::optional<std::int64_t> element_stride(const clang::Expr* expression, std::string_view name,
                                           const clang::ASTContext& context) {
  const clang::Expr *base = nullptr, *index = nullptr;
  if (const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    if (subscript->getBase() != subscript->getLHS()) return std::nullopt;  // `3[array]`
    base = subscript->getBase();
    index = subscript->getIdx();
  } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression)) {
    if (call->getOperator() != clang::OO_Subscript || call->getNumArgs() != 2) return std::nullopt;
    base = call->getArg(0);
    index = call->getArg(1);
  } else {
    return std::nullopt;
  }
  base = base->IgnoreParenImpCasts();
  if (!has_sections(base->getType(), context) || mentions(base, name)) return std::nullopt;
  if (!is_integer(index)) return std::nullopt;
  const auto stride = factor(index, name, context);
  return stride && *stride > 0 ? *stride : sema::listed;
}

}  // namespace kanor::host
