#pragma once

#include <deque>
#include <map>
#include <vector>

#include "flow/flow_graph.hpp"
#include "sema/agreement.hpp"

namespace kanor::sema {

/// A function with one pattern of arguments.
struct Instance {
  int function = 0;
  std::vector<Agreement> arrivals;  ///< of its parameters
  Agreement control;                ///< whether all ranks call it
  std::vector<Agreement> branches;  ///< conditions, by node
  std::vector<Agreement> departures, results;
};

/// The patterns in which functions are called, each once.
class Instances {
 public:
  explicit Instances(const flow::FlowGraph& graph) : graph_(graph) {}

  /// The instance for these arguments. If a function has too many, one that also stands for other arguments:
  /// `changed` becomes true if it is new, or worse than it was.
  int find(int function, const std::vector<Agreement>& arrivals, const Agreement& control, bool& changed);

  Instance& operator[](int at) { return all_[static_cast<std::size_t>(at)]; }
  int count() const { return static_cast<int>(all_.size()); }

 private:
  const flow::FlowGraph& graph_;
  std::deque<Instance> all_;  ///< references stay valid
  std::map<int, std::vector<int>> by_function_;
};

}  // namespace kanor::sema
