// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/pattern.hpp"

#include <algorithm>
#include <stdexcept>

#include "plan/bindings.hpp"

namespace kanor::plan {
namespace {

bool meet(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int name) { return b.contains(name); });
}

std::set<int> without(std::set<int> names, const std::set<int>& others) {
  for (const int name : others) names.erase(name);
  return names;
}

/// The name by which a rank runs over all members of the team, the other names being fixed.
struct Cover {
  int name = -1;
  int sign = 1;
  bool rotates = false;  ///< cyclically, beginning at a rank that the other names determine
};

class Recogniser {
 public:
  Recogniser(const sema::SymbolicStatement& statement, bool is_reduction)
      : statement_(statement),
        is_reduction_(is_reduction),
        algebra_(statement),
        bindings_(algebra_, statement) {}

  Recognition recognise() {
    if (!bindings_.receiver || !bindings_.sender) {
      const auto* culprit = sema::find_opaque(statement_.receiver);
      if (culprit == nullptr) culprit = sema::find_opaque(statement_.sender);
      return {
          Pattern::general, Obstacle::unknown_rank, culprit == nullptr ? text::Span{} : culprit->span, {}};
    }
    receiver_names_ = bindings_.names_of(*bindings_.receiver);
    sender_names_ = bindings_.names_of(*bindings_.sender);
    if (receiver_names_.empty() && sender_names_.empty()) return found(Pattern::point_to_point);
    if (is_grid_step(*bindings_.receiver, *bindings_.sender) ||
        is_grid_step(*bindings_.sender, *bindings_.receiver))
      return found(Pattern::neighbours);
    if (const auto one_to_one = recognise_one_to_one()) return *one_to_one;
    return recognise_collective();
  }

 private:
  static Recognition found(Pattern pattern) { return {pattern, Obstacle::none, {}, {}}; }
  static Recognition nothing(Obstacle why, text::Span span = {}) { return {Pattern::general, why, span, {}}; }

  /// Returns true if `to` is a neighbour of `from` in a grid.
  bool is_grid_step(const RankValue& to, const RankValue& from) const {
    const auto key = to.wrapped ? std::nullopt : to.value.single_atom();
    const Atom* atom = key ? algebra_.atom(*key) : nullptr;
    if (atom == nullptr || atom->operation != "neighbor" || from.wrapped) return false;
    const auto base = algebra_.names(from.value);
    return atom->operands[1] == from.value && !meet(algebra_.names(atom->operands[2]), base) &&
           !meet(algebra_.names(atom->operands[3]), base);
  }

  bool has_few_members(int index) const {
    const auto& name = bindings_.names[static_cast<std::size_t>(index)];
    const auto is_constant = [](const Polynomial& member) { return member.constant().has_value(); };
    if (!name.is_interval)
      return !name.members.empty() && std::all_of(name.members.begin(), name.members.end(), is_constant);
    return is_constant(name.first) && is_constant(name.last);
  }

  std::optional<Recognition> recognise_one_to_one() {
    const RankValue &to = *bindings_.receiver, &from = *bindings_.sender;
    Polynomial distance = to.value - from.value;
    if (to.wrapped || from.wrapped) distance = algebra_.modulo_team(distance);
    const auto varying = algebra_.names(distance);
    if (varying.empty() && (bindings_.is_injective(from) || bindings_.is_injective(to))) {
      Recognition shift = found(Pattern::shift);
      shift.distance.push_back(distance);
      return shift;
    }
    const bool few =
        std::all_of(varying.begin(), varying.end(), [&](int name) { return has_few_members(name); });
    const bool aside = !meet(varying, sender_names_) || !meet(varying, receiver_names_);
    const RankValue& base = meet(varying, sender_names_) ? to : from;
    if (!varying.empty() && few && aside && bindings_.is_injective(base)) return found(Pattern::neighbours);
    if (receiver_names_ == sender_names_ && bindings_.is_injective(to) && bindings_.is_injective(from))
      return found(Pattern::permutation);
    return std::nullopt;
  }

  std::optional<Cover> cover(const RankValue& rank, const std::set<int>& own,
                             const std::set<int>& other) const {
    for (const int index : own) {
      const auto& name = bindings_.names[static_cast<std::size_t>(index)];
      const int sign = rank.value.sign(name_key(index));
      if (other.contains(index) || !name.is_interval || sign == 0) continue;
      const auto rest = algebra_.names(rank.value.without(name_key(index)));
      if (rest.contains(index)) continue;
      if (!rank.wrapped && rest.empty()) return Cover{index, sign, false};
      const bool settled = std::includes(other.begin(), other.end(), rest.begin(), rest.end());
      const bool whole = name.last - name.first == Polynomial::atom(team_size_key) - Polynomial(1);
      if (rank.wrapped && settled && whole && algebra_.names(name.first).empty())
        return Cover{index, sign, true};
    }
    return std::nullopt;
  }

