// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rank runs on which NUMA node.
#pragma once

#include "platform/topology.hpp"

namespace kanor::rt {

/// The processors on which each of `ranks` ranks may run: those of one node, or, where there are fewer ranks
/// than nodes, of several that lie side by side. Empty where that is no restriction: with one node, or none
/// that is known. Pure.
///
///     cores    0 1 2 3 | 4 5 6 7        two nodes
///     ranks    0   1   | 2   3          a rank has an equal share of all cores, in their order, and runs on
///                                       the node that has most of it
///
/// So ranks whose numbers are neighbours are near each other, no node has two ranks a core before all have
/// one (hardware threads of a core count as one), and what a rank touches first, its pool's memory and its
/// stack, lies on the node where it runs. Within a node the system places it: it sees what else runs there,
/// and threads that the rank starts have all of the node.
std::vector<Processors> place_ranks(const Topology& nodes, int ranks);

/// The number of a rank's place among the different places: the first place's is 0, the next one's 1, and so
/// on. 0 where there are no places.
int number_of_place(const std::vector<Processors>& places, int rank);

}  // namespace kanor::rt
