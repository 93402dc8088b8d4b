// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest and the largest of all members' values, and whose it is.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <functional>

namespace kanor {

/// A value, and the rank of the team that has it.
template <class T>
struct located {
  T value{};
  int rank = 0;
  friend bool operator==(const located&, const located&) = default;
};

/// The smallest of all members' values and its rank, on every member. Of equivalent values, that of
/// the lowest rank. Executes one block of the team, so all members must call it.
template <class T, class Compare = std::less<>>
located<T> min_loc(const T& value, Compare less = {}, const team& members = world,
                   call_site where = call_site::current()) {
  const detail::call call("kanor::min_loc", where);
  const auto smaller = [&less](const located<T>& a, const located<T>& b) { return less(b.value, a.value) ? b : a; };
  const located<T> mine{value, members.rank()};
  located<T> result;
  @communicate (team = members) { result@i << smaller << mine@j where i in members, j in members }
  return result;
}

/// The largest of all members' values and its rank, on every member. Of equivalent values, that of
/// the lowest rank. Executes one block of the team, so all members must call it.
template <class T, class Compare = std::less<>>
located<T> max_loc(const T& value, Compare less = {}, const team& members = world,
                   call_site where = call_site::current()) {
  const detail::call call("kanor::max_loc", where);
  const auto greater = [&less](const T& a, const T& b) { return less(b, a); };
  return min_loc(value, greater, members);
}

}  // namespace kanor
