// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/mpi_calls.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include "host/cfg/library_effects.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using library::MpiTrait;

bool is_zero(const clang::Expr* expression, const clang::ASTContext& context) {
  clang::Expr::EvalResult result;
  return expression->getType()->isIntegerType() && expression->EvaluateAsInt(result, context) &&
         result.Val.getInt() == 0;
}

/// Removes subscripts of 0, of arrays and of pointers, each with the conversion that makes it an address.
const clang::Expr* without_zeros(const clang::Expr* expression, const clang::ASTContext& context) {
  for (;;) {
    expression = expression->IgnoreParenImpCasts();
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression);
    if (element == nullptr || !is_zero(element->getIdx(), context)) return expression;
    expression = element->getBase();
  }
}

/// The vector of numbers at whose first element the address points: `v.data()`, `&v[0]`.
const clang::DeclRefExpr* whole_vector(const clang::Expr* address, const clang::ASTContext& context) {
  const clang::Expr* object = nullptr;
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(address)) {
    const auto* method = call->getMethodDecl();
    if (method != nullptr && method->getIdentifier() != nullptr && method->getName() == "data")
      object = call->getImplicitObjectArgument();
  } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(address);
             unary != nullptr && unary->getOpcode() == clang::UO_AddrOf) {
    const auto* element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(unary->getSubExpr()->IgnoreParens());
    if (element != nullptr && element->getOperator() == clang::OO_Subscript &&
        is_zero(element->getArg(1), context))
      object = element->getArg(0);
  }
  const auto* name =
      object == nullptr ? nullptr : llvm::dyn_cast<clang::DeclRefExpr>(object->IgnoreParenImpCasts());
  return name != nullptr && !number_of_vector(name->getType()).isNull() ? name : nullptr;
}

}  // namespace

clang::QualType number_of_vector(clang::QualType type) {
  const auto* instance =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (instance == nullptr || type->isReferenceType() || !instance->isInStdNamespace() ||
      instance->getName() != "vector")
    return {};
  const clang::QualType element = instance->getTemplateArgs()[0].getAsType();
  return element->isArithmeticType() && !element->isBooleanType() ? element : clang::QualType();
}

bool is_mpi(const clang::FunctionDecl* function) {
  if (function->getIdentifier() == nullptr || !function->isExternC()) return false;
  const llvm::StringRef name = function->getName();
  return name.starts_with("MPI_") || name.starts_with("PMPI_");
}

std::vector<MpiEnd> ends_of(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  if (callee == nullptr || !is_mpi(callee)) return {};
  llvm::StringRef name = callee->getName();
  if (name.starts_with("PMPI_")) name = name.drop_front(1);
  const bool sends = library::mpi_has(name, MpiTrait::sends);
  const bool receives = library::mpi_has(name, MpiTrait::receives);
  if (!sends && !receives) return {};
  std::vector<MpiEnd> ends;
  const auto begin = [&](bool is_send, const clang::Expr* buffer) {
    ends.emplace_back().sends = is_send;
    ends.back().buffer = buffer;
  };
  const std::string_view letters = library::mpi_signature(name, call->getNumArgs());
  for (unsigned at = 0; at < letters.size(); ++at) {
    const clang::Expr* argument = call->getArg(at);
    const bool is_first = ends.empty() || (ends.back().count != nullptr && ends.back().partner != nullptr);
    switch (letters[at]) {
      case 'r':
      case 'R':
      case 'X':
        begin(true, argument);
        break;
      case 'w':
      case 'W':
        if (is_first && receives && ends.size() < (sends ? 2U : 1U)) begin(false, argument);
        break;
      case 'n':
        ends.back().count = argument;
        break;
      case 't':
        ends.back().type = argument;
        break;
      case 'p':
        if (ends.back().partner != nullptr) {
          ends.push_back(ends.back());
          ends.back().sends = false;
        }
        ends.back().partner = argument;
        break;
      case 'g':
        ends.back().tag = argument;
        break;
      case 'c':
        for (MpiEnd& end : ends) end.comm = argument;
        break;
      default:
        break;
    }
  }
  if (!ends.empty()) return ends;
  // A declaration of the program's own, or with other arguments: nothing is known of it.
  if (sends) begin(true, nullptr);
  if (receives) begin(false, nullptr);
  return ends;
}

const clang::DeclRefExpr* whole_buffer(const clang::Expr* argument, const clang::ASTContext& context) {
  const clang::Expr* at = argument->IgnoreParenCasts();
  if (const auto* name = whole_vector(at, context)) return name;
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(at);
      address != nullptr && address->getOpcode() == clang::UO_AddrOf) {
    const clang::Expr* object = without_zeros(address->getSubExpr(), context);
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object);
    const bool is_pointer_itself =
        object == address->getSubExpr()->IgnoreParenImpCasts() && !object->getType()->isArrayType();
    return is_pointer_itself ? nullptr : name;
  }
  // `rows[0]` of an array of arrays is the address of its first element.
  const clang::Expr* object = without_zeros(at, context);
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object);
  const bool is_address = at->getType()->isArrayType() || (object == at && at->getType()->isPointerType());
  if (name != nullptr && object != at && !name->getType()->isArrayType()) return nullptr;
  return is_address ? name : nullptr;
}

const clang::VarDecl* named_in(const clang::Expr* expression) {
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  for (const clang::Stmt* child : expression->children())
    if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child))
      if (const auto* found = named_in(part)) return found;
  return nullptr;
}

}  // namespace kanor::host
