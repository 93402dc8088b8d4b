// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/proxy.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include <string>

#include "host/facts/travel.hpp"

namespace kanor::host {
namespace {

bool has_own_assignment(const clang::CXXRecordDecl* record) {
  if (!record->hasDefinition()) return false;
  auto& names = record->getASTContext().DeclarationNames;
  for (const clang::NamedDecl* found : record->lookup(names.getCXXOperatorName(clang::OO_Equal))) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(found->getUnderlyingDecl());
    if (method == nullptr || method->isUserProvided()) return true;
  }
  return llvm::any_of(record->bases(), [](const clang::CXXBaseSpecifier& base) {
    const auto* of = base.getType()->getAsCXXRecordDecl();
    return of != nullptr && has_own_assignment(of);
  });
}

bool leads_elsewhere(const clang::TemplateArgument& argument) {
  if (argument.getKind() == clang::TemplateArgument::Pack)
    return llvm::any_of(argument.pack_elements(), leads_elsewhere);
  if (argument.getKind() != clang::TemplateArgument::Type) return false;
  return argument.getAsType()->isReferenceType() || is_proxy(argument.getAsType());
}

}  // namespace

bool is_proxy(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || is_buffer(type)) return false;
  if (!owns_its_value(type)) return has_own_assignment(record);
  const std::string name = standard_template(type);
  if (name != "pair" && name != "tuple") return false;
  const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  return instance == nullptr || llvm::any_of(instance->getTemplateArgs().asArray(), leads_elsewhere);
}

bool is_element_of_temporary(const clang::Expr* expression) {
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression->IgnoreParens());
  if (call == nullptr || call->getOperator() != clang::OO_Subscript) return false;
  const clang::Expr* base = call->getArg(0)->IgnoreParenImpCasts();
  if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(base))
    base = temporary->getSubExpr()->IgnoreParenImpCasts();
  const bool owns = is_buffer(base->getType()) || owns_its_value(base->getType());
  return owns && (base->isPRValue() || is_element_of_temporary(base));
}

}  // namespace kanor::host
