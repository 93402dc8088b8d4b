// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps.hpp"

#include <algorithm>
#include <set>

#include "analysis/loop_nests.hpp"
#include "analysis/paths.hpp"

namespace kanor::analysis {

Steps::Steps(const flow::Function& function, const flow::Candidate& candidate, const Calls& calls)
    : loops(flow::loops_around(function)), function_(&function), candidate_(&candidate) {
  const auto nests = overwriting_loop_nests(function, candidate, loops);
  for (std::size_t node = 0; node < function.nodes.size(); ++node) {
    const int index = static_cast<int>(node);
    first.push_back(add(StepKind::pass, index, nullptr, false));
    add_accesses(index, calls);
    if (function.nodes[node].successors.size() > 1) add(StepKind::pass, index, nullptr, false);
    last.push_back(static_cast<int>(all.size()) - 1);
  }
  for (std::size_t node = 0; node < function.nodes.size(); ++node)
    for (std::size_t at = 0; at < nests[node].size(); ++at)
      for (std::size_t step = 0; step < all.size(); ++step)
        if (all[step].access == &function.nodes[node].accesses[at]) loop_nest[step] = nests[node][at];
  connect();
}

int Steps::add(StepKind kind, int node, const flow::Access* access, bool ends_value) {
  all.push_back({kind, node, access, ends_value});
  next.emplace_back();
  loop_nest.push_back(-1);
  return static_cast<int>(all.size()) - 1;
}

void Steps::add_accesses(int node, const Calls& calls) {
  for (const flow::Access& access : function_->nodes[static_cast<std::size_t>(node)].accesses) {
    if (access.variable != candidate_->variable) continue;
    const auto step = [&](StepKind kind, bool ends_value = false) { add(kind, node, &access, ends_value); };
    switch (access.kind) {
      case flow::AccessKind::read:
        step(StepKind::read);
        break;
      case flow::AccessKind::write:
      case flow::AccessKind::overwrite: {
        const bool is_all = access.kind == flow::AccessKind::overwrite;
        if (access.statement >= 0 && access.statement == candidate_->statement)
          step(StepKind::birth, true);
        else
          step(is_all ? StepKind::renewal : StepKind::write, is_all);
        break;
      }
      case flow::AccessKind::send:
        step(StepKind::send);
        break;
      case flow::AccessKind::receive:
        step(StepKind::receive, access.by_all_ranks);
        break;
      case flow::AccessKind::call: {
        const Summary summary = calls.of(access);
        if (summary.keeps) escapes.push_back(&access);
        // What is handed to a function must be there, even if the function leaves it alone.
        if (summary.reads || !summary.writes) step(StepKind::read);
        if (summary.writes) step(StepKind::write);
        break;
      }
      case flow::AccessKind::escape:
        escapes.push_back(&access);
        break;
    }
  }
}

void Steps::connect() {
  std::set<int> renewed;  // loops
  for (const int loop : loop_nest)
    if (loop >= 0) renewed.insert(loop);
  for (std::size_t node = 0; node < function_->nodes.size(); ++node) {
    for (int step = first[node]; step < last[node]; ++step)
      next[static_cast<std::size_t>(step)].push_back(step + 1);
    for (const int to : function_->nodes[node].successors) {
      int target = first[static_cast<std::size_t>(to)];
      for (const int loop : renewed)
        if (function_->loops[static_cast<std::size_t>(loop)].header == to &&
            !is_in_loop(static_cast<int>(node), loop)) {
          const int renewal = add(StepKind::renewal, static_cast<int>(node), nullptr, true);
          loop_nest[static_cast<std::size_t>(renewal)] = loop;
          next[static_cast<std::size_t>(renewal)].push_back(target);
          target = renewal;
        }
      next[static_cast<std::size_t>(last[node])].push_back(target);
    }
  }
  previous = flow::reversed(next);
  const int entry = first[static_cast<std::size_t>(function_->entry)];
  is_reached = reached_from(next, {entry}, [](int) { return true; });
  is_reached[static_cast<std::size_t>(entry)] = true;
}

int Steps::statement(int step) const {
  const Step& one = (*this)[step];
  if (one.access != nullptr) return one.access->statement;
  const int loop = loop_nest[static_cast<std::size_t>(step)];
  return loop >= 0 ? function_->loops[static_cast<std::size_t>(loop)].statement : -1;
}

bool Steps::is_in_loop(int node, int loop) const {
  const auto& around = loops[static_cast<std::size_t>(node)];
  return std::find(around.begin(), around.end(), loop) != around.end();
}

bool is_within(const flow::Function& function, int inner, int outer) {
  while (inner >= 0 && inner != outer) inner = function.statements[static_cast<std::size_t>(inner)].parent;
  return inner == outer && outer >= 0;
}

}  // namespace kanor::analysis
