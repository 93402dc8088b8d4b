// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/travel.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Sema/Sema.h>

#include <string_view>

#include "host/facts/aggregates.hpp"
#include "host/facts/annotation.hpp"
#include "host/facts/archive_functions.hpp"
#include "host/facts/standard_types.hpp"

namespace kanor::host {

namespace {

using sema::Hindrance;
using sema::Travel;
using sema::TravelFacts;

std::size_t severity(Travel verdict) { return static_cast<std::size_t>(verdict); }

/// Takes the worse verdict; the first hindrance is kept.
void worsen(TravelFacts& so_far, const TravelFacts& part) {
  if (severity(part.verdict) > severity(so_far.verdict)) so_far = part;
}

/// Returns true for standard templates whose parts exist as soon as the whole does.
bool holds_its_parts(std::string_view name) { return name == "pair" || name == "tuple" || name == "array"; }

bool accepts_address_space(const clang::CXXRecordDecl* record) {
  constexpr llvm::StringLiteral name = "kanor::same_address_space";
  if (is_annotated(record, name)) return true;
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  return specialization != nullptr &&
         is_annotated(specialization->getSpecializedTemplate()->getTemplatedDecl(), name);
}

/// Replaces the types that members of the library's classes stand for, such as the `value_type` of an
/// allocator's traits, which no user wrote.
clang::QualType without_library_members(clang::QualType type, const clang::SourceManager& sources) {
  const auto* name = type->getAs<clang::TypedefType>();
  if (name == nullptr || !name->getDecl()->getDeclContext()->isRecord() ||
      !sources.isInSystemHeader(name->getDecl()->getLocation()))
    return type;
  if (const auto* record = type->getAsCXXRecordDecl(); record != nullptr && is_iterator(record)) return type;
  return type.getCanonicalType();
}

/// Returns true for a class template of the runtime's headers, which an initialiser spells as the template's
/// own text does.
bool is_template_of_kanor(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  const auto* space = llvm::isa_and_nonnull<clang::ClassTemplateSpecializationDecl>(record)
                          ? llvm::dyn_cast<clang::NamespaceDecl>(record->getDeclContext())
                          : nullptr;
  return space != nullptr && space->getName() == "kanor" && space->getParent()->isTranslationUnit();
}

/// Returns true if a function that goes through the class's parts is useful and possible.
bool is_taken_apart(const clang::CXXRecordDecl* record) {
  return record->isAggregate() && !record->isUnion() && needs_parts(record) && !has_ambiguous_base(record);
}

}  // namespace

std::string spelled(clang::QualType type, const clang::Sema& sema) {
  clang::PrintingPolicy policy = sema.getPrintingPolicy();
  policy.SuppressTagKeyword = true;
  policy.SuppressDefaultTemplateArgs = true;
  policy.SuppressInlineNamespace = true;
  if (is_bit_reference(type) && type->getAsCXXRecordDecl()->getName() == "_Bit_reference")
    return "std::vector<bool>::reference";
  type = without_library_members(type, sema.getSourceManager());
  const auto* elaborated = type->getAs<clang::ElaboratedType>();
  const bool qualified = elaborated != nullptr && elaborated->getQualifier() != nullptr;
  // `struct S s;` is of type `S`.
  if (elaborated != nullptr && !qualified) type = elaborated->getNamedType();
  // A function of the library spells its result as it may inside of the library's namespace.
  const bool bare = llvm::isa<clang::TemplateSpecializationType>(type.getTypePtr());
  if ((bare && !qualified && !standard_template(type).empty()) ||
      (is_template_of_kanor(type) && type->getAs<clang::TypedefType>() == nullptr))
    type = type.getCanonicalType();
  if (const auto* record = type->getAsCXXRecordDecl(); record != nullptr && record->isLambda())
    return "(lambda)";
  std::string name = type.getUnqualifiedType().getAsString(policy);
  if (name.starts_with("typename ")) name = type.getCanonicalType().getUnqualifiedType().getAsString(policy);
  constexpr std::string_view text = "std::basic_string<char>";
  for (auto at = name.find(text); at != std::string::npos; at = name.find(text))
    name.replace(at, text.size(), "std::string");
  return name;
}

std::string standard_template(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !llvm::isa<clang::ClassTemplateSpecializationDecl>(record)) return {};
  return is_standard(record) ? record->getName().str() : std::string();
}

bool owns_its_value(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !is_standard(record)) return false;
  const StandardRow* row = standard_row(record);
  return row != nullptr && row->hindrance == Hindrance::none;
}

bool is_buffer(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr && record->getQualifiedNameAsString() == "kanor::buffer";
}

