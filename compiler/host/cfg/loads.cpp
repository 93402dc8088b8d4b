// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is reached through addresses that are stored: the part of Values and Calls that is about them.
#include "host/cfg/calls.hpp"

namespace kanor::host {
namespace {

/// The type that the handle leads to if it is a pointer or reference; null for other handles, which may lead
/// to anything.
clang::QualType object_of(clang::QualType handle) {
  const bool is_plain = handle->isPointerType() || handle->isReferenceType();
  return is_plain ? handle->getPointeeType() : clang::QualType();
}

/// Returns true if a library function may return an address that is stored in this argument. One found in a
/// container is an element.
bool has_addresses_in_it(const clang::Expr* argument) {
  argument = argument->IgnoreParenImpCasts();
  const clang::QualType type = argument->getType();
  if (is_handle(type))
    return argument->isLValue() && !type->isPointerType() && !is_followed(argument) &&
           !llvm::isa<clang::MemberExpr>(argument);
  return !type->isArrayType() && !has_length(type) && !is_array_class(type) && keeps_addresses(type);
}

}  // namespace

std::vector<int> Values::loaded(const clang::Expr* handle, clang::QualType object) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(handle->IgnoreParenImpCasts());
  const auto* field = member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (field != nullptr) return stored_.of_member(field, object, function_);
  std::vector<int> found = stored_.of_any(object, function_);
  // What is named by way of a reference or a pointer may be a pointer that is followed.
  for (const int root : roots(handle)) {
    const auto& referents = variables_.referents(root);
    found.insert(found.end(), referents.begin(), referents.end());
  }
  return found;
}

std::vector<int> Calls::loaded(const Parts& parts) {
  if (parts.callee == nullptr)
    return is_handle(parts.type) ? values_.stored_.of_any({}, values_.function_) : std::vector<int>();
  const clang::QualType type = parts.callee->getReturnType();
  if (!is_handle(type)) return {};
  std::vector<int> found;
  const auto seen = values_.functions_.run_by(parts.callee);
  for (const int one : seen)
    for (const int variable : values_.stored_.returned_by(
             values_.functions_.all()[static_cast<std::size_t>(one)], values_.function_))
      found.push_back(variable);
  if (!seen.empty()) return found;
  // What hands its argument on adds nothing to it.
  const auto is_same = [&](const clang::Expr* argument) {
    return values_.context_.hasSameUnqualifiedType(argument->getType(), type.getNonReferenceType());
  };
  if (is_transparent(parts.callee) && is_same(parts.arguments.front())) return found;
  bool has_addresses = parts.object != nullptr && has_addresses_in_it(parts.object);
  for (const auto* argument : parts.arguments) has_addresses |= has_addresses_in_it(argument);
  return has_addresses ? values_.stored_.of_any(object_of(type), values_.function_) : found;
}

/// Notes that code which gets an object may write through the addresses in it.
void Calls::give_what_is_kept(clang::QualType object, const flow::Uses& unknown, flow::Location at) {
  if (object->isPointerType()) object = object->getPointeeType();
  if (is_handle(object) || !keeps_addresses(object)) return;
  const auto kept = values_.stored_.of_any({}, values_.function_);
  for (const int one : kept) values_.variables_[one].escapes = true;
  values_.change(kept, unknown, at);
}

/// Returns true for two addresses, neither from a pointer that may point into the other's object.
bool Values::are_of_two_objects(const clang::Expr* left, const clang::Expr* right) {
  if (!left->getType()->isPointerType() || !right->getType()->isPointerType()) return false;
  const auto object = [&](const clang::Expr* address) {
    const auto all = roots(address);
    const clang::QualType type = all.size() == 1 ? variables_.type_of(all.front()) : clang::QualType();
    return type.isNull() || type.getNonReferenceType()->isPointerType() ? -1 : all.front();
  };
  const int one = object(left), other = object(right);
  return one >= 0 && other >= 0 && one != other;
}

}  // namespace kanor::host
