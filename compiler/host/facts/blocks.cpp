// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/blocks.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

#include "host/facts/aggregates.hpp"
#include "host/facts/checked_elements.hpp"
#include "host/facts/conversions.hpp"
#include "host/facts/element_access.hpp"
#include "host/facts/instantiations.hpp"
#include "host/facts/lasting_values.hpp"
#include "host/facts/named_variables.hpp"
#include "host/facts/pieces.hpp"
#include "host/facts/proxy.hpp"
#include "host/facts/sections.hpp"
#include "host/facts/symbols.hpp"
#include "host/facts/travel.hpp"
#include "host/facts/tree_walk.hpp"
#include "host/facts/uniform_values.hpp"

namespace kanor::host {
namespace {

using sema::ClauseFacts;
using sema::OperandFacts;
using sema::PlaceKind;
using sema::RankFacts;
using sema::StatementFacts;

/// Returns true for integer types and types that convert to one implicitly.
bool is_integer(clang::QualType type) { return type->isIntegralOrUnscopedEnumerationType(); }

/// Returns true for an expression of a template's pattern, or one that Clang gave up on.
bool is_open(const clang::Expr* expression) {
  return expression == nullptr || expression->isTypeDependent() || expression->containsErrors() ||
         expression->getType().isNull();
}

bool is_open(const syntax::Operand& operand, const std::map<int, clang::Expr*>& parts) {
  int index = 0;
  for (const auto& dimension : operand.dimensions)
    for (const auto* part : syntax::parts(dimension)) {
      const auto found = parts.find(index++);
      if (*part && (found == parts.end() || is_open(found->second))) return true;
    }
  return false;
}

/// Returns true if the expression is a `kanor::team` or of a class derived from it.
bool is_team(const clang::Expr* expression) {
  const auto is_named_team = [](const clang::CXXRecordDecl* record) {
    return record->getQualifiedNameAsString() == "kanor::team";
  };
  const auto* record = expression->getType()->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) return false;
  return is_named_team(record) ||
         !record->forallBases([&](const clang::CXXRecordDecl* base) { return !is_named_team(base); });
}

class StatementJudge {
 public:
  StatementJudge(clang::Sema& sema, TravelJudge& travel) : sema_(sema), travel_(travel), conversions_(sema) {}

  /// Returns false if something has no type, as in the pattern of a template.
  bool judge(const StatementPieces& pieces, const syntax::Statement& statement, StatementFacts& facts,
             bool is_one_sided, const IsBoundName& is_bound) {
    const bool callable_missing =
        statement.op == syntax::Operator::callable && !pieces.callable_is_type &&
        (pieces.callable == nullptr ||
         (!llvm::isa<clang::OverloadExpr>(pieces.callable) && is_open(pieces.callable)));
    if (is_open(pieces.place) || is_open(pieces.value) || is_open(pieces.receiver) ||
        is_open(pieces.sender) || callable_missing || is_open(statement.place, pieces.place_parts) ||
        is_open(statement.value, pieces.value_parts))
      return false;
    for (std::size_t at = 0; at < statement.clauses.size(); ++at)
      if (!clause(pieces, statement.clauses[at], static_cast<int>(at), facts)) return false;
    if (is_one_sided)
      for (const auto& [index, let] : pieces.lets)
        facts.lets.push_back({index, spelled(value_type(let), sema_), travel_.judge(value_type(let))});
    rank(pieces.receiver, facts.receiver);
    rank(pieces.sender, facts.sender);
    facts.hides_names = hides_names(pieces, is_bound);
    facts.value_hides_names = value_hides_names(pieces, is_bound);
    const auto place = this->place(pieces, statement.place, facts);
    const auto value = this->value(pieces, statement.value, facts);
    facts.value_lasts = is_lasting(pieces.value, is_bound);
    facts.value_is_readable_in_place = is_readable_in_place(pieces.value, is_bound);
    variables(pieces.place, pieces.place_parts, is_bound, facts.place);
    variables(pieces.value, pieces.value_parts, is_bound, facts.value);
    for (const clang::Expr* operand : {pieces.place, pieces.value})
      for_each_name(operand, [&](const clang::DeclRefExpr* name) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        if (variable != nullptr && variable->isStaticLocal() && variable->getIdentifier() != nullptr &&
            variable->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl() == nullptr)
          facts.static_locals.insert(variable->getName().str());
      });
    if (!place || !value || facts.travel.verdict == sema::Travel::cannot) return true;
    if (facts.place_kind == PlaceKind::modifiable || facts.place_kind == PlaceKind::proxy) {
      const auto fit = place->is_section || value->is_section ? conversions_.fit_elements(*place, *value)
                                                              : conversions_.fit(pieces.place, value->type);
      facts.fit = fit.fit;
      facts.place.length = fit.place_length;
      facts.value.length = fit.value_length;
      if (fit.fit == sema::Fit::no_assignment &&
          sema_.Context.hasSameUnqualifiedType(place->type, value->type))
        facts.obstacle = conversions_.obstacle(place->type);
    }
    if (statement.op != syntax::Operator::assign) reduction(pieces, statement.op, value->type, facts);
    strides(pieces, statement, facts);
    return true;
  }