  /// Finds the names that are in neither rank, and the names in ranks on which their sets depend.
  void find_elements() {
    for (std::size_t at = 0; at < bindings_.names.size(); ++at) {
      const int index = static_cast<int>(at);
      if (!bindings_.names[at].gone && !receiver_names_.contains(index) && !sender_names_.contains(index))
        elements_.insert(index);
    }
    const auto tie = [&](const std::set<int>& names) {
      if (!meet(names, elements_)) return;
      for (const int name : names)
        if (!elements_.contains(name)) ties_.insert(name);
    };
    for (const auto* conditions : {&bindings_.not_negative, &bindings_.not_zero})
      for (const auto& condition : *conditions) tie(algebra_.names(condition));
    for (const auto* conditions : {&bindings_.opaque_filters, &bindings_.gaps})
      for (const auto& names : *conditions) tie(names);
    for (const int element : elements_)
      for (const int name : bindings_.names[static_cast<std::size_t>(element)].depends_on)
        if (!elements_.contains(name)) ties_.insert(name);
  }

  /// Finds the conditions on the ranks beyond being in the team, as polynomials of `r` and `s`. Returns the
  /// reason if there is no such form.
  Obstacle find_residue(const std::optional<Cover>& to, const std::optional<Cover>& from) {
    const auto concerns_ranks = [&](const std::set<int>& names) {
      return names.empty() || !meet(names, elements_);
    };
    if (std::any_of(bindings_.opaque_filters.begin(), bindings_.opaque_filters.end(), concerns_ranks))
      return Obstacle::unknown_condition;
    if (std::any_of(bindings_.gaps.begin(), bindings_.gaps.end(), concerns_ranks))
      return Obstacle::some_pairs;
    for (auto* conditions : {&bindings_.not_negative, &bindings_.not_zero}) {
      const bool excludes = conditions == &bindings_.not_zero;
      for (Polynomial condition : *conditions) {
        if (meet(algebra_.names(condition), elements_)) continue;
        if (to && !replace(condition, *to, *bindings_.receiver, receiver_key, excludes)) continue;
        if (from && !replace(condition, *from, *bindings_.sender, sender_key, excludes)) continue;
        if (!algebra_.names(condition).empty()) return Obstacle::unknown_condition;
        if (!excludes && never_negative(condition)) continue;
        const Polynomial one(1);
        if (excludes && (never_negative(condition - one) || never_negative(Polynomial(0) - condition - one)))
          continue;
        (excludes ? excluded_ : residue_).push_back(condition);
      }
    }
    drop_implied();
    return Obstacle::none;
  }

