// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/pending.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "sema/names.hpp"
#include "sema/updates.hpp"

namespace kanor::sema {
namespace {

using syntax::Block;
using syntax::ModifierKind;

/// Returns true if the receiver is a literal number, which in blocks of the world is always the same rank.
bool is_of_world(const Update& update) {
  return update.clauses.empty() && std::all_of(update.receiver.begin(), update.receiver.end(),
                                               [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// Returns true if the place is a variable or a member of one, without pointers and indices: the same storage
/// in every block.
bool is_variable(const PlaceShape& place) {
  return place.subscripts.empty() && std::all_of(place.root.begin(), place.root.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '.' || c == ':';
         });
}

/// The block's certain updates; none for blocks of other teams or known to one side, which are left to run
/// time.
std::vector<Update> certain_updates(const text::Source& source, const Block& block, const BlockFacts& facts) {
  std::vector<Update> updates;
  const auto* knows = syntax::find_modifier(block, ModifierKind::knows);
  if (syntax::find_modifier(block, ModifierKind::team) != nullptr ||
      (knows != nullptr && source.text(knows->argument.span) != "both"))
    return updates;
  for (std::size_t at = 0; at < block.statements.size(); ++at) {
    const auto update = certain_update(source, block.statements[at], facts.statements[at], true);
    if (update && is_of_world(*update)) updates.push_back(*update);
  }
  return updates;
}

/// A variable's value may be `no_rank`, and so may an element or what a condition chooses; no arithmetic with
/// the name of a generator reaches that, if the generator's members are ranks.
bool surely_receives(const text::Source& source, const syntax::Statement& statement,
                     const StatementFacts& facts, const Update& update) {
  if (std::all_of(update.receiver.begin(), update.receiver.end(),
                  [](unsigned char c) { return std::isdigit(c) != 0; }))
    return true;
  if (update.receiver.find_first_of("?[<>") != std::string::npos) return false;
  const auto has_ranks = [&](std::ptrdiff_t clause) {
    return std::all_of(facts.clauses.begin(), facts.clauses.end(), [&](const ClauseFacts& found) {
      return found.index != clause || found.type == "kanor::team" || (found.constant && *found.constant >= 0);
    });
  };
  return std::any_of(statement.clauses.begin(), statement.clauses.end(), [&](const syntax::Clause& clause) {
    const auto* generator = std::get_if<syntax::Generator>(&clause);
    return generator != nullptr && has_ranks(&clause - statement.clauses.data()) &&
           std::any_of(generator->names.begin(), generator->names.end(), [&](const syntax::Name& name) {
             return has_word(source.text(statement.receiver.span), name.text);
           });
  });
}

void report(const text::Source& source, const Update& update, const Update& earlier,
            std::string_view exchange, text::Diagnostics& diagnostics) {
  const auto quoted = [&](Span span) { return "'" + std::string(source.text(span)) + "'"; };
  const Span span = update.statement->place.span, earlier_span = earlier.statement->place.span;
  const std::string name = "'" + std::string(exchange) + "'";
  diagnostics.report({text::Kind::conflict,
                      &source,
                      span,
                      quoted(span) + " of rank " + update.receiver + " is updated while the exchange " +
                          name + ", which updates " +
                          (earlier.place.root == update.place.root &&
                                   earlier.place.subscripts.size() == update.place.subscripts.size()
                               ? "it too"
                               : quoted(earlier_span)) +
                          ", is pending",
                      {{&source, earlier_span, name + " updates this"},
                       {nullptr, {}, "call " + std::string(exchange) + ".wait() before this block"}}});
}

}  // namespace

void find_pending_conflicts(const text::Source& source, const std::vector<Block>& blocks,
                            const FileFacts& facts, std::size_t at, text::Diagnostics& diagnostics) {
  const BlockFacts& here = facts.blocks[at];
  if (here.pending.empty()) return;
  const auto updates = certain_updates(source, blocks[at], here);
  for (const int index : here.pending) {
    const Block& started = blocks[static_cast<std::size_t>(index)];
    const auto* async = syntax::find_modifier(started, ModifierKind::async);
    const auto earlier = certain_updates(source, started, facts.blocks[static_cast<std::size_t>(index)]);
    for (const Update& update : updates) {
      const auto met = std::find_if(earlier.begin(), earlier.end(), [&](const Update& candidate) {
        return candidate.receiver == update.receiver &&
               (is_variable(candidate.place) || is_variable(update.place)) &&
               surely_overlap(candidate.place, update.place);
      });
      if (met != earlier.end()) report(source, update, *met, source.text(async->argument.span), diagnostics);
    }
  }
}

void report_touches(const text::Source& source, const Block& block, const BlockFacts& facts,
                    text::Diagnostics& diagnostics) {
  const auto* knows = syntax::find_modifier(block, ModifierKind::knows);
  if (facts.touches.empty() || (knows != nullptr && source.text(knows->argument.span) != "both")) return;
  const auto* async = syntax::find_modifier(block, ModifierKind::async);
  const std::string exchange(source.text(async->argument.span));
  std::set<std::uint32_t> said;
  const auto report = [&](const PendingTouch& touch, Span piece, const std::string& what) {
    if (!said.insert(touch.variable).second) return;
    diagnostics.report({text::Kind::touched_while_pending,
                        &source,
                        touch.span,
                        "'" + touch.name + "' is " + (touch.writes ? "written" : "read") +
                            " while the exchange '" + exchange + "', which " + what + " it, is pending",
                        {{&source, piece, "'" + exchange + "' " + what + " this"},
                         {nullptr, {}, "call " + exchange + ".wait() first"}}});
  };
  for (const PendingTouch& touch : facts.touches)
    for (std::size_t at = 0; at < block.statements.size(); ++at) {
      const syntax::Statement& statement = block.statements[at];
      const auto& instances = facts.statements[at];
      const auto update = certain_update(source, statement, instances, true);
      const auto all = [&](auto&& holds) { return std::all_of(instances.begin(), instances.end(), holds); };
      if (!update || !all([&](const auto& one) { return surely_receives(source, statement, one, *update); }))
        continue;
      if (all([&](const auto& one) { return one.place.variable == touch.variable; }))
        report(touch, statement.place.span, "updates");
      else if (touch.writes &&
               all([&](const auto& one) { return one.value_lasts && one.value.variable == touch.variable; }))
        report(touch, statement.value.span, "sends");
    }
}

void report_second_waits(const FileFacts& facts, text::Diagnostics& diagnostics) {
  for (const SecondWait& wait : facts.second_waits)
    diagnostics.report(
        {text::Kind::waited_twice,
         facts.source,
         wait.span,
         "'" + wait.name + "' has already been waited for",
         {{facts.source, wait.first, "first wait here"}, {nullptr, {}, "the first wait ends the exchange"}}});
}

}  // namespace kanor::sema
