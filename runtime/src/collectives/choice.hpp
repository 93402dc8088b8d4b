// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which algorithm a collective statement takes.
#pragma once

#include <cstddef>

#include "plan/collective_form.hpp"

namespace kanor::rt::collectives {

enum class Algorithm : unsigned char {
  direct,  ///< a message from each sender to each receiver
  steps,   ///< the collective operation of that name
  star,    ///< for a broadcast: the same, with a message from the root to each
  slices   ///< for an all-reduce: each member makes a part of the result
};

/// How the ranks of a job are connected.
enum class Topology : unsigned char {
  memory,         ///< all share memory, and each has a core of its own
  scarce_memory,  ///< all share memory, but not enough cores: each step of an operation costs a change of
                  ///< ranks
  network
};

/// Returns the fastest algorithm for values of `bytes` bytes in a team of `size`, from a table: the same for
/// all members.
Algorithm choose(plan::Collective kind, int size, std::size_t bytes, Topology topology);

}  // namespace kanor::rt::collectives