 private:
  static void variables(const clang::Expr* operand, const std::map<int, clang::Expr*>& parts,
                        const IsBoundName& is_bound, OperandFacts& facts) {
    if (!facts.section) facts.variable = number_of_variable(operand);
    add_read_variables(operand, !parts.empty(), is_bound, facts.reads);
    for (const auto& [index, part] : parts) add_read_variables(part, false, is_bound, facts.reads);
  }

  /// Finds a generator's name that only selects elements: in both indices and nowhere else. All contributions
  /// to an element of a reduction must come under one name of it, so nothing but the name may distinguish
  /// its places.
  void strides(const StatementPieces& pieces, const syntax::Statement& statement,
               StatementFacts& facts) const {
    const syntax::Generator* last = nullptr;
    std::vector<std::string_view> others;
    for (const auto& clause : statement.clauses) {
      if (const auto* generator = std::get_if<syntax::Generator>(&clause)) {
        last = generator;
        for (const auto& name : generator->names) others.push_back(name.text);
      } else if (const auto* let = std::get_if<syntax::Let>(&clause)) {
        others.push_back(let->name.text);
      }
    }
    if (last == nullptr || statement.place.is_section() || statement.value.is_section()) return;
    const std::string& name = last->names.back().text;
    std::erase(others, name);
    const auto speaks_of_name = [&](const auto& piece) { return mentions(piece.second, name); };
    if (mentions(pieces.receiver, name) || mentions(pieces.sender, name) ||
        std::any_of(pieces.filters.begin(), pieces.filters.end(), speaks_of_name) ||
        std::any_of(pieces.lets.begin(), pieces.lets.end(), speaks_of_name))
      return;
    const auto depends_on_others = [&](const clang::Expr* expression) {
      return std::any_of(others.begin(), others.end(),
                         [&](std::string_view other) { return mentions(expression, other); });
    };
    if (statement.op != syntax::Operator::assign &&
        (depends_on_others(pieces.place) || depends_on_others(pieces.sets.rbegin()->second)))
      return;
    facts.place.stride = element_stride(pieces.place, name, sema_.Context);
    facts.value.stride = element_stride(pieces.value, name, sema_.Context);
    // Two names may list one element, which a reduction folds in an order of its own.
    const bool is_listed = facts.place.stride == sema::listed;
    if (is_listed && (statement.op != syntax::Operator::assign || !mentions(pieces.place, name)))
      facts.place.stride.reset();
  }

  /// The type of an operand, or of its elements. Nothing if it is a section of something that has none.
  std::optional<Side> place(const StatementPieces& pieces, const syntax::Operand& operand,
                            StatementFacts& facts) const {
    if (!operand.is_section()) {
      place(pieces.place, facts);
      return Side{pieces.place->getType(), false, std::nullopt};
    }
    facts.place.section.emplace();
    const auto elements = judge_section({pieces.place, pieces.place_parts, pieces.place_indices}, operand,
                                        sema_, *facts.place.section);
    if (!elements) return std::nullopt;
    facts.place.type = facts.place.section->element_type;
    if (elements->are_temporary)
      facts.place_kind = PlaceKind::temporary;
    else if (sema_.Context.getBaseElementType(elements->type).isConstQualified())
      facts.place_kind = PlaceKind::constant;
    return Side{elements->type, true, facts.place.section->count};
  }

