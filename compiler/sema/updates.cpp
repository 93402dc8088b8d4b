// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/updates.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "sema/names.hpp"

namespace kanor::sema {
namespace {

using syntax::Statement;

/// A lower bound of the size of a clause's set. The world is taken to have more than one rank; other teams
/// may have one.
std::uint64_t members(const syntax::Set& set, int clause, const StatementFacts& facts) {
  if (set.form == syntax::Set::Form::list) return set.elements.size();
  std::vector<std::int64_t> ends;
  for (const ClauseFacts& found : facts.clauses) {
    if (found.index != clause) continue;
    if (set.form == syntax::Set::Form::range) {
      return found.type != "kanor::team" ? 0 : found.is_world ? 2 : 1;
    }
    if (!found.constant) return 0;
    ends.push_back(*found.constant);
  }
  if (ends.size() != 2 || ends[0] > ends[1]) return 0;
  return static_cast<std::uint64_t>(ends[1]) - static_cast<std::uint64_t>(ends[0]) + 1;
}

/// Returns true if every binding has a sender: `kanor::no_rank` is in no team, and in a set of integers only
/// if it is written there.
bool surely_sends(const Statement& statement, std::string_view sender, const StatementFacts& facts) {
  if (facts.sender.constant) return *facts.sender.constant >= 0;
  for (std::size_t at = 0; at < statement.clauses.size(); ++at) {
    const auto* generator = std::get_if<syntax::Generator>(&statement.clauses[at]);
    if (generator == nullptr) continue;
    const bool named = std::any_of(generator->names.begin(), generator->names.end(),
                                   [&](const syntax::Name& name) { return name.text == sender; });
    if (!named) continue;
    return std::all_of(facts.clauses.begin(), facts.clauses.end(), [&](const ClauseFacts& found) {
      return found.index != static_cast<int>(at) || found.type == "kanor::team" ||
             (found.constant && *found.constant >= 0);
    });
  }
  return false;
}

/// Returns true if the place or the receiver has the name in it.
bool uses(const text::Source& source, const Statement& statement, std::string_view name) {
  return has_word(source.text(statement.place.span), name) ||
         has_word(source.text(statement.receiver.span), name);
}

/// Returns true if another clause uses the name, through which the place may depend on it.
bool other_clauses_use(const text::Source& source, const Statement& statement, std::size_t clause,
                       std::string_view name) {
  for (std::size_t at = 0; at < statement.clauses.size(); ++at) {
    const auto span_of = [](const auto& form) {
      if constexpr (requires { form.span; })
        return form.span;
      else
        return form.condition.span;
    };
    if (at != clause && has_word(source.text(std::visit(span_of, statement.clauses[at])), name)) return true;
  }
  return false;
}

/// The receiver's number, or its text if it is the same value on all ranks. Nothing if it may be `no_rank`,
/// or another rank each time.
std::optional<std::string> certain_receiver(const text::Source& source, const Statement& statement,
                                            const RankFacts& facts, bool all_ranks_agree) {
  if (facts.constant)
    return *facts.constant < 0 ? std::nullopt : std::optional(std::to_string(*facts.constant));
  const std::string_view text = source.text(statement.receiver.span);
  return !all_ranks_agree || may_vary(text) ? std::nullopt : std::optional(without_blanks(text));
}

std::optional<Update> certain_update(const text::Source& source, const Statement& statement,
                                     const StatementFacts& facts, bool all_ranks_agree) {
  if (facts.hides_names) return std::nullopt;
  const auto shape = shape_of(source, statement.place, facts);
  const auto receiver = certain_receiver(source, statement, facts.receiver, all_ranks_agree);
  if (!shape || !receiver || !surely_sends(statement, source.text(statement.sender.span), facts))
    return std::nullopt;
  Update update{&statement, *shape, *receiver, {}, nullptr};
  bool has_names = false, members_vary = false;
  for (std::size_t at = 0; at < statement.clauses.size(); ++at) {
    const syntax::Clause& clause = statement.clauses[at];
    if (const auto* let = std::get_if<syntax::Let>(&clause)) {
      has_names |= uses(source, statement, let->name.text);
      members_vary |= may_vary(source.text(let->value.span));
      update.clauses += "let" + without_blanks(source.text(let->span)) + ',';
      continue;
    }
    const auto* generator = std::get_if<syntax::Generator>(&clause);
    if (generator == nullptr) return std::nullopt;
    const std::uint64_t count = members(generator->set, static_cast<int>(at), facts);
    if (count == 0) return std::nullopt;
    members_vary |=
        std::any_of(generator->set.elements.begin(), generator->set.elements.end(),
                    [&](const syntax::Expr& element) { return may_vary(source.text(element.span)); });
    for (const syntax::Name& name : generator->names) {
      const bool used = uses(source, statement, name.text);
      has_names |= used;
      if (count > 1 && !used && !other_clauses_use(source, statement, at, name.text))
        update.repeated = generator;
    }
    update.clauses += without_blanks(source.text(generator->span)) + ',';
  }
  if (has_names && members_vary) return std::nullopt;
  if (!has_names) update.clauses.clear();
  return update;
}

}  // namespace

std::optional<Update> certain_update(const text::Source& source, const Statement& statement,
                                     const std::vector<StatementFacts>& instances, bool all_ranks_agree) {
  std::optional<Update> common;
  for (const StatementFacts& facts : instances) {
    const auto update = certain_update(source, statement, facts, all_ranks_agree);
    if (!update || (common && common->receiver != update->receiver)) return std::nullopt;
    if (!common) common = update;
    if (update->repeated == nullptr) common->repeated = nullptr;
  }
  return common;
}

void find_reach(Update& update, const SymbolicStatement& statement) {
  if (!statement.place_names.empty()) return;
  update.reaches_everyone = everyone_receives(statement);
  update.reaches_someone = always_has_receiver(statement);
}

}  // namespace kanor::sema
