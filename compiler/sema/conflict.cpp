// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/conflict.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "sema/updates.hpp"

namespace kanor::sema {
namespace {

using syntax::Statement;

std::string quoted(const text::Source& source, Span span) {
  return "'" + std::string(source.text(span)) + "'";
}

bool has_number(const Update& update) {
  return update.receiver.find_first_not_of("0123456789") == std::string::npos;
}

/// Returns true if one of the updates reaches every rank, and the other one of them.
bool surely_share_a_rank(const Update& a, const Update& b) {
  return (a.reaches_everyone && b.reaches_someone) || (a.reaches_someone && b.reaches_everyone);
}

void report(const text::Source& source, const Update& update, const Update* earlier,
            text::Diagnostics& diagnostics) {
  const Span span = update.statement->place.span;
  // If one of the two reaches every rank, the other names the rank better.
  const Update& named =
      earlier != nullptr && !has_number(update) &&
              (has_number(*earlier) || (update.reaches_everyone && !earlier->reaches_everyone))
          ? *earlier
          : update;
  const std::string rank =
      has_number(named) ? named.receiver : quoted(source, named.statement->receiver.span);
  std::string message =
      quoted(source, span) + " of rank " + rank + " is updated more than once in this block";
  std::string way_out = "give each value a place of its own, or fold them with '<< op <<' in one statement";
  text::Note first;
  if (earlier == nullptr) {
    first = {&source, update.repeated->span, "for each member of this set"};
    way_out = "fold the values with '<< op <<', or give each a place of its own";
    const std::string text(source.text(span));
    if (update.place.subscripts.empty())
      way_out += ": '" + text + "[" + update.repeated->names.front().text + "]'";
  } else {
    const Span earlier_span = earlier->statement->place.span;
    first = {&source, earlier_span, "first updated here"};
    if (without_blanks(source.text(earlier_span)) != without_blanks(source.text(span))) {
      message = quoted(source, span) + " and " + quoted(source, earlier_span) + " of rank " + rank +
                " overlap, and both are updated in this block";
      first.message = "the other one is updated here";
    }
  }
  diagnostics.report({text::Kind::conflict,
                      &source,
                      span,
                      std::move(message),
                      {std::move(first), {nullptr, {}, std::move(way_out)}}});
}

}  // namespace

void find_conflicts(const text::Source& source, const syntax::Block& block, const BlockFacts& facts,
                    text::Diagnostics& diagnostics) {
  // Of a block that one side knows the other evaluates no ranks.
  const auto* knows = syntax::find_modifier(block, syntax::ModifierKind::knows);
  const bool all_ranks_agree = knows == nullptr || source.text(knows->argument.span) == "both";
  std::vector<Update> updates;
  for (std::size_t at = 0; at < block.statements.size(); ++at) {
    const Statement& statement = block.statements[at];
    auto update = certain_update(source, statement, facts.statements[at], all_ranks_agree);
    if (!update) continue;
    if (all_ranks_agree && at < facts.symbols.size()) find_reach(*update, facts.symbols[at]);
    const auto earlier = std::find_if(updates.begin(), updates.end(), [&](const Update& candidate) {
      const bool same_ranks = candidate.receiver == update->receiver && candidate.clauses == update->clauses;
      return (same_ranks || surely_share_a_rank(candidate, *update)) &&
             surely_overlap(candidate.place, update->place);
    });
    if (earlier != updates.end())
      report(source, *update, &*earlier, diagnostics);
    else if (update->repeated != nullptr && statement.op == syntax::Operator::assign)
      report(source, *update, nullptr, diagnostics);
    updates.push_back(*update);
  }
}

}  // namespace kanor::sema
