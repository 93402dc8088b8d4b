// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/candidates.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <functional>
#include <set>

#include "host/cfg/kinds.hpp"
#include "host/facts/annotation.hpp"
#include "host/facts/travel.hpp"
#include "host/facts/tree_walk.hpp"

namespace kanor::host {
namespace {

const clang::ClassTemplateSpecializationDecl* standard(clang::QualType type, llvm::StringRef name) {
  const auto* record = type->getAsCXXRecordDecl();
  const auto* instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  return instance != nullptr && is_in(instance, "std") && instance->getName() == name ? instance : nullptr;
}

/// Returns true for a class that knows its own length: std::vector, kanor::buffer.
bool is_vector(clang::QualType type) { return standard(type, "vector") != nullptr || is_buffer(type); }

/// The element type of a vector or array class; null for others.
clang::QualType element_of(const clang::ClassTemplateSpecializationDecl* instance) {
  return instance->getTemplateArgs()[0].getAsType();
}

/// Returns true for elements whose bytes mean the same on every rank that shares the memory.
bool is_plain_element(clang::QualType type, const clang::ASTContext& context) {
  const auto* record = type->getAsCXXRecordDecl();
  return type.isTriviallyCopyableType(context) && !type->isPointerType() && !type.isVolatileQualified() &&
         !type->isBooleanType() && (record == nullptr || !is_annotated(record, "kanor::same_address_space"));
}

std::pair<const text::Source*, std::uint32_t> key_of(const flow::Location& location) {
  return {location.source, location.span.begin};
}

/// Calls a function for each name of a variable, also in types and in unevaluated code.
class MentionFinder : public TreeWalk {
 public:
  using Note = std::function<void(const clang::DeclRefExpr*, bool asks_type)>;
  explicit MentionFinder(Note note) : note_(std::move(note)) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    note_(name, false);
    return true;
  }
  /// Visits the operand of a decltype: for a bare name it yields the declared type, which becomes the
  /// pointer's.
  bool VisitDecltype(clang::Expr* operand) override {
    if (auto* name = llvm::dyn_cast<clang::DeclRefExpr>(operand)) note_(name, true);
    return true;
  }

 private:
  Note note_;
};

/// Calls a function for each variable, data member and function that is marked [[kanor::globalize]].
class DemandFinder : public TreeWalk {
 public:
  using Note = std::function<void(const clang::DeclaratorDecl*)>;
  explicit DemandFinder(Note note) : note_(std::move(note)) {}
  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitVarDecl(clang::VarDecl* variable) override { return look_at(variable); }
  bool VisitFieldDecl(clang::FieldDecl* member) override { return look_at(member); }
  bool VisitFunctionDecl(clang::FunctionDecl* function) override { return look_at(function); }

 private:
  bool look_at(const clang::DeclaratorDecl* declaration) {
    if (is_annotated(declaration, "kanor::globalize") && !declaration->getDeclContext()->isDependentContext())
      note_(declaration);
    return true;
  }

