// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/kinds.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "host/cfg/library_effects.hpp"
#include "host/facts/annotation.hpp"
#include "host/facts/standard_types.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using library::ClassTrait;
using library::FunctionTrait;
using library::MemberTrait;
using library::NamespaceTrait;

const clang::CXXRecordDecl* record(clang::QualType type) {
  return type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
}

bool is_pure_c(llvm::StringRef name) {
  return library::c_function_has(name, FunctionTrait::pure) || name.starts_with("__builtin_");
}

bool is_in_library(const clang::Decl* declaration) {
  return is_in(declaration, "std") || is_in(declaration, "__gnu_cxx");
}

/// Returns true if this class or namespace, or one around it, has a row with the trait.
bool is_within(const clang::DeclContext* context, ClassTrait of_class, NamespaceTrait of_namespace) {
  for (; context != nullptr; context = context->getParent()) {
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
        space != nullptr && library::namespace_has(name_of(space), of_namespace))
      return true;
    if (const auto* around = llvm::dyn_cast<clang::CXXRecordDecl>(context);
        around != nullptr && library::class_has(name_of(around), of_class))
      return true;
  }
  return false;
}

bool is_pure(const clang::DeclContext* context) {
  return is_within(context, ClassTrait::pure, NamespaceTrait::pure);
}

/// Returns true if the function may be given one of the program's functions, or an object that has some.
bool takes_functions(const clang::FunctionDecl* function) {
  return std::any_of(function->param_begin(), function->param_end(), [](const auto* parameter) {
    const clang::QualType type = parameter->getType();
    const auto* of = record(type->isPointerType() ? type->getPointeeType() : type);
    return type->isFunctionPointerType() || type->isFunctionReferenceType() ||
           (of != nullptr && !is_in_library(of));
  });
}

/// Returns true for a function that has its row by its name alone: one of namespace std itself, or of a
/// namespace in it that the table names.
bool is_named_in_table(const clang::FunctionDecl* function) {
  for (const clang::DeclContext* context = function->getDeclContext(); !context->isStdNamespace();
       context = context->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context);
    if (space != nullptr && !space->isInline() &&
        !library::namespace_has(name_of(space), NamespaceTrait::has_rows))
      return false;
    if (context->isTranslationUnit()) return false;
  }
  return true;
}

/// Returns true if each class of the library that the operator takes is pure, or has the other trait.
bool takes_known_classes(const clang::FunctionDecl* function, ClassTrait other) {
  return std::all_of(function->param_begin(), function->param_end(), [&](const auto* parameter) {
    const auto* of = record(parameter->getType());
    return of == nullptr || !is_in_library(of) || is_pure(of) || library::class_has(name_of(of), other);
  });
}

/// Returns true for a function of the C++ library that is known to depend on its arguments alone, and to
/// change nothing else.
bool is_pure_in_library(const clang::FunctionDecl* function) {
  // What does nothing, or copies bytes; what is evaluated when the program is compiled.
  if (function->isTrivial() || function->isConsteval()) return true;
  // A program may specialise templates of the library, and that is its own.
  if (!is_of_system(function)) return false;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    if (!is_pure(method->getParent()) || (method->isStatic() && !method->isConstexpr())) return false;
    // A std::reference_wrapper calls what it refers to.
    return method->getOverloadedOperator() != clang::OO_Call ||
           !library::class_has(name_of(method->getParent()), ClassTrait::is_view);
  }
  if (is_pure(function->getDeclContext())) return true;
  if (function->getIdentifier() == nullptr) return takes_known_classes(function, ClassTrait::pure_operators);
  const auto name = name_of(function);
  return is_named_in_table(function) && (library::function_has(name, FunctionTrait::pure) || is_pure_c(name));
}

/// Returns true for the functions of Kanor that change nothing but their object and their arguments, and keep
/// no address of other variables, as a kanor::window does. Not for kanor::pending::test(): what it returns
/// depends on what has arrived.
bool is_pure_in_kanor(const clang::FunctionDecl* function) {
  static constexpr llvm::StringLiteral classes[] = {
      "buffer",          "buffer_memory", "grid",   "grid_view", "integer_iterator", "integer_range", "giver",
      "ownership_error", "pending",       "shaped", "team"};
  static constexpr llvm::StringLiteral functions[] = {"abort", "give", "range", "section", "swap", "take"};
  if (function->isTrivial() || function->isConsteval()) return true;
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function))
    return llvm::is_contained(classes, name_of(method->getParent())) && name_of(method) != "test";
  return function->getIdentifier() == nullptr || llvm::is_contained(functions, name_of(function));
}

}  // namespace

