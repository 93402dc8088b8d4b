// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/split_objects.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <functional>

#include "host/cfg/kinds.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

const clang::VarDecl* named_by(const clang::Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

class MentionFinder : public TreeWalk {
 public:
  using Note = std::function<void(const clang::VarDecl*, bool by_member)>;
  explicit MentionFinder(Note note) : note_(std::move(note)) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* variable = named_by(name)) note_(variable, false);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (member->isArrow() || !llvm::isa<clang::FieldDecl>(member->getMemberDecl())) return true;
    if (const auto* variable = named_by(member->getBase())) note_(variable, true);
    return true;
  }

 private:
  Note note_;
};

/// Returns true for a class whose objects consist of their members alone, each of which is a value of its
/// own.
bool is_plain(const clang::CXXRecordDecl* record, const clang::SourceManager& sources) {
  const auto is_plain_field = [&](const clang::FieldDecl* field) {
    const clang::QualType type = field->getType();
    const clang::QualType element(type->getBaseElementTypeUnsafe(), 0);
    return !field->isAnonymousStructOrUnion() && !is_handle(type) && user_class(element, sources) == nullptr;
  };
  return !record->isUnion() && record->getNumBases() == 0 && !record->isDependentContext() &&
         std::all_of(record->field_begin(), record->field_end(), is_plain_field);
}

/// Returns true for a variable without initialiser, or initialised by default or member by member.
bool has_plain_initialiser(const clang::VarDecl* variable) {
  const clang::Expr* init = variable->getAnyInitializer();
  if (init == nullptr) return true;
  init = init->IgnoreImplicit();
  if (llvm::isa<clang::InitListExpr>(init)) return true;
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(init);
  return made != nullptr && made->getNumArgs() == 0 && !made->getConstructor()->isUserProvided();
}

}  // namespace

SplitObjects::SplitObjects(const ParsedUnit& unit) : sources_(unit.sema.getSourceManager()) {
  MentionFinder finder([&](const clang::VarDecl* variable, bool by_member) {
    Mentions& mentions = mentions_[variable->getCanonicalDecl()];
    ++(by_member ? mentions.by_member : mentions.all);
  });
  walk_user_files(finder, unit.files, unit.sema.Context);
}

const clang::CXXRecordDecl* SplitObjects::class_of(const clang::VarDecl* variable) const {
  const clang::QualType type = variable->getType();
  if (llvm::isa<clang::ParmVarDecl, clang::DecompositionDecl>(variable) || type->isReferenceType() ||
      type->isPointerType() || !has_plain_initialiser(variable))
    return nullptr;
  const auto* record = user_class(type, sources_);
  if (record == nullptr || !is_plain(record, sources_)) return nullptr;
  const auto found = mentions_.find(variable->getCanonicalDecl());
  const bool by_members_alone = found != mentions_.end() && found->second.all == found->second.by_member;
  return by_members_alone ? record : nullptr;
}

}  // namespace kanor::host
