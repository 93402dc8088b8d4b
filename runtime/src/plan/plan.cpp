// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/plan.hpp"

#include <algorithm>
#include <bit>

namespace kanor::rt::plan {
namespace {

/// The most answers that are noted: the rank of a plan with more looks at much that is not its own.
constexpr std::size_t most_answers = std::size_t{1} << 16;

/// The most questions of a side whose answers are kept in order. Loops with more have much to do besides.
constexpr std::size_t most_noted = 64;

/// The number of solutions that left a name's set whole after which it is solved only now and then: some
/// ranks cannot be told from clauses, and then going through the set costs less than asking.
constexpr std::size_t most_in_vain = 32;

Wide last_of(const MemberSet& set) { return set.first + Wide{set.step} * (set.count - 1); }

Domain members_of(const MemberSet& set) {
  if (set.count == 0) return {};
  const Wide last = last_of(set);
  return set.step > 0 ? Domain::interval(set.first, last, set.step)
                      : Domain::interval(last, set.first, -Wide{set.step});
}

/// Returns true if the progressions follow one another.
bool are_apart(const Domain& domain) {
  for (const Progression* part = domain.begin(); part + 1 < domain.end(); ++part)
    if (part->last >= part[1].first) return false;
  return true;
}

Run run_of(const Progression& part) {
  return {part.first, static_cast<std::int64_t>(part.step), static_cast<std::int64_t>(part.steps()) + 1};
}

/// Appends the members of progressions that interleave, in ascending order.
void append_merged(const Domain& domain, std::vector<Run>& runs) {
  Run heads[Domain::most_parts];
  int count = 0;
  for (const Progression& part : domain) heads[count++] = run_of(part);
  while (count > 0) {
    std::int64_t least_member = heads[0].first;
    for (int i = 1; i < count; ++i) least_member = std::min<std::int64_t>(least_member, heads[i].first);
    runs.push_back({least_member, 1, 1});
    for (int i = 0; i < count;) {
      Run& head = heads[i];
      if (head.first == least_member) {
        head.first += --head.count ? head.step : 0;
        if (head.count == 0) {
          head = heads[--count];
          continue;
        }
      }
      ++i;
    }
  }
}

std::int64_t number_of(const abi::leaf& leaf) {
  return leaf.what() == abi::leaf::kind::integer ? leaf.integer() : unknown_value;
}

inline bool same_leaf(const LeafValue& mine, const abi::leaf& leaf) {
  if (mine.number != number_of(leaf)) return false;
  if (mine.grid.dimensions.size() != static_cast<std::size_t>(leaf.grid().dimensions)) return false;
  for (std::size_t d = 0; d < mine.grid.dimensions.size(); ++d)
    if (mine.grid.dimensions[d].extent != leaf.grid().extents[d] ||
        mine.grid.dimensions[d].periodic != leaf.grid().periodic[d])
      return false;
  return true;
}

}  // namespace

void append_runs(const Domain& some, const MemberSet& set, std::vector<Run>& runs) {
  const auto start = static_cast<std::ptrdiff_t>(runs.size());
  if (are_apart(some)) {
    for (const Progression& part : some) runs.push_back(run_of(part));
  } else {
    append_merged(some, runs);
  }
  if (set.step > 0) return;
  std::reverse(runs.begin() + start, runs.end());
  std::for_each(runs.begin() + start, runs.end(), [](Run& run) {
    run.first += run.step * (run.count - 1);
    run.step = -run.step;
  });
}

Plan::Plan(const Form& form, const Schedule& schedule, Workspace& workspace)
    : form_(form), schedule_(schedule), work_(workspace) {
  for (std::vector<Trace>& traces : traces_) traces.resize(form.names.size());
}

bool Plan::is_for(std::span<const abi::leaf> leaves, int rank, int size) const {
  if (rank != rank_ || size != size_ || leaves.size() != leaves_.size()) return false;
  for (std::size_t at = 0; at < leaves.size(); ++at)
    if (!same_leaf(leaves_[at], leaves[at])) return false;
  return true;
}

void Plan::reset(std::span<const abi::leaf> leaves, int rank, int size) {
  rank_ = rank;
  size_ = size;
  leaves_.resize(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const abi::leaf& leaf = leaves[i];
    if (same_leaf(leaves_[i], leaf)) continue;
    const abi::grid_view grid = leaf.grid();
    leaves_[i].number = number_of(leaf);
    leaves_[i].grid = grid.dimensions ? GridShape(grid.extents, grid.periodic, grid.dimensions) : GridShape();
  }
  for (std::vector<Trace>& traces : traces_)
    for (Trace& trace : traces) {
      trace.answers.clear();
      trace.values.clear();
      trace.runs.clear();
      trace.in_vain = 0;
    }
  for (Log& log : logs_) log.is_complete = false;
  exchange_.reset();
  few_values_ = nullptr;
  collective_ = collective_form(form_, leaves, size_);
  // What is unknown may be a number that no domain holds.
  const bool is_known = std::none_of(leaves.begin(), leaves.end(), [](const abi::leaf& leaf) {
    return leaf.what() == abi::leaf::kind::unknown;
  });
  needs_everything_ = !is_known || !Solver(form_, schedule_, leaves_, rank_, size_, work_).all_are_found();
}

void Plan::begin(Side side) {
  side_ = side;
  for (Trace& trace : traces_[static_cast<std::size_t>(side)]) trace.next = 0;
  Log& log = logs_[static_cast<std::size_t>(side)];
  log.asked.clear();
  log.is_complete = false;
}

void Plan::end() {
  Log& log = logs_[static_cast<std::size_t>(side_)];
  if (!form_.is_closed || log.asked.size() > most_noted) return;
  const std::vector<Trace>& traces = traces_[static_cast<std::size_t>(side_)];
  log.answers.clear();
  for (const Log::Asked& one : log.asked)
    log.answers.push_back({traces[static_cast<std::size_t>(one.name)].runs.data() + one.first_run,
                           one.end_run - one.first_run, nullptr});
  log.answers.push_back({nullptr, 0, nullptr});  // so that data() is not null where nothing was asked
  log.is_complete = true;
}

inline bool Plan::answers(const Trace& trace, std::size_t index, const MemberSet& set,
                          const Schedule::Step& step) const {
  if (!(trace.answers[index].set == set)) return false;
  const long long* value = trace.values.data() + index * step.relevant_names;
  for (NameMask names = step.relevant; names != 0; names &= names - 1)
    if (*value++ != values_[std::countr_zero(names)]) return false;
  return true;
}

void Plan::answer(Trace& trace, int name, const MemberSet& set, const Schedule::Step& step) {
  // What follows was the answer to other questions.
  trace.next = std::min(trace.next, most_answers);
  trace.answers.resize(trace.next);
  trace.values.resize(trace.next * step.relevant_names);
  trace.runs.resize(trace.next ? trace.answers.back().end_run : 0);
  Answer answer{set, trace.runs.size(), 0};
  solve(trace, name, set);
  answer.end_run = trace.runs.size();
  trace.answers.push_back(answer);
  for (NameMask names = step.relevant; names != 0; names &= names - 1)
    trace.values.push_back(values_[std::countr_zero(names)]);
}

void Plan::solve(Trace& trace, int name, const MemberSet& set) {
  const bool pays = trace.in_vain < most_in_vain || trace.in_vain % most_in_vain == 0;
  ++trace.in_vain;
  // A domain would leave out a member that has no negative.
  const bool fits = set.count == 0 || (set.first >= least && last_of(set) >= least);
  if (!set.exact || !fits || !pays) {
    if (set.count > 0) trace.runs.push_back({set.first, set.step, set.count});
    return;
  }
  const Domain all = members_of(set);
  Solver solver(form_, schedule_, leaves_, rank_, size_, work_);
  const Domain some = solver.candidates(side_, name, values_, all);
  if (!(some == all)) trace.in_vain = 0;
  append_runs(some, set, trace.runs);
}

std::span<const Run> Plan::only(int name, const MemberSet& set) {
  Trace& trace = traces_[static_cast<std::size_t>(side_)][static_cast<std::size_t>(name)];
  const Schedule::Step& step = schedule_.step(side_, name);
  std::size_t index = trace.next;
  if (index > 0 && answers(trace, index - 1, set, step)) {
    --index;
  } else {
    if (index >= trace.answers.size() || !answers(trace, index, set, step)) [[unlikely]] {
      answer(trace, name, set, step);
      index = trace.next;
    }
    trace.next = index + 1;
  }
  const Answer& answer = trace.answers[index];
  Log& log = logs_[static_cast<std::size_t>(side_)];
  if (form_.is_closed && log.asked.size() <= most_noted)
    log.asked.push_back({name, answer.first_run, answer.end_run});
  return {trace.runs.data() + answer.first_run, answer.end_run - answer.first_run};
}

}  // namespace kanor::rt::plan
