// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/solver.hpp"

#include <algorithm>
#include <utility>

#include "kanor/team.hpp"

namespace kanor::rt::plan {
namespace {

constexpr int most_rounds = 8;

/// Cuts both sides down to what the relation allows; returns false if nothing is left.
bool relate(Relation relation, Domain& left, Domain& right) {
  if (left.empty() || right.empty()) return false;
  switch (relation) {
    case Relation::equal:
      left.intersect(right);
      right = left;
      break;
    case Relation::unequal:
      if (right.single()) left.remove(right.min());
      if (left.single()) right.remove(left.min());
      break;
    case Relation::less:
      left.intersect(least, std::max(least, right.max()) - (right.max() > least ? 1 : 0));
      if (!left.empty()) right.intersect(left.min() + (left.min() < greatest ? 1 : 0), greatest);
      break;
    case Relation::less_or_equal:
      left.intersect(least, right.max());
      if (!left.empty()) right.intersect(left.min(), greatest);
      break;
    case Relation::greater:
      return relate(Relation::less, right, left);
    case Relation::greater_or_equal:
      return relate(Relation::less_or_equal, right, left);
  }
  return !left.empty() && !right.empty();
}

/// A superset of first, first + step, … before `end`, for any members of these sets.
Domain progression(const Domain& first, const Domain& end, const Domain& step) {
  const bool exact = first.single() && step.single();
  if (step.min() > 0) return Domain::interval(first.min(), Wide{end.max()} - 1, exact ? step.min() : 1);
  if (step.max() < 0) {
    const Wide lowest = Wide{end.min()} + 1, width = exact ? -Wide{step.min()} : 1;
    if (first.max() < lowest) return {};
    return Domain::interval(first.max() - (first.max() - lowest) / width * width, first.max(), width);
  }
  return Domain::interval(std::min(first.min(), end.min()), std::max(first.max(), end.max()));
}

/// Returns true if no difference of two such sets is cut off.
bool has_differences(const Domain& domain) {
  return !domain.empty() && domain.min() > least / 2 && domain.max() < greatest / 2;
}

bool is_grid(const LeafValue& leaf) { return !leaf.grid.dimensions.empty(); }

}  // namespace

Solver::Solver(const Form& form, const Schedule& schedule, const std::vector<LeafValue>& leaves, int rank,
               int size, Workspace& workspace)
    : form_(form), schedule_(schedule), leaves_(leaves), rank_(rank), size_(size), work_(workspace) {
  if (work_.nodes.size() < form.nodes.size()) work_.nodes.resize(form.nodes.size());
}

// Forwards.

Domain& Solver::known(int number) {
  const Node& at = node(number);
  return at.kind == Node::Kind::name ? work_.names[at.value] : work_.nodes[static_cast<std::size_t>(number)];
}

const Domain& Solver::evaluate(int number) {
  const Node& at = node(number);
  Domain& out = known(number);
  switch (at.kind) {
    case Node::Kind::name:
      break;
    case Node::Kind::constant:
      out = Domain::of(at.value);
      break;
    case Node::Kind::leaf: {
      const LeafValue& leaf = leaves_[static_cast<std::size_t>(at.value)];
      out = leaf.number == unknown_value ? Domain::all() : Domain::of(leaf.number);
      break;
    }
    default:
      for (int i = 0; i < at.operands; ++i) evaluate(operand(at, i));
      ++work_.steps;
      evaluate_node(at, out);
  }
  return out;
}

bool Solver::gather_operands(const Node& at) {
  work_.operands.clear();
  for (int i = 0; i < at.operands; ++i) work_.operands.push_back(known(operand(at, i)));
  const LeafValue& leaf = leaves_[static_cast<std::size_t>(at.value)];
  return is_grid(leaf) && (at.kind != Node::Kind::at || leaf.grid.dimensions.size() == work_.operands.size());
}

void Solver::evaluate_node(const Node& at, Domain& out) {
  if (at.kind == Node::Kind::operation) {
    out = plan::apply(at.op, known(operand(at, 0)), known(operand(at, 1)));
    return;
  }
  if (at.kind == Node::Kind::negation) {
    out = negated(known(operand(at, 0)));
    return;
  }
  if (!gather_operands(at)) {
    out = Domain::all();
    return;
  }
  const GridShape& grid = leaves_[static_cast<std::size_t>(at.value)].grid;
  const std::vector<Domain>& operands = work_.operands;
  if (at.kind == Node::Kind::neighbour)
    out = neighbours(grid, operands[0], operands[1], operands[2]);
  else if (at.kind == Node::Kind::at)
    out = ranks_at(grid, operands);
  else
    out = coordinates_of(grid, operands[0], operands[1]);
}

// What the form says of a name's set, given the names before it.
Domain Solver::set_of(int name) {
  const Form::Set& set = form_.sets[static_cast<std::size_t>(name)];
  Domain members;
  switch (set.kind) {
    case Form::Set::Kind::list:
      for (const int member : set.ends) members.add(evaluate(member));
      return members;
    case Form::Set::Kind::interval: {
      const Domain& first = evaluate(set.ends[0]);
      const Domain& last = evaluate(set.ends[1]);
      return first.empty() || last.empty() ? Domain::all() : Domain::interval(first.min(), last.max());
    }
    case Form::Set::Kind::progression: {
      const Domain& first = evaluate(set.ends[0]);
      const Domain& end = evaluate(set.ends[1]);
      const Domain& step = evaluate(set.ends[2]);
      return first.empty() || end.empty() || step.empty() ? Domain::all() : progression(first, end, step);
    }
    case Form::Set::Kind::unknown:
      break;
  }
  return Domain::all();
}

// Backwards.

bool Solver::push(int number, const Domain& narrowed) {
  const Node& at = node(number);
  if (at.names == 0) return true;
  Domain& mine = known(number);
  if (mine == narrowed) return true;
  if (at.kind != Node::Kind::name) {
    mine = narrowed;
    ++work_.steps;
    return push_operands(at, mine);
  }
  const Domain before = mine;
  mine.intersect(narrowed);
  changed_ = changed_ || !(before == mine);
  return !mine.empty();
}

bool Solver::push_operands(const Node& at, const Domain& narrowed) {
  if (at.kind == Node::Kind::negation) return push(operand(at, 0), negated(narrowed));
  if (at.kind == Node::Kind::operation) {
    const int left = operand(at, 0), right = operand(at, 1);
    if (node(left).names) {
      Domain some = known(left);
      narrow_left(at.op, narrowed, some, known(right));
      if (some.empty() || !push(left, some)) return false;
    }
    if (node(right).names) {
      Domain some = known(right);
      narrow_right(at.op, narrowed, known(left), some);
      if (some.empty() || !push(right, some)) return false;
    }
    return true;
  }
  if (!gather_operands(at)) return true;
  const GridShape& grid = leaves_[static_cast<std::size_t>(at.value)].grid;
  // Pushing on may gather operands anew: these are kept aside, and their room given back in the end.
  std::vector<Domain> operands = std::exchange(work_.operands, {});
  if (at.kind == Node::Kind::neighbour)
    narrow_neighbours(grid, narrowed, operands[0], operands[1], operands[2]);
  else if (at.kind == Node::Kind::at)
    narrow_ranks_at(grid, narrowed, operands);
  else
    narrow_coordinates_of(grid, narrowed, operands[0], operands[1]);
  bool possible = true;
  for (int i = 0; possible && i < at.operands; ++i) {
    const Domain& some = operands[static_cast<std::size_t>(i)];
    possible = !some.empty() && push(operand(at, i), some);
  }
  work_.operands = std::move(operands);
  return possible;
}

bool Solver::apply(const Schedule::Constraint& constraint) {
  if (constraint.set >= 0) {
    const Form::Set& set = form_.sets[static_cast<std::size_t>(constraint.set)];
    if (set.kind == Form::Set::Kind::progression) return apply_progression(set);
  }
  const bool is_list = constraint.set >= 0 && constraint.right < 0;
  Domain left = evaluate(constraint.left);
  Domain right = is_list                ? set_of(constraint.set)
                 : constraint.right < 0 ? Domain::of(rank_)
                                        : evaluate(constraint.right);
  if (!relate(constraint.relation, left, right) || !push(constraint.left, left)) return false;
  return constraint.right < 0 || push(constraint.right, right);
}

/// Narrows by what holds of a progression: members lie between the ends, and at equal distances.
bool Solver::apply_progression(const Form::Set& set) {
  const Domain step = evaluate(set.ends[2]);
  if (!step.single() || step.min() == 0) return true;
  const bool up = step.min() > 0;
  const auto relate_to = [&](int end, Relation relation) {
    Domain member = evaluate(set.node), other = evaluate(end);
    return relate(relation, member, other) && push(set.node, member) && push(end, other);
  };
  if (!relate_to(set.ends[0], up ? Relation::greater_or_equal : Relation::less_or_equal) ||
      !relate_to(set.ends[1], up ? Relation::less : Relation::greater))
    return false;
  Domain member = evaluate(set.node), first = evaluate(set.ends[0]);
  if (!has_differences(member) || !has_differences(first)) return true;
  Domain distance = plan::apply(Operator::subtract, member, first);
  const Wide width = up ? step.min() : -Wide{step.min()}, most = greatest / width * width;
  distance.intersect(Domain::interval(-most, most, width));
  if (distance.empty()) return false;
  narrow_left(Operator::subtract, distance, member, first);
  if (member.empty() || !push(set.node, member)) return false;
  narrow_right(Operator::subtract, distance, member, first);
  return !first.empty() && push(set.ends[0], first);
}

bool Solver::propagate(const std::vector<int>& constraints, bool once) {
  for (int round = 0; round < most_rounds; ++round) {
    changed_ = false;
    for (const int constraint : constraints)
      if (!apply(schedule_.constraints[static_cast<std::size_t>(constraint)])) return false;
    if (once || !changed_) break;
  }
  return true;
}

bool Solver::all_are_found() {
  for (int name = 0; name < static_cast<int>(form_.names.size()); ++name) work_.names[name] = set_of(name);
  std::vector<int> filters;
  for (int i = 2; i < static_cast<int>(schedule_.constraints.size()); ++i) filters.push_back(i);
  if (!propagate(filters, false)) return true;
  for (const int rank : {form_.from, form_.to}) {
    if (rank < 0) continue;
    const Domain& ranks = evaluate(rank);
    const bool known = std::all_of(ranks.begin(), ranks.end(), [&](const Progression& part) {
      return (part.first >= 0 && part.last < size_) || (part.single() && part.first == no_rank);
    });
    if (known) return true;
  }
  return false;
}

Domain Solver::candidates(Side side, int name, const long long* earlier, const Domain& members) {
  const Schedule::Step& step = schedule_.step(side, name);
  for (int i = 0; i < name; ++i)
    if (step.relevant >> i & 1)
      work_.names[i] = earlier[i] == unknown_value ? Domain::all() : Domain::of(earlier[i]);
  if (!propagate(step.checks, true)) return {};
  work_.names[name] = members;
  if (members.empty()) return {};
  for (int i = name + 1; i < static_cast<int>(form_.names.size()); ++i)
    if (step.later >> i & 1) work_.names[i] = set_of(i);
  return propagate(step.constraints, step.once) ? work_.names[name] : Domain();
}

}  // namespace kanor::rt::plan