  Note note_;
};

/// The beginning of a sentence on a declaration that is no local variable.
std::string what_is(const clang::DeclaratorDecl* declaration) {
  if (llvm::isa<clang::FieldDecl>(declaration)) return "it is a data member: ";
  if (llvm::isa<clang::FunctionDecl>(declaration)) return "it is a function: ";
  if (llvm::isa<clang::ParmVarDecl>(declaration)) return "it is a parameter: ";
  return "it is not local to a function: ";
}

flow::Declaration::Declarator declarator_of(const clang::VarDecl* variable, const Places& places) {
  flow::Declaration::Declarator made;
  made.name = places.of(variable->getLocation()).span;
  const auto declared_until =
      variable->getType()->isArrayType()
          ? places.of(variable->getTypeSourceInfo()->getTypeLoc().getEndLoc()).span.end
          : made.name.end;
  made.suffix = {made.name.end, declared_until};
  made.init = {declared_until, std::max(declared_until, places.of(variable->getSourceRange()).span.end)};
  made.all = {made.name.begin, made.init.end};
  return made;
}

/// Returns true if nothing stands between the pieces of the candidate's declaration that would be lost when
/// it is written otherwise.
bool is_plain(const flow::Candidate& candidate) {
  const std::string_view text = candidate.declaration.source->bytes();
  const auto piece = [&](std::uint32_t begin, std::uint32_t end) { return text.substr(begin, end - begin); };
  const auto starts = [](std::string_view part, std::string_view any) {
    const auto first = part.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos || any.find(part[first]) != std::string_view::npos;
  };
  const auto& [specifier_span, declarators] = candidate.spelling;
  const std::string_view specifiers = piece(specifier_span.begin, specifier_span.end);
  bool is_plain = specifiers.find_first_of("*&") == std::string_view::npos &&
                  std::count(specifiers.begin(), specifiers.end(), '(') ==
                      std::count(specifiers.begin(), specifiers.end(), ')');
  for (std::size_t at = 0; is_plain && at < declarators.size(); ++at) {
    const auto& one = declarators[at];
    if (static_cast<int>(at) == candidate.declarator)
      is_plain = starts(piece(one.suffix.begin, one.suffix.end), "[") &&
                 starts(piece(one.init.begin, one.init.end), "={(");
    if (at == 0 || !is_plain) continue;
    const std::string_view between = piece(declarators[at - 1].all.end, one.all.begin);
    is_plain = starts(between, ",") && between.find(',') != std::string_view::npos &&
               between.find('/') == std::string_view::npos;
  }
  return is_plain;
}

}  // namespace

std::vector<long long> extents_of(clang::QualType type, const clang::ASTContext& context) {
  std::vector<long long> extents;
  clang::QualType element = type.getCanonicalType();
  while (const auto* array = context.getAsConstantArrayType(element)) {
    extents.push_back(static_cast<long long>(array->getSize().getZExtValue()));
    element = array->getElementType();
  }
  if (extents.empty()) {
    if (const auto* vector = standard(type, "vector");
        vector != nullptr && standard(vector->getTemplateArgs()[1].getAsType(), "allocator") != nullptr) {
      extents = {-1};
      element = element_of(vector);
    } else if (is_buffer(type)) {
      extents = {-1};
      element = first_type_argument(type);
    }
    while (const auto* array = standard(element, "array")) {
      extents.push_back(static_cast<long long>(array->getTemplateArgs()[1].getAsIntegral().getZExtValue()));
      element = element_of(array);
    }
  }
  if (extents.empty() || !is_plain_element(element, context) || element.isConstQualified()) return {};
  return extents;
}

Candidates::Candidates(const ParsedUnit& unit, Variables& variables, const Places& places)
    : unit_(unit), variables_(variables), places_(places) {
  for (const auto& [key, pieces] : unit.pieces.all()) {
    if (key.file->shadow == nullptr) continue;
    const auto& block = key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)];
    const auto& statement = block.statements[static_cast<std::size_t>(key.statement)];
    if (!statement.place.is_section()) find(pieces.place);
    if (!statement.value.is_section()) find(pieces.value);
  }
  for (const auto& [key, pieces] : unit.pieces.all())
    if (const auto value = movable_value(key, pieces)) find(*value);
  if (!by_declaration_.empty()) find_mentions();
}

void Candidates::find(const clang::Expr* communicated) {
  if (communicated == nullptr) return;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(communicated->IgnoreParenImpCasts());
  const auto* variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  if (variable == nullptr || llvm::isa<clang::ParmVarDecl>(variable) || !variable->hasLocalStorage() ||
      variable->getType()->isReferenceType() || by_declaration_.contains(variable))
    return;
  if (extents_of(variable->getType(), unit_.sema.Context).empty()) return;
  const sema::Travel travel = TravelJudge(unit_.sema).judge(variable->getType()).verdict;
  if (travel != sema::Travel::flat && travel != sema::Travel::contiguous) return;
  const auto at = places_.of(variable->getLocation());
  if (at.source == nullptr) return;
  by_declaration_[variable] = at;
  order_.push_back(variable);
}

