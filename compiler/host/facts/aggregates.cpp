// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/aggregates.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/CXXInheritance.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace kanor::host {
namespace {

using sema::AggregateParts;

/// The number of members up to which the runtime can find them by itself (kanor/abi/reflect.hpp).
constexpr auto members_max = 32;

/// Adds the class's members. Those of an unnamed union are left out, since its active member is unknown.
void add_members(const clang::RecordDecl* record, std::vector<AggregateParts::Member>& members) {
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isAnonymousStructOrUnion()) {
      const auto* unnamed = field->getType()->getAsRecordDecl();
      if (!unnamed->isUnion()) add_members(unnamed, members);
    } else if (!field->isUnnamedBitField()) {
      members.push_back({field->getName().str(), field->isBitField()});
    }
  }
}

/// The declaration that the class's name refers to: for a template's specialisation, the template.
const clang::Decl* named_by(const clang::CXXRecordDecl* record) {
  const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  return instance == nullptr ? static_cast<const clang::Decl*>(record->getCanonicalDecl())
                             : instance->getSpecializedTemplate()->getCanonicalDecl();
}

/// Returns true if the name by which a base class is written means the same inside of the class, where
/// members and the base classes' own names are found first.
bool is_unhidden(llvm::StringRef written, const clang::CXXBaseSpecifier& base,
                 const clang::CXXRecordDecl* record, clang::Sema& sema) {
  const llvm::StringRef first =
      written.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c < 0; });
  if (first.empty()) return true;  // `::B`
  clang::LookupResult found(sema, &sema.Context.Idents.get(first), clang::SourceLocation(),
                            clang::Sema::LookupOrdinaryName);
  found.suppressDiagnostics();
  sema.LookupQualifiedName(found, const_cast<clang::CXXRecordDecl*>(record));
  // Nothing is known of a base class that depends on the template's arguments, nor is one named by its scope.
  const auto* record_of_base = base.getType()->getAsCXXRecordDecl();
  const bool is_scope = written.drop_front(first.size()).starts_with("::");
  const clang::Decl* only = record_of_base == nullptr || is_scope ? nullptr : named_by(record_of_base);
  for (const clang::NamedDecl* declaration : found) {
    const auto* own_name = llvm::dyn_cast<clang::CXXRecordDecl>(declaration);
    if (own_name == nullptr || !own_name->isInjectedClassName()) return false;
    const auto* meant = named_by(llvm::cast<clang::CXXRecordDecl>(own_name->getDeclContext()));
    if (only != nullptr && meant != only) return false;
    only = meant;
  }
  return true;
}

/// A base class's name for use in the class's functions; empty if there is none.
std::string name_in_class(const clang::CXXBaseSpecifier& base, const clang::PrintingPolicy& policy) {
  const clang::QualType type = base.getType();
  std::string name = type.getAsString(policy);
  // Every lambda has a type of its own, the same one written again too.
  if (name.find("decltype(") != std::string::npos &&
      type.getCanonicalType().getAsString(policy).find("(lambda") != std::string::npos)
    return {};
  const bool is_dependent_name =
      llvm::isa<clang::DependentNameType, clang::DependentTemplateSpecializationType>(type.getTypePtr());
  if (is_dependent_name && !name.starts_with("typename ")) name = "typename " + name;
  return base.isPackExpansion() ? name + "..." : name;
}

/// Returns true unless the class is inside a function or has C linkage, where templates are not allowed.
bool may_have_templates(const clang::CXXRecordDecl* record) {
  if (record->isLocalClass() != nullptr) return false;
  for (const clang::DeclContext* at = record->getDeclContext(); at != nullptr; at = at->getParent())
    if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(at))
      return linkage->getLanguage() == clang::LinkageSpecLanguageIDs::CXX;
  return true;
}

bool is_same(const AggregateParts& a, const AggregateParts& b) {
  return a.bases == b.bases && std::equal(a.members.begin(), a.members.end(), b.members.begin(),
                                          b.members.end(), [](const auto& one, const auto& other) {
                                            return one.name == other.name &&
                                                   one.is_bit_field == other.is_bit_field;
                                          });
}

}  // namespace

bool Aggregates::add(const clang::CXXRecordDecl* record) {
  const clang::CXXRecordDecl* instance = record;
  if (const auto* pattern = record->getTemplateInstantiationPattern())
    record = pattern->getDefinition() != nullptr ? pattern->getDefinition() : pattern;
  const clang::SourceLocation brace = record->getBraceRange().getBegin();
  if (brace.isInvalid() || brace.isMacroID()) return false;
  std::uint32_t offset = 0;
  const auto* entry = files_.user_file(sema_.getSourceManager(), brace, offset);
  const auto original = entry == nullptr ? std::nullopt : entry->original(offset);
  if (!original) return false;
  AggregateParts parts;
  parts.insert_at = *original + 1;
  parts.name = record->getQualifiedNameAsString();
  parts.may_have_templates = may_have_templates(record);
  parts.begins_private = record->isClass();
  for (const auto& base : record->bases()) {
    const std::string name = name_in_class(base, sema_.getPrintingPolicy());
    if (name.empty() || !is_unhidden(name, base, instance, sema_)) return false;
    parts.bases.push_back(name);
  }
  add_members(record, parts.members);
  auto& known = facts_.files[static_cast<std::size_t>(entry->user_file)].aggregates;
  const auto same_place = std::find_if(known.begin(), known.end(), [&](const AggregateParts& one) {
    return one.insert_at == parts.insert_at;
  });
  // A file that is included again, with other macros, may define another class there.
  if (same_place != known.end()) return is_same(*same_place, parts);
  known.push_back(std::move(parts));
  return true;
}

bool needs_parts(const clang::CXXRecordDecl* record) {
  return record->getNumBases() != 0 ||
         std::distance(record->field_begin(), record->field_end()) > members_max ||
         std::any_of(record->field_begin(), record->field_end(), [](const clang::FieldDecl* field) {
           return field->isAnonymousStructOrUnion() || (field->isBitField() && !field->isUnnamedBitField());
         });
}

bool has_anonymous_union(const clang::CXXRecordDecl* record) {
  return std::any_of(record->field_begin(), record->field_end(), [](const clang::FieldDecl* field) {
    if (!field->isAnonymousStructOrUnion()) return false;
    const auto* unnamed = field->getType()->getAsCXXRecordDecl();
    return unnamed->isUnion() || has_anonymous_union(unnamed);
  });
}

bool has_ambiguous_base(const clang::CXXRecordDecl* record) {
  return std::any_of(record->bases_begin(), record->bases_end(), [&](const clang::CXXBaseSpecifier& base) {
    clang::CXXBasePaths paths;
    const auto* base_record = base.getType()->getAsCXXRecordDecl();
    return record->isDerivedFrom(base_record, paths) &&
           paths.isAmbiguous(
               base_record->getCanonicalDecl()->getTypeForDecl()->getCanonicalTypeUnqualified());
  });
}

}  // namespace kanor::host
