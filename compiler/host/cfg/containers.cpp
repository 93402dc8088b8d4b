// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What member functions of the library's containers change: the part of Calls that is about lengths.
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

#include "host/cfg/calls.hpp"
#include "host/library/library.hpp"

namespace kanor::host {
namespace {

using flow::Location;
using flow::Uses;

/// Returns true for a container whose length depends only on insertions and removals, not on the elements'
/// values.
bool is_sequence(const clang::CXXRecordDecl* record) {
  return library::class_has(record->getName(), library::ClassTrait::is_sequence);
}

bool is_list(const clang::Expr* expression) {
  const auto* record = expression->getType()->getAsCXXRecordDecl();
  return record != nullptr && record->getName() == "initializer_list";
}

bool is_number(const clang::Expr* expression) { return expression->getType()->isIntegralOrEnumerationType(); }

}  // namespace

/// Returns true if what is meant is an element of what the root holds, rather than all of it.
bool Values::is_element(int root, clang::QualType object) const {
  const clang::QualType type = variables_.type_of(root);
  if (type.isNull()) return false;
  const clang::QualType meant = pointee(object.getNonReferenceType()).getCanonicalType().getUnqualifiedType();
  return has_elements(pointee(type), [&](clang::QualType one) {
    return one.getCanonicalType().getUnqualifiedType() == meant;
  });
}

int Values::length_meant(int root, clang::QualType object) const {
  const int inner = variables_.inner_length_of(root);
  return inner >= 0 && is_element(root, object) ? inner : variables_.length_of(root);
}

Uses Values::lengths_meant(const clang::Expr* expression) {
  Uses uses;
  for (const int root : roots(expression))
    if (const int length = length_meant(root, expression->getType()); length >= 0)
      append(uses, {{length, -1, flow::Unknown::no, at(expression)}});
  return uses;
}

Uses Values::inner_lengths(const clang::Expr* expression) {
  if (expression == nullptr) return {};
  expression = expression->IgnoreImplicit()->IgnoreParens();
  Uses uses;
  if (!holds_containers(expression->getType())) return uses;
  if (llvm::isa<clang::CXXConstructExpr, clang::InitListExpr, clang::CXXStdInitializerListExpr,
                clang::CXXFunctionalCastExpr>(expression)) {
    for (const clang::Stmt* child : expression->children())
      if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child)) append(uses, lengths_in(part));
    return uses;
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) append(uses, this->call(call).length);
  for (const int root : roots(expression))
    if (const int inner = variables_.inner_length_of(root); inner >= 0)
      append(uses, {{inner, -1, flow::Unknown::no, at(expression)}});
  return uses;
}

/// The uses that decide how long containers are that are made of a value: its own length, or its value.
Uses Values::lengths_in(const clang::Expr* expression) {
  Uses uses;
  if (has_length(expression->getType())) append(uses, length(expression));
  if (expression->getType()->isIntegralOrEnumerationType() || is_handle(expression->getType()))
    append(uses, value(expression));
  append(uses, inner_lengths(expression));
  return uses;
}

/// Returns true for std::swap and std::exchange, which change lengths by lengths.
bool Calls::exchanges(const clang::FunctionDecl* function) {
  return is_in(function, "std") && !llvm::isa<clang::CXXMethodDecl>(function) &&
         (name_of(function) == "swap" || name_of(function) == "exchange");
}

Uses Calls::lengths_of_arguments(const Parts& parts) {
  Uses uses;
  for (const auto* argument : parts.arguments) append(uses, values_.lengths_in(argument));
  return uses;
}

/// Returns true for a function that looks for a key in a container. The length of such a container stands for
/// its keys as well.
bool Calls::searches_keys(const Parts& parts, const clang::Expr* object) {
  const auto name = name_of(parts.callee);
  return is_keyed(object->getType()) && llvm::isa<clang::CXXMethodDecl>(parts.callee) &&
         (name == "find" || name == "count" || name == "contains" || name == "lower_bound" ||
          name == "upper_bound" || name == "equal_range");
}

/// The uses that decide how long a container is that a constructor makes of its arguments, which use `all`.
Uses Calls::length_made(const Parts& parts, const Uses& all) {
  const auto& arguments = parts.arguments;
  const auto* first = arguments.front();
  const clang::QualType type = first->getType();
  Uses uses;
  if (is_keyed(parts.type)) {
    for (const auto* argument : arguments) append(uses, keys_of(argument));
    return uses;
  }
  if (is_number(first)) return values_.value(first);
  const auto* second = arguments.size() > 1 ? arguments[1] : nullptr;
  const bool counts = second != nullptr && is_number(second);
  const bool is_range = is_handle(type) && !has_length(type) && (second != nullptr || !type->isPointerType());
  if (!counts && !is_range && !has_length(type) && !type->isArrayType()) return all;
  if (has_length(type)) append(uses, values_.length(first));
  for (const auto* argument : arguments)
    if (is_number(argument) || (is_range && !counts)) append(uses, values_.value(argument));
  return uses;
}

