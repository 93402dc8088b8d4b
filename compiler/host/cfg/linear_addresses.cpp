// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/linear_addresses.hpp"

#include <algorithm>

#include "host/cfg/functions.hpp"
#include "host/cfg/kinds.hpp"
#include "host/cfg/library_effects.hpp"
#include "host/facts/travel.hpp"

namespace kanor::host {
namespace {

/// The depth to which functions are looked into.
constexpr int most_depth = 4;

Growth sum(Growth one, Growth other) {
  if (one == Growth::unknown || other == Growth::unknown) return Growth::unknown;
  return one == Growth::none ? other : one;
}

/// The expression that a function returns, if that is all it does; else null.
const clang::Expr* only_result(const clang::FunctionDecl* callee) {
  const clang::FunctionDecl* definition = callee == nullptr ? nullptr : callee->getDefinition();
  if (definition == nullptr || is_of_system(definition) || is_replaceable(definition)) return nullptr;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  if (method != nullptr && method->isVirtual()) return nullptr;
  const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody());
  if (body == nullptr || body->size() != 1) return nullptr;
  const auto* result = llvm::dyn_cast<clang::ReturnStmt>(body->body_front());
  return result == nullptr ? nullptr : result->getRetValue();
}

/// Returns true for kinds of expressions that do nothing but what their operands do.
bool only_computes(const clang::Stmt* expression) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return !unary->isIncrementDecrementOp();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return !binary->isAssignmentOp();
  return llvm::isa<clang::ConditionalOperator, clang::ParenExpr, clang::ImplicitCastExpr,
                   clang::CStyleCastExpr, clang::CXXStaticCastExpr, clang::CXXFunctionalCastExpr,
                   clang::IntegerLiteral, clang::CharacterLiteral, clang::CXXBoolLiteralExpr,
                   clang::ArraySubscriptExpr, clang::MemberExpr, clang::CXXThisExpr, clang::DeclRefExpr,
                   clang::ConstantExpr, clang::UnaryExprOrTypeTraitExpr, clang::SubstNonTypeTemplateParmExpr>(
      expression);
}

bool has_volatile(const clang::Stmt* part) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(part);
  return expression != nullptr && (expression->getType().isVolatileQualified() ||
                                   expression->getType().getNonReferenceType()->isAtomicType());
}

/// Returns true for classes of the library whose elements lie side by side.
bool is_contiguous(clang::QualType type) {
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->isInStdNamespace() || !is_of_system(record)) return is_buffer(type);
  const llvm::StringRef name = name_of(record);
  return name == "vector" || name == "array" || name == "span" || name == "basic_string" ||
         name == "valarray" || name == "unique_ptr" || name == "shared_ptr";
}

/// Returns true for a member that only looks at such an object, or at a team: its length, where its elements
/// are, or one of them.
bool is_look(const clang::CXXMethodDecl* method) {
  if (method == nullptr) return false;
  const clang::QualType type = method->getASTContext().getTypeDeclType(method->getParent());
  const llvm::StringRef name = name_of(method);
  if (is_team(type)) return name == "size" || name == "rank";
  return is_contiguous(type) && (method->getOverloadedOperator() == clang::OO_Subscript || name == "size" ||
                                 name == "data" || name == "get");
}

}  // namespace

/// Returns true for integers whose sums and products are those of numbers: the program may not let signed
/// ones overflow, and a wrapped number of 64 bits is the same distance.
bool LinearAddresses::is_exact(clang::QualType type) const {
  return type->isIntegerType() && !type->isBooleanType() && context_.getTypeSize(type) >= 32 &&
         (type->isSignedIntegerType() || context_.getTypeSize(type) == 64);
}

/// Returns true if the conversion gives the same number, or the same distance.
bool LinearAddresses::keeps_value(clang::QualType to, clang::QualType from) const {
  if (!to->isIntegerType() || !from->isIntegerType() || to->isBooleanType()) return false;
  const auto size = context_.getTypeSize(to), before = context_.getTypeSize(from);
  if (size == 64) return true;
  return size > before ? is_exact(to) || from->isUnsignedIntegerType()
                       : size == before && to->isSignedIntegerType() == from->isSignedIntegerType();
}