  std::optional<Side> value(const StatementPieces& pieces, const syntax::Operand& operand,
                            StatementFacts& facts) const {
    if (!operand.is_section()) {
      const clang::QualType type = value_type(pieces.value);
      facts.value.type = spelled(type, sema_);
      facts.value_is_string_literal = llvm::isa<clang::StringLiteral>(pieces.value->IgnoreParenImpCasts());
      facts.travel = travel_.judge(type);
      if (facts.travel.verdict == sema::Travel::flat)
        facts.value_bytes = static_cast<std::uint64_t>(sema_.Context.getTypeSizeInChars(type).getQuantity());
      return Side{type, false, std::nullopt};
    }
    facts.value.section.emplace();
    const auto elements = judge_section({pieces.value, pieces.value_parts, pieces.value_indices}, operand,
                                        sema_, *facts.value.section);
    if (!elements) return std::nullopt;
    facts.value.type = facts.value.section->element_type;
    facts.travel = travel_.judge_elements(elements->type);
    if (facts.travel.verdict == sema::Travel::flat && facts.value.section->count)
      facts.value_bytes =
          static_cast<std::uint64_t>(sema_.Context.getTypeSizeInChars(elements->type).getQuantity()) *
          *facts.value.section->count;
    return Side{elements->type.getUnqualifiedType(), true, facts.value.section->count};
  }

  clang::QualType value_type(const clang::Expr* value) const {
    const clang::QualType type = value->getType().getNonReferenceType().getUnqualifiedType();
    return is_bit_reference(type) ? sema_.Context.BoolTy : type;
  }

  void place(const clang::Expr* place, StatementFacts& facts) const {
    const clang::QualType type = place->getType();
    facts.place.type = spelled(type, sema_);
    if (type->isFunctionType())
      facts.place_kind = PlaceKind::function;
    else if (place->refersToBitField())
      facts.place_kind = PlaceKind::bit_field;
    else if (place->isPRValue() && type->isRecordType() && is_proxy(type))
      facts.place_kind = PlaceKind::proxy;
    else if (!place->isLValue() || is_element_of_temporary(place))
      facts.place_kind = PlaceKind::temporary;
    else if (sema_.Context.getBaseElementType(type).isConstQualified())
      facts.place_kind = PlaceKind::constant;
  }

