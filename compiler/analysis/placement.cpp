// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/placement.hpp"

#include <algorithm>

namespace kanor::analysis {
namespace {

bool changes(const Step& step) {
  return step.access != nullptr && (step.kind == StepKind::write || step.kind == StepKind::renewal);
}

class Placing {
 public:
  Placing(const Steps& steps, const StatementBoundaries& boundaries, const std::vector<bool>& live,
          const std::vector<int>& released)
      : steps_(steps), boundaries_(boundaries), live_(live), released_(released) {}

  Placement place() {
    for (const int statement : released_) placement_.insertions.push_back({statement, true, Action::release});
    const auto order =
        flow::reverse_postorder(steps_.next, steps_.first[static_cast<std::size_t>(function().entry)]);
    for (const int step : order) {
      if (!changes(steps_[step])) continue;
      if (exclusive_before(steps_, boundaries_, placement_.insertions)[static_cast<std::size_t>(step)])
        continue;
      if (insert_for(step)) continue;
      placement_.not_exclusive = steps_[step].access;
      return std::move(placement_);
    }
    std::sort(placement_.insertions.begin(), placement_.insertions.end(),
              [](const Insertion& one, const Insertion& other) {
                return std::pair(one.statement, one.after) < std::pair(other.statement, other.after);
              });
    return std::move(placement_);
  }

 private:
  const flow::Function& function() const { return steps_.function(); }

  bool insert_for(int step) {
    int statement = steps_[step].access->statement;
    if (statement < 0) return false;
    drop_releases_inside(statement);
    if (!keeps_exclusive(steps_, boundaries_, statement, released_)) return false;
    const int nest = steps_.loop_nest[static_cast<std::size_t>(step)];
    const int renewing = nest >= 0 ? steps_.function().loops[static_cast<std::size_t>(nest)].statement
                         : steps_[step].kind == StepKind::renewal ? statement
                                                                  : -1;
    if (renewing >= 0 && is_renewed_by(renewing)) {
      placement_.insertions.push_back({renewing, false, Action::overwrite});
      return true;
    }
    for (int around = parent(statement); around >= 0; around = parent(around)) {
      if (!function().statements[static_cast<std::size_t>(around)].is_loop ||
          is_within(function(), steps_.candidate().statement, around) ||
          !keeps_exclusive(steps_, boundaries_, around, released_))
        break;
      statement = around;
    }
    placement_.insertions.push_back({statement, false, Action::acquire});
    return true;
  }

  int parent(int statement) const {
    return function().statements[static_cast<std::size_t>(statement)].parent;
  }

  /// Drops the releases inside a statement: they would end the exclusive use that is taken before it.
  void drop_releases_inside(int statement) {
    const auto is_inside = [&](int other) {
      return other != statement && is_within(function(), other, statement);
    };
    released_.erase(std::remove_if(released_.begin(), released_.end(), is_inside), released_.end());
    auto& insertions = placement_.insertions;
    insertions.erase(std::remove_if(insertions.begin(), insertions.end(),
                                    [&](const Insertion& insertion) {
                                      return insertion.after && is_inside(insertion.statement);
                                    }),
                     insertions.end());
  }

  /// Returns true if the value from before the statement is never read in or after it.
  bool is_renewed_by(int statement) const {
    if (!boundaries_.are_known(statement) || !keeps_exclusive(steps_, boundaries_, statement, released_))
      return false;
    const auto entries = boundaries_.entries(statement);
    return !entries.empty() && std::none_of(entries.begin(), entries.end(), [&](const auto& edge) {
      return live_[static_cast<std::size_t>(edge.second)];
    });
  }

  const Steps& steps_;
  const StatementBoundaries& boundaries_;
  const std::vector<bool>& live_;
  std::vector<int> released_;
  Placement placement_;
};

}  // namespace

std::vector<bool> exclusive_before(const Steps& steps, const StatementBoundaries& boundaries,
                                   const std::vector<Insertion>& insertions) {
  const std::size_t count = steps.all.size();
  std::vector<bool> covered(count);
  std::vector<std::pair<int, int>> released;
  for (const Insertion& insertion : insertions) {
    if (insertion.action == Action::release) {
      for (const auto& edge : boundaries.exits(insertion.statement)) released.push_back(edge);
      continue;
    }
    for (std::size_t step = 0; step < count; ++step)
      if (steps[static_cast<int>(step)].access != nullptr &&
          is_within(steps.function(), steps.statement(static_cast<int>(step)), insertion.statement))
        covered[step] = true;
  }
  std::sort(released.begin(), released.end());
  // What may be shared spreads from where it becomes so.
  std::vector<bool> shared(count);
  std::vector<int> work;
  const auto spread = [&](int to) {
    const auto next = static_cast<std::size_t>(to);
    if (shared[next]) return;
    if (covered[next] && steps[to].kind != StepKind::pass) return;
    shared[next] = true;
    work.push_back(to);
  };
  for (const auto& edge : released) spread(edge.second);
  for (std::size_t step = 0; step < count; ++step) {
    const int index = static_cast<int>(step);
    if (steps.is_reached[step] &&
        (steps[index].kind == StepKind::send || steps[index].kind == StepKind::receive))
      for (const int to : steps.next[step]) spread(to);
  }
  while (!work.empty()) {
    const int step = work.back();
    work.pop_back();
    if (steps[step].kind == StepKind::birth) continue;
    for (const int to : steps.next[static_cast<std::size_t>(step)]) spread(to);
  }
  shared.flip();
  return shared;
}

Placement place(const Steps& steps, const StatementBoundaries& boundaries, const std::vector<bool>& live,
                const std::vector<int>& released) {
  return Placing(steps, boundaries, live, released).place();
}

bool keeps_exclusive(const Steps& steps, const StatementBoundaries& boundaries, int statement,
                     const std::vector<int>& released) {
  for (const int other : released)
    if (other != statement && is_within(steps.function(), other, statement)) return false;
  for (std::size_t step = 0; step < steps.all.size(); ++step) {
    const int index = static_cast<int>(step);
    if ((steps[index].kind == StepKind::send || steps[index].kind == StepKind::receive) &&
        (boundaries.known(statement)[step] || is_within(steps.function(), steps.statement(index), statement)))
      return false;
  }
  return true;
}

}  // namespace kanor::analysis
