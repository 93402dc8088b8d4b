#include "host/facts/travel.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "host/facts/aggregates.hpp"
#include "host/facts/annotation.hpp"

namespace kanor::host {

/// What there is to know of a class template of the standard library.
struct StandardRow {
  std::string_view name;
  sema::Hindrance hindrance;
  unsigned travelling_arguments;  ///< how many leading type arguments are part of the value
};

namespace {

using sema::Hindrance;
using sema::Travel;
using sema::TravelFacts;

constexpr unsigned all = ~0u;
constexpr std::array standard_templates{
    StandardRow{"vector", Hindrance::none, 1},
    StandardRow{"basic_string", Hindrance::none, 1},
    StandardRow{"array", Hindrance::none, 1},
    StandardRow{"deque", Hindrance::none, 1},
    StandardRow{"list", Hindrance::none, 1},
    StandardRow{"forward_list", Hindrance::none, 1},
    StandardRow{"set", Hindrance::none, 1},
    StandardRow{"multiset", Hindrance::none, 1},
    StandardRow{"unordered_set", Hindrance::none, 1},
    StandardRow{"unordered_multiset", Hindrance::none, 1},
    StandardRow{"map", Hindrance::none, 2},
    StandardRow{"multimap", Hindrance::none, 2},
    StandardRow{"unordered_map", Hindrance::none, 2},
    StandardRow{"unordered_multimap", Hindrance::none, 2},
    StandardRow{"stack", Hindrance::none, 1},
    StandardRow{"queue", Hindrance::none, 1},
    StandardRow{"priority_queue", Hindrance::none, 1},
    StandardRow{"valarray", Hindrance::none, 1},
    StandardRow{"pair", Hindrance::none, all},
    StandardRow{"tuple", Hindrance::none, all},
    StandardRow{"optional", Hindrance::none, all},
    StandardRow{"variant", Hindrance::none, all},
    StandardRow{"complex", Hindrance::none, all},
    StandardRow{"basic_string_view", Hindrance::view, 0},
    StandardRow{"span", Hindrance::view, 0},
    StandardRow{"initializer_list", Hindrance::view, 0},
    StandardRow{"reference_wrapper", Hindrance::reference, 0},
    StandardRow{"shared_ptr", Hindrance::smart_pointer, 0},
    StandardRow{"weak_ptr", Hindrance::smart_pointer, 0},
    StandardRow{"unique_ptr", Hindrance::smart_pointer, 0},
};

bool is_standard(const clang::Decl* declaration) {
  for (const auto* context = declaration->getDeclContext(); context != nullptr;
       context = context->getParent())
    if (context->isStdNamespace()) return true;
  return false;
}

/// One of the library's containers': the names differ from library to library, but all end alike.
bool is_iterator(const clang::CXXRecordDecl* record) {
  const bool in_library =
      is_standard(record) || (record->getIdentifier() != nullptr && record->getName() == "__normal_iterator");
  return in_library && record->getIdentifier() != nullptr && record->getName().ends_with("iterator");
}

const StandardRow* standard_row(const clang::CXXRecordDecl* record) {
  if (record->getIdentifier() == nullptr) return nullptr;
  const std::string name = record->getName().str();
  const auto* row = std::find_if(standard_templates.begin(), standard_templates.end(),
                                 [&](const StandardRow& candidate) { return name == candidate.name; });
  return row == standard_templates.end() ? nullptr : row;
}

std::size_t severity(Travel verdict) { return static_cast<std::size_t>(verdict); }

/// Takes the worse verdict; the first hindrance is kept.
void worsen(TravelFacts& so_far, const TravelFacts& part) {
  if (severity(part.verdict) > severity(so_far.verdict)) so_far = part;
}

bool is_pack_of(const clang::TemplateArgument& argument) {
  return argument.getKind() == clang::TemplateArgument::Pack;
}

std::vector<clang::QualType> type_arguments(const clang::CXXRecordDecl* record) {
  std::vector<clang::QualType> types;
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (specialization == nullptr) return types;
  const auto add = [&](const clang::TemplateArgument& argument) {
    if (argument.getKind() == clang::TemplateArgument::Type) types.push_back(argument.getAsType());
  };
  for (const auto& argument : specialization->getTemplateArgs().asArray()) {
    if (is_pack_of(argument))
      for (const auto& element : argument.pack_elements()) add(element);
    else
      add(argument);
  }
  return types;
}

std::vector<clang::QualType> travelling_arguments(const clang::CXXRecordDecl* record,
                                                  const StandardRow& row) {
  auto arguments = type_arguments(record);
  if (arguments.size() > row.travelling_arguments) arguments.resize(row.travelling_arguments);
  return arguments;
}

/// A view that refers to nobody's elements.
bool makes_its_elements(const clang::CXXRecordDecl* record) {
  if (record->getIdentifier() == nullptr) return false;
  const auto name = record->getName();
  return name == "iota_view" || name == "single_view" || name == "empty_view" || name == "repeat_view";
}

/// Standard templates whose parts are there as soon as the whole is.
bool holds_its_parts(std::string_view name) { return name == "pair" || name == "tuple" || name == "array"; }

/// Whether a function's second parameter is this class, or the class template that it comes from.
bool takes(const clang::FunctionDecl* function, const clang::CXXRecordDecl* record) {
  if (function->getNumParams() < 2) return false;
  const clang::QualType type = function->getParamDecl(1)->getType().getNonReferenceType();
  if (const auto* parameter = type->getAsCXXRecordDecl())
    if (parameter->getCanonicalDecl() == record->getCanonicalDecl()) return true;
  const auto* pattern = type->getAs<clang::TemplateSpecializationType>();
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (pattern == nullptr || specialization == nullptr) return false;
  const auto* named = pattern->getTemplateName().getAsTemplateDecl();
  return named != nullptr &&
         named->getCanonicalDecl() == specialization->getSpecializedTemplate()->getCanonicalDecl();
}

/// A member of the class itself or a function beside it that cereal would call.
bool has_own_serialize(const clang::CXXRecordDecl* record, clang::ASTContext& context) {
  constexpr std::array names{"serialize", "save", "save_minimal"};
  for (const char* name : names) {
    const auto& identifier = context.Idents.get(name);
    if (!record->lookup(&identifier).empty()) return true;
    for (const auto* scope = record->getDeclContext()->getEnclosingNamespaceContext(); scope != nullptr;
         scope = scope->isInlineNamespace() ? scope->getParent() : nullptr) {
      for (const clang::NamedDecl* found : scope->lookup(&identifier)) {
        const auto* function = found->getUnderlyingDecl()->getAsFunction();
        if (function != nullptr && takes(function, record)) return true;
      }
    }
  }
  return false;
}

/// A base class has one, which knows nothing of what the class adds.
bool inherits_serialize(const clang::CXXRecordDecl* record, clang::ASTContext& context) {
  return std::any_of(record->bases_begin(), record->bases_end(), [&](const clang::CXXBaseSpecifier& base) {
    const auto* base_record = base.getType()->getAsCXXRecordDecl();
    return base_record != nullptr &&
           (has_own_serialize(base_record, context) || inherits_serialize(base_record, context));
  });
}

bool accepts_address_space(const clang::CXXRecordDecl* record) {
  constexpr llvm::StringLiteral name = "kanor::same_address_space";
  if (is_annotated(record, name)) return true;
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  return specialization != nullptr &&
         is_annotated(specialization->getSpecializedTemplate()->getTemplatedDecl(), name);
}

/// The types that members of the library's classes stand for, such as the `value_type` of an allocator's
/// traits, are nothing that a user wrote.
clang::QualType without_library_members(clang::QualType type, const clang::SourceManager& sources) {
  const auto* name = type->getAs<clang::TypedefType>();
  if (name == nullptr || !name->getDecl()->getDeclContext()->isRecord() ||
      !sources.isInSystemHeader(name->getDecl()->getLocation()))
    return type;
  if (const auto* record = type->getAsCXXRecordDecl(); record != nullptr && is_iterator(record)) return type;
  return type.getCanonicalType();
}

/// Whether a function that goes through the class's parts is of use, and there can be one.
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
  if (bare && !qualified && !standard_template(type).empty()) type = type.getCanonicalType();
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

clang::QualType first_type_argument(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  const auto arguments = record == nullptr ? std::vector<clang::QualType>() : type_arguments(record);
  return arguments.empty() ? clang::QualType() : arguments.front();
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
  if (record == nullptr) return {};  // a number or an enumeration
  known_[key] = TravelFacts{Travel::flat, Hindrance::none, {}, {}, {}, {}};
  const TravelFacts facts = judge_record(type, record);
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
  if (accepts_address_space(record)) {
    if (!is_copyable(record)) return cannot(Hindrance::not_copyable, type);
    // Whatever is in it is copied whole; its parts may be places all the same.
    if (is_taken_apart(record) && !has_own_serialize(record, sema_.Context)) add_parts(record);
    return {Travel::same_address_space, Hindrance::none, spelled(type, sema_), {}, {}, {}};
  }
  if (is_standard(record)) return judge_standard(type, record);
  if (const auto name = record->getQualifiedNameAsString(); name == "kanor::team" || name == "kanor::grid")
    return cannot(Hindrance::team, type);
  if (!is_copyable(record)) return judge_uncopyable(type, record);
  if (has_own_serialize(record, sema_.Context) ||
      (inherits_serialize(record, sema_.Context) && !record->isAggregate())) {
    if (!is_default_constructible(record)) return cannot(Hindrance::no_default_constructor, type);
    return {Travel::structural, Hindrance::none, {}, {}, {}, {}};
  }
  TravelFacts parts = judge_parts(type, record);
  if (parts.verdict == Travel::cannot) return parts;
  if (is_trivially_copyable(type)) {
    if (parts.verdict == Travel::structural && is_taken_apart(record) && !has_anonymous_union(record))
      add_parts(record);
    return parts;
  }
  return judge_aggregate(type, record, parts);
}

/// One that is more than its bytes, of parts that travel.
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
    const TravelFacts parts = judge_parts(type, record);
    const bool travels = is_trivially_copyable(type) && parts.verdict != Travel::cannot;
    return travels ? parts : cannot(Hindrance::standard_class, type);
  }
  if (row->hindrance != Hindrance::none) return cannot(row->hindrance, type);
  TravelFacts facts;
  for (const clang::QualType argument : travelling_arguments(record, *row))
    worsen(facts, judge_part(argument));
  if (facts.verdict == Travel::cannot) return facts;
  if (is_trivially_copyable(type)) return facts;
  const bool contiguous =
      (row->name == "vector" || row->name == "basic_string") && facts.verdict == Travel::flat;
  if (!contiguous && facts.verdict != Travel::same_address_space) worsen(facts, judge_making(type));
  worsen(facts, {contiguous ? Travel::contiguous : Travel::structural, Hindrance::none, {}, {}, {}, {}});
  return facts;
}

