// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a statement's names may make a rank its sender or receiver.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/form.hpp"
#include "plan/grid.hpp"

namespace kanor::rt::plan {

/// The side, sender or receiver, for which a rank goes through the bindings.
enum class Side : unsigned char { sending, receiving };

/// The value of a name that no set can hold, and that therefore says nothing.
inline constexpr std::int64_t unknown_value = std::numeric_limits<std::int64_t>::min();

/// The value of a leaf of a form.
struct LeafValue {
  std::int64_t number = unknown_value;
  GridShape grid;  ///< without dimensions if the leaf is a number
};

/// A form's constraints, arranged by the name whose values are looked for. Depends on the form alone.
struct Schedule {
  /// A constraint left REL right.
  struct Constraint {
    Relation relation = Relation::equal;
    int left = -1;       ///< -1: nothing is demanded
    int right = -1;      ///< -1: the rank itself; of a listed set or a progression: its members
    int set = -1;        ///< the name whose set this describes
    NameMask names = 0;  ///< names in both
  };
  /// One step of the search, for one side and one name.
  struct Step {
    std::vector<int> constraints;  ///< that may tell something about the name
    std::vector<int> checks;       ///< that the names before it have decided
    NameMask later = 0;            ///< names after it that it depends on
    NameMask relevant = 0;         ///< names before it on whose values its candidates depend
    std::size_t relevant_names = 0;
    bool once = false;  ///< applying the constraints a second time tells no more
  };

  explicit Schedule(const Form& form);
  const Step& step(Side side, int name) const {
    return steps[static_cast<std::size_t>(side)][static_cast<std::size_t>(name)];
  }

  std::vector<Constraint> constraints;  ///< the first two are the rank's for the two sides
  std::vector<Step> steps[2];
};

/// Room for the sets of one form's nodes at a time; kept from one solution to the next.
struct Workspace {
  std::vector<Domain> nodes;
  Domain names[most_names];
  std::vector<Domain> operands;
  std::uint64_t steps = 0;  ///< operations on sets done so far
};

/// Solves a form with its leaves' values, for one rank of a team. Refers to the form, the schedule and the
/// workspace. Works by interval propagation (HC4: Benhamou et al., "Revising hull and box consistency", 1999)
/// over unions of arithmetic progressions: sets go up an expression and what is left of them comes down,
/// until nothing changes or a bounded number of rounds is over.
class Solver {
 public:
  Solver(const Form& form, const Schedule& schedule, const std::vector<LeafValue>& leaves, int rank, int size,
         Workspace& workspace);

  /// Returns true if for each binding the sender or the receiver is known to be a rank of the team (or nobody
  /// takes part in it). Otherwise there may be a binding that no rank would find, and all must look at all.
  bool all_are_found();

  /// The members of a set of name `name` that may make this rank the sender (receiver), given values of the
  /// names before it: a superset.
  Domain candidates(Side side, int name, const long long* earlier, const Domain& members);

 private:
  const Node& node(int number) const { return form_.nodes[static_cast<std::size_t>(number)]; }
  int operand(const Node& node, int i) const {
    return form_.operands[static_cast<std::size_t>(node.first_operand + i)];
  }
  Domain& known(int number);
  const Domain& evaluate(int number);
  void evaluate_node(const Node& node, Domain& out);
  bool gather_operands(const Node& node);
  Domain set_of(int name);
  bool push(int number, const Domain& narrowed);
  bool push_operands(const Node& node, const Domain& narrowed);
  bool apply(const Schedule::Constraint& constraint);
  bool apply_progression(const Form::Set& set);
  bool propagate(const std::vector<int>& constraints, bool once);

  const Form& form_;
  const Schedule& schedule_;
  const std::vector<LeafValue>& leaves_;
  std::int64_t rank_;
  std::int64_t size_;
  Workspace& work_;
  bool changed_ = false;
};

}  // namespace kanor::rt::plan
