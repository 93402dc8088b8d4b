// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/locking_set.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/paths.hpp"

namespace kanor::analysis {
namespace {

bool communicates(const Step& step) { return step.kind == StepKind::send || step.kind == StepKind::receive; }

/// The steps of the locking set.
class Locking {
 public:
  explicit Locking(const Steps& steps) : steps_(steps), locked_(steps.all.size()) {}

  std::vector<bool> find() {
    for (std::size_t at = 0; at < locked_.size(); ++at) {
      const int write = static_cast<int>(at);
      if (!gives_value(write)) continue;
      std::map<std::pair<int, flow::Distance>, std::vector<int>> reads;
      for (std::size_t read = 0; read < locked_.size(); ++read)
        if (takes_value(static_cast<int>(read)))
          for (const auto& dependence : between(write, static_cast<int>(read)))
            reads[{dependence.level, dependence.distance}].push_back(static_cast<int>(read));
      for (const auto& [dependence, dependent] : reads)
        add({dependence.first, dependence.second}, write, dependent);
    }
    return std::move(locked_);
  }

 private:
  bool gives_value(int step) const {
    const Step& one = steps_[step];
    if (one.access == nullptr || !steps_.is_reached[static_cast<std::size_t>(step)]) return false;
    return one.kind == StepKind::write || one.kind == StepKind::renewal ||
           (one.kind == StepKind::birth && steps_.candidate().is_initialised);
  }
  bool takes_value(int step) const {
    const StepKind kind = steps_[step].kind;
    return kind == StepKind::read || kind == StepKind::send;
  }

  std::vector<flow::Dependence> between(int write, int read) const {
    return flow::dependences(steps_.function(), *steps_[write].access, loops(write), *steps_[read].access,
                             loops(read));
  }
  const std::vector<int>& loops(int step) const {
    return steps_.loops[static_cast<std::size_t>(steps_[step].node)];
  }
  int head(int loop) const {
    const int node = steps_.function().loops[static_cast<std::size_t>(loop)].header;
    return steps_.first[static_cast<std::size_t>(node)];
  }

  /// The edges for which `keeps` is true, without those into steps that end the written value.
  template <typename Keeps>
  flow::Edges edges(int write, const Keeps& keeps) const {
    flow::Edges kept(steps_.all.size());
    for (std::size_t from = 0; from < kept.size(); ++from) {
      if (steps_.all[from].ends_value && static_cast<int>(from) != write) continue;
      for (const int to : steps_.next[from])
        if (!steps_[to].ends_value && keeps(static_cast<int>(from), to)) kept[from].push_back(to);
    }
    return kept;
  }

  /// Adds the steps on paths from the write to the reads, which all have this dependence on it.
  void add(const flow::Dependence& dependence, int write, const std::vector<int>& reads) {
    const auto& around = loops(write);
    if (dependence.distance == flow::Distance::zero) {
      std::vector<int> heads;
      for (int level = 0; level < dependence.level; ++level)
        heads.push_back(head(around[static_cast<std::size_t>(level)]));
      return lock(paths(edges(write,
                              [&](int from, int to) {
                                const auto closed = std::find(heads.begin(), heads.end(), to);
                                if (closed == heads.end()) return true;
                                const auto level = static_cast<std::size_t>(closed - heads.begin());
                                return !steps_.is_in_loop(steps_[from].node, around[level]);
                              }),
                        write, reads));
    }
    const int loop = around[static_cast<std::size_t>(dependence.level - 1)], h = head(loop);
    const auto is_inside = [&](int from, int to) {
      return steps_.is_in_loop(steps_[from].node, loop) && steps_.is_in_loop(steps_[to].node, loop);
    };
    if (dependence.distance == flow::Distance::more)
      return lock(paths(edges(write, is_inside), write, reads));
    const auto to_head =
        paths(edges(write, [&](int from, int to) { return is_inside(from, to) && from != h; }), write, h);
    const auto from_head =
        paths(edges(write, [&](int from, int to) { return is_inside(from, to) && to != h; }), h, reads);
    if (to_head.empty() || from_head.empty()) return;
    lock(to_head);
    lock(from_head);
  }

  void lock(const std::vector<int>& steps) {
    for (const int step : steps) locked_[static_cast<std::size_t>(step)] = true;
  }

