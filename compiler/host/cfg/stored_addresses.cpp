// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/stored_addresses.hpp"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>
#include <functional>

#include "host/cfg/kinds.hpp"

namespace kanor::host {
namespace {

using Asks = std::function<bool(clang::QualType)>;

/// Returns true if the predicate holds for the type or for anything that its objects contain.
bool is_inside(clang::QualType type, const Asks& asks,
               llvm::SmallPtrSetImpl<const clang::CXXRecordDecl*>& seen) {
  if (type.isNull()) return false;
  if (asks(type)) return true;
  type = clang::QualType(type.getNonReferenceType()->getBaseElementTypeUnsafe(), 0);
  if (asks(type)) return true;
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !seen.insert(record->getCanonicalDecl()).second) return false;
  if (record->isInStdNamespace()) {
    const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    if (instance == nullptr) return false;
    const std::function<bool(const clang::TemplateArgument&)> any =
        [&](const clang::TemplateArgument& argument) {
          if (argument.getKind() == clang::TemplateArgument::Type)
            return is_inside(argument.getAsType(), asks, seen);
          return argument.getKind() == clang::TemplateArgument::Pack &&
                 llvm::any_of(argument.pack_elements(), any);
        };
    return llvm::any_of(instance->getTemplateArgs().asArray(), any);
  }
  record = record->getDefinition();
  if (record == nullptr || is_in(record, "kanor")) return false;
  return llvm::any_of(record->fields(),
                      [&](const auto* field) { return is_inside(field->getType(), asks, seen); }) ||
         llvm::any_of(record->bases(),
                      [&](const auto& base) { return is_inside(base.getType(), asks, seen); });
}

bool is_std(clang::QualType type, llvm::StringRef name) {
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->isInStdNamespace() && record->getIdentifier() != nullptr &&
         record->getName() == name;
}

/// Returns true if a pointer to type `object` may point into an object of type `variable`; C++'s aliasing
/// rules forbid it for most.
bool may_lead_to(clang::QualType object, clang::QualType variable) {
  const auto scalar = [](clang::QualType type) {
    type = type.getCanonicalType().getUnqualifiedType();
    if (const auto* of = type->getAs<clang::EnumType>()) type = of->getDecl()->getIntegerType();
    return type.isNull() ? type : type.getCanonicalType().getUnqualifiedType();
  };
  object = clang::QualType(object.getNonReferenceType()->getBaseElementTypeUnsafe(), 0);
  if (object->isVoidType()) return false;
  const auto alike = [&](clang::QualType part) {
    part = part.getNonReferenceType();
    if (object->isRecordType()) return part->isRecordType();
    if (is_handle(part) && !part->isPointerType()) return true;
    if (object->isPointerType() || part->isPointerType())
      return object->isPointerType() && part->isPointerType();
    const clang::QualType one = scalar(object), other = scalar(part);
    if (one.isNull() || other.isNull()) return true;
    if (one->isIntegerType() && other->isIntegerType()) {
      const auto* left = one->getAs<clang::BuiltinType>();
      const auto* right = other->getAs<clang::BuiltinType>();
      if (left == nullptr || right == nullptr) return true;
      const auto sign = [](clang::BuiltinType::Kind kind) {
        using Kind = clang::BuiltinType;
        return kind == Kind::UInt        ? Kind::Int
               : kind == Kind::ULong     ? Kind::Long
               : kind == Kind::ULongLong ? Kind::LongLong
               : kind == Kind::UShort    ? Kind::Short
                                         : kind;
      };
      return sign(left->getKind()) == sign(right->getKind());
    }
    return one == other;
  };
  llvm::SmallPtrSet<const clang::CXXRecordDecl*, 8> seen;
  return is_inside(variable, alike, seen);
}

}  // namespace

bool is_byte(clang::QualType type) {
  if (type->isVoidType() || type->isCharType()) return true;
  const auto* of = type->getAs<clang::EnumType>();
  return of != nullptr && of->getDecl()->isInStdNamespace() && of->getDecl()->getName() == "byte";
}

bool keeps_addresses(clang::QualType type) {
  llvm::SmallPtrSet<const clang::CXXRecordDecl*, 8> seen;
  return is_inside(
      type, [](clang::QualType part) { return is_handle(part) || is_std(part, "any"); }, seen);
}

bool keeps_references(clang::QualType type) {
  llvm::SmallPtrSet<const clang::CXXRecordDecl*, 8> seen;
  return is_inside(
      type, [](clang::QualType part) { return part->isReferenceType() || is_std(part, "reference_wrapper"); },
      seen);
}

bool StoredAddresses::store(AddressPlace place, const std::vector<int>& variables) {
  if (variables.empty()) return false;
  if (place.declaration != nullptr) place.declaration = place.declaration->getCanonicalDecl();
  auto& stored = stored_[place];
  const std::size_t before = stored.size();
  stored.insert(variables.begin(), variables.end());
  return stored.size() != before;
}

bool StoredAddresses::lead_as_bytes(const std::vector<int>& variables) {
  const std::size_t before = as_bytes_.size();
  as_bytes_.insert(variables.begin(), variables.end());
  return as_bytes_.size() != before;
}

bool StoredAddresses::is_meant(int variable, clang::QualType object, int function) const {
  if (variables_.is_constant(variable)) return false;
  const clang::QualType type = variables_.type_of(variable);
  if (type.isNull()) return true;
  // A pointer that another function got: what it was given is here, too.
  const auto& of = variables_[variable];
  if (of.kind == flow::VariableKind::parameter && of.function != function && is_handle(type)) return false;
  return object.isNull() || (is_byte(object) && leads_as_bytes(variable)) || may_lead_to(object, type);
}

std::vector<int> StoredAddresses::of_member(const clang::FieldDecl* member, clang::QualType object,
                                            int function) const {
  std::set<int> found;
  const clang::Decl* declaration = member->getCanonicalDecl();
  // The library fills in its own.
  const bool is_own = member->getParent()->isInStdNamespace();
  for (const auto& [place, all] : stored_) {
    const bool may_be = place.declaration == declaration || place.kind == AddressPlace::Kind::anywhere ||
                        (is_own && place.kind == AddressPlace::Kind::element);
    for (const int one : all)
      if (may_be && is_meant(one, object, function)) found.insert(one);
  }
  return {found.begin(), found.end()};
}

std::vector<int> StoredAddresses::of_any(clang::QualType object, int function) const {
  std::set<int> found;
  for (const auto& [place, all] : stored_)
    for (const int one : all)
      if (place.kind != AddressPlace::Kind::result && is_meant(one, object, function)) found.insert(one);
  return {found.begin(), found.end()};
}

std::vector<int> StoredAddresses::returned_by(const clang::FunctionDecl* callee, int function) const {
  std::vector<int> found;
  const auto all = stored_.find({AddressPlace::Kind::result, callee->getCanonicalDecl()});
  if (all != stored_.end())
    for (const int one : all->second)
      if (is_meant(one, {}, function)) found.push_back(one);
  return found;
}

std::vector<AddressPlace> StoredAddresses::places_of(int variable) const {
  std::vector<AddressPlace> found;
  for (const auto& [place, all] : stored_)
    if (all.contains(variable) && place.kind != AddressPlace::Kind::result) found.push_back(place);
  return found;
}

}  // namespace kanor::host