clang::QualType first_type_argument(const clang::CXXRecordDecl* record) {
  const auto arguments = record == nullptr ? std::vector<clang::QualType>() : type_arguments(record);
  return arguments.empty() ? clang::QualType() : arguments.front();
}

clang::QualType first_type_argument(clang::QualType type) {
  return first_type_argument(type->getAsCXXRecordDecl());
}

bool is_bit_reference(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr || !is_standard(record)) return false;
  const llvm::StringRef name = record->getName();
  if (name == "_Bit_reference" || name == "__bit_reference") return true;
  const auto* owner = llvm::dyn_cast<clang::CXXRecordDecl>(record->getDeclContext());
  return name == "reference" && owner != nullptr && owner->getName() == "bitset";
}

TravelFacts TravelJudge::cannot(Hindrance hindrance, clang::QualType type) const {
  return {Travel::cannot, hindrance, spelled(type, sema_), {}, {}, {}};
}

// A buffer's elements travel; what is made of buffers cannot be copied, and does not.
TravelFacts TravelJudge::judge(clang::QualType type) {
  type = type.getUnqualifiedType();
  if (!is_buffer(type)) return judge_part(type);
  const TravelFacts facts = judge_part(first_type_argument(type));
  return facts.verdict == Travel::flat ? TravelFacts{Travel::contiguous, Hindrance::none, {}, {}, {}, {}}
                                       : facts;
}

TravelFacts TravelJudge::judge_part(clang::QualType type) {
  type = type.getUnqualifiedType();
  const clang::Type* key = type.getCanonicalType().getTypePtr();
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (type->isReferenceType()) return cannot(Hindrance::reference, type);
  if (type->isFunctionType()) return cannot(Hindrance::function, type);
  if (type->isVoidType()) return cannot(Hindrance::nothing, type);
  if (type->isVoidPointerType() || type->isNullPtrType()) return cannot(Hindrance::untyped_pointer, type);
  if (type->isFunctionPointerType() || type->isMemberPointerType())
    return cannot(Hindrance::function_pointer, type);
  if (type->isAnyPointerType()) return cannot(Hindrance::pointer, type);
  if (const auto* array = sema_.Context.getAsArrayType(type)) {
    if (!llvm::isa<clang::ConstantArrayType>(array)) return cannot(Hindrance::incomplete, type);
    return judge_part(array->getElementType());
  }
  auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr) {
    const bool is_number = type->isArithmeticType() || type->isEnumeralType() || type->isVectorType();
    return is_number ? TravelFacts() : cannot(Hindrance::unknown_class, type);
  }
  known_[key] = TravelFacts{Travel::flat, Hindrance::none, {}, {}, {}, {}};
  TravelFacts facts = judge_record(type, record);
  if (facts.verdict == Travel::cannot && has_closed_archive_functions(record))
    facts = cannot(Hindrance::closed_functions, type);
  known_[key] = facts;
  return facts;
}

TravelFacts TravelJudge::judge_elements(clang::QualType type) {
  TravelFacts facts = judge_part(type);
  if (facts.verdict == Travel::flat)
    facts.verdict = Travel::contiguous;
  else if (facts.verdict == Travel::contiguous || facts.verdict == Travel::structural) {
    facts.verdict = Travel::structural;
    worsen(facts, judge_making(type));
  }
  return facts;
}

TravelFacts TravelJudge::judge_record(clang::QualType type, clang::CXXRecordDecl* record) {
  // A class template that is only named, as `vector<int>` in `map<int, vector<int>>`, is instantiated by
  // asking.
  if (!sema_.isCompleteType(record->getLocation(), type)) return cannot(Hindrance::incomplete, type);
  record = record->getDefinition();
  if (is_bit_reference(type)) return {};
  if (is_iterator(record)) return cannot(Hindrance::iterator, type);
  // Functions for archives come first, as everywhere, if a receiver can make an object for them.
  const bool has_form = has_archive_functions(record, sema_.Context) && is_default_constructible(record);
  if (accepts_address_space(record) && !has_form) {
    if (!is_copyable(record)) return cannot(Hindrance::not_copyable, type);
    // Whatever is in it is copied whole; its parts may be places all the same.
    if (is_taken_apart(record) && !has_archive_functions(record, sema_.Context)) add_parts(record);
    return {Travel::same_address_space, Hindrance::none, spelled(type, sema_), {}, {}, {}};
  }
  if (is_standard(record)) return judge_standard(type, record);
  if (const auto name = record->getQualifiedNameAsString(); name == "kanor::team" || name == "kanor::grid")
    return cannot(Hindrance::team, type);
  else if (name == "kanor::shaped")
    return cannot(Hindrance::view, type);
  if (!is_copyable(record)) return judge_uncopyable(type, record);
  if (is_synchronisation_object(record)) return cannot(Hindrance::standard_class, type);
  if (has_archive_functions(record, sema_.Context)) {
    if (!is_default_constructible(record)) return cannot(Hindrance::no_default_constructor, type);
    return {Travel::structural, Hindrance::none, {}, {}, {}, {}};
  }
  TravelFacts parts = judge_parts(type, record);
  if (parts.verdict == Travel::cannot) return parts;
  if (is_trivially_copyable(type)) {
    // There is more to a part than its bytes, and nobody to ask for it.
    if (parts.verdict == Travel::structural && record->isUnion())
      return cannot(Hindrance::union_member, type);
    if (parts.verdict == Travel::structural && !record->isAggregate())
      return cannot(Hindrance::unknown_class, type);
    if (parts.verdict == Travel::structural && is_taken_apart(record) && !has_anonymous_union(record))
      add_parts(record);
    return parts;
  }
  return judge_aggregate(type, record, parts);
}

