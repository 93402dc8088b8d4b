// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/variables.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include "host/cfg/kinds.hpp"
#include "host/facts/standard_types.hpp"

namespace kanor::host {

using flow::VariableKind;

Places::Places(const ParsedUnit& unit)
    : files_(unit.files), sources_(unit.sema.getSourceManager()), options_(unit.sema.getLangOpts()) {}

flow::Location Places::of(clang::SourceRange range) const {
  if (range.isInvalid()) return {};
  const FilePlace place = place_of(sources_, range.getBegin(), range.getEnd(), options_);
  const auto* entry = files_.find(place.file);
  if (entry == nullptr || entry->user_file < 0) return {};
  if (entry->shadow == nullptr) return {entry->source, {place.begin, place.end}};
  const auto begin = entry->shadow->original(place.begin);
  const auto last = entry->shadow->original(place.end - 1);
  if (!begin || !last || *last < *begin) return {};
  return {entry->source, {*begin, *last + 1}};
}

int Places::block_at(clang::SourceLocation location, const FileMap::Entry*& file) const {
  std::uint32_t offset = 0;
  file = files_.user_file(sources_, location, offset);
  return file == nullptr || file->shadow == nullptr ? -1 : file->shadow->block_at(offset);
}

bool Places::is_in_block(clang::SourceLocation location) const {
  const FileMap::Entry* file = nullptr;
  return block_at(location, file) >= 0;
}

bool Places::is_in_user_file(clang::SourceLocation location) const {
  std::uint32_t offset = 0;
  return files_.user_file(sources_, location, offset) != nullptr;
}

bool Places::is_in_main_file(clang::SourceLocation location) const {
  return sources_.isInMainFile(sources_.getExpansionLoc(location));
}

int Variables::owner_of(const clang::Decl* declaration) const {
  for (const clang::DeclContext* context = declaration->getDeclContext(); context != nullptr;
       context = context->getParent())
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(context)) {
      const auto found = owners_.find(function->getCanonicalDecl());
      return found == owners_.end() ? -1 : found->second;
    }
  return -1;
}

/// Returns true if other files may name the declaration. A class that a source file defines is that file's
/// own, unless a variable of it is defined elsewhere; a variable or function that only it declares may still
/// be declared elsewhere.
bool Variables::is_visible_elsewhere(const clang::NamedDecl* declaration) const {
  if (whole_program_ || !declaration->isExternallyVisible()) return false;
  if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      variable != nullptr && variable->hasDefinition() == clang::VarDecl::DeclarationOnly)
    return true;
  for (const clang::DeclContext* context = declaration->getDeclContext(); context != nullptr;
       context = context->getParent())
    if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(context))
      if (places_.is_in_main_file(record->getLocation())) return false;
  return true;
}

int Variables::make(std::string name, VariableKind kind, flow::Location at, int function, bool with_length) {
  const int made = static_cast<int>(graph_.variables.size());
  flow::Variable variable;
  variable.name = std::move(name);
  variable.kind = kind;
  variable.declared = at;
  variable.function = function;
  graph_.variables.push_back(variable);
  if (with_length) {
    variable.name += ".size()";
    graph_.variables.push_back(variable);
    lengths_[made] = made + 1;
  }
  return made;
}

int Variables::length_of(int variable) const {
  const auto found = lengths_.find(variable);
  return found == lengths_.end() ? -1 : found->second;
}

int Variables::inner_length_of(int variable) const {
  const auto found = inner_lengths_.find(variable);
  return found == inner_lengths_.end() ? -1 : found->second;
}

clang::QualType Variables::type_of(int variable) const {
  const auto found = types_.find(variable);
  return found == types_.end() ? clang::QualType() : found->second;
}

int Variables::team_of(int grid) const {
  const auto found = teams_.find(grid);
  return found == teams_.end() ? -1 : found->second;
}

/// Returns true for a variable of the program that is not bound by a block's clause.
bool Variables::is_known(const clang::ValueDecl* declaration) const {
  return !places_.is_in_block(declaration->getLocation()) &&
         places_.is_in_user_file(declaration->getLocation());
}

/// Makes a variable with its companions by type: a length, a grid's team.
int Variables::make(const std::string& name, VariableKind kind, const clang::ValueDecl* of, int function) {
  const clang::QualType type = of->getType();
  const auto at = places_.of(clang::SourceRange(of->getLocation()));
  const int made = make(name, is_team(type) ? VariableKind::team : kind, at, function, has_length(type));
  types_[made] = type;
  if (kind != VariableKind::parameter && holds_containers(type))
    inner_lengths_[made] = make(name + "[].size()", kind, at, function, false);
  if (is_grid(type)) teams_[made] = make(name + ".team()", VariableKind::team, at, function, false);
  return made;
}

/// The name; for structured bindings, all of their names.
std::string Variables::name_of(const clang::ValueDecl* declaration) {
  const auto* bindings = llvm::dyn_cast<clang::DecompositionDecl>(declaration);
  if (bindings == nullptr) return declaration->getNameAsString();
  std::string names;
  for (const auto* one : bindings->bindings()) names += (names.empty() ? "[" : ", ") + one->getNameAsString();
  return names + "]";
}

bool Variables::may_be_changed_elsewhere(const clang::VarDecl* variable) const {
  return !variable->hasLocalStorage() && !variable->getType().getNonReferenceType().isConstQualified() &&
         is_visible_elsewhere(variable);
}

