// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs about windows have in common.
#pragma once

#include <cstddef>

#include "check.hpp"

inline std::size_t at(long long index) { return static_cast<std::size_t>(index); }

/// A template that opens what it is given and lets each rank put its number at its own place on all others.
template <class Memory>
void announce(Memory& memory, const kanor::team& team, int mark) {
  kanor::window w(memory, team);
  using T = typename decltype(w)::value_type;
  for (const int to : team) w.put(to, team.rank(), static_cast<T>(mark + team.rank()));
  w.fence();
  for (int k = 0; k < team.size(); ++k) CHECK_EQ(memory.data()[k], static_cast<T>(mark + k));
}
