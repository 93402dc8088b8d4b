// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/shapes.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

namespace kanor::host {
namespace {

clang::ClassTemplateDecl* shape_template(clang::Sema& sema) {
  clang::ASTContext& context = sema.Context;
  for (const clang::NamedDecl* space : context.getTranslationUnitDecl()->lookup(&context.Idents.get("kanor")))
    if (const auto* kanor = llvm::dyn_cast<clang::NamespaceDecl>(space))
      for (clang::NamedDecl* found : kanor->lookup(&context.Idents.get("shape_of")))
        if (auto* made = llvm::dyn_cast<clang::ClassTemplateDecl>(found)) return made;
  return nullptr;
}

/// A member of the class or of one of its bases.
const clang::NamedDecl* member(const clang::CXXRecordDecl* record, const char* name,
                               const clang::ASTContext& context) {
  for (const clang::NamedDecl* found : record->lookup(&context.Idents.get(name))) return found;
  for (const auto& base : record->bases())
    if (const auto* from = base.getType()->getAsCXXRecordDecl())
      if (const auto* found = member(from, name, context)) return found;
  return nullptr;
}

/// The value of a static constant of a class template's specialisation.
std::optional<std::int64_t> constant(const clang::NamedDecl* declaration, clang::Sema& sema) {
  auto* variable = const_cast<clang::VarDecl*>(llvm::dyn_cast_or_null<clang::VarDecl>(declaration));
  if (variable == nullptr) return std::nullopt;
  if (variable->getAnyInitializer() == nullptr)
    sema.InstantiateVariableDefinition(variable->getLocation(), variable);
  const clang::Expr* value = variable->getAnyInitializer();
  clang::Expr::EvalResult result;
  if (value == nullptr || value->isValueDependent() || !value->EvaluateAsRValue(result, sema.Context) ||
      !result.Val.isInt())
    return std::nullopt;
  return result.Val.getInt().getExtValue();
}

}  // namespace

std::optional<Shape> shape_of(clang::QualType type, clang::Sema& sema) {
  if (type->getAsCXXRecordDecl() == nullptr || type->isDependentType()) return std::nullopt;
  clang::ClassTemplateDecl* const pattern = shape_template(sema);
  if (pattern == nullptr) return std::nullopt;
  const clang::Sema::SFINAETrap trap(sema, true);
  const clang::SourceLocation at = pattern->getLocation();
  clang::TemplateArgumentListInfo arguments(at, at);
  arguments.addArgument(clang::TemplateArgumentLoc(clang::TemplateArgument(type),
                                                   sema.Context.getTrivialTypeSourceInfo(type, at)));
  const clang::QualType made = sema.CheckTemplateIdType(clang::TemplateName(pattern), at, arguments);
  if (made.isNull() || !sema.isCompleteType(at, made)) return std::nullopt;
  const auto* record = made->getAsCXXRecordDecl()->getDefinition();
  const auto* element =
      llvm::dyn_cast_or_null<clang::TypedefNameDecl>(member(record, "element", sema.Context));
  const auto rank = constant(member(record, "rank", sema.Context), sema);
  const auto owns = constant(member(record, "owns", sema.Context), sema);
  if (element == nullptr || !rank || *rank < 1 || !owns || trap.hasErrorOccurred()) return std::nullopt;
  return Shape{element->getUnderlyingType(), static_cast<int>(*rank), *owns != 0};
}

bool is_shape(clang::QualType type) {
  const auto* record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return record != nullptr && record->getQualifiedNameAsString() == "kanor::shaped";
}

clang::QualType element_of_row_shape(clang::QualType type) {
  if (!is_shape(type)) return {};
  const auto* record = llvm::cast<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  const auto& arguments = record->getTemplateArgs();
  const bool is_row = arguments.size() == 2 && arguments[0].getKind() == clang::TemplateArgument::Type &&
                      arguments[1].getKind() == clang::TemplateArgument::Integral &&
                      arguments[1].getAsIntegral() == 1;
  return is_row ? arguments[0].getAsType() : clang::QualType();
}

bool gives_shape(const clang::Expr* expression) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression->IgnoreParenImpCasts()->IgnoreImplicit());
  const auto* callee = call == nullptr ? nullptr : call->getDirectCallee();
  return callee != nullptr && call->getNumArgs() > 0 &&
         callee->getQualifiedNameAsString() == "kanor::section";
}

}  // namespace kanor::host
