// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/uniform_values.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

namespace kanor::host {
namespace {

using sema::Operation;
using sema::Symbolic;

constexpr int deepest = 16;

}  // namespace

const clang::Expr* without_wrapping(const clang::Expr* expression) {
  for (;;) {
    const clang::Expr* inner = expression->IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(inner);
        cast != nullptr &&
        (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp))
      inner = cast->getSubExpr();
    else if (const auto* full = llvm::dyn_cast<clang::FullExpr>(inner))
      inner = full->getSubExpr();
    else if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(inner))
      inner = made->getSubExpr();
    if (inner == expression) return expression;
    expression = inner;
  }
}

bool is_class(clang::QualType type, std::string_view name) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && std::string_view(record->getQualifiedNameAsString()) == name;
}

namespace {

/// Returns true if both name the same object whenever one is evaluated after the other: a variable, or a
/// member of one or of `this`.
bool name_the_same(const clang::Expr* a, const clang::Expr* b) {
  a = without_wrapping(a);
  b = without_wrapping(b);
  if (a->getStmtClass() != b->getStmtClass()) return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(a))
    return name->getDecl()->getCanonicalDecl() ==
           llvm::cast<clang::DeclRefExpr>(b)->getDecl()->getCanonicalDecl();
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(a);
  if (member == nullptr) return llvm::isa<clang::CXXThisExpr>(a);
  const auto* other = llvm::cast<clang::MemberExpr>(b);
  return member->getMemberDecl()->getCanonicalDecl() == other->getMemberDecl()->getCanonicalDecl() &&
         member->isArrow() == other->isArrow() && name_the_same(member->getBase(), other->getBase());
}

}  // namespace

bool UniformValues::is_team(const clang::Expr* expression) const {
  if (!is_class(without_wrapping(expression)->getType(), "kanor::team")) return false;
  if (team_ != nullptr) return name_the_same(team_, expression);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(without_wrapping(expression));
  return name != nullptr && name->getDecl()->getQualifiedNameAsString() == "kanor::world";
}

/// Returns true if the block's team is what its name meant at any earlier use.
bool UniformValues::team_stays() const {
  if (team_ == nullptr) return true;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(without_wrapping(team_));
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  return variable != nullptr && variables_.is_steady(variable);
}

std::optional<std::int64_t> constant_value(const clang::Expr* expression, const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  if (!expression->getType()->isIntegralOrUnscopedEnumerationType() || expression->isValueDependent() ||
      !expression->EvaluateAsInt(result, context, clang::Expr::SE_NoSideEffects))
    return std::nullopt;
  const llvm::APSInt number = result.Val.getInt();
  if (!number.isRepresentableByInt64()) return std::nullopt;
  return number.getExtValue();
}

std::optional<std::int64_t> UniformValues::constant(const clang::Expr* expression) const {
  return constant_value(expression, context_);
}

std::optional<Symbolic> UniformValues::meaning(const clang::Expr* expression, int depth) {
  if (depth > deepest) return std::nullopt;
  expression = without_wrapping(expression);
  if (const auto number = constant(expression)) return sema::integer(*number);
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    if (cast->getCastKind() != clang::CK_IntegralCast && cast->getCastKind() != clang::CK_NoOp)
      return std::nullopt;
    // The size of a team is an int and positive; what is computed from it may be negative.
    auto inner = meaning(cast->getSubExpr(), depth + 1);
    const bool holds_int = context_.getIntWidth(cast->getType()) >= 32;
    const bool keeps = inner && holds_int &&
                       (inner->is(Symbolic::Kind::team_size) || cast->getType()->isSignedIntegerType());
    return keeps ? inner : std::nullopt;
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
    const auto* method = call->getMethodDecl();
    if (method == nullptr || !method->getDeclName().isIdentifier() || method->getName() != "size" ||
        !is_team(call->getImplicitObjectArgument()))
      return std::nullopt;
    Symbolic size;
    size.kind = Symbolic::Kind::team_size;
    return size;
  }
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    // A static variable may have been initialised with the size of an earlier team of that name.
    const bool follow =
        variable != nullptr && (team_ == nullptr || variable->hasLocalStorage()) && team_stays();
    const auto* value = follow ? variables_.initialiser(variable) : nullptr;
    return value == nullptr ? std::nullopt : meaning(value, depth + 1);
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) return meaning(binary, depth);
  return std::nullopt;
}

