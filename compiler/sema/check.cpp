// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/check.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "sema/assignment.hpp"
#include "sema/conflict.hpp"
#include "sema/names.hpp"
#include "sema/pending.hpp"
#include "sema/sections.hpp"
#include "sema/statement_errors.hpp"
#include "sema/wording.hpp"

namespace kanor::sema {
namespace {

using syntax::Block;
using syntax::Statement;
using text::Kind;

/// Reports the errors that the facts show in one file's blocks.
class BlockChecker : StatementErrors {
 public:
  using StatementErrors::StatementErrors;

  void check(const Statement& statement, const StatementFacts& facts) {
    instantiation_ = facts.instantiation;
    rank(statement.receiver, facts.receiver);
    rank(statement.sender, facts.sender);
    for (const ClauseFacts& clause : facts.clauses)
      this->clause(statement.clauses[static_cast<std::size_t>(clause.index)], clause);
    const bool sections_hold =
        section(statement.place, facts.place.section) & section(statement.value, facts.value.section);
    if (sections_hold) check_assignment(source_, statement, facts, diagnostics_);
  }

  void teams(const Block& block, const BlockFacts& facts) {
    for (const TeamFacts& team : facts.teams) {
      instantiation_ = team.instantiation;
      if (team.is_team) continue;
      const auto modifier = std::find_if(
          block.modifiers.begin(), block.modifiers.end(),
          [](const syntax::Modifier& candidate) { return candidate.kind == syntax::ModifierKind::team; });
      const Span span = modifier->argument.span;
      error(Kind::not_a_team, span,
            "a block's team must be a 'kanor::team', but " + quoted(span) + " has type '" + team.type + "'",
            team.type.starts_with("kanor::grid<")
                ? "a grid's team is " + quoted(span).substr(0, quoted(span).size() - 1) + ".team()'"
                : "");
    }
  }

  /// Checks the names whose values travel: those of generators are integers, a `let` may have any type.
  void carried(const Statement& statement, const CheckedStatement& checked, Knows knows,
               const StatementFacts& facts) {
    instantiation_ = facts.instantiation;
    for (const LetFacts& let : facts.lets) {
      const auto& clause = std::get<syntax::Let>(statement.clauses[static_cast<std::size_t>(let.index)]);
      const bool travels = std::find(checked.carried.begin(), checked.carried.end(), clause.name.text) !=
                           checked.carried.end();
      if (!travels || let.travel.verdict != Travel::cannot) continue;
      const std::string user = knows == Knows::sender ? "the receiver's place" : "the sender's value";
      error(Kind::type_cannot_travel, clause.value.span,
            "'" + clause.name.text + "' is used by " + user + ", but a value of type '" + brief(let.type) +
                "' cannot travel: " + why_not(let.travel),
            way_out(let.travel));
    }
  }

  /// Reports errors that come from the code around the block.
  void surroundings(const Block& block, const BlockFacts& facts) {
    instantiation_ = {};
    const std::string& compiler = facts.evaluated_by_compiler;
    if (!compiler.empty())
      error(Kind::block_in_constexpr, syntax::keyword_of(block, source_),
            "a block in a " + compiler + " function: there are no ranks while the program is compiled",
            "leave '" + compiler + "' out, or put the block into a function without it");
    const auto* async = syntax::find_modifier(block, syntax::ModifierKind::async);
    if (async != nullptr && facts.is_substatement)
      error(Kind::async_without_braces, async->span,
            "'async' declares " + quoted(async->argument.span) +
                ", but this block is the substatement of an 'if', a loop or a label",
            "put braces around the block and the statements up to its wait");
    for (const Uncapturable& name : facts.uncapturable)
      error(Kind::name_not_usable, name.span,
            quoted(name.span) +
                (name.is_array ? " is an array of variable length"
                               : " is a member of an anonymous union in a function") +
                ", which a block cannot use",
            name.is_array ? "a std::vector takes its length at run time too" : "give the union a name");
  }

  void side_effects(const BlockFacts& facts) {
    instantiation_ = {};
    for (const SideEffect& effect : facts.side_effects)
      error(Kind::side_effect, effect.span,
            "'" + effect.what + "' in a block: on which ranks it happens, and how often, is not defined",
            "do it before or after the block");
  }

  void empty_containers(const Block& block, const BlockFacts& facts) {
    instantiation_ = {};
    for (const EmptyContainer& found : facts.empty_containers) {
      const Statement& statement = block.statements[static_cast<std::size_t>(found.statement)];
      const Span span = found.is_place ? statement.place.span : statement.value.span;
      const bool is_variable = found.name.find('[') == std::string::npos;
      const std::string resized = "'" + found.name + ".resize(n)'";
      diagnostics_.report(
          {Kind::no_elements,
           &source_,
           span,
           "'" + found.name + "' has no elements here, but " + quoted(span) + " accesses one",
           {{&source_, found.declared, "declared without elements, and nothing adds one before the block"},
            {nullptr,
             {},
             "give it a size: " +
                 (is_variable ? "'" + found.name + "(n)' where it is declared, or " + resized : resized)}}});
    }
  }

