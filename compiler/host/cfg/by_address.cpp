// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/by_address.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "host/cfg/kinds.hpp"
#include "host/facts/travel.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using library::ClassTrait;
using library::FunctionTrait;
using library::MemberTrait;

/// The class that a template of the library makes; null for others.
const clang::ClassTemplateSpecializationDecl* library_class(clang::QualType type) {
  const auto* made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  return made != nullptr && (is_in(made, "std") || is_in(made, "__gnu_cxx")) ? made : nullptr;
}

bool is_iterator(const clang::NamedDecl* type) { return name_of(type).contains("iter"); }

/// Returns true for a type whose values are compared and hashed by address: a pointer, a smart pointer, or a
/// class of the library that is made of one, but no view.
bool is_address(clang::QualType type) {
  if (type.isNull()) return false;
  type = type.getNonReferenceType();
  if (type->isPointerType() || is_smart_pointer(type)) return true;
  const auto* made = library_class(type);
  if (made == nullptr || is_iterator(made) || !made->isInStdNamespace()) return false;
  const auto has_address = [](const clang::TemplateArgument& one) {
    return one.getKind() == clang::TemplateArgument::Type && is_address(one.getAsType());
  };
  const auto arguments = made->getTemplateArgs().asArray();
  return std::any_of(arguments.begin(), arguments.end(), [&](const clang::TemplateArgument& one) {
    if (one.getKind() != clang::TemplateArgument::Pack) return has_address(one);
    return std::any_of(one.pack_begin(), one.pack_end(), has_address);
  });
}

/// The type of the elements that a pointer or an iterator goes through; null for others.
clang::QualType element_of(clang::QualType type) {
  if (type->isPointerType()) return type->getPointeeType();
  const auto* made = library_class(type);
  const clang::QualType first = first_type_argument(made);
  if (made == nullptr || !is_iterator(made) || first.isNull()) return {};
  if (name_of(made) == "__normal_iterator" || name_of(made) == "__wrap_iter") return element_of(first);
  const auto* inner = library_class(first);
  return inner != nullptr && is_iterator(inner) ? element_of(first) : first;
}

bool takes(const clang::FunctionDecl* function, bool (*is_one)(clang::QualType)) {
  return std::any_of(function->param_begin(), function->param_end(),
                     [&](const auto* parameter) { return is_one(parameter->getType()); });
}

/// Returns true for what is written out as an address.
bool is_written_as_address(clang::QualType type) {
  return type.getNonReferenceType()->isVoidPointerType() || is_smart_pointer(type);
}

bool is_relation(clang::OverloadedOperatorKind op) {
  return op == clang::OO_Less || op == clang::OO_Greater || op == clang::OO_LessEqual ||
         op == clang::OO_GreaterEqual || op == clang::OO_Spaceship;
}

bool is_of_relation(const clang::CXXRecordDecl* record) {
  const auto name = name_of(record);
  return name == "less" || name == "greater" || name == "less_equal" || name == "greater_equal" ||
         name == "compare_three_way";
}

/// The type of what an algorithm compares whose first parameter is this one: elements, or its arguments.
clang::QualType compared(clang::QualType first) {
  const auto* made = library_class(first);
  if (made != nullptr && library::class_has(name_of(made), ClassTrait::has_length))
    return first_type_argument(made);
  return first->isReferenceType() ? first : element_of(first);
}

/// Returns true for an algorithm that compares addresses with `<`.
bool orders_addresses(const clang::FunctionDecl* function) {
  llvm::StringRef name = name_of(function);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method != nullptr) {  // of the class of std::ranges::sort
    name = name_of(method->getParent());
    if (!name.consume_front("__") || !name.consume_back("_fn")) return false;
  }
  if (!library::function_has(name, FunctionTrait::orders) || function->getNumParams() == 0) return false;
  const bool has_three = name == "partial_sort" || name == "nth_element" || name == "clamp";
  if (method == nullptr && function->getNumParams() > (has_three ? 3u : 2u)) return false;
  const auto is_less = [](clang::QualType type) { return name_of(type->getAsCXXRecordDecl()) == "less"; };
  const auto is_identity = [](clang::QualType type) {
    return name_of(type->getAsCXXRecordDecl()) == "identity";
  };
  if (method != nullptr && (!takes(function, is_less) || !takes(function, is_identity))) return false;
  return is_address(compared(function->getParamDecl(0)->getType()));
}

/// Returns true for a member function of a container of addresses that goes by their order, or their hashes.
bool is_of_ordered(const clang::FunctionDecl* function,
                   const clang::ClassTemplateSpecializationDecl* container) {
  const auto name = name_of(function), whose = name_of(container);
  if (!library::class_has(whose, ClassTrait::is_ordered) || !is_address(first_type_argument(container)))
    return false;
  if (!library::member_has(name, MemberTrait::begins) && !library::member_has(name, MemberTrait::bounds))
    return false;
  if (whose.starts_with("unordered")) return true;
  // With an order of its own a set takes another one than that of the addresses.
  const auto& order = container->getTemplateArgs()[whose.ends_with("map") ? 2 : 1];
  return order.getKind() == clang::TemplateArgument::Type &&
         name_of(order.getAsType()->getAsCXXRecordDecl()) == "less";
}

}  // namespace

bool goes_by_address(const clang::FunctionDecl* function, clang::QualType of) {
  if (!is_in(function, "std") && !is_in(function, "__gnu_cxx")) return false;
  const auto name = name_of(function);
  const auto op = function->getOverloadedOperator();
  if (name == "owner_before" || orders_addresses(function)) return true;
  if (name == "bit_cast" || is_relation(op)) return takes(function, is_address);
  if (op == clang::OO_LessLess || name.starts_with("format")) return takes(function, is_written_as_address);
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (op == clang::OO_Call && method != nullptr && is_of_relation(method->getParent()))
    return takes(function, is_address);
  const auto* made = library_class(of);
  if (made == nullptr) return false;
  return (name_of(made) == "hash" && is_address(first_type_argument(made))) || is_of_ordered(function, made);
}

}  // namespace kanor::host