llvm::StringRef name_of(const clang::NamedDecl* declaration) {
  const bool has_name = declaration != nullptr && declaration->getIdentifier() != nullptr;
  return has_name ? declaration->getName() : llvm::StringRef();
}

std::vector<const clang::FunctionDecl*> call_operators(const clang::CXXRecordDecl* record) {
  std::vector<const clang::FunctionDecl*> found;
  const auto add = [&](const clang::FunctionDecl* function) {
    if (function->getOverloadedOperator() == clang::OO_Call) found.push_back(function);
  };
  if (record == nullptr || record->getDefinition() == nullptr) return found;
  for (const auto* declaration : record->decls()) {
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration))
      for (const auto* instance : pattern->specializations()) add(instance);
    else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      add(function);
  }
  return found;
}

bool is_transparent(const clang::FunctionDecl* function) {
  return !llvm::isa<clang::CXXMethodDecl>(function) && function->getNumParams() == 1 &&
         library::function_has(name_of(function), FunctionTrait::transparent) &&
         known(function) != Known::unknown;
}

bool is_in(const clang::Decl* declaration, llvm::StringRef top_namespace) {
  const clang::NamespaceDecl* outer = nullptr;
  for (const clang::DeclContext* context = declaration->getDeclContext(); context != nullptr;
       context = context->getParent())
    if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) outer = space;
  return outer != nullptr && name_of(outer) == top_namespace;
}

bool is_team(clang::QualType type) {
  if (type.isNull()) return false;
  type = type.getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  const auto* of = record(type);
  return of != nullptr && name_of(of) == "team" && is_in(of, "kanor");
}

bool is_grid(clang::QualType type) {
  const auto* of = type.isNull() ? nullptr : record(type.getNonReferenceType());
  return of != nullptr && name_of(of) == "grid" && is_in(of, "kanor");
}

bool has_length(clang::QualType type) {
  const auto* of = record(type);
  if (of == nullptr) return false;
  if (is_in(of, "kanor")) return name_of(of) == "buffer";
  return is_in(of, "std") && library::class_has(name_of(of), ClassTrait::has_length);
}

bool has_elements(clang::QualType type, const std::function<bool(clang::QualType)>& asks) {
  const auto is_inside = [&](clang::QualType one) { return asks(one) || has_elements(one, asks); };
  if (const auto* array = type->getAsArrayTypeUnsafe()) return is_inside(array->getElementType());
  const auto* of = record(type);
  const auto* instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(of);
  if (instance == nullptr || !instance->isInStdNamespace()) return false;
  const auto arguments = type_arguments(instance);
  return std::any_of(arguments.begin(), arguments.end(), is_inside);
}

bool holds_containers(clang::QualType type) { return has_elements(type.getNonReferenceType(), has_length); }

bool is_keyed(clang::QualType type) {
  if (!has_length(type)) return false;
  const auto name = name_of(record(type));
  return name.ends_with("map") || name.ends_with("set");
}

bool is_array_class(clang::QualType type) {
  const auto* of = record(type);
  return of != nullptr && is_in(of, "std") && name_of(of) == "array";
}

bool is_smart_pointer(clang::QualType type) {
  const auto* of = record(type);
  return of != nullptr && is_in(of, "std") && (name_of(of) == "shared_ptr" || name_of(of) == "unique_ptr");
}

bool is_handle(clang::QualType type) {
  if (type.isNull()) return false;
  if (type->isReferenceType() || type->isPointerType()) return true;
  const auto* of = record(type);
  if (of == nullptr || (!is_in(of, "std") && !is_in(of, "__gnu_cxx"))) return false;
  const auto name = name_of(of);
  return name.contains("iterator") || name == "span" || name == "reference_wrapper" ||
         name == "basic_string_view" || is_smart_pointer(type);
}

bool is_handle_object(clang::QualType type) {
  return is_handle(type) && !type->isReferenceType() && !type->isPointerType();
}

bool can_be_written_through(clang::QualType parameter) {
  return (parameter->isReferenceType() || parameter->isPointerType()) &&
         !parameter->getPointeeType().isConstQualified();
}

clang::QualType pointee(clang::QualType type) {
  return type->isReferenceType() || type->isPointerType() ? type->getPointeeType() : type;
}

const clang::CXXRecordDecl* callable_class(const clang::Expr* argument) {
  return argument->IgnoreParenImpCasts()->getType().getNonReferenceType()->getAsCXXRecordDecl();
}

bool is_followed(const clang::Expr* handle) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(handle->IgnoreParenImpCasts());
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  return variable != nullptr && is_handle(variable->getType()) && !variable->getType()->isReferenceType();
}