  void unlike_levels(const Statement& statement) {
    instantiation_ = {};
    error(Kind::not_yet_supported, statement.callable.span,
          quoted(statement.callable.span) +
              " combines whole lists in one instantiation of the template, and their elements in another, "
              "which is "
              "not yet supported",
          "declare its parameters with the types of their arguments");
  }

  void suspensions(const BlockFacts& facts) {
    instantiation_ = {};
    for (const SideEffect& suspension : facts.suspensions)
      error(Kind::block_syntax, suspension.span,
            "'" + suspension.what +
                "' is not allowed in a block: it may happen any number of times, on any rank",
            "do it before the block");
  }

  void bound_bit_fields(const BlockFacts& facts) {
    instantiation_ = {};
    for (const BoundBitField& bound : facts.bound_bit_fields)
      error(Kind::not_yet_supported, bound.span,
            "'" + bound.name +
                "' is a structured binding to a bit-field, which is not yet supported in a block",
            "copy it to a variable before the block");
  }

 private:
  void rank(const syntax::Expr& rank, const RankFacts& facts) {
    if (!facts.is_integer)
      error(Kind::rank_not_integer, rank.span,
            "a rank must be an integer, but " + quoted(rank.span) + " has type '" + facts.type + "'",
            facts.type == "kanor::team" ? "for each rank of a team, bind a name: 'where i in team'" : "");
    else if (facts.constant && *facts.constant < 0 && !facts.is_no_rank)
      error(Kind::rank_out_of_range, rank.span, "there is no rank " + std::to_string(*facts.constant),
            "a binding with 'kanor::no_rank' is skipped");
  }

  void clause(const syntax::Clause& clause, const ClauseFacts& facts) {
    if (const auto* filter = std::get_if<syntax::Filter>(&clause)) {
      if (!facts.is_condition)
        error(Kind::filter_not_bool, filter->condition.span,
              "a filter must convert to 'bool', but " + quoted(filter->condition.span) + " has type '" +
                  facts.type + "'");
      return;
    }
    const auto* generator = std::get_if<syntax::Generator>(&clause);
    if (generator == nullptr || facts.is_integer) return;
    if (facts.element >= 0) {
      const Span span = generator->set.elements[static_cast<std::size_t>(facts.element)].span;
      error(Kind::set_not_range, span,
            "the members of a set must be integers, but " + quoted(span) + " has type '" + facts.type + "'");
    } else if (!facts.is_range) {
      const Span span = generator->set.span;
      error(Kind::set_not_range, span,
            "a set must be a range of integers, but " + quoted(span) + " has type '" + facts.type + "'",
            "an interval is written { 0 ... n - 1 }, a list { a, b, c }");
    } else {
      const Span span = generator->set.span;
      error(Kind::set_not_range, span,
            "a set must be a range of integers, but the elements of " + quoted(span) + " have type '" +
                facts.element_type + "'");
    }
  }

  bool section(const syntax::Operand& operand, const std::optional<SectionFacts>& facts) {
    return !facts || check_section(source_, operand, *facts, instantiation_, diagnostics_);
  }
};

class Checker {
 public:
  Checker(const host::Discovery& discovery, const std::vector<syntax::Ast>& asts, const Facts& facts,
          text::Diagnostics& diagnostics)
      : discovery_(discovery), asts_(asts), facts_(facts), diagnostics_(diagnostics) {}

  Program check() {
    std::vector<CheckedFile> checked(discovery_.files.size());
    for (std::size_t at = 0; at < checked.size(); ++at) checked[at] = file(discovery_.files[at]);
    choose_files(checked);
    program_.initialisers.reserve(facts_.initialisers.size());
    for (const auto& expression : facts_.initialisers) program_.initialisers.push_back({expression});
    program_.has_unnamed_initialisers = facts_.has_unnamed_initialisers;
    for (const auto& obstacle : facts_.obstacles)
      program_.obstacles.push_back(
          {obstacle.variable, obstacle.reason,
           obstacle.source->path() + ":" + std::to_string(obstacle.source->line(obstacle.span.begin)),
           obstacle.linker_words});
    if (const auto& end = facts_.thread_end)
      program_.thread_end = {end->variable, "its destructor may use other variables",
                             end->source->path() + ':' + std::to_string(end->source->line(end->at))};
    return std::move(program_);
  }

