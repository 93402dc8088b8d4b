#pragma once
// Found through -I; includes a neighbour by quotes and kanor's header not at all.
#include "minimum.hpp"
#include <vector>

namespace found {

template <class T>
std::vector<T> gather(const T& mine) {
  std::vector<T> all(kanor::world.size());
  @communicate { all[i]@j <<= mine@i where i, j in world }
  return all;
}

}  // namespace found

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
