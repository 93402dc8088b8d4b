// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "flow/flow_graph.hpp"

/// Dependence analysis: the elements that two accesses may share, and the number of iterations of each loop
/// between them.
///
/// Each dimension's subscripts, set equal, are one linear equation in the numbers of the iterations of the
/// loops around the two accesses (a counter is its first value plus the step times that number). A dependence
/// carried at a level needs a solution in which all loops further out are in the same iteration, and that
/// level's loop is in an earlier one at the first access than at the second. What is known of such equations
/// (Allen and Kennedy: Optimizing Compilers for Modern Architectures, 2001, chapter 3):
/// - without a loop's counter (ZIV) there is a solution if the constants are equal;
/// - with one loop's counter alone (SIV) the solutions can be written down, with their distances: there is a
///   single distance if both subscripts have the same coefficient (strong), and a range of them if not
///   (weak);
/// - with several (MIV) there is none if the coefficients' greatest common divisor does not divide the
///   constant (GCD test), or the constant is not between the least and the greatest value of the rest
///   (Banerjee's bounds, where numbers of iterations are constants); otherwise there may be one.
/// One dimension without a solution is enough; dimensions with different distances have none in common.
namespace kanor::flow {

enum class Distance {
  zero,  ///< the same iteration
  one,   ///< the next one
  more   ///< another one, perhaps the next, or not known
};

struct Dependence {
  int level = 0;  ///< of the loop that carries it, 1 = outermost; of distance zero: of the innermost loop
                  ///< around both accesses, 0 if there is none
  Distance distance = Distance::zero;

  bool operator==(const Dependence&) const = default;
};

/// The function's loops around each node, the outermost first; of those that it lists.
std::vector<std::vector<int>> loops_around(const Function& function);

/// How an element that `source` touches may be touched by `sink` afterwards: in one iteration of all loops
/// around both (whether the sink then comes after the source is for the caller to say), and at most once for
/// each such loop. `source_loops` and `sink_loops` are what loops_around() gives for their nodes. Of
/// subscripts that are not known, or use a counter outside of its loop, every element is meant.
std::vector<Dependence> dependences(const Function& function, const Access& source,
                                    const std::vector<int>& source_loops, const Access& sink,
                                    const std::vector<int>& sink_loops);

}  // namespace kanor::flow