/// Judges an aggregate that is more than its bytes, and whose parts travel.
TravelFacts TravelJudge::judge_aggregate(clang::QualType type, clang::CXXRecordDecl* record,
                                         TravelFacts parts) {
  if (record->isUnion()) return cannot(Hindrance::union_member, type);
  if (!record->isAggregate()) return cannot(Hindrance::unknown_class, type);
  if (has_anonymous_union(record)) return cannot(Hindrance::anonymous_union, type);
  if (parts.verdict != Travel::same_address_space) {
    for (const auto& base : record->bases())
      if (const TravelFacts made = judge_base_making(base.getType()); made.verdict == Travel::cannot)
        return made;
    for (const clang::FieldDecl* field : record->fields()) {
      if (field->getType().isConstQualified())
        return in_member(cannot(Hindrance::constant_member, field->getType()), type, field);
      const TravelFacts made = judge_making(field->getType());
      if (made.verdict == Travel::cannot) return in_member(made, type, field);
    }
  }
  if (!is_default_constructible(record)) return cannot(Hindrance::no_default_constructor, type);
  if (has_ambiguous_base(record)) return cannot(Hindrance::same_base_twice, type);
  if (needs_parts(record) && !add_parts(record)) return cannot(Hindrance::out_of_reach, type);
  worsen(parts, {Travel::structural, Hindrance::none, {}, {}, {}, {}});
  return parts;
}

TravelFacts TravelJudge::judge_standard(clang::QualType type, clang::CXXRecordDecl* record) {
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(record->getDeclContext());
  if (space != nullptr && space->getName() == "ranges")
    return cannot(makes_its_elements(record) ? Hindrance::standard_class : Hindrance::view, type);
  const StandardRow* row = standard_row(record);
  if (row == nullptr) {
    if (!is_copyable(record)) return cannot(Hindrance::not_copyable, type);
    // What it is made of is the library's business, and nothing that a program could change.
    if (!is_trivially_copyable(type) || !is_plain_standard_class(record))
      return cannot(Hindrance::standard_class, type);
    const TravelFacts parts = judge_parts(type, record);
    return parts.verdict == Travel::flat ? parts : cannot(Hindrance::standard_class, type);
  }
  if (row->hindrance != Hindrance::none) return cannot(row->hindrance, type);
  TravelFacts facts;
  for (const clang::QualType argument : value_arguments(record, *row)) worsen(facts, judge_part(argument));
  for (const clang::QualType argument : policy_arguments(record, *row)) worsen(facts, judge_policy(argument));
  if (facts.verdict == Travel::cannot) return facts;
  if (is_trivially_copyable(type)) return facts;
  const bool contiguous =
      (row->name == "vector" || row->name == "basic_string") && facts.verdict == Travel::flat;
  if (!contiguous && facts.verdict != Travel::same_address_space) worsen(facts, judge_making(type));
  worsen(facts, {contiguous ? Travel::contiguous : Travel::structural, Hindrance::none, {}, {}, {}, {}});
  return facts;
}

/// Judges an order, a hash or an allocator. A receiver makes its own, so it must consist of its type alone; a
/// polymorphic allocator is no part of a container's value.
TravelFacts TravelJudge::judge_policy(clang::QualType type) {
  auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !sema_.isCompleteType(record->getLocation(), type))
    return cannot(Hindrance::policy, type);
  record = record->getDefinition();
  const bool is_polymorphic_allocator = is_standard(record) && record->getIdentifier() != nullptr &&
                                        record->getName() == "polymorphic_allocator";
  const bool is_its_type = record->isEmpty() && is_default_constructible(record);
  return is_its_type || is_polymorphic_allocator ? TravelFacts() : cannot(Hindrance::policy, type);
}

