// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <string>
#include <utility>

#include "flow/flow_graph.hpp"

namespace kanor::analysis {

/// A function's effects, its callees' included, on the object behind one of its parameters.
struct Summary {
  bool reads = false;
  bool writes = false;  ///< some of it, or perhaps: a call never counts as overwriting all
  bool keeps = false;   ///< somebody may refer to it after the call
  std::string reason;   ///< why it may be kept

  bool operator==(const Summary&) const = default;
};

/// The summaries of all functions' parameters: the least fixed point, so that recursion has the effects of
/// every way through it.
class Calls {
 public:
  explicit Calls(const flow::FlowGraph& graph);

  /// The summary for an access of kind call. Functions that are not seen keep what they get.
  Summary of(const flow::Access& call) const;

 private:
  void merge(Summary& into, const flow::Access& access) const;

  std::map<std::pair<int, int>, Summary> summaries_;  ///< by function and parameter
};

}  // namespace kanor::analysis