Growth LinearAddresses::of_name(const clang::DeclRefExpr* name, const Frame& frame) const {
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr) return Growth::unknown;
  if (counters_.contains(variable)) return Growth::linear;
  const auto found = frame.parameters.find(variable);
  return found == frame.parameters.end() ? Growth::none : found->second;
}

/// Of a name whose value is not the same throughout, or may not be.
Growth LinearAddresses::of_load(const clang::DeclRefExpr* name, const Frame& frame) const {
  const bool is_value = !has_volatile(name) && !name->getDecl()->getType()->isReferenceType();
  return is_value && of_name(name, frame) == Growth::linear ? Growth::linear : Growth::unknown;
}

/// Returns true if the expression names no counter, and only computes.
bool LinearAddresses::is_same_throughout(const clang::Stmt* expression, const Frame& frame) const {
  if (has_volatile(expression)) return false;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable == nullptr || of_name(name, frame) == Growth::none;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) return only_looks(call, frame);
  if (!only_computes(expression)) return false;
  return std::all_of(expression->child_begin(), expression->child_end(), [&](const clang::Stmt* child) {
    return child == nullptr || is_same_throughout(child, frame);
  });
}

bool LinearAddresses::only_looks(const clang::CallExpr* call, const Frame& frame) const {
  const clang::FunctionDecl* const callee = call->getDirectCallee();
  if (callee == nullptr) return false;
  if (!is_look(llvm::dyn_cast<clang::CXXMethodDecl>(callee))) {
    const clang::Expr* const result = only_result(callee);
    if (result == nullptr || frame.depth >= most_depth) return false;
    if (!is_same_throughout(result, {{}, frame.depth + 1})) return false;
  }
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  return (member == nullptr || is_same_throughout(member->getImplicitObjectArgument(), frame)) &&
         std::all_of(call->arg_begin(), call->arg_end(),
                     [&](const clang::Expr* one) { return is_same_throughout(one, frame); });
}

Growth LinearAddresses::arithmetic(const clang::BinaryOperator* sum_, const Frame& frame) const {
  if (!is_exact(sum_->getType())) return Growth::unknown;
  const Growth left = value(sum_->getLHS(), frame), right = value(sum_->getRHS(), frame);
  if (sum_->isAdditiveOp()) return sum(left, right);
  if (sum_->getOpcode() != clang::BO_Mul) return Growth::unknown;
  return left == Growth::linear && right == Growth::linear ? Growth::unknown : sum(left, right);
}

Growth LinearAddresses::value(const clang::Expr* expression, const Frame& frame) const {
  if (is_same_throughout(expression, frame)) return Growth::none;
  expression = expression->IgnoreParens();
  if (has_volatile(expression)) return Growth::unknown;
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const clang::Expr* const from = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_LValueToRValue) {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(from->IgnoreParens());
      return name == nullptr ? Growth::unknown : of_load(name, frame);
    }
    if (cast->getCastKind() == clang::CK_NoOp) return value(from, frame);
    return cast->getCastKind() == clang::CK_IntegralCast && keeps_value(cast->getType(), from->getType())
               ? value(from, frame)
               : Growth::unknown;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    const bool is_sign = unary->getOpcode() == clang::UO_Minus || unary->getOpcode() == clang::UO_Plus;
    return is_sign && is_exact(unary->getType()) ? value(unary->getSubExpr(), frame) : Growth::unknown;
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return arithmetic(binary, frame);
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
  return call != nullptr && !call->isGLValue() ? of_call(call, frame) : Growth::unknown;
}