 private:
  CheckedFile file(const host::DiscoveredFile& discovered) {
    CheckedFile checked;
    checked.source = discovered.source.get();
    checked.renumberings = discovered.renumberings;
    checked.is_main = discovered.is_main;
    const FileFacts* facts = facts_.find(checked.source);
    if (facts == nullptr) return checked;
    checked.attributes = facts->attributes;
    checked.aggregates = facts->aggregates;
    checked.own_streams = facts->own_streams;
    for (const auto& declaration : facts->private_declarations) {
      checked.private_declarations.push_back({declaration.insert_at, declaration.name});
      program_.has_private_variables = true;
    }
    const auto ast = std::find_if(asts_.begin(), asts_.end(), [&](const syntax::Ast& candidate) {
      return candidate.source == checked.source;
    });
    if (ast == asts_.end()) return checked;
    for (std::size_t at = 0; at < ast->blocks.size() && at < facts->blocks.size(); ++at)
      checked.blocks.push_back(block(*checked.source, ast->blocks[at], facts->blocks[at]));
    // What is pending where is certain only in a program that is right otherwise.
    if (diagnostics_.has_errors()) return checked;
    for (std::size_t at = 0; at < checked.blocks.size(); ++at)
      find_pending_conflicts(*checked.source, ast->blocks, *facts, at, diagnostics_);
    for (std::size_t at = 0; at < checked.blocks.size(); ++at)
      report_touches(*checked.source, ast->blocks[at], facts->blocks[at], diagnostics_);
    report_second_waits(*facts, diagnostics_);
    return checked;
  }

  /// Notes a statement once, however many instances of its function there are.
  void note_packed(flow::Location value) {
    auto& all = program_.packed;
    if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
  }

  /// Returns true if macros hide names in any instance of a statement, or if nothing is known of it.
  static bool any_hides(const std::vector<StatementFacts>& instances, bool StatementFacts::*hides) {
    return instances.empty() ||
           std::any_of(instances.begin(), instances.end(), [&](const auto& one) { return one.*hides; });
  }

  CheckedBlock block(const text::Source& source, const Block& block, const BlockFacts& facts) {
    CheckedBlock checked{&block, who_knows(block, source), facts.words, {}, {}};
    checked.function = facts.function;
    BlockChecker checker(source, diagnostics_);
    const auto errors = diagnostics_.error_count();
    const bool is_async = syntax::find_modifier(block, syntax::ModifierKind::async) != nullptr;
    for (std::size_t at = 0; at < block.statements.size(); ++at) {
      const auto& instances = facts.statements[at];
      const bool piece_is_hidden =
          any_hides(instances, checked.knows == Knows::receiver ? &StatementFacts::value_hides_names
                                                                : &StatementFacts::hides_names);
      CheckedStatement statement{&block.statements[at],
                                 carried_names(block.statements[at], checked.knows, source, piece_is_hidden)};
      statement.hides_names = any_hides(instances, &StatementFacts::hides_names);
      statement.symbols = &facts.symbols[at];
      statement.value_lasts =
          is_async && checked.knows != Knows::receiver &&
          std::all_of(instances.begin(), instances.end(),
                      [](const StatementFacts& instance) { return instance.value_lasts; });
      statement.value_is_readable_in_place =
          !is_async && std::all_of(instances.begin(), instances.end(), [](const StatementFacts& instance) {
            return instance.value_is_readable_in_place;
          });
      if (is_async) statement.copied = copied_variables(instances, checked.knows);
      statement.elements = checked_elements(instances);
      if (!instances.empty()) statement.value_bytes = instances.front().value_bytes;
      for (const StatementFacts& instance : instances) {
        if (instance.value_bytes != statement.value_bytes) statement.value_bytes = 0;
        statement.callable_is_overload_set |= instance.folding.callable_is_overload_set;
        if (statement.list_levels && instance.folding.list_levels &&
            statement.list_levels != instance.folding.list_levels)
          checker.unlike_levels(block.statements[at]);
        if (instance.folding.list_levels) statement.list_levels = instance.folding.list_levels;
        const auto strides = strides_of(instance);
        statement.strides = &instance == &facts.statements[at].front() || statement.strides == strides
                                ? strides
                                : std::nullopt;
        statement.same_address_space |= instance.travel.verdict == Travel::same_address_space;
        bool is_packed = instance.travel.verdict == Travel::structural;
        for (const LetFacts& let : instance.lets) {
          statement.same_address_space |= let.travel.verdict == Travel::same_address_space;
          is_packed |= let.travel.verdict == Travel::structural;
        }
        if (is_packed) note_packed({&source, block.statements[at].value.span});
        checked.static_locals.insert(instance.static_locals.begin(), instance.static_locals.end());
        checker.check(block.statements[at], instance);
        checker.carried(block.statements[at], statement, checked.knows, instance);
      }
      checked.statements.push_back(statement);
    }
    checker.teams(block, facts);
    checker.surroundings(block, facts);
    checker.suspensions(facts);
    checker.bound_bit_fields(facts);
    if (diagnostics_.error_count() == errors && !facts.has_errors)
      find_conflicts(source, block, facts, diagnostics_);
    checker.side_effects(facts);
    checker.empty_containers(block, facts);
    return checked;
  }

