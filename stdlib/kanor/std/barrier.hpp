// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

namespace kanor {

/// Returns when all members have called it. Executes one block of the team. Blocks need no barrier:
/// it is for effects that blocks do not see, such as files, or for measuring time.
inline void barrier(const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::barrier", where);
  const bool here = true;
  bool all = false;
  @communicate (team = members) { all@i << && << here@j where i in members, j in members }
}

}  // namespace kanor