/// Looks at the only expression of a function that the program defines.
Growth LinearAddresses::of_call(const clang::CallExpr* call, const Frame& frame) const {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const clang::Expr* const result = only_result(callee);
  if (result == nullptr || frame.depth >= most_depth) return Growth::unknown;
  callee = callee->getDefinition();
  // The object is an operator's first argument.
  const bool is_operator = llvm::isa<clang::CXXOperatorCallExpr>(call);
  const bool has_object = is_operator && llvm::isa<clang::CXXMethodDecl>(callee);
  const unsigned skipped = has_object ? 1 : 0;
  if (callee->isVariadic() || call->getNumArgs() != callee->getNumParams() + skipped) return Growth::unknown;
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
  const clang::Expr* const object = member != nullptr ? member->getImplicitObjectArgument()
                                    : has_object      ? call->getArg(0)
                                                      : nullptr;
  if (object != nullptr && !is_same_throughout(object, frame)) return Growth::unknown;
  Frame inner{{}, frame.depth + 1};
  for (unsigned at = 0; at < callee->getNumParams(); ++at) {
    const clang::ParmVarDecl* const parameter = callee->getParamDecl(at);
    const clang::Expr* const argument = call->getArg(at + skipped);
    const clang::QualType type = parameter->getType();
    const Growth growth = type->isReferenceType() ? address(argument, frame)
                          : type->isPointerType() ? pointer(argument, frame)
                                                  : value(argument, frame);
    if (growth == Growth::unknown) return growth;
    inner.parameters[parameter] = growth;
  }
  return call->isGLValue()                  ? address(result, inner)
         : call->getType()->isPointerType() ? pointer(result, inner)
                                            : value(result, inner);
}

Growth LinearAddresses::pointer(const clang::Expr* expression, const Frame& frame) const {
  if (is_same_throughout(expression, frame)) return Growth::none;
  expression = expression->IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    const clang::Expr* const from = cast->getSubExpr();
    if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) return address(from, frame);
    if (cast->getCastKind() == clang::CK_NoOp) return pointer(from, frame);
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(from->IgnoreParens());
    return cast->getCastKind() == clang::CK_LValueToRValue && name != nullptr ? of_load(name, frame)
                                                                              : Growth::unknown;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return unary->getOpcode() == clang::UO_AddrOf ? address(unary->getSubExpr(), frame) : Growth::unknown;
  if (const auto* moved = llvm::dyn_cast<clang::BinaryOperator>(expression);
      moved != nullptr && moved->isAdditiveOp() && moved->getType()->isPointerType()) {
    const bool is_first = moved->getLHS()->getType()->isPointerType();
    return sum(pointer(is_first ? moved->getLHS() : moved->getRHS(), frame),
               value(is_first ? moved->getRHS() : moved->getLHS(), frame));
  }
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
  return call == nullptr ? Growth::unknown : of_call(call, frame);
}

Growth LinearAddresses::address(const clang::Expr* object, const Frame& frame) const {
  object = object->IgnoreParens();
  if (has_volatile(object)) return Growth::unknown;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr) return Growth::unknown;
    const auto found = frame.parameters.find(variable);
    return found != frame.parameters.end() && variable->getType()->isReferenceType() ? found->second
                                                                                     : Growth::none;
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object))
    return sum(pointer(element->getBase(), frame), value(element->getIdx(), frame));
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(object)) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr || field->isBitField() || field->getType()->isReferenceType())
      return Growth::unknown;
    return member->isArrow() ? pointer(member->getBase(), frame) : address(member->getBase(), frame);
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(object))
    return unary->getOpcode() == clang::UO_Deref ? pointer(unary->getSubExpr(), frame) : Growth::unknown;
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(object))
    return cast->getCastKind() == clang::CK_NoOp ? address(cast->getSubExpr(), frame) : Growth::unknown;
  if (llvm::isa<clang::CXXThisExpr>(object)) return Growth::none;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(object);
  if (call == nullptr || !call->isGLValue()) return Growth::unknown;
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (method == nullptr || method->getOverloadedOperator() != clang::OO_Subscript || !is_look(method))
    return of_call(call, frame);
  const clang::Expr* const container = call->getArg(0);
  // The elements of a vector are elsewhere, those of an array in it.
  const Growth of_container = is_array_class(container->getType())   ? address(container, frame)
                              : is_same_throughout(container, frame) ? Growth::none
                                                                     : Growth::unknown;
  return sum(of_container, value(call->getArg(1), frame));
}

}  // namespace kanor::host
