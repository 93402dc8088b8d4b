// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One value from each member.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <cstddef>
#include <vector>

namespace kanor {

/// Returns the values of all members in the order of their ranks, on rank `root` of the team, and
/// an empty vector on the others. Executes one block of the team, so all members must call it, with
/// the same root. `T` may be any type that travels; vectors may differ in length.
template <class T>
std::vector<T> gather(const T& value, [[kanor::uniform]] int root, const team& members = world,
                      call_site where = call_site::current()) {
  const detail::call call("kanor::gather", where);
  std::vector<T> all(members.rank() == root ? static_cast<std::size_t>(members.size()) : 0);
  @communicate (team = members) { all[static_cast<std::size_t>(i)]@root <<= value@i where i in members }
  return all;
}

/// The same, on every member.
template <class T>
std::vector<T> all_gather(const T& value, const team& members = world,
                          call_site where = call_site::current()) {
  const detail::call call("kanor::all_gather", where);
  std::vector<T> all(static_cast<std::size_t>(members.size()));
  @communicate (team = members) {
    all[static_cast<std::size_t>(i)]@j <<= value@i where i in members, j in members
  }
  return all;
}

}  // namespace kanor
