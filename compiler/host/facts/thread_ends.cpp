// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/thread_ends.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <algorithm>

#include "host/facts/standard_types.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

class Destructors {
 public:
  explicit Destructors(clang::ASTContext& context) : context_(context) {}

  /// Returns true if the end of such an object does nothing but free memory.
  bool only_free(clang::QualType type) {
    type = context_.getBaseElementType(type).getCanonicalType();
    if (type->isDependentType() || type->isIncompleteType()) return false;
    if (type.isDestructedType() == clang::QualType::DK_none) return true;
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record) return false;
    // A class that is inside of itself, such as a list's node, is what its other parts are.
    if (!judged_.insert(record).second) return true;
    const bool found = is_standard(record) ? of_library(record) : of_members(record);
    judged_.erase(record);
    return found;
  }

 private:
  bool all_only_free(const std::vector<clang::QualType>& types) {
    return std::all_of(types.begin(), types.end(), [&](clang::QualType type) { return only_free(type); });
  }

  bool of_library(const clang::CXXRecordDecl* record) {
    const StandardRow* const row = standard_row(record);
    if (!row) return false;
    if (row->name == "unique_ptr") return of_unique_pointer(record);
    // An allocator of the program's own may do more.
    const auto policies = policy_arguments(record, *row);
    return row->hindrance == sema::Hindrance::none && all_only_free(value_arguments(record, *row)) &&
           std::all_of(policies.begin(), policies.end(), [](clang::QualType policy) {
             const clang::CXXRecordDecl* const of = policy->getAsCXXRecordDecl();
             return of && is_standard(of) && of->isEmpty();
           });
  }

  bool of_unique_pointer(const clang::CXXRecordDecl* record) {
    const auto types = type_arguments(record);
    if (types.size() != 2) return false;
    const clang::CXXRecordDecl* const deleter = types[1]->getAsCXXRecordDecl();
    if (!deleter || !is_standard(deleter) || deleter->getName() != "default_delete") return false;
    const clang::CXXRecordDecl* const object = types[0]->getAsCXXRecordDecl();
    const bool may_be_derived =
        object && object->hasDefinition() && object->isPolymorphic() && !object->isEffectivelyFinal();
    return !may_be_derived && only_free(types[0]);
  }

  bool of_members(const clang::CXXRecordDecl* record) {
    const clang::CXXDestructorDecl* const destructor = record->getDestructor();
    if (destructor && destructor->isUserProvided()) return false;
    return std::all_of(record->bases_begin(), record->bases_end(),
                       [&](const auto& base) { return only_free(base.getType()); }) &&
           std::all_of(record->field_begin(), record->field_end(),
                       [&](const auto* field) { return only_free(field->getType()); });
  }

  clang::ASTContext& context_;
  llvm::SmallPtrSet<const clang::CXXRecordDecl*, 8> judged_;  ///< those that are being judged
};

/// The type of what is destroyed with the variable: for a reference, of a temporary object that lives as
/// long.
clang::QualType destroyed_with(const clang::VarDecl* variable) {
  if (!variable->getType()->isReferenceType()) return variable->getType();
  const clang::Expr* bound = variable->getInit();
  while (bound) {
    if (const auto* whole = llvm::dyn_cast<clang::FullExpr>(bound))
      bound = whole->getSubExpr();
    else if (const auto* part = llvm::dyn_cast<clang::MemberExpr>(bound))
      bound = part->getBase();
    else if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(bound))
      bound = cast->getSubExpr();
    else
      break;
  }
  const auto* const temporary = llvm::dyn_cast_or_null<clang::MaterializeTemporaryExpr>(bound);
  return temporary ? temporary->getType() : clang::QualType();
}

class Finder : public FunctionWalk {
 public:
  Finder(clang::ASTContext& context, const FileMap& files, sema::Facts& facts)
      : sources_(context.getSourceManager()), files_(files), facts_(facts), destructors_(context) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (facts_.thread_end) return false;
    if (variable->getTLSKind() != clang::VarDecl::TLS_Dynamic || variable->isTemplated() ||
        variable->isInvalidDecl())
      return true;
    const clang::QualType destroyed = destroyed_with(variable);
    if (destroyed.isNull() || destructors_.only_free(destroyed)) return true;
    std::uint32_t offset = 0;
    const auto* const file = files_.user_file(sources_, variable->getLocation(), offset);
    const auto begin = file ? file->original(offset) : std::nullopt;
    if (!begin) return true;
    facts_.thread_end = {file->source, *begin, variable->getQualifiedNameAsString()};
    return false;
  }

 private:
  const clang::SourceManager& sources_;
  const FileMap& files_;
  sema::Facts& facts_;
  Destructors destructors_;
};

}  // namespace

void find_thread_ends(clang::ASTContext& context, const FileMap& files, sema::Facts& facts) {
  Finder finder(context, files, facts);
  walk_user_files(finder, files, context);
}

}  // namespace kanor::host