void Candidates::find(const MovableValue& value) {
  const auto* variable = llvm::cast<clang::VarDecl>(value.variable->getDecl());
  if (by_declaration_.contains(variable) && !moves_only_.contains(variable)) return;
  const auto at = places_.of(variable->getLocation());
  if (at.source == nullptr) return;
  if (by_declaration_.emplace(variable, at).second) order_.push_back(variable);
  bool& is_whole = moves_only_[variable];
  is_whole = is_whole || value.subscripts.empty();
}

void Candidates::find_mentions() {
  std::set<std::pair<const text::Source*, std::uint32_t>> declared;
  for (const auto& [variable, at] : by_declaration_) declared.insert(key_of(at));
  const auto& sources = unit_.sema.getSourceManager();
  MentionFinder finder([&](const clang::DeclRefExpr* name, bool asks_type) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || !variable->isLocalVarDecl()) return;
    const auto declaration = key_of(places_.of(variable->getLocation()));
    if (!declared.contains(declaration)) return;
    const auto at = places_.of(name->getLocation());
    if (asks_type)
      obstacles_[declaration].emplace_back("a type names it", at);
    else if (name->getLocation().isMacroID() && sources.isMacroBodyExpansion(name->getLocation()))
      obstacles_[declaration].emplace_back("a macro names it", at);
    else if (name->getLocation().isMacroID())
      obstacles_[declaration].emplace_back("a macro's argument names it", at);
    else if (at.source == nullptr)
      obstacles_[declaration].emplace_back("it is named where the text cannot be changed", flow::Location{});
    else
      mentions_[declaration].push_back({at, flow::Mention::What::plain});
  });
  walk_user_files(finder, unit_.files, unit_.sema.Context);
  for (auto& [declaration, all] : mentions_) {
    std::sort(all.begin(), all.end(), [](const flow::Mention& a, const flow::Mention& b) {
      return a.at.span.begin < b.at.span.begin;
    });
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
}

std::vector<std::pair<flow::Location, std::string>> Candidates::unshareable() const {
  std::vector<std::pair<flow::Location, std::string>> found;
  DemandFinder finder([&](const clang::DeclaratorDecl* declaration) {
    const auto at = places_.of(declaration->getLocation());
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (at.source == nullptr || (by_declaration_.contains(variable) && !moves_only_.contains(variable)))
      return;
    const auto* const only = "only variables that are local to a function are shared";
    if (variable == nullptr || !variable->isLocalVarDecl())
      found.emplace_back(at, what_is(declaration) + only);
    else if (!variable->hasLocalStorage())
      found.emplace_back(at, "it outlives the function that it is local to");
    else if (variable->getType().isConstQualified())
      found.emplace_back(at, "it is constant");
    else if (variable->getType()->isReferenceType())
      found.emplace_back(at, "it is a reference");
    else if (extents_of(variable->getType(), unit_.sema.Context).empty())
      found.emplace_back(
          at,
          "it is not an array, std::array, std::vector or kanor::buffer of elements that are plain bytes");
    else
      found.emplace_back(at, "no block has the whole variable as its place or value");
  });
  walk_user_files(finder, unit_.files, unit_.sema.Context);
  return found;
}

