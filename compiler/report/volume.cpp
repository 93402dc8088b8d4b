// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/volume.hpp"

#include <algorithm>
#include <variant>

namespace kanor::report {
namespace {

using plan::Pattern;
using sema::Symbolic;
using sema::SymbolicSet;

/// The number of members of the name's set; `|name|` if it is not known.
std::string count(const sema::SymbolicName& name, const sema::SymbolicStatement& symbols) {
  const SymbolicSet& set = name.set;
  if (sema::is_whole_team(set, symbols.leaves)) return "P";
  if (set.form == SymbolicSet::Form::list) return std::to_string(set.members.size());
  std::vector<std::int64_t> numbers;
  for (const Symbolic& number : set.members)
    if (number.is(Symbolic::Kind::integer)) numbers.push_back(number.value);
  const auto members =
      numbers.size() == set.members.size() ? sema::members_of(set.form, numbers) : std::nullopt;
  return members ? std::to_string(members->count) : '|' + name.text + '|';
}

std::string product(const std::vector<std::string>& factors) {
  std::string text;
  for (const auto& factor : factors)
    if (factor != "1") text += (text.empty() ? "" : " * ") + factor;
  return text.empty() ? "1" : text;
}

struct Formulas {
  const char* messages;
  const char* per_rank;
  bool is_bound;
};

Formulas formulas(Pattern pattern) {
  switch (pattern) {
    case Pattern::point_to_point:
      return {"1", "1", true};
    case Pattern::shift:
    case Pattern::permutation:
      return {"P", "1", true};
    case Pattern::broadcast:
    case Pattern::scatter:
    case Pattern::gather:
    case Pattern::reduce:
      return {"(P - 1)", "(P - 1)", false};
    case Pattern::all_gather:
    case Pattern::all_to_all:
    case Pattern::all_reduce:
      return {"P * (P - 1)", "(P - 1)", false};
    case Pattern::scan:
    case Pattern::exclusive_scan:
      return {"P * (P - 1) / 2", "(P - 1)", false};
    case Pattern::neighbours:
    case Pattern::general:
      break;
  }
  return {"P * (P - 1)", "(P - 1)", true};
}

/// Returns true if the symbols have all names of the text: for a template's statement they may have none.
bool has_all_names(const plan::StatementPlan& statement) {
  std::size_t names = 0;
  for (const auto& clause : statement.statement->syntax->clauses)
    if (const auto* generator = std::get_if<syntax::Generator>(&clause)) names += generator->names.size();
  return statement.statement->symbols != nullptr && statement.statement->symbols->names.size() == names;
}

bool has(const std::vector<int>& names, int name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The number of bindings of a statement without a pattern, any of which may be a message. If one side knows,
/// each of its ranks has its own; a name that is the rank itself and has distinct members counts once.
std::string all_bindings(const plan::StatementPlan& statement) {
  const auto& symbols = *statement.statement->symbols;
  const bool pushes = statement.receiver == plan::Inversion::told;
  const Symbolic& own = pushes ? symbols.sender : symbols.receiver;
  std::vector<std::string> factors;
  if (is_one_sided(statement)) factors.push_back("P");
  for (std::size_t at = 0; at < symbols.names.size(); ++at) {
    const auto& name = symbols.names[at];
    const bool differ =
        name.set.form == SymbolicSet::Form::interval || name.set.form == SymbolicSet::Form::progression;
    const bool is_rank = differ && own == sema::name(static_cast<int>(at));
    if (!is_rank || !is_one_sided(statement)) factors.push_back(count(name, symbols));
  }
  return product(factors);
}

}  // namespace

std::string Volume::bytes() const {
  return value_bytes == 0 || values.empty() ? std::string() : product({std::to_string(value_bytes), values});
}

Volume volume(const plan::StatementPlan& statement) {
  const auto found = formulas(statement.recognition.pattern);
  Volume result{found.is_bound, found.messages, found.per_rank, {}, statement.statement->value_bytes};
  if (!has_all_names(statement)) return result;
  const auto& symbols = *statement.statement->symbols;
  if (statement.recognition.pattern == Pattern::general) {
    result.values = all_bindings(statement);
    return result;
  }
  const auto receivers = sema::names_of(symbols.receiver), senders = sema::names_of(symbols.sender);
  std::vector<std::string> elements, steps;
  for (std::size_t at = 0; at < symbols.names.size(); ++at) {
    const int index = static_cast<int>(at);
    const bool receives = has(receivers, index), sends = has(senders, index);
    if (!receives && !sends) elements.push_back(count(symbols.names[at], symbols));
    if (receives != sends) steps.push_back(count(symbols.names[at], symbols));
  }
  if (statement.recognition.pattern == Pattern::neighbours) {
    result.per_rank = product(steps);
    result.messages = product({result.per_rank, "P"});
  }
  elements.push_back(result.messages);
  result.values = product(elements);
  return result;
}

}  // namespace kanor::report
