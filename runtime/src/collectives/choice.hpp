// Which way a collective statement goes.
#pragma once

#include <cstddef>

#include "plan/collective_form.hpp"

namespace kanor::rt::collectives {

enum class Way : unsigned char {
  direct,  ///< a message from each sender to each receiver
  steps,   ///< the collective operation of that name
  shared   ///< of a broadcast: all read the root's message
};

/// What is fastest for values of `bytes` bytes in a team of `size`. A table, of what was measured: all
/// members get the same answer.
Way choose(plan::Collective kind, int size, std::size_t bytes, bool all_share_memory);

}  // namespace kanor::rt::collectives