  /// The variables that every instantiation only reads: they are copied, all others are captured by
  /// reference.
  static std::set<std::string> copied_variables(const std::vector<StatementFacts>& instances, Knows knows) {
    if (knows == Knows::both || instances.empty()) return {};
    const auto remote = knows == Knows::sender ? &StatementFacts::place : &StatementFacts::value;
    std::set<std::string> all = (instances.front().*remote).reads;
    for (const StatementFacts& instance : instances)
      std::erase_if(all, [&](const std::string& name) { return !(instance.*remote).reads.contains(name); });
    return all;
  }

  static std::vector<CheckedElement> checked_elements(const std::vector<StatementFacts>& instances) {
    if (instances.empty()) return {};
    std::vector<CheckedElement> all = instances.front().elements;
    for (const StatementFacts& instance : instances)
      std::erase_if(all, [&](const CheckedElement& element) {
        return std::find(instance.elements.begin(), instance.elements.end(), element) ==
               instance.elements.end();
      });
    return all;
  }

  static std::optional<CheckedStatement::Strides> strides_of(const StatementFacts& facts) {
    if (!facts.place.stride || !facts.value.stride || facts.travel.verdict != Travel::flat)
      return std::nullopt;
    return CheckedStatement::Strides{*facts.place.stride, *facts.value.stride};
  }

  /// Makes streams in headers obstacles, instead of edits, if a macro spells some header's name: that one may
  /// be theirs, and can't be rewritten.
  void share_streams_of_nameless_headers(std::vector<CheckedFile>& checked) {
    const auto is_nameless = [&](const host::IncludeDirective& include) {
      return include.name.empty() &&
             !discovery_.files[static_cast<std::size_t>(include.target_file)].is_system;
    };
    const bool any = std::any_of(discovery_.files.begin(), discovery_.files.end(), [&](const auto& file) {
      return !file.is_system && std::any_of(file.includes.begin(), file.includes.end(), is_nameless);
    });
    for (CheckedFile& file : checked) {
      if (!any || file.is_main || file.own_streams.empty()) continue;
      const Span first = file.own_streams.front();
      program_.obstacles.push_back(
          {std::string(file.source->text(first)), "a macro spells the name of a header that may use it",
           file.source->path() + ":" + std::to_string(file.source->line(first.begin))});
      file.own_streams.clear();
    }
  }

  /// A file is rewritten if it has edits, or includes one that has.
  void choose_files(std::vector<CheckedFile>& checked) {
    share_streams_of_nameless_headers(checked);
    std::vector<bool> edited(checked.size());
    for (std::size_t at = 0; at < checked.size(); ++at)
      edited[at] = checked[at].is_main || !checked[at].blocks.empty() ||
                   !checked[at].private_declarations.empty() || !checked[at].aggregates.empty() ||
                   !checked[at].attributes.empty() || !checked[at].own_streams.empty();
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t at = 0; at < checked.size(); ++at) {
        if (edited[at] || discovery_.files[at].is_system) continue;
        for (const auto& include : discovery_.files[at].includes)
          if (edited[static_cast<std::size_t>(include.target_file)]) edited[at] = changed = true;
      }
    }
    std::vector<int> index(checked.size(), -1);
    int next = 0;
    for (std::size_t at = 0; at < checked.size(); ++at)
      if (edited[at]) index[at] = next++;
    for (std::size_t at = 0; at < checked.size(); ++at) {
      if (!edited[at]) continue;
      for (const auto& include : discovery_.files[at].includes) {
        const int target = index[static_cast<std::size_t>(include.target_file)];
        if (target >= 0) checked[at].includes.push_back({include.name, target});
      }
      program_.files.push_back(std::move(checked[at]));
    }
  }

  const host::Discovery& discovery_;
  const std::vector<syntax::Ast>& asts_;
  const Facts& facts_;
  text::Diagnostics& diagnostics_;
  Program program_;
};

}  // namespace

Program check(const host::Discovery& discovery, const std::vector<syntax::Ast>& asts, const Facts& facts,
              text::Diagnostics& diagnostics) {
  return Checker(discovery, asts, facts, diagnostics).check();
}

}  // namespace kanor::sema
