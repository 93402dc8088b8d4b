// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>

#include "plan/solver.hpp"

namespace kanor::rt::plan {
namespace {

NameMask names_of(const Form& form, int node) {
  return node < 0 ? 0 : form.nodes[static_cast<std::size_t>(node)].names;
}

/// Adds how often each name stands in an expression.
void count_names(const Form& form, int number, std::vector<int>& counts) {
  if (number < 0) return;
  const Node& node = form.nodes[static_cast<std::size_t>(number)];
  if (node.kind == Node::Kind::name) ++counts[static_cast<std::size_t>(node.value)];
  for (int i = 0; i < node.operands; ++i)
    count_names(form, form.operands[static_cast<std::size_t>(node.first_operand + i)], counts);
}

bool repeats_a_name(const Form& form, const Schedule::Constraint& constraint) {
  // All three numbers of a progression may have the name.
  if (constraint.set >= 0 &&
      form.sets[static_cast<std::size_t>(constraint.set)].kind == Form::Set::Kind::progression)
    return true;
  std::vector<int> counts(form.names.size());
  count_names(form, constraint.left, counts);
  count_names(form, constraint.right, counts);
  return std::any_of(counts.begin(), counts.end(), [](int count) { return count > 1; });
}

std::vector<Schedule::Constraint> constraints_of(const Form& form) {
  std::vector<Schedule::Constraint> constraints;
  for (const int rank : {form.from, form.to})
    constraints.push_back({.left = rank, .names = names_of(form, rank)});
  for (const Form::Filter& filter : form.filters)
    constraints.push_back({.relation = filter.relation,
                           .left = filter.left,
                           .right = filter.right,
                           .names = names_of(form, filter.left) | names_of(form, filter.right)});
  // Sets whose ends are numbers are no constraints: their names start with them.
  for (std::size_t name = 0; name < form.sets.size(); ++name) {
    const Form::Set& set = form.sets[name];
    NameMask names = 0;
    for (const int end : set.ends) names |= names_of(form, end);
    if (names == 0) continue;
    const NameMask own = NameMask{1} << name;
    const int number = static_cast<int>(name);
    if (set.kind == Form::Set::Kind::list || set.kind == Form::Set::Kind::progression) {
      constraints.push_back({Relation::equal, set.node, -1, number, names | own});
    } else {
      for (const int end : {0, 1}) {
        const int node = set.ends[static_cast<std::size_t>(end)];
        constraints.push_back({end == 0 ? Relation::greater_or_equal : Relation::less_or_equal, set.node,
                               node, number, names_of(form, node) | own});
      }
    }
  }
  return constraints;
}

/// Returns true if the constraint is demanded for the side: the first two are the ranks' of the two sides.
bool is_demanded(const Schedule::Constraint& constraint, std::size_t number, Side side) {
  return constraint.left >= 0 && (number >= 2 || number == static_cast<std::size_t>(side));
}

Schedule::Step step_of(const Form& form, const std::vector<Schedule::Constraint>& constraints, Side side,
                       int name) {
  const NameMask own = NameMask{1} << name, before = own - 1;
  Schedule::Step step;
  // Constraints that the name has a part in, directly or through names that come later. Sets are demands on
  // later names alone: of this one and of those before it the program knows the members. What cannot be
  // met by any values at all is found out at the first name.
  NameMask reached = own;
  std::vector<bool> taken(constraints.size());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const Schedule::Constraint& constraint = constraints[i];
      if (taken[i] || constraint.names == 0 || (name > 0 && !(constraint.names & reached & ~before)))
        continue;
      if (!is_demanded(constraint, i, side) || (constraint.set >= 0 && constraint.set <= name)) continue;
      taken[i] = more = true;
      reached |= constraint.names;
      step.constraints.push_back(static_cast<int>(i));
    }
  }
  step.later = reached & ~before & ~own;
  step.relevant = reached & before;
  std::sort(step.constraints.begin(), step.constraints.end());
  step.once = step.constraints.size() == 1 &&
              !repeats_a_name(form, constraints[static_cast<std::size_t>(step.constraints[0])]);
  // Those whose last name has just got its value: its candidates may have been too many.
  const NameMask last = own >> 1;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const Schedule::Constraint& constraint = constraints[i];
    if (!is_demanded(constraint, i, side) || constraint.set >= 0) continue;
    const bool decided = !(constraint.names & ~before);
    if (decided && (name == 0 || constraint.names & last)) {
      step.checks.push_back(static_cast<int>(i));
      step.relevant |= constraint.names;
    }
  }
  step.relevant_names = static_cast<std::size_t>(std::popcount(step.relevant));
  return step;
}

}  // namespace

Schedule::Schedule(const Form& form) : constraints(constraints_of(form)) {
  for (const Side side : {Side::sending, Side::receiving})
    for (int name = 0; name < static_cast<int>(form.names.size()); ++name)
      steps[static_cast<std::size_t>(side)].push_back(step_of(form, constraints, side, name));
}

}  // namespace kanor::rt::plan
