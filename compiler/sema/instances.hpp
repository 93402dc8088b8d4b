// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "flow/flow_graph.hpp"
#include "sema/agreement.hpp"

namespace kanor::sema {

/// Facts about an instance that come from its caller: the first one with this pattern of arguments.
struct Circumstances {
  int caller = -1;                 ///< its instance; -1 for a function that nobody is seen to call
  std::map<int, int> same_teams;   ///< by team variable: the world, or the variable that means the same team
  std::vector<int> unnamed_teams;  ///< the caller's teams that have no name in the function
  Origins origins;                 ///< in terms of the caller
};

/// A function with one pattern of arguments.
struct Instance {
  int function = 0;
  std::vector<Agreement> arrivals;  ///< of its parameters on entry
  Agreement control;                ///< on whether it is called at all
  Circumstances circumstances;
  std::vector<Agreement> branches;  ///< conditions, by node
  std::vector<Agreement> departures, results;
};

/// The instances of all functions, one for each pattern of arguments.
class Instances {
 public:
  explicit Instances(const flow::FlowGraph& graph) : graph_(graph) {}

  /// The instance for these arguments. If a function has too many, one that also stands for other arguments:
  /// `changed` becomes true if it is new, or worse than it was.
  int find(int function, const std::vector<Agreement>& arrivals, const Agreement& control,
           Circumstances circumstances, bool& changed);

  Instance& operator[](int at) { return all_[static_cast<std::size_t>(at)]; }
  int count() const { return static_cast<int>(all_.size()); }

 private:
  const flow::FlowGraph& graph_;
  std::deque<Instance> all_;  ///< references stay valid
  std::map<int, std::vector<int>> by_function_;
};

}  // namespace kanor::sema
