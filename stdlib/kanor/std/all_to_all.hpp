// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One value from each member to each member.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/detail/expect.hpp>

#include <cstddef>
#include <vector>

namespace kanor {

/// Element j of rank i's vector becomes element i of rank j's result. Executes one block of the
/// team, so all members must call it. Throws std::invalid_argument on a member whose vector does not
/// have one element for each member. `T` may be any type that travels; vectors may differ in length.
template <class T>
std::vector<T> all_to_all(const std::vector<T>& values, const team& members = world,
                          call_site where = call_site::current()) {
  const detail::call call("kanor::all_to_all", where);
  detail::expect_one_for_each(call, values.size(), members);
  std::vector<T> result(values.size());
  @communicate (team = members) {
    result[static_cast<std::size_t>(i)]@j <<= values[static_cast<std::size_t>(j)]@i
        where i in members, j in members
  }
  return result;
}

}  // namespace kanor
