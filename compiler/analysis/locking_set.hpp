// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "analysis/sharing_decisions.hpp"
#include "analysis/steps.hpp"

namespace kanor::analysis {

struct LockingSet {
  std::vector<int> nodes;  ///< node numbers of the function, ascending
  std::vector<Component> components;
};

/// COMPUTE-LOCKING-SET: the nodes on a path from a local write of the candidate to a read of the written
/// value (sends read), both included, and its connected components.
///
/// As in the paper, a dependence of distance zero takes paths without the edges that close the loops around
/// both accesses; one carried by a loop takes paths inside that loop, of distance one those that come to its
/// head once. (As printed, PATHS(w, h) would go round the loop and answer all of it: paths end where they
/// come to h, and start from there.) The paths here also end where all of the candidate is overwritten: what
/// is read after that is another value.
///
/// A send is the end of exclusive use, a receive too, as another rank may hold the region from then on. So a
/// node is split after its sends and receives, components are not connected along edges out of such a part,
/// and an edge out of one back into its own component is both an exit and an entry. An edge (n, n) between
/// two parts of n is listed as such.
LockingSet locking_set(const Steps& steps);

}  // namespace kanor::analysis