  /// Drops conditions that another one and membership in the team imply.
  void drop_implied() {
    for (std::size_t at = residue_.size(); at-- > 0;) {
      const bool implied = std::any_of(residue_.begin(), residue_.end(), [&](const Polynomial& other) {
        return &other != &residue_[at] && never_negative(residue_[at] - other);
      });
      if (implied) residue_.erase(residue_.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }

  /// Replaces the cover's name in the condition by the rank, unless the cover rotates. Returns false if the
  /// condition is only an end of the cyclic range over the team.
  bool replace(Polynomial& condition, const Cover& cover, const RankValue& rank, const std::string& key,
               bool excludes) {
    const std::string name = name_key(cover.name);
    const auto& set = bindings_.names[static_cast<std::size_t>(cover.name)];
    const Polynomial itself = Polynomial::atom(name);
    if (cover.rotates) return excludes || (condition != itself - set.first && condition != set.last - itself);
    const Polynomial value = (Polynomial::atom(key) - rank.value.without(name)) * Polynomial(cover.sign);
    condition = algebra_.substitute(condition, name, value);
    return true;
  }

  bool excludes_only(const Polynomial& difference) const {
    return std::all_of(excluded_.begin(), excluded_.end(), [&](const Polynomial& condition) {
      return condition == difference || condition == Polynomial(0) - difference;
    });
  }

  bool value_depends_on(int name) const {
    return bindings_.value_names.contains(name) || ties_.contains(name);
  }
  bool place_depends_on(int name) const { return bindings_.place_names.contains(name); }

  Recognition recognise_collective() {
    // Where one side's names are among the other's, that side is settled first.
    const bool receiver_first = std::includes(sender_names_.begin(), sender_names_.end(),
                                              receiver_names_.begin(), receiver_names_.end());
    const auto to = cover(*bindings_.receiver, receiver_names_,
                          receiver_first ? without(sender_names_, receiver_names_) : sender_names_);
    const auto from = cover(*bindings_.sender, sender_names_,
                            receiver_first ? receiver_names_ : without(receiver_names_, sender_names_));
    if ((!to && !receiver_names_.empty()) || (!from && !sender_names_.empty()))
      return nothing(Obstacle::several_pairs);
    find_elements();
    if (const Obstacle why = find_residue(to, from); why != Obstacle::none) return nothing(why);
    if (to && !from) return from_one(*to);
    if (from && !to) return to_one(*from);
    return pairs(*to, *from);
  }

  Recognition from_one(const Cover& to) const {
    const Polynomial difference = Polynomial::atom(receiver_key) - bindings_.sender->value;
    const bool comparable = !bindings_.sender->wrapped || excluded_.empty();
    if (!residue_.empty() || !comparable || !excludes_only(difference)) return nothing(Obstacle::some_pairs);
    if (is_reduction_) return nothing(Obstacle::some_pairs);
    return found(value_depends_on(to.name) ? Pattern::scatter : Pattern::broadcast);
  }

  Recognition to_one(const Cover& from) const {
    const Polynomial difference = Polynomial::atom(sender_key) - bindings_.receiver->value;
    const bool comparable = !bindings_.receiver->wrapped || excluded_.empty();
    if (!residue_.empty() || !comparable || !excludes_only(difference)) return nothing(Obstacle::some_pairs);
    if (!is_reduction_)
      return place_depends_on(from.name) ? found(Pattern::gather) : nothing(Obstacle::one_place);
    if (!excluded_.empty()) return nothing(Obstacle::some_pairs);
    return folds(from, nullptr, Pattern::reduce);
  }

  Recognition pairs(const Cover& to, const Cover& from) const {
    const Polynomial difference = Polynomial::atom(receiver_key) - Polynomial::atom(sender_key);
    if (!excludes_only(difference)) return nothing(Obstacle::some_pairs);
    if (is_reduction_) {
      if (!excluded_.empty() || residue_.size() > 1) return nothing(Obstacle::some_pairs);
      if (residue_.empty()) return folds(from, &to, Pattern::all_reduce);
      if (residue_[0] == difference) return folds(from, &to, Pattern::scan);
      if (residue_[0] == difference - Polynomial(1)) return folds(from, &to, Pattern::exclusive_scan);
      return nothing(Obstacle::some_pairs);
    }
    if (!residue_.empty()) return nothing(Obstacle::some_pairs);
    const bool tells_receiver = value_depends_on(to.name) || (from.rotates && value_depends_on(from.name));
    const bool tells_sender = place_depends_on(from.name) || (to.rotates && place_depends_on(to.name));
    if (!tells_sender) return nothing(Obstacle::one_place);
    return found(tells_receiver ? Pattern::all_to_all : Pattern::all_gather);
  }

  /// The pattern of a reduction if senders come in rank order, on which a fold's bracketing depends.
  Recognition folds(const Cover& from, const Cover* to, Pattern pattern) const {
    const bool inner =
        std::all_of(elements_.begin(), elements_.end(), [&](int name) { return name > from.name; });
    if (from.sign != 1 || from.rotates || (to != nullptr && to->rotates) || !inner)
      return nothing(Obstacle::order);
    if (place_depends_on(from.name)) return nothing(Obstacle::many_places);
    if (to != nullptr && value_depends_on(to->name)) return nothing(Obstacle::value_of_receiver);
    return ties_.empty() ? found(pattern) : nothing(Obstacle::some_pairs);
  }

  const sema::SymbolicStatement& statement_;
  bool is_reduction_;
  Algebra algebra_;
  Bindings bindings_;
  std::set<int> receiver_names_, sender_names_, elements_, ties_;
  std::vector<Polynomial> residue_, excluded_;
};

}  // namespace

std::string_view word(Pattern pattern) {
  switch (pattern) {
    case Pattern::general:
      return "general";
    case Pattern::point_to_point:
      return "point_to_point";
    case Pattern::shift:
      return "shift";
    case Pattern::permutation:
      return "permutation";
    case Pattern::neighbours:
      return "neighbours";
    case Pattern::broadcast:
      return "broadcast";
    case Pattern::scatter:
      return "scatter";
    case Pattern::gather:
      return "gather";
    case Pattern::all_gather:
      return "all_gather";
    case Pattern::all_to_all:
      return "all_to_all";
    case Pattern::reduce:
      return "reduce";
    case Pattern::all_reduce:
      return "all_reduce";
    case Pattern::scan:
      return "scan";
    case Pattern::exclusive_scan:
      return "exclusive_scan";
  }
  throw std::logic_error("unknown pattern");
}

Recognition recognise(const sema::SymbolicStatement& statement, bool is_reduction) {
  return Recogniser(statement, is_reduction).recognise();
}

void recognise_neighbours(std::vector<Recognition*> statements) {
  std::vector<Recognition*> shifts;
  for (Recognition* one : statements)
    if (one->pattern == Pattern::shift) shifts.push_back(one);
  const bool differ = std::any_of(shifts.begin(), shifts.end(), [&](const Recognition* one) {
    return one->distance != shifts.front()->distance;
  });
  if (!differ) return;
  for (Recognition* one : shifts) one->pattern = Pattern::neighbours;
}

}  // namespace kanor::plan