int Variables::of(const clang::ValueDecl* declaration) {
  declaration = llvm::cast<clang::ValueDecl>(declaration->getCanonicalDecl());
  if (const auto found = index_.find(declaration); found != index_.end()) return found->second;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(declaration);
  int& made = index_[declaration];
  made = -1;
  if ((variable == nullptr && field == nullptr) || !is_known(declaration)) return made;
  const bool is_global = variable != nullptr && !variable->hasLocalStorage();
  VariableKind kind = VariableKind::local;
  if (field != nullptr) kind = VariableKind::member;
  if (is_global) kind = VariableKind::global;
  if (llvm::isa<clang::ParmVarDecl>(declaration)) kind = VariableKind::parameter;
  const bool is_owned = field == nullptr && !is_global;
  const int here = make(name_of(declaration), kind, declaration, is_owned ? owner_of(declaration) : -1);
  made = here;
  const bool constant = declaration->getType().getNonReferenceType().isConstQualified();
  if (constant && declaration->getType()->isScalarType()) constants_.insert(here);
  for (const int one : {here, length_of(here), inner_length_of(here), team_of(here)}) {
    if (one < 0) continue;
    (*this)[one].is_uniform = is_asserted(declaration);
    (*this)[one].other_files = variable != nullptr && may_be_changed_elsewhere(variable);
  }
  if (field != nullptr && field->hasInClassInitializer() && field->getInClassInitializer() != nullptr)
    initialised_.push_back(field);
  return here;
}

int Variables::part_of(const clang::VarDecl* object, const clang::FieldDecl* field) {
  object = object->getCanonicalDecl();
  field = field->getCanonicalDecl();
  if (const auto found = parts_.find({object, field}); found != parts_.end()) return found->second;
  if (!is_known(object) || objects_.class_of(object) == nullptr) return parts_[{object, field}] = -1;
  const bool is_global = !object->hasLocalStorage();
  const int made =
      make(object->getNameAsString() + "." + field->getNameAsString(),
           is_global ? VariableKind::global : VariableKind::local, field, is_global ? -1 : owner_of(object));
  for (const int one : {made, length_of(made), inner_length_of(made), team_of(made)}) {
    if (one < 0) continue;
    (*this)[one].declared = places_.of(object->getLocation());
    (*this)[one].is_uniform = is_annotated_uniform(field) || is_asserted(object);
    (*this)[one].other_files = may_be_changed_elsewhere(object);
  }
  return parts_[{object, field}] = made;
}

int Variables::part_of(const clang::MemberExpr* member) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(member->getBase()->IgnoreParens());
  const auto* object = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  return field == nullptr || object == nullptr || member->isArrow() ? -1 : part_of(object, field);
}

int Variables::this_of(const clang::CXXMethodDecl* method) {
  const auto* declaration = method->getCanonicalDecl();
  if (const auto found = index_.find(declaration); found != index_.end()) return found->second;
  const int here =
      make("this", VariableKind::parameter, places_.of(clang::SourceRange(method->getLocation())), -1, false);
  const auto owner = owners_.find(declaration);
  if (owner != owners_.end()) (*this)[here].function = owner->second;
  return index_[declaration] = here;
}

std::set<int> Variables::members_held_by(clang::QualType type) {
  std::set<const clang::CXXRecordDecl*> seen;
  std::set<int> members;
  hold(type, seen, members);
  return members;
}

void Variables::hold(clang::QualType type, std::set<const clang::CXXRecordDecl*>& seen,
                     std::set<int>& members) {
  type = clang::QualType(type.getNonReferenceType()->getBaseElementTypeUnsafe(), 0);
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !seen.insert(record->getCanonicalDecl()).second) return;
  if (const auto* own = user_class(type, places_.sources())) {
    const auto& all = members_of(own);
    members.insert(all.begin(), all.end());
    for (const auto& base : own->bases()) hold(base.getType(), seen, members);
    for (const auto* field : own->fields()) hold(field->getType(), seen, members);
  } else if (const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record)) {
    for (const clang::QualType argument : type_arguments(instance)) hold(argument, seen, members);
  }
}

int Variables::place_of_strtok() {
  if (strtok_ < 0) strtok_ = make("strtok", flow::VariableKind::global, {}, -1, false);
  return strtok_;
}

std::vector<int> Variables::overlapping(const clang::FieldDecl* member) {
  const clang::RecordDecl* around = nullptr;
  for (const clang::RecordDecl* record = member->getParent(); record != nullptr;
       record = record->isAnonymousStructOrUnion() ? llvm::dyn_cast<clang::RecordDecl>(record->getParent())
                                                   : nullptr)
    if (record->isUnion()) around = record;
  if (around == nullptr) return {};
  std::vector<int> others = members_of(llvm::cast<clang::CXXRecordDecl>(around));
  std::erase(others, of(member));
  return others;
}

const std::vector<int>& Variables::members_of(const clang::CXXRecordDecl* record) {
  const auto [found, is_new] = members_.try_emplace(record);
  if (!is_new) return found->second;
  std::vector<int> all;
  const auto add = [&](const clang::CXXRecordDecl* other) {
    const auto& more = members_of(other);
    all.insert(all.end(), more.begin(), more.end());
  };
  for (const auto& base : record->bases())
    if (const auto* other = user_class(base.getType(), places_.sources())) add(other);
  for (const auto* field : record->fields()) {
    if (const int one = of(field); one >= 0) {
      all.push_back(one);
      for (const int length : {length_of(one), inner_length_of(one)})
        if (length >= 0) all.push_back(length);
    }
    const auto* element = field->getType()->getBaseElementTypeUnsafe();
    if (const auto* other = user_class(clang::QualType(element, 0), places_.sources())) add(other);
  }
  return members_[record] = std::move(all);
}

}  // namespace kanor::host
