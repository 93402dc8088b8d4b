// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/bindings.hpp"

#include <algorithm>

namespace kanor::plan {
namespace {

using sema::Relation;
using sema::SymbolicSet;

/// The sign of a progression's step; 0 if the step is not a known number, or the set is no progression.
int direction_of(const SymbolicSet& set, const std::vector<Polynomial>& members) {
  const auto step = set.form == SymbolicSet::Form::progression ? members[2].constant() : std::nullopt;
  return !step || *step == 0 ? 0 : (*step > 0 ? 1 : -1);
}

}  // namespace

Bindings::Bindings(Algebra& algebra, const sema::SymbolicStatement& statement) : algebra_(algebra) {
  place_names.insert(statement.place_names.begin(), statement.place_names.end());
  value_names.insert(statement.value_names.begin(), statement.value_names.end());
  for (std::size_t at = 0; at < statement.names.size(); ++at) {
    const SymbolicSet& set = statement.names[at].set;
    Name& name = names.emplace_back();
    std::vector<Polynomial> members;
    for (const auto& member : set.members) {
      for (const int inner : sema::names_of(member)) name.depends_on.insert(inner);
      if (const auto value = algebra_.polynomial(member)) members.push_back(*value);
    }
    if (members.size() != set.members.size()) continue;
    if (set.form == SymbolicSet::Form::list) name.members = std::move(members);
    if (set.form == SymbolicSet::Form::interval) {
      name.first = members[0];
      name.last = members[1];
    } else if (const int direction = direction_of(set, members); direction != 0) {
      const Polynomial before_end = members[1] - Polynomial(direction);
      name.first = direction > 0 ? members[0] : before_end;
      name.last = direction > 0 ? before_end : members[0];
      gaps.push_back({static_cast<int>(at)});
    } else {
      continue;
    }
    name.is_interval = true;
    const Polynomial itself = Polynomial::atom(name_key(static_cast<int>(at)));
    not_negative.push_back(itself - name.first);
    not_negative.push_back(name.last - itself);
  }
  receiver = rank_value(statement.receiver);
  sender = rank_value(statement.sender);
  std::vector<Polynomial> equations;
  for (const auto& filter : statement.filters) add_filter(filter, equations);
  while (!equations.empty()) {
    const Polynomial equation = equations.back();
    equations.pop_back();
    if (equation.constant() == 0) continue;
    if (!eliminate(equation)) {
      opaque_filters.push_back(algebra_.names(equation));
      continue;
    }
    // The others have it in place of the name, as all else does.
    for (std::size_t name = 0; name < names.size(); ++name)
      if (names[name].gone)
        for (auto& other : equations)
          if (const auto& key = name_key(static_cast<int>(name)); other.mentions(key))
            other = algebra_.substitute(other, key, names[name].first);
  }
  if (receiver) simplify(*receiver);
  if (sender) simplify(*sender);
}

std::optional<RankValue> Bindings::rank_value(const sema::Symbolic& expression) {
  const auto value = algebra_.polynomial(expression);
  if (!value) return std::nullopt;
  const auto key = value->single_atom();
  const Atom* atom = key ? algebra_.atom(*key) : nullptr;
  if (atom != nullptr && atom->operation == "%" && atom->operands[1] == Polynomial::atom(team_size_key))
    return RankValue{algebra_.modulo_team(atom->operands[0]), true};
  return RankValue{*value, false};
}

void Bindings::add_filter(const sema::SymbolicFilter& filter, std::vector<Polynomial>& equations) {
  const auto left = algebra_.polynomial(filter.left), right = algebra_.polynomial(filter.right);
  if (!left || !right) {
    const auto used = sema::names_of(filter.left);
    opaque_filters.emplace_back(used.begin(), used.end());
    return;
  }
  const Polynomial difference = *left - *right, opposite = *right - *left, one(1);
  switch (filter.relation) {
    case Relation::equal:
      equations.push_back(difference);
      break;
    case Relation::not_equal:
      not_zero.push_back(difference);
      break;
    case Relation::less:
      not_negative.push_back(opposite - one);
      break;
    case Relation::less_equal:
      not_negative.push_back(opposite);
      break;
    case Relation::greater:
      not_negative.push_back(difference - one);
      break;
    case Relation::greater_equal:
      not_negative.push_back(difference);
      break;
  }
}

/// Solves the equation for a name that occurs in it once and ranges over an interval. Returns false if there
/// is none.
bool Bindings::eliminate(const Polynomial& equation) {
  for (int index = static_cast<int>(names.size()) - 1; index >= 0; --index) {
    Name& name = names[static_cast<std::size_t>(index)];
    const std::string key = name_key(index);
    const int sign = equation.sign(key);
    if (!name.is_interval || name.gone || sign == 0) continue;
    const Polynomial rest = equation.without(key);
    if (algebra_.names(rest).contains(index)) continue;
    const Polynomial value = rest * Polynomial(-sign);
    // The first member is no longer of interest: it keeps what stands for the name.
    name.first = value;
    name.gone = true;
    for (auto* conditions : {&not_negative, &not_zero})
      for (auto& condition : *conditions) condition = algebra_.substitute(condition, key, value);
    for (auto* rank : {&receiver, &sender})
      if (*rank) {
        (*rank)->value = algebra_.substitute((*rank)->value, key, value);
        if ((*rank)->wrapped) (*rank)->value = algebra_.modulo_team((*rank)->value);
      }
    const std::set<int> inner = algebra_.names(value);
    const auto replace = [&](std::set<int>& used) {
      if (used.erase(index) != 0) used.insert(inner.begin(), inner.end());
    };
    replace(place_names);
    replace(value_names);
    for (auto* conditions : {&opaque_filters, &gaps})
      for (auto& condition : *conditions) replace(condition);
    for (Name& other : names) {
      if (other.gone) {
        if (&other != &name) other.first = algebra_.substitute(other.first, key, value);
        continue;
      }
      replace(other.depends_on);
      if (other.is_interval) {
        other.first = algebra_.substitute(other.first, key, value);
        other.last = algebra_.substitute(other.last, key, value);
      }
      for (auto& member : other.members) member = algebra_.substitute(member, key, value);
    }
    return true;
  }
  return false;
}

bool Bindings::is_rank_of_team(int index) const {
  const Name& name = names[static_cast<std::size_t>(index)];
  const Polynomial last_rank = Polynomial::atom(team_size_key) - Polynomial(1);
  return name.is_interval && !name.gone && never_negative(name.first) &&
         never_negative(last_rank - name.last);
}

/// Drops the modulus if the rank is a name whose members are ranks of the team.
void Bindings::simplify(RankValue& rank) const {
  if (!rank.wrapped) return;
  for (const int name : algebra_.names(rank.value))
    if (rank.value == Polynomial::atom(name_key(name)) && is_rank_of_team(name)) rank.wrapped = false;
}

bool Bindings::is_injective(const RankValue& rank) const {
  const std::set<int> inside = algebra_.names(rank.value);
  if (inside.empty()) return false;
  if (!rank.wrapped) return is_injective_in(rank.value, inside);
  if (inside.size() != 1) return false;
  const Name& name = names[static_cast<std::size_t>(*inside.begin())];
  if (rank.value.sign(name_key(*inside.begin())) == 0 || !name.is_interval) return false;
  if (algebra_.names(rank.value.without(name_key(*inside.begin()))).contains(*inside.begin())) return false;
  const Polynomial last_rank = Polynomial::atom(team_size_key) - Polynomial(1);
  return never_negative(last_rank - (name.last - name.first));
}

/// Returns true for one name times a number, one name with some bits flipped, or names as digits: each is
/// multiplied by the product of the sizes of the ones before it.
bool Bindings::is_injective_in(const Polynomial& value, const std::set<int>& inside) const {
  if (const auto key = value.single_atom(); key && inside.size() == 1) {
    const Atom* atom = algebra_.atom(*key);
    if (atom != nullptr) {
      if (atom->operation != "^") return false;
      const bool first = !algebra_.names(atom->operands[0]).empty();
      const bool second = !algebra_.names(atom->operands[1]).empty();
      return first != second && is_injective_in(atom->operands[first ? 0 : 1], inside);
    }
  }
  Polynomial rest = value;
  std::map<int, Polynomial> factors;
  for (const int name : inside) {
    const auto factor = rest.coefficient(name_key(name));
    if (!factor || factor->terms().empty() || !algebra_.names(*factor).empty()) return false;
    factors.emplace(name, *factor);
    rest = rest.without(name_key(name));
  }
  if (!algebra_.names(rest).empty()) return false;
  if (inside.size() == 1) return factors.begin()->second.constant().has_value();
  Polynomial weight(1);
  while (!factors.empty()) {
    const auto digit = std::find_if(factors.begin(), factors.end(), [&](const auto& candidate) {
      return candidate.second == weight || candidate.second == Polynomial(0) - weight;
    });
    if (digit == factors.end()) return false;
    const Name& name = names[static_cast<std::size_t>(digit->first)];
    if (!name.is_interval || !algebra_.names(name.first).empty() || !algebra_.names(name.last).empty())
      return false;
    weight = weight * (name.last - name.first + Polynomial(1));
    factors.erase(digit);
  }
  return true;
}

}  // namespace kanor::plan