/// The uses of the keys in a pair or a list of pairs; of anything else, all.
Uses Calls::keys_of(const clang::Expr* given) {
  const clang::Expr* inner = given->IgnoreImplicit();
  if (const auto* list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(inner))
    inner = list->getSubExpr()->IgnoreImplicit();
  Uses uses;
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(inner)) {
    for (const auto* one : list->inits()) append(uses, keys_of(one));
    return uses;
  }
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
  const auto* record = made == nullptr ? nullptr : made->getType()->getAsCXXRecordDecl();
  if (record != nullptr && made->getNumArgs() == 2 && name_of(record) == "pair")
    return values_.reached(made->getArg(0));
  append(uses, values_.reached(given));
  if (has_length(given->getType())) append(uses, values_.length(given));
  return uses;
}

/// The uses that decide which keys a container with keys gets or loses.
Uses Calls::keys_given(const Parts& parts, llvm::StringRef name) {
  const bool has_value = parts.arguments.size() == 2 &&
                         (name == "emplace" || name == "try_emplace" || name == "insert_or_assign");
  Uses uses;
  for (const auto* argument : parts.arguments) {
    // An iterator says where; a range of them, what.
    const bool is_place = is_handle(argument->getType()) && name == "erase";
    append(uses, is_place ? values_.value(argument) : keys_of(argument));
    if (has_value) break;
  }
  return uses;
}

/// The uses that decide how many elements a sequence gains or loses, besides those that select the sequence.
Uses Calls::change_of_length(const Parts& parts, llvm::StringRef name) {
  const auto& arguments = parts.arguments;
  Uses uses;
  const auto count = [&](const clang::Expr* expression) {
    const bool is_long = has_length(expression->getType()) || is_list(expression);
    append(uses, is_long ? values_.length(expression) : values_.value(expression));
  };
  if (arguments.empty()) return uses;
  if (name == "resize" || (name == "assign" && is_number(arguments[0]))) {
    count(arguments[0]);
  } else if (name == "assign") {
    for (const auto* argument : arguments) count(argument);
  } else if (name == "insert" && arguments.size() >= 3) {
    count(arguments[1]);
    if (!is_number(arguments[1])) count(arguments[2]);
  } else if (name == "erase" && arguments.size() == 2) {
    for (const auto* argument : arguments) count(argument);
  }
  return uses;
}

void Calls::change_container(const Parts& parts, const Uses& all) {
  const Location at = values_.at(parts.whole);
  Uses given, given_lengths, inner_lengths;
  for (const auto* argument : parts.arguments) {
    append(given, values_.reached(argument));
    append(given_lengths,
           has_length(argument->getType()) ? values_.length(argument) : values_.value(argument));
    append(inner_lengths, values_.lengths_in(argument));
  }
  const auto* method = llvm::cast<clang::CXXMethodDecl>(parts.callee);
  const bool has_keys = is_keyed(values_.context_.getRecordType(method->getParent()));
  if (parts.callee->getOverloadedOperator() == clang::OO_Equal) {
    const bool is_made_of_others = has_keys && !is_keyed(parts.arguments.front()->getType());
    const Uses length = is_made_of_others ? keys_of(parts.arguments.front()) : given_lengths;
    values_.assign(parts.object, {given, length, inner_lengths}, true, at);
    return;
  }
  const std::string name = parts.callee->getNameAsString();
  const bool renews = name == "clear" || name == "assign";
  const Resize resize = resizes(parts.callee);
  const bool is_told =
      is_sequence(method->getParent()) && library::member_has(name, library::MemberTrait::told);
  Uses swapped;
  if (name == "swap") {
    swapped = values_.lengths_in(parts.object);
    append(swapped, inner_lengths);
  }
  const Uses lengths = name == "swap"                  ? swapped
                       : is_told                       ? change_of_length(parts, name)
                       : resize == Resize::one_element ? Uses{}
                       : resize == Resize::to_argument ? given_lengths
                       : has_keys                      ? keys_given(parts, name)
                                                       : all;
  const int object = values_.whole_variable(parts.object);
  std::vector<int> changed, resized;
  for (const int root : values_.roots(parts.object)) {
    const int own = resize == Resize::no ? -1 : values_.length_meant(root, parts.object->getType());
    const int inner = resize == Resize::no ? -1 : values_.variables_.inner_length_of(root);
    if (inner >= 0 && inner != own) values_.change(inner, inner_lengths, false, at);
    if (root == object) {
      values_.change(root, given, renews, at);
      if (own >= 0) values_.change(own, lengths, resize == Resize::to_argument || renews, at);
    } else {
      changed.push_back(root);
      if (own >= 0) resized.push_back(own);
    }
  }
  values_.change(changed, given, at);
  values_.change(resized, lengths, at);
  if (name == "swap")
    for (const auto* argument : parts.arguments) change(argument, {all, swapped}, at, true);
}

}  // namespace kanor::host