flow::Candidate Candidates::make(const clang::VarDecl* variable) const {
  flow::Candidate made;
  const auto& context = unit_.sema.Context;
  made.variable = variables_.of(variable);
  made.declaration = places_.of(clang::SourceRange(variable->getLocation(), variable->getEndLoc()));
  const bool is_local = is_annotated(variable, "kanor::local");
  if (is_local) made.asked = flow::Candidate::Asked::local;
  const auto key = key_of(by_declaration_.at(variable));
  if (const auto found = mentions_.find(key); found != mentions_.end()) made.mentions = found->second;
  if (const auto moved = moves_only_.find(variable); moved != moves_only_.end()) {
    made.moves_only = true;
    made.is_vector = moved->second;
    made.extents = {-1};
    return made;
  }
  made.extents = extents_of(variable->getType(), context);
  made.is_vector = is_vector(variable->getType());
  if (!made.is_vector)
    made.bytes = static_cast<long long>(context.getTypeSizeInChars(variable->getType()).getQuantity());
  const auto* init = variable->getInit();
  const auto* constructed =
      init == nullptr ? nullptr : llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit());
  made.is_initialised =
      init != nullptr && (made.is_vector || constructed == nullptr || constructed->getNumArgs() > 0);
  if (is_annotated(variable, "kanor::globalize")) made.asked = flow::Candidate::Asked::globalize;
  if (const auto found = obstacles_.find(key); found != obstacles_.end()) made.text_obstacles = found->second;
  const auto at = made.declaration;
  for (const flow::Mention& mention : made.mentions)
    if (mention.at.source != at.source) made.obstacles.emplace_back("an included file names it", mention.at);
  // What other units make of a header must be the same, and they may know less of the functions it calls.
  if (!places_.is_in_main_file(variable->getLocation()))
    made.obstacles.emplace_back("it is declared in a header", at);
  if (is_local && made.asked == flow::Candidate::Asked::globalize)
    made.obstacles.emplace_back("it is [[kanor::local]]", at);
  if (variable->getType().isConstQualified()) made.obstacles.emplace_back("it is constant", at);
  if (variable->getType()->getContainedDeducedType() != nullptr)
    made.text_obstacles.emplace_back("its declaration does not spell its type", at);
  if (variable->hasAttr<clang::AlignedAttr>()) made.obstacles.emplace_back("it asks for an alignment", at);
  if (context.getTypeAlignInChars(variable->getType()).getQuantity() > 64)
    made.obstacles.emplace_back("its type asks for more than 64 bytes of alignment", at);
  return made;
}

std::vector<std::pair<const clang::VarDecl*, flow::Candidate>> Candidates::of(
    const clang::FunctionDecl* function) const {
  std::vector<std::pair<const clang::VarDecl*, flow::Candidate>> found;
  for (const auto* variable : order_) {
    const auto* owner = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
    if (owner != nullptr && owner->getCanonicalDecl() == function->getCanonicalDecl())
      found.emplace_back(variable, make(variable));
  }
  return found;
}

bool Candidates::spell(const clang::DeclStmt* statement, const clang::VarDecl* variable,
                       flow::Candidate& candidate) const {
  const auto refuse = [&](const char* why) {
    candidate.text_obstacles.emplace_back(why, candidate.declaration);
    return false;
  };
  if (statement->getBeginLoc().isMacroID() || statement->getEndLoc().isMacroID())
    return refuse("a macro declares it");
  auto& [specifiers, declarators] = candidate.spelling;
  for (const clang::Decl* one : statement->decls()) {
    const auto* other = llvm::dyn_cast<clang::VarDecl>(one);
    if (other == nullptr || other->getTypeSourceInfo() == nullptr)
      return refuse("it is declared together with something else");
    if (other == variable && other->getTypeSourceInfo()->getType()->isIncompleteArrayType())
      return refuse("its declaration does not say its length");
    const auto declarator = declarator_of(other, places_);
    if (other == variable) candidate.declarator = static_cast<int>(declarators.size());
    if (declarators.empty())
      specifiers = {places_.of(other->getSourceRange()).span.begin, declarator.name.begin};
    declarators.push_back(declarator);
  }
  const auto stands_behind = [](const clang::Attr* attribute) { return attribute->isGNUAttribute(); };
  if (variable->getStorageClass() != clang::SC_None ||
      std::any_of(variable->attrs().begin(), variable->attrs().end(), stands_behind) || !is_plain(candidate))
    return refuse("its declaration cannot be written otherwise");
  const bool spans_are_known =
      std::all_of(declarators.begin(), declarators.end(), [](const auto& declarator) {
        return declarator.name.begin < declarator.name.end && declarator.name.end <= declarator.suffix.end;
      });
  return spans_are_known || refuse("its declaration cannot be read");
}

}  // namespace kanor::host