  void rank(const clang::Expr* rank, RankFacts& facts) const {
    const clang::QualType type = rank->getType();
    facts.type = spelled(type, sema_);
    facts.is_integer = is_integer(type);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(rank->IgnoreParenImpCasts()))
      facts.is_no_rank = name->getDecl()->getQualifiedNameAsString() == "kanor::no_rank";
    facts.constant = constant_value(rank, sema_.Context);
    // A constant may have been given the sentinel, which no arithmetic reaches.
    facts.is_no_rank |= facts.constant == std::numeric_limits<int>::min();
  }

  bool clause(const StatementPieces& pieces, const syntax::Clause& clause, int index, StatementFacts& facts) {
    if (const auto* generator = std::get_if<syntax::Generator>(&clause)) {
      const auto set = pieces.sets.find(index);
      return set != pieces.sets.end() && this->set(set->second, generator->set, index, facts);
    }
    if (std::holds_alternative<syntax::Let>(clause)) {
      const auto let = pieces.lets.find(index);
      return let != pieces.lets.end() && !is_open(let->second);
    }
    const auto filter = pieces.filters.find(index);
    if (filter == pieces.filters.end() || is_open(filter->second)) return false;
    ClauseFacts found;
    found.index = index;
    found.type = spelled(filter->second->getType(), sema_);
    found.is_condition = conversions_.is_condition(filter->second);
    facts.clauses.push_back(found);
    return true;
  }

  bool set(clang::CallExpr* call, const syntax::Set& set, int index, StatementFacts& facts) const {
    if (is_open(call)) return false;
    for (unsigned at = 0; at < call->getNumArgs(); ++at) {
      const clang::Expr* argument = call->getArg(at)->IgnoreImplicit();
      ClauseFacts found;
      found.index = index;
      found.type = spelled(argument->getType(), sema_);
      if (set.form == syntax::Set::Form::range) {
        found.is_world = is_world(argument);
        const sema::RangeFacts range = range_facts(call, sema_);
        found.is_range = range.is_range;
        found.element_type = range.element_type;
        found.is_integer = range.is_integer;
      } else {
        const bool one_each = call->getNumArgs() == set.elements.size();
        found.element = one_each ? static_cast<int>(at) : 0;
        found.is_integer = is_integer(argument->getType());
        found.constant = constant_value(argument, sema_.Context);
      }
      facts.clauses.push_back(found);
    }
    return true;
  }

  void reduction(const StatementPieces& pieces, syntax::Operator op, clang::QualType value,
                 StatementFacts& facts) {
    if (pieces.callable_is_type) {
      facts.folding.fold = sema::Fold::names_a_type;
      return;
    }
    facts.folding.callable_is_overload_set =
        pieces.callable != nullptr && llvm::isa<clang::OverloadExpr>(pieces.callable);
    const auto found = conversions_.fold(op, pieces.callable, value);
    facts.folding.fold = found.fold;
    facts.folding.list_levels = found.list_levels;
    if (facts.value.section && facts.folding.fold == sema::Fold::whole)
      facts.folding.fold = sema::Fold::elementwise;
    if (!found.culprit.isNull()) facts.folding.culprit = spelled(found.culprit, sema_);
  }

  clang::Sema& sema_;
  TravelJudge& travel_;
  Conversions conversions_;
};

}  // namespace

void find_block_facts(clang::Sema& sema, const FileMap& files, const PieceTable& table, sema::Facts& facts) {
  Instantiations instantiations(sema, files);
  for (const auto& [key, team] : table.teams) {
    if (is_open(team)) continue;
    facts.block(key.file->user_file, key.block)
        .teams.push_back({instantiations.of(key.function), spelled(team->getType(), sema), is_team(team)});
  }
  find_symbols(sema, files, table, facts);
  Aggregates aggregates(sema, files, facts);
  TravelJudge travel(sema, &aggregates);
  StatementJudge judge(sema, travel);
  for (const auto& [key, pieces] : table.all()) {
    const syntax::Block& block = key.file->shadow->ast->blocks[static_cast<std::size_t>(key.block)];
    const syntax::Statement& statement = block.statements[static_cast<std::size_t>(key.statement)];
    const auto* knows = syntax::find_modifier(block, syntax::ModifierKind::knows);
    const bool is_one_sided = knows != nullptr && key.file->source->text(knows->argument.span) != "both";
    const IsBoundName is_bound = [&](const clang::ValueDecl* name) {
      std::uint32_t offset = 0;
      const auto* file = files.user_file(sema.getSourceManager(), name->getLocation(), offset);
      return file == key.file && file->shadow->block_at(offset) == key.block;
    };
    StatementFacts found;
    if (!judge.judge(pieces, statement, found, is_one_sided, is_bound)) continue;
    if (!statement.place.is_section()) add_checked_elements(pieces.place, sema, files, found.elements);
    if (!statement.value.is_section()) add_checked_elements(pieces.value, sema, files, found.elements);
    found.instantiation = instantiations.of(key.function);
    facts.block(key.file->user_file, key.block)
        .statements[static_cast<std::size_t>(key.statement)]
        .push_back(std::move(found));
  }
  for (auto& file : facts.files)
    std::sort(file.aggregates.begin(), file.aggregates.end(),
              [](const auto& a, const auto& b) { return a.insert_at < b.insert_at; });
}

}  // namespace kanor::host
