// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a block that exchanges any place and value.
#pragma once

#include "exchange/test_job.hpp"

namespace kanor::rt {

/// `place@(i + 1) % n <<= value@i` for every rank i.
template <class Place, class Value>
void shift(const Place& place, const Value& value) {
  BLOCK;
  block.assign(SITE, [&](auto& bind) {
    for (const auto i : abi::each(world)) binding(bind, (i + 1) % world.size(), place, i, value, i);
  });
  block.run();
}

/// The rank from which shift() brings the value.
inline int left() { return (world.rank() + world.size() - 1) % world.size(); }

}  // namespace kanor::rt
