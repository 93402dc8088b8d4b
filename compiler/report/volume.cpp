#include "report/volume.hpp"

#include <algorithm>

namespace kanor::report {
namespace {

using plan::Pattern;
using sema::Symbolic;
using sema::SymbolicSet;

/// As many members as a set of constants has, else `|name|`.
std::string count(const sema::SymbolicName& name) {
  const SymbolicSet& set = name.set;
  if (set.form == SymbolicSet::Form::list) return std::to_string(set.members.size());
  if (set.form == SymbolicSet::Form::interval && set.members[0].is(Symbolic::Kind::integer) &&
      set.members[1].is(Symbolic::Kind::integer))
    return std::to_string(std::max<std::int64_t>(0, set.members[1].value - set.members[0].value + 1));
  return '|' + name.text + '|';
}

std::string product(const std::vector<std::string>& factors) {
  std::string text;
  for (const auto& factor : factors)
    if (factor != "1") text += (text.empty() ? "" : " * ") + factor;
  return text;
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

}  // namespace

std::string Volume::bytes() const {
  if (value_bytes == 0) return {};
  return product({std::to_string(value_bytes), values.empty() ? "1" : values, messages});
}

Volume volume(const plan::StatementPlan& statement) {
  const auto found = formulas(statement.recognition.pattern);
  Volume result{found.is_bound, found.messages, found.per_rank, {}, statement.statement->value_bytes};
  const auto* symbols = statement.statement->symbols;
  if (symbols == nullptr) return result;
  const auto receivers = sema::names_of(symbols->receiver), senders = sema::names_of(symbols->sender);
  const auto has = [](const std::vector<int>& names, int name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<std::string> elements, steps;
  for (std::size_t at = 0; at < symbols->names.size(); ++at) {
    const int index = static_cast<int>(at);
    const bool receives = has(receivers, index), sends = has(senders, index);
    if (!receives && !sends) elements.push_back(count(symbols->names[at]));
    if (receives != sends) steps.push_back(count(symbols->names[at]));
  }
  result.values = product(elements);
  if (statement.recognition.pattern == Pattern::neighbours) {
    const std::string distances = product(steps);
    result.per_rank = distances.empty() ? "1" : distances;
    result.messages = product({distances.empty() ? "1" : distances, "P"});
  }
  return result;
}

}  // namespace kanor::report
