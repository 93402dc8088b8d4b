// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Concatenation of all members' vectors, which may differ in length.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <cstddef>
#include <iterator>
#include <vector>

namespace kanor {

namespace detail {

/// The elements of all parts, which are moved.
template <class T>
std::vector<T> joined(std::vector<std::vector<T>>& parts) {
  std::size_t count = 0;
  for (const std::vector<T>& part : parts) count += part.size();
  std::vector<T> all;
  all.reserve(count);
  for (std::vector<T>& part : parts)
    all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  return all;
}

}  // namespace detail

/// Returns the concatenated vectors of all members, in the order of their ranks, on rank `root` of
/// the team, and an empty vector on the others. Executes one block of the team, so all members must
/// call it, with the same root.
template <class T>
std::vector<T> gather_vectors(const std::vector<T>& mine, [[kanor::uniform]] int root,
                              const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::gather_vectors", where);
  std::vector<std::vector<T>> parts(members.rank() == root ? static_cast<unsigned>(members.size()) : 0);
  @communicate (team = members) { parts[static_cast<unsigned>(i)]@root <<= mine@i where i in members }
  return detail::joined(parts);
}

/// The same, on every member.
template <class T>
std::vector<T> all_gather_vectors(const std::vector<T>& mine, const team& members = world,
                                  call_site where = call_site::current()) {
  const detail::call call("kanor::all_gather_vectors", where);
  std::vector<std::vector<T>> parts(static_cast<unsigned>(members.size()));
  @communicate (team = members) { parts[static_cast<unsigned>(i)]@j <<= mine@i where i in members, j in members }
  return detail::joined(parts);
}

}  // namespace kanor
