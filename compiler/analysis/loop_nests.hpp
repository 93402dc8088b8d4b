// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "flow/flow_graph.hpp"

namespace kanor::analysis {

/// For each write of a candidate (as node and place among its accesses): the outermost loop of a loop nest
/// by which the write overwrites every element, whatever else happens; -1 for other writes.
///
/// Such a nest starts at the outermost loop whose counter the subscripts use. Every iteration of each of its
/// loops comes to the write (which dominates the way back, as does the inner loop of the outer one's), no
/// loop is left but from its header, each is entered at least once, and nothing in the nest reads the
/// candidate, sends, receives or hands it to a function. The subscripts take each element's place: each
/// dimension's counts through all of its extent, in the manner of digits where it uses several counters
/// (`A[8 * i + j]`). No nest overwrites all of a vector, which has a length as well.
std::vector<std::vector<int>> overwriting_loop_nests(const flow::Function& function,
                                                     const flow::Candidate& candidate,
                                                     const std::vector<std::vector<int>>& loops_around);

}  // namespace kanor::analysis
