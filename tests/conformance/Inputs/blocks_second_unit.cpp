#include "blocks_quoted.hpp"

#include <deep/blocks_found.hpp>

int second_unit_ring(int mine) {
  int got = quoted::ring(mine);
  @communicate { got@i <<= got@i where i in world }
  return got;
}
std::vector<int> second_unit_gather(int mine) { return found::gather(mine); }
const void* second_unit_address_of_ring() { return reinterpret_cast<const void*>(quoted::address_of_ring()); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