  const Steps& steps_;
  std::vector<bool> locked_;
};

/// The function's nodes, each split into parts after its sends and receives.
class Parts {
 public:
  Parts(const Steps& steps, const std::vector<bool>& locked) : steps_(steps) {
    const std::size_t nodes = steps.first.size();
    std::vector<int> first_part, last_part;
    for (std::size_t node = 0; node < nodes; ++node) {
      first_part.push_back(static_cast<int>(all_.size()));
      for (int step = steps.first[node]; step <= steps.last[node]; ++step) {
        const bool after_communication = step > steps.first[node] && communicates(steps[step - 1]);
        if (step == steps.first[node] ||
            (after_communication && steps[step].kind != StepKind::pass && !communicates(steps[step])))
          all_.push_back({static_cast<int>(node), false, false});
        if (locked[static_cast<std::size_t>(step)]) all_.back().is_locked = true;
        if (steps[step].kind != StepKind::pass) all_.back().ends_exclusive = communicates(steps[step]);
      }
      last_part.push_back(static_cast<int>(all_.size()) - 1);
    }
    next_.resize(all_.size());
    for (std::size_t node = 0; node < nodes; ++node) {
      for (int part = first_part[node]; part < last_part[node]; ++part)
        next_[static_cast<std::size_t>(part)].push_back(part + 1);
      for (const int to : steps.function().nodes[node].successors)
        next_[static_cast<std::size_t>(last_part[node])].push_back(first_part[static_cast<std::size_t>(to)]);
    }
  }

  LockingSet sets() const {
    LockingSet found;
    std::set<int> nodes;
    for (const Part& part : all_)
      if (part.is_locked) nodes.insert(part.node);
    found.nodes.assign(nodes.begin(), nodes.end());
    std::vector<int> component(all_.size(), -1);
    int count = 0;
    for (std::size_t part = 0; part < all_.size(); ++part)
      if (all_[part].is_locked && component[part] < 0) fill(component, static_cast<int>(part), count++);
    for (int index = 0; index < count; ++index) found.components.push_back(describe(component, index));
    return found;
  }

 private:
  struct Part {
    int node;
    bool is_locked, ends_exclusive;
  };

  bool connects(int from, int to) const {
    const Part& one = all_[static_cast<std::size_t>(from)];
    return one.is_locked && !one.ends_exclusive && all_[static_cast<std::size_t>(to)].is_locked;
  }

  void fill(std::vector<int>& component, int start, int index) const {
    std::vector<int> work{start};
    component[static_cast<std::size_t>(start)] = index;
    while (!work.empty()) {
      const int part = work.back();
      work.pop_back();
      for (std::size_t other = 0; other < all_.size(); ++other) {
        if (component[other] >= 0) continue;
        const auto leads = [&](int from, int to) {
          const auto& next = next_[static_cast<std::size_t>(from)];
          return connects(from, to) && std::find(next.begin(), next.end(), to) != next.end();
        };
        if (!leads(part, static_cast<int>(other)) && !leads(static_cast<int>(other), part)) continue;
        component[other] = index;
        work.push_back(static_cast<int>(other));
      }
    }
  }

  Component describe(const std::vector<int>& component, int index) const {
    std::set<int> nodes;
    std::set<std::pair<int, int>> entries, exits;
    for (std::size_t from = 0; from < all_.size(); ++from) {
      if (component[from] == index) nodes.insert(all_[from].node);
      for (const int to : next_[from]) {
        const bool starts_inside = component[from] == index,
                   ends_inside = component[static_cast<std::size_t>(to)] == index;
        const std::pair edge(all_[from].node, all_[static_cast<std::size_t>(to)].node);
        if (ends_inside && (!starts_inside || all_[from].ends_exclusive)) entries.insert(edge);
        if (starts_inside && (!ends_inside || all_[from].ends_exclusive)) exits.insert(edge);
      }
    }
    Component found;
    found.nodes.assign(nodes.begin(), nodes.end());
    found.entries.assign(entries.begin(), entries.end());
    found.exits.assign(exits.begin(), exits.end());
    return found;
  }

  const Steps& steps_;
  std::vector<Part> all_;
  flow::Edges next_;
};

}  // namespace

LockingSet locking_set(const Steps& steps) { return Parts(steps, Locking(steps).find()).sets(); }

}  // namespace kanor::analysis
