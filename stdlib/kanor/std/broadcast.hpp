// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A broadcast.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

namespace kanor {

/// Assigns `value` of rank `root` of the team to `value` of every member. Executes one block of the
/// team, so all members must call it, with the same root. A vector takes the root's length. `T` may
/// be any type that travels.
template <class T>
void broadcast(T& value, [[kanor::uniform]] int root, const team& members = world,
               call_site where = call_site::current()) {
  const detail::call call("kanor::broadcast", where);
  @communicate (team = members) { value@i <<= value@root where i in members }
}

}  // namespace kanor
