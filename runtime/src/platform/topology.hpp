// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine's NUMA nodes, with the cores of each.
#pragma once

#include <vector>

namespace kanor::rt {

/// Numbers of processors (hardware threads), as the system counts them; ascending.
using Processors = std::vector<int>;

/// A NUMA node: processors that are equally near to a part of the main memory.
struct NumaNode {
  int cores = 0;          ///< those with a processor that may be used
  Processors processors;  ///< those that may be used
};

/// NUMA nodes with processors that may be used, in hwloc's order: near ones side by side.
using Topology = std::vector<NumaNode>;

/// The machine's topology as this process may use it; empty where it has one node, or nobody can say.
Topology this_machine();

}  // namespace kanor::rt