const clang::CXXRecordDecl* user_class(clang::QualType type, const clang::SourceManager& sources) {
  const auto* of = record(type);
  if (of == nullptr || of->isLambda()) return nullptr;
  of = of->getDefinition();
  return of == nullptr || sources.isInSystemHeader(of->getLocation()) ? nullptr : of;
}

bool is_annotated_uniform(const clang::Decl* declaration) {
  const auto all = declaration->redecls();
  return std::any_of(all.begin(), all.end(),
                     [](const clang::Decl* one) { return is_annotated(one, "kanor::uniform"); });
}

const clang::Expr* without_copies(const clang::Expr* expression) {
  while (true) {
    const clang::Expr* before = expression;
    expression = expression->IgnoreImplicit()->IgnoreParenImpCasts();
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
        made != nullptr && made->getConstructor()->isCopyOrMoveConstructor() && made->getNumArgs() > 0)
      expression = made->getArg(0);
    if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
      expression = given->getExpr();
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
        call != nullptr && call->getDirectCallee() != nullptr && is_transparent(call->getDirectCallee()))
      expression = call->getArg(0);
    if (expression == before) return expression;
  }
}

namespace {

constexpr int most_names_in_turn = 16;

bool is_asserted(const clang::Expr* object, int names);

/// `names`: how many names have led here, as a variable may be initialised with itself.
bool is_asserted(const clang::ValueDecl* declaration, int names) {
  if (is_annotated_uniform(declaration)) return true;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  if (variable == nullptr || !variable->hasLocalStorage() || variable->getInit() == nullptr ||
      llvm::isa<clang::ParmVarDecl>(variable) || names == most_names_in_turn)
    return false;
  const bool keeps_value = variable->getType()->isReferenceType() || variable->getType().isConstQualified();
  return keeps_value && is_asserted(variable->getInit(), names + 1);
}

bool is_asserted(const clang::Expr* object, int names) {
  object = without_copies(object);
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object))
    return is_asserted(name->getDecl(), names);
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(object);
  return member != nullptr &&
         (is_annotated_uniform(member->getMemberDecl()) || is_asserted(member->getBase(), names));
}

}  // namespace

bool is_asserted(const clang::ValueDecl* declaration) { return is_asserted(declaration, 0); }

bool is_asserted(const clang::Expr* object) { return is_asserted(object, 0); }

Known known(const clang::FunctionDecl* function) {
  const auto name = name_of(function);
  const bool in_kanor = is_in(function, "kanor");
  if (!in_kanor && !is_in_library(function)) {
    // The C library declares some for C++ alone: strchr() of a string that may be written.
    const bool is_c =
        function->isExternC() || function->getBuiltinID() != 0 ||
        (function->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation()));
    return is_c && is_pure_c(name) ? Known::pure : Known::unknown;
  }
  if (function->isExternC() && !is_pure_c(name)) return Known::unknown;
  if (!function->isExternC() && !(in_kanor ? is_pure_in_kanor(function) : is_pure_in_library(function)))
    return Known::unknown;
  if (llvm::isa<clang::CXXMethodDecl>(function) || library::function_has(name, FunctionTrait::as_member)) {
    if (library::member_has(name, MemberTrait::is_length)) return Known::length;
    const auto op = function->getOverloadedOperator();
    if (library::member_has(name, MemberTrait::observer) || op == clang::OO_Subscript ||
        op == clang::OO_Star || op == clang::OO_Arrow)
      return Known::observer;
  }
  return Known::pure;
}

bool changes_only_arguments(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (!is_in_library(function) || !is_of_system(function) || takes_functions(function)) return false;
  if (method != nullptr && method->isVirtual()) return false;
  // Functions of a pure class that have no object, and state of their own.
  if (method != nullptr && method->isStatic() && is_pure(method->getParent())) return true;
  if (method == nullptr && function->getIdentifier() == nullptr)
    return takes_known_classes(function, ClassTrait::outside);
  return is_within(function->getDeclContext(), ClassTrait::outside, NamespaceTrait::outside);
}

Resize resizes(const clang::FunctionDecl* member) {
  const auto name = name_of(member);
  const auto op = member->getOverloadedOperator();
  if (library::member_has(name, MemberTrait::adds_one)) return Resize::one_element;
  if (library::member_has(name, MemberTrait::to_argument)) return Resize::to_argument;
  if (library::member_has(name, MemberTrait::by_content) || op == clang::OO_PlusEqual ||
      op == clang::OO_Equal)
    return Resize::by_content;
  return Resize::no;
}

bool is_known_variable(const clang::VarDecl* variable) {
  if (library::knows_variable(name_of(variable))) return true;
  const auto type = variable->getType();
  return variable->isConstexpr() || type.getNonReferenceType().isConstQualified();
}

}  // namespace kanor::host
