#pragma once
#include <kanor/kanor.hpp>

/// What the rank `distance` before this one has.
template <class T>
T from_before(const T& mine, int distance) {
  T theirs = mine;
  @communicate { theirs@(i + distance) % world.size() <<= mine@i where i in world }
  return theirs;
}

int once_around(int mine);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