/// The worst of bases and members.
TravelFacts TravelJudge::judge_parts(clang::QualType type, clang::CXXRecordDecl* record) {
  TravelFacts facts;
  for (const auto& base : record->bases()) worsen(facts, judge_part(base.getType()));
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

/// The member that cannot be copied, if one is the reason.
TravelFacts TravelJudge::judge_uncopyable(clang::QualType type, clang::CXXRecordDecl* record) {
  for (const clang::FieldDecl* field : record->fields()) {
    auto* part = sema_.Context.getBaseElementType(field->getType())->getAsCXXRecordDecl();
    if (part == nullptr || !part->hasDefinition() || is_copyable(part->getDefinition())) continue;
    const TravelFacts facts = judge_part(field->getType());
    if (facts.verdict == Travel::cannot) return in_member(facts, type, field);
  }
  return cannot(Hindrance::not_copyable, type);
}

/// Whether a receiver can make a value of this type, which travels through an archive, and fill it.
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
  for (const clang::QualType argument : travelling_arguments(record, *row))
    worsen(facts, judge_making(argument));
  return facts;
}

/// A base class is made by the class's own constructor; what one of the library's holds is not.
TravelFacts TravelJudge::judge_base_making(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  return record != nullptr && is_standard(record) ? judge_making(type) : TravelFacts();
}

bool TravelJudge::add_parts(const clang::CXXRecordDecl* record) {
  // Its members are found through the class around it.
  if (record->isAnonymousStructOrUnion()) return true;
  return additions_ == nullptr || additions_->add(record);
}

/// The same for what an object of the library's makes in itself.
TravelFacts TravelJudge::judge_filling(clang::CXXRecordDecl* record, const StandardRow& row) {
  TravelFacts facts;
  for (const clang::QualType argument : travelling_arguments(record, row)) {
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

/// A receiver makes an object first and fills it then.
bool TravelJudge::is_default_constructible(clang::CXXRecordDecl* record) {
  const clang::CXXConstructorDecl* constructor = sema_.LookupDefaultConstructor(record);
  return constructor != nullptr && !constructor->isDeleted() &&
         constructor->getAccess() != clang::AS_private && constructor->getAccess() != clang::AS_protected;
}

bool TravelJudge::is_trivially_copyable(clang::QualType type) const {
  return type.isTriviallyCopyableType(sema_.Context);
}

}  // namespace kanor::host
