// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank's plan for one statement: which members of each set its loops go through.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kanor/abi/candidates.hpp"
#include "kanor/abi/leaf.hpp"
#include "plan/collective_form.hpp"
#include "plan/solver.hpp"

namespace kanor::rt::plan {

using MemberSet = abi::member_set;
using Run = abi::candidate_run;

/// A plan for one form, one list of leaves, one rank of one team. Inspector and executor in one (Saltz et
/// al., "Run-time scheduling and execution of loops on message passing machines", 1990): the first execution
/// solves and notes what it found for which set and which values of the earlier names; later ones find the
/// same questions in the same order, compare, and take the answer. A question that differs is solved again,
/// and what was noted from there on is forgotten. So an answer never depends on what was noted. A closed
/// form asks the same questions each time: see noted().
///
/// Belongs to the rank. Memory: proportional to the different questions, each of them on the way to a binding
/// of the rank, up to a fixed number.
class Plan {
 public:
  Plan(const Form& form, const Schedule& schedule, Workspace& workspace);

  /// Returns true if the plan was made for these leaves, rank and team size.
  bool is_for(std::span<const abi::leaf> leaves, int rank, int size) const;
  /// Makes it the plan for these leaves, rank and team size, and forgets what was noted.
  void reset(std::span<const abi::leaf> leaves, int rank, int size);

  /// Returns true if each rank must go through all bindings: there may be some that no rank would find
  /// otherwise, or neither rank is described.
  bool needs_everything() const { return needs_everything_; }

  /// The ranks with which the rank exchanges one value each, as an execution with these leaves has found;
  /// ranks are the team's.
  struct Exchange {
    std::vector<int> receivers;  ///< in the order of the bindings
    int sender = -1;             ///< -1: the rank receives nothing
  };
  const std::optional<Exchange>& exchange() const { return exchange_; }
  void note(Exchange exchange) { exchange_ = std::move(exchange); }

  /// The object that stands for the statement, if that exchanged few plain values when it was executed last;
  /// else null.
  const void* few_values() const { return few_values_; }
  void note_few_values(const void* statement) { few_values_ = statement; }

  /// The collective operation that the statement is, if it is one.
  const std::optional<CollectiveForm>& collective() const { return collective_; }

  /// Returns true if that side's rank is described.
  bool describes(Side side) const { return (side == Side::sending ? form_.from : form_.to) >= 0; }

  /// Starts the statement's loops, from here on for this side.
  void begin(Side side);
  /// Ends the loops that begin() has started: they have asked all their questions.
  void end();
  /// The answers to all questions of the side's loops, in the order of the questions, if they are always the
  /// same: then the loops need not ask. Without data until end(), and where leaves do not determine
  /// everything.
  std::span<const abi::candidate_list> noted(Side side) const {
    const Log& log = logs_[static_cast<std::size_t>(side)];
    if (!log.is_complete) return {};
    return {log.answers.data(), log.answers.size() - 1};
  }
  /// The place for the values that a name takes, which the loops put there before they ask for later names;
  /// `unknown_value` for one that has no place there.
  long long* value_of(int name) { return &values_[name]; }
  /// The members of name `name`'s set to go through, in the set's order: a superset of those that may lead to
  /// a binding of the rank. Valid until the name is asked for again.
  std::span<const Run> only(int name, const MemberSet& set);

 private:
  struct Answer {
    MemberSet set;
    std::size_t first_run, end_run;
  };
  /// The questions of one side for one name, in the order in which they came.
  struct Trace {
    std::vector<Answer> answers;
    std::vector<long long> values;  ///< of the relevant names, so many for each answer
    std::vector<Run> runs;
    std::size_t next = 0;     ///< answers before this were asked for since begin()
    std::size_t in_vain = 0;  ///< questions since the last whose answer was less than its set
  };

  /// The answers of one side in the order of the questions of all names.
  struct Log {
    struct Asked {
      int name;
      std::size_t first_run, end_run;
    };
    std::vector<Asked> asked;
    std::vector<abi::candidate_list> answers;  ///< refer to the traces' runs; the last is no question's
    bool is_complete = false;
  };

  bool answers(const Trace& trace, std::size_t index, const MemberSet& set, const Schedule::Step& step) const;
  void answer(Trace& trace, int name, const MemberSet& set, const Schedule::Step& step);
  void solve(Trace& trace, int name, const MemberSet& set);

  const Form& form_;
  const Schedule& schedule_;
  Workspace& work_;
  std::vector<LeafValue> leaves_;
  int rank_ = -1;
  int size_ = 0;
  bool needs_everything_ = false;
  std::optional<CollectiveForm> collective_;
  std::optional<Exchange> exchange_;
  const void* few_values_ = nullptr;
  Side side_ = Side::sending;
  std::vector<Trace> traces_[2];
  Log logs_[2];
  long long values_[most_names] = {};
};

/// Appends the members of `some`, a subset of `set`, in the set's order, each once.
void append_runs(const Domain& some, const MemberSet& set, std::vector<Run>& runs);

}  // namespace kanor::rt::plan
