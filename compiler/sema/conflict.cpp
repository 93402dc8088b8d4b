#include "sema/conflict.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kanor::sema {
namespace {

using syntax::Statement;

/// One place that a statement updates whenever the block is executed.
struct Update {
  const Statement* statement = nullptr;
  std::string_view place;
  std::int64_t receiver = 0;
  const syntax::Generator* repeated = nullptr;  ///< why there is more than one binding, if there is
};

/// Calls may return another place each time.
bool names_one_place(std::string_view place) { return place.find_first_of("()\"'=@\\") == place.npos; }

bool has_word(std::string_view text, std::string_view word) {
  const auto in_word = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1))
    if ((at == 0 || !in_word(at - 1)) && !in_word(at + word.size())) return true;
  return false;
}

/// How many members the set of a clause has at least.
std::uint64_t members(const syntax::Set& set, int clause, const StatementFacts& facts) {
  if (set.form == syntax::Set::Form::list) return set.elements.size();
  std::vector<std::int64_t> ends;
  for (const ClauseFacts& found : facts.clauses) {
    if (found.index != clause) continue;
    if (set.form == syntax::Set::Form::range) return found.type == "kanor::team" ? 1 : 0;
    if (!found.constant) return 0;
    ends.push_back(*found.constant);
  }
  if (ends.size() != 2 || ends[0] > ends[1]) return 0;
  return static_cast<std::uint64_t>(ends[1]) - static_cast<std::uint64_t>(ends[0]) + 1;
}

/// Whether a binding cannot be without a sender: `kanor::no_rank` is in no team, and in a set of integers
/// only if it is written there.
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

std::optional<Update> certain_update(const text::Source& source, const Statement& statement,
                                     const StatementFacts& facts) {
  Update update{&statement, source.text(statement.place.span), 0, nullptr};
  if (!facts.receiver.constant || *facts.receiver.constant < 0 || !names_one_place(update.place) ||
      !surely_sends(statement, source.text(statement.sender.span), facts))
    return std::nullopt;
  update.receiver = *facts.receiver.constant;
  for (std::size_t at = 0; at < statement.clauses.size(); ++at) {
    const syntax::Clause& clause = statement.clauses[at];
    if (const auto* let = std::get_if<syntax::Let>(&clause)) {
      if (has_word(update.place, let->name.text)) return std::nullopt;
      continue;
    }
    const auto* generator = std::get_if<syntax::Generator>(&clause);
    if (generator == nullptr) return std::nullopt;
    for (const syntax::Name& name : generator->names)
      if (has_word(update.place, name.text)) return std::nullopt;
    const std::uint64_t count = members(generator->set, static_cast<int>(at), facts);
    if (count == 0) return std::nullopt;
    if (count > 1) update.repeated = generator;
  }
  return update;
}

/// The same for every instantiation of the function around the block.
std::optional<Update> certain_update(const text::Source& source, const Statement& statement,
                                     const std::vector<StatementFacts>& instances) {
  std::optional<Update> common;
  for (const StatementFacts& facts : instances) {
    const auto update = certain_update(source, statement, facts);
    if (!update || (common && common->receiver != update->receiver)) return std::nullopt;
    if (!common) common = update;
    if (update->repeated == nullptr) common->repeated = nullptr;
  }
  return common;
}

void report(const text::Source& source, const Update& update, text::Note first,
            text::Diagnostics& diagnostics) {
  diagnostics.report(
      {text::Kind::conflict,
       &source,
       update.statement->place.span,
       "'" + std::string(update.place) + "' of rank " + std::to_string(update.receiver) +
           " is updated more than once in this block",
       {std::move(first),
        {nullptr, {}, "give each value a place of its own, or fold them with '<< op <<' in one statement"}}});
}

}  // namespace

void find_conflicts(const text::Source& source, const syntax::Block& block, const BlockFacts& facts,
                    text::Diagnostics& diagnostics) {
  std::vector<Update> updates;
  for (std::size_t at = 0; at < block.statements.size(); ++at) {
    const Statement& statement = block.statements[at];
    const auto update = certain_update(source, statement, facts.statements[at]);
    if (!update) continue;
    const auto earlier = std::find_if(updates.begin(), updates.end(), [&](const Update& candidate) {
      return candidate.place == update->place && candidate.receiver == update->receiver;
    });
    if (earlier != updates.end())
      report(source, *update, {&source, earlier->statement->place.span, "it is updated here first"},
             diagnostics);
    else if (update->repeated != nullptr && statement.op == syntax::Operator::assign)
      report(source, *update, {&source, update->repeated->span, "for each member of this set"}, diagnostics);
    updates.push_back(*update);
  }
}

}  // namespace kanor::sema
