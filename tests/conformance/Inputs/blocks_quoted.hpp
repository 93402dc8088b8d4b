#pragma once
#include <kanor/kanor.hpp>

#include "blocks_nested.hpp"

namespace quoted {

inline int ring(int mine) {
  int got = -1;
  @communicate { got@(i + 1) % world.size() <<= identity(mine)@i where i in world }
  return got;
}
inline int (*address_of_ring())(int) { return &ring; }

}  // namespace quoted

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
