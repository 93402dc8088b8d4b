// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/archive_functions.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <vector>

namespace kanor::host {
namespace {

const clang::CXXRecordDecl* base_record(const clang::CXXBaseSpecifier& base) {
  const auto* record = base.getType()->getAsCXXRecordDecl();
  return record == nullptr ? nullptr : record->getDefinition();
}

/// The one base class that all of the class's data is in, whose functions therefore serve for the class; else
/// null.
const clang::CXXRecordDecl* only_base(const clang::CXXRecordDecl* record) {
  if (!record->field_empty() || record->getNumVBases() != 0) return nullptr;
  const clang::CXXRecordDecl* only = nullptr;
  for (const auto& base : record->bases()) {
    const auto* found = base_record(base);
    if (found == nullptr || (only != nullptr && !found->isEmpty())) return nullptr;
    if (only == nullptr || only->isEmpty()) only = found;
  }
  return only;
}

/// Returns true if the first parameter's type is deduced from the archive.
bool takes_archive(const clang::FunctionDecl* function) {
  if (function->getNumParams() == 0) return false;
  const clang::QualType type = function->getParamDecl(0)->getType();
  return type->isReferenceType() && type->getPointeeType()->isTemplateTypeParmType();
}

/// Returns true if the function has `count` parameters, or a class's version after them.
bool has_parameters(const clang::FunctionDecl* function, unsigned count) {
  if (function->getNumParams() == count) return true;
  return function->getNumParams() == count + 1 &&
         (function->getParamDecl(count)->getType().getNonReferenceType()->isIntegerType());
}

/// Returns true if a function's second parameter is this class, or the class template that it comes from.
bool takes(const clang::FunctionDecl* function, const clang::CXXRecordDecl* record) {
  const clang::QualType type = function->getParamDecl(1)->getType().getNonReferenceType();
  if (const auto* parameter = type->getAsCXXRecordDecl())
    if (parameter->getCanonicalDecl() == record->getCanonicalDecl()) return true;
  const auto* pattern = type->getAs<clang::TemplateSpecializationType>();
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (pattern != nullptr && specialization != nullptr) {
    const auto* named = pattern->getTemplateName().getAsTemplateDecl();
    if (named != nullptr &&
        named->getCanonicalDecl() == specialization->getSpecializedTemplate()->getCanonicalDecl())
      return true;
  }
  const auto* base = only_base(record);
  return base != nullptr && takes(function, base);
}

bool is_open_to_cereal(const clang::CXXRecordDecl* record, const clang::NamedDecl* member) {
  if (member->getAccess() == clang::AS_public || member->getAccess() == clang::AS_none) return true;
  return std::any_of(record->friend_begin(), record->friend_end(), [](const clang::FriendDecl* friendly) {
    const auto* type = friendly->getFriendType();
    const auto* known = type == nullptr ? nullptr : type->getType()->getAsCXXRecordDecl();
    return known != nullptr && known->getQualifiedNameAsString() == "cereal::access";
  });
}

class Finder {
 public:
  Finder(const clang::CXXRecordDecl* record, clang::ASTContext& context)
      : record_(record), context_(context) {
    add_namespaces(record);
    const auto spaces = context.getTranslationUnitDecl()->lookup(&context.Idents.get("cereal"));
    for (const clang::NamedDecl* space : spaces)
      if (const auto* cereal = llvm::dyn_cast<clang::NamespaceDecl>(space)) namespaces_.push_back(cereal);
  }

  bool has(const char* name) const { return is_member(record_, name) || is_beside(name); }

 private:
  /// Adds the namespaces in which a call looks for functions: the class's own, those around it if it is
  /// inline, and those of its base classes.
  void add_namespaces(const clang::CXXRecordDecl* record) {
    for (const auto* scope = record->getDeclContext()->getEnclosingNamespaceContext(); scope != nullptr;
         scope = scope->isInlineNamespace() ? scope->getParent() : nullptr)
      namespaces_.push_back(scope);
    for (const auto& base : record->bases())
      if (const auto* found = base_record(base)) add_namespaces(found);
  }

  bool is_member(const clang::CXXRecordDecl* record, const char* name) const {
    const auto found = record->lookup(&context_.Idents.get(name));
    if (found.empty()) {
      const auto* base = only_base(record);
      return base != nullptr && is_member(base, name);
    }
    return std::any_of(found.begin(), found.end(), [&](const clang::NamedDecl* member) {
      const auto* function = llvm::dyn_cast<clang::FunctionTemplateDecl>(member->getUnderlyingDecl());
      return function != nullptr && is_open_to_cereal(record, member) &&
             takes_archive(function->getTemplatedDecl()) &&
             has_parameters(function->getTemplatedDecl(), is_minimal_load(name) ? 2 : 1);
    });
  }

  bool is_beside(const char* name) const {
    for (const auto* space : namespaces_)
      for (const clang::NamedDecl* found : space->lookup(&context_.Idents.get(name))) {
        const auto* function = llvm::dyn_cast<clang::FunctionTemplateDecl>(found->getUnderlyingDecl());
        if (function != nullptr && takes_archive(function->getTemplatedDecl()) &&
            has_parameters(function->getTemplatedDecl(), is_minimal_load(name) ? 3 : 2) &&
            takes(function->getTemplatedDecl(), record_))
          return true;
      }
    return false;
  }

  /// Returns true for `load_minimal`, whose last parameter is the value that `save_minimal` returned.
  static bool is_minimal_load(llvm::StringRef name) { return name == "load_minimal"; }

  const clang::CXXRecordDecl* record_;
  clang::ASTContext& context_;
  std::vector<const clang::DeclContext*> namespaces_;
};

}  // namespace

bool has_archive_functions(const clang::CXXRecordDecl* record, clang::ASTContext& context) {
  const Finder finder(record, context);
  return finder.has("serialize") || (finder.has("save") && finder.has("load")) ||
         (finder.has("save_minimal") && finder.has("load_minimal"));
}

bool has_closed_archive_functions(const clang::CXXRecordDecl* record) {
  record = record->getDefinition();
  if (record == nullptr) return false;
  const auto& names = record->getASTContext().Idents;
  const auto is_closed = [&](const char* name) {
    const auto known = names.find(name);
    if (known == names.end()) return false;
    const auto found = record->lookup(known->second);
    return std::any_of(found.begin(), found.end(), [&](const clang::NamedDecl* member) {
      const auto* function = llvm::dyn_cast<clang::FunctionTemplateDecl>(member->getUnderlyingDecl());
      return function != nullptr && takes_archive(function->getTemplatedDecl()) &&
             !is_open_to_cereal(record, member);
    });
  };
  return is_closed("serialize") || is_closed("save") || is_closed("load") || is_closed("save_minimal") ||
         is_closed("load_minimal");
}

}  // namespace kanor::host
