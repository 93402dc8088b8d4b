// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scatter.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/detail/expect.hpp>

#include <cstddef>
#include <vector>

namespace kanor {

/// Returns element r of the root's vector on rank r of the team. The vectors of the other ranks are
/// ignored. Executes one block of the team, so all members must call it, with the same root. Throws
/// std::invalid_argument on the root unless its vector has one element for each member. `T` may be
/// any type that travels; vectors may differ in length.
template <class T>
T scatter(const std::vector<T>& values, [[kanor::uniform]] int root, const team& members = world,
          call_site where = call_site::current()) {
  const detail::call call("kanor::scatter", where);
  if (members.rank() == root) detail::expect_one_for_each(call, values.size(), members);
  T mine{};
  @communicate (team = members) { mine@i <<= values[static_cast<std::size_t>(i)]@root where i in members }
  return mine;
}

}  // namespace kanor
