// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank's value for everybody.
#pragma once

#include <kanor/kanor.hpp>

namespace kanor {

/// Gives every member of the team what `value` is on its rank `root`; a block of that team, so all members call
/// it, with the same root. A vector takes the root's length. `T` is any type that travels.
template <class T>
void broadcast(T& value, [[kanor::uniform]] int root, const team& members = world) {
  @communicate (team = members) { value@i <<= value@root where i in members }
}

}  // namespace kanor