std::optional<Symbolic> UniformValues::meaning(const clang::BinaryOperator* expression, int depth) {
  Operation operation = Operation::add;
  switch (expression->getOpcode()) {
    case clang::BO_Add:
      break;
    case clang::BO_Sub:
      operation = Operation::subtract;
      break;
    case clang::BO_Mul:
      operation = Operation::multiply;
      break;
    case clang::BO_Div:
      operation = Operation::divide;
      break;
    case clang::BO_Rem:
      operation = Operation::remainder;
      break;
    default:
      return std::nullopt;
  }
  const auto left = meaning(expression->getLHS(), depth + 1);
  const auto right = left ? meaning(expression->getRHS(), depth + 1) : std::nullopt;
  if (!right) return std::nullopt;
  // Of what can wrap, the last rank's number alone is sure not to.
  const bool is_last =
      operation == Operation::subtract && left->is(Symbolic::Kind::team_size) && right->is_integer(1);
  const bool divides = operation == Operation::divide || operation == Operation::remainder;
  if (expression->getType()->isUnsignedIntegerType() && !is_last && !divides) return std::nullopt;
  return sema::operation(operation, *left, *right);
}

bool UniformValues::mentions_team_size(const clang::Expr* expression) {
  if (const auto known = meaning(expression)) return !known->is(Symbolic::Kind::integer);
  for (const clang::Stmt* child : expression->children()) {
    const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
    if (part != nullptr && mentions_team_size(part)) return true;
  }
  return false;
}

bool UniformValues::is_safe_call(const clang::CXXMemberCallExpr* call) {
  const auto* method = call->getMethodDecl();
  if (method == nullptr || !method->isConst() || call->getNumArgs() != 0) return false;
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  if (member == nullptr || (member->isArrow() && !member->isImplicitAccess() &&
                            !llvm::isa<clang::CXXThisExpr>(without_wrapping(member->getBase()))))
    return false;
  const auto* type = method->getType()->getAs<clang::FunctionProtoType>();
  const bool is_noexcept = type != nullptr && type->isNothrow();
  const bool is_teams =
      is_class(call->getObjectType(), "kanor::team") || is_class(call->getObjectType(), "kanor::grid");
  const bool is_library = method->isInStdNamespace() || method->getParent()->isInStdNamespace();
  return ((is_noexcept && is_library) || is_teams) && is_safe(call->getImplicitObjectArgument());
}

bool UniformValues::is_safe_binary(const clang::BinaryOperator* expression) {
  if (expression->isAssignmentOp() || expression->isPtrMemOp() || !is_safe(expression->getLHS()) ||
      !is_safe(expression->getRHS()))
    return false;
  if (expression->getOpcode() == clang::BO_Div || expression->getOpcode() == clang::BO_Rem) {
    const auto divisor = meaning(expression->getRHS());
    return divisor && (divisor->is(Symbolic::Kind::team_size) ||
                       (divisor->is(Symbolic::Kind::integer) && divisor->value > 0));
  }
  if (expression->isShiftOp()) {
    const auto count = constant(expression->getRHS());
    return count && 0 <= *count && *count < 32;
  }
  return true;
}

bool UniformValues::is_safe(const clang::Expr* expression) {
  expression = without_wrapping(expression);
  if (llvm::isa<clang::DeclRefExpr, clang::IntegerLiteral, clang::CXXBoolLiteralExpr, clang::CharacterLiteral,
                clang::CXXThisExpr, clang::UnaryExprOrTypeTraitExpr, clang::SubstNonTypeTemplateParmExpr>(
          expression))
    return true;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const auto kind = cast->getCastKind();
    return (kind == clang::CK_IntegralCast || kind == clang::CK_NoOp || kind == clang::CK_IntegralToBoolean ||
            kind == clang::CK_UncheckedDerivedToBase || kind == clang::CK_DerivedToBase) &&
           is_safe(cast->getSubExpr());
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    const bool own = llvm::isa<clang::CXXThisExpr>(without_wrapping(member->getBase()));
    return own || (!member->isArrow() && is_safe(member->getBase()));
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    const auto op = unary->getOpcode();
    return (op == clang::UO_Plus || op == clang::UO_Minus || op == clang::UO_Not || op == clang::UO_LNot) &&
           is_safe(unary->getSubExpr());
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
    return is_safe(choice->getCond()) && is_safe(choice->getLHS()) && is_safe(choice->getRHS());
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) return is_safe_binary(binary);
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) return is_safe_call(call);
  return false;
}

}  // namespace kanor::host