/// The worst verdict on bases and members.
TravelFacts TravelJudge::judge_parts(clang::QualType type, clang::CXXRecordDecl* record) {
  TravelFacts facts;
  for (const auto& base : record->bases()) {
    const TravelFacts part = judge_part(base.getType());
    // A class may be copied although its base class cannot be copied by itself.
    const bool only_alone = part.hindrance == Hindrance::not_copyable && is_copyable(record);
    worsen(facts, only_alone ? cannot(Hindrance::unknown_class, type) : part);
  }
  for (const clang::FieldDecl* field : record->fields()) {
    worsen(facts, in_member(judge_part(field->getType()), type, field));
  }
  return facts;
}

TravelFacts TravelJudge::in_member(TravelFacts facts, clang::QualType owner,
                                   const clang::FieldDecl* member) const {
  if (facts.verdict != Travel::cannot || !facts.owner.empty()) return facts;
  facts.member = member->getName().str();
  facts.owner = spelled(owner, sema_);
  facts.member_type = spelled(member->getType(), sema_);
  return facts;
}

/// Names the member that cannot be copied, if one is the reason.
TravelFacts TravelJudge::judge_uncopyable(clang::QualType type, clang::CXXRecordDecl* record) {
  for (const clang::FieldDecl* field : record->fields()) {
    auto* part = sema_.Context.getBaseElementType(field->getType())->getAsCXXRecordDecl();
    if (part == nullptr || !part->hasDefinition() || is_copyable(part->getDefinition())) continue;
    const TravelFacts facts = judge_part(field->getType());
    if (facts.verdict == Travel::cannot) return in_member(facts, type, field);
  }
  return cannot(Hindrance::not_copyable, type);
}

/// Judges if a receiver can make a value of this type, which travels through an archive, and fill it.
TravelFacts TravelJudge::judge_making(clang::QualType type) {
  type = sema_.Context.getBaseElementType(type).getUnqualifiedType();
  auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !sema_.isCompleteType(record->getLocation(), type)) return {};
  record = record->getDefinition();
  const StandardRow* row = is_standard(record) ? standard_row(record) : nullptr;
  if (row == nullptr)
    return is_default_constructible(record) ? TravelFacts() : cannot(Hindrance::no_default_constructor, type);
  if (!holds_its_parts(row->name)) return judge_filling(record, *row);
  TravelFacts facts;
  for (const clang::QualType argument : value_arguments(record, *row)) worsen(facts, judge_making(argument));
  return facts;
}

/// The same for a base class: the class's own constructor makes it, but not the elements of a library class.
TravelFacts TravelJudge::judge_base_making(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr && is_standard(record) ? judge_making(type) : TravelFacts();
}

bool TravelJudge::add_parts(const clang::CXXRecordDecl* record) {
  // Its members are found through the class around it.
  if (record->isAnonymousStructOrUnion()) return true;
  return additions_ == nullptr || additions_->add(record);
}

/// The same for the elements that an object of a library class makes in itself.
TravelFacts TravelJudge::judge_filling(clang::CXXRecordDecl* record, const StandardRow& row) {
  TravelFacts facts;
  for (const clang::QualType argument : value_arguments(record, row)) {
    // The bytes of such elements are put together first, and then copied.
    const auto* element = argument->getAsCXXRecordDecl();
    const bool has_bytes = row.name == "vector" && element != nullptr && !is_standard(element) &&
                           judge_part(argument).verdict == Travel::flat;
    if (!has_bytes) worsen(facts, judge_making(argument));
  }
  return facts;
}

bool TravelJudge::is_copyable(clang::CXXRecordDecl* record) {
  const clang::CXXConstructorDecl* copy = sema_.LookupCopyingConstructor(record, clang::Qualifiers::Const);
  return copy != nullptr && !copy->isDeleted() && copy->getAccess() != clang::AS_private &&
         copy->getAccess() != clang::AS_protected;
}

/// Returns true if a receiver can make an object first and then fill it.
bool TravelJudge::is_default_constructible(clang::CXXRecordDecl* record) {
  const clang::CXXConstructorDecl* constructor = sema_.LookupDefaultConstructor(record);
  return constructor != nullptr && !constructor->isDeleted() &&
         constructor->getAccess() != clang::AS_private && constructor->getAccess() != clang::AS_protected;
}

bool TravelJudge::is_trivially_copyable(clang::QualType type) const {
  return type.isTriviallyCopyableType(sema_.Context);
}

}  // namespace kanor::host
