// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/liveness.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/paths.hpp"

namespace kanor::analysis {
namespace {

/// Returns true if the step needs the old value: writing an element of a vector needs its length.
bool needs_value(const Steps& steps, const Step& step) {
  return step.kind == StepKind::read || step.kind == StepKind::send ||
         (step.kind == StepKind::write && steps.candidate().is_vector);
}

bool is_live_after(const Steps& steps, int step, const std::vector<bool>& live) {
  const auto& next = steps.next[static_cast<std::size_t>(step)];
  return std::any_of(next.begin(), next.end(), [&](int to) { return live[static_cast<std::size_t>(to)]; });
}

class Releases {
 public:
  Releases(const Steps& steps, const StatementBoundaries& boundaries, const std::vector<bool>& live,
           const std::vector<int>& given)
      : steps_(steps), boundaries_(boundaries), live_(live), given_(steps.all.size()) {
    for (const int send : given) given_[static_cast<std::size_t>(send)] = true;
    for (const Step& step : steps.all)
      if (step.kind == StepKind::birth && !steps.loops[static_cast<std::size_t>(step.node)].empty())
        scope_ = steps.loops[static_cast<std::size_t>(step.node)].back();
  }

  std::vector<int> find() {
    std::vector<int> innermost_first(function().statements.size());
    std::iota(innermost_first.begin(), innermost_first.end(), 0);
    std::stable_sort(innermost_first.begin(), innermost_first.end(),
                     [&](int one, int other) { return depth(one) > depth(other); });
    for (const int statement : innermost_first)
      if (is_in_scope(statement) && dies_in(statement) && is_held_after(statement) && is_worth(statement))
        found_.push_back(statement);
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  const flow::Function& function() const { return steps_.function(); }
  const flow::Statement& at(int statement) const {
    return function().statements[static_cast<std::size_t>(statement)];
  }
  int depth(int statement) const {
    int count = 0;
    while ((statement = at(statement).parent) >= 0) ++count;
    return count;
  }

  bool is_in_scope(int statement) const {
    const int declaration = steps_.candidate().statement;
    if (at(statement).ends_block || statement == declaration || !boundaries_.are_known(statement))
      return false;
    const int scope = declaration < 0 ? -1 : at(declaration).parent;
    return scope < 0 || (statement != scope && is_within(function(), statement, scope));
  }

  bool dies_in(int statement) const {
    const auto exits = boundaries_.exits(statement);
    const bool is_dead = std::none_of(exits.begin(), exits.end(), [&](const auto& edge) {
      return live_[static_cast<std::size_t>(edge.second)];
    });
    if (exits.empty() || !is_dead) return false;
    const auto& known = boundaries_.known(statement);
    for (std::size_t step = 0; step < known.size(); ++step)
      if (known[step] && steps_.is_reached[step] &&
          (live_[step] || steps_[static_cast<int>(step)].kind == StepKind::receive))
        return true;
    return false;
  }

  /// Returns true if a region may be held when the statement ends, in spite of the releases found so far.
  bool is_held_after(int statement) const {
    std::vector<std::pair<int, int>> released;
    for (const int other : found_)
      for (const auto& edge : boundaries_.exits(other)) released.push_back(edge);
    std::sort(released.begin(), released.end());
    std::vector<bool> held(steps_.all.size());  // after each step
    std::vector<int> work;
    for (std::size_t step = 0; step < held.size(); ++step) {
      const StepKind kind = steps_[static_cast<int>(step)].kind;
      if (kind == StepKind::pass || kind == StepKind::read || given_[step]) continue;
      held[step] = true;
      work.push_back(static_cast<int>(step));
    }
    while (!work.empty()) {
      const int step = work.back();
      work.pop_back();
      for (const int to : steps_.next[static_cast<std::size_t>(step)]) {
        const auto next = static_cast<std::size_t>(to);
        if (held[next] || given_[next] ||
            std::binary_search(released.begin(), released.end(), std::pair(step, to)))
          continue;
        held[next] = true;
        work.push_back(to);
      }
    }
    const auto exits = boundaries_.exits(statement);
    return std::any_of(exits.begin(), exits.end(), [&](const auto& edge) {
      return held[static_cast<std::size_t>(edge.first)] &&
             !std::binary_search(released.begin(), released.end(), edge);
    });
  }

  /// Returns true if a block, call or loop follows the statement before the value's end, so that a release
  /// pays.
  bool is_worth(int statement) const {
    const auto& known = boundaries_.known(statement);
    std::vector<bool> own_loops(function().loops.size());
    for (std::size_t step = 0; step < known.size(); ++step)
      if (known[step])
        for (const int loop : steps_.loops[static_cast<std::size_t>(steps_.all[step].node)])
          own_loops[static_cast<std::size_t>(loop)] = true;
    std::vector<int> work;
    std::vector<bool> seen(steps_.all.size());
    const auto go = [&](int from, int to) {
      if (seen[static_cast<std::size_t>(to)] || steps_[to].ends_value || leaves_scope(from, to)) return;
      seen[static_cast<std::size_t>(to)] = true;
      work.push_back(to);
    };
    for (const auto& [from, to] : boundaries_.exits(statement)) {
      if (does_work_after(steps_[from].node, statement)) return true;
      go(from, to);
    }
    while (!work.empty()) {
      const int step = work.back();
      work.pop_back();
      const int node = steps_[step].node;
      if (step == steps_.first[static_cast<std::size_t>(node)] &&
          (is_other_loop(node, own_loops) || does_work_after(node, -1)))
        return true;
      for (const int to : steps_.next[static_cast<std::size_t>(step)]) go(step, to);
    }
    return false;
  }

  /// Returns true if the node has a block or call, after the statement's end in the text; -1: anywhere in the
  /// node.
  bool does_work_after(int node, int statement) const {
    for (const flow::Event& event : function().nodes[static_cast<std::size_t>(node)].events) {
      if (event.kind != flow::EventKind::call && event.kind != flow::EventKind::block) continue;
      if (statement < 0) return true;
      const flow::Location& end = at(statement).at;
      if (end.source != nullptr && end.source == event.at.source && event.at.span.begin >= end.span.end)
        return true;
    }
    return false;
  }

  /// Returns true if the node is the header of a loop that is a statement and none of `own_loops`. (Other
  /// loops may be a block's own.)
  bool is_other_loop(int node, const std::vector<bool>& own_loops) const {
    const auto& loops = steps_.loops[static_cast<std::size_t>(node)];
    if (loops.empty() || own_loops[static_cast<std::size_t>(loops.back())]) return false;
    const flow::Loop& loop = function().loops[static_cast<std::size_t>(loops.back())];
    return loop.header == node && loop.statement >= 0;
  }

  /// Returns true if the edge leaves the innermost loop around the declaration, or goes back to its header.
  bool leaves_scope(int from, int to) const {
    if (scope_ < 0) return false;
    const int header = function().loops[static_cast<std::size_t>(scope_)].header;
    return !steps_.is_in_loop(steps_[to].node, scope_) ||
           (steps_[to].node == header && steps_[from].node != header);
  }

  const Steps& steps_;
  const StatementBoundaries& boundaries_;
  const std::vector<bool>& live_;
  std::vector<bool> given_;
  int scope_ = -1;  ///< the innermost loop around the declaration
  std::vector<int> found_;
};

}  // namespace

std::vector<bool> live_before(const Steps& steps) {
  std::vector<bool> live(steps.all.size());
  std::vector<int> work;
  for (std::size_t step = 0; step < live.size(); ++step)
    if (needs_value(steps, steps.all[step])) {
      live[step] = true;
      work.push_back(static_cast<int>(step));
    }
  while (!work.empty()) {
    const int step = work.back();
    work.pop_back();
    for (const int from : steps.previous[static_cast<std::size_t>(step)]) {
      if (live[static_cast<std::size_t>(from)] || steps[from].ends_value) continue;
      live[static_cast<std::size_t>(from)] = true;
      work.push_back(from);
    }
  }
  return live;
}

std::vector<int> dead_sends(const Steps& steps, const std::vector<bool>& live) {
  std::vector<int> found;
  for (std::size_t at = 0; at < steps.all.size(); ++at) {
    const int step = static_cast<int>(at);
    if (!steps.is_reached[at] || steps[step].kind != StepKind::send) continue;
    if (steps[step].access->is_replaced || !is_live_after(steps, step, live)) found.push_back(step);
  }
  return found;
}

std::vector<int> releases(const Steps& steps, const StatementBoundaries& boundaries,
                          const std::vector<bool>& live, const std::vector<int>& given) {
  return Releases(steps, boundaries, live, given).find();
}

}  // namespace kanor::analysis
