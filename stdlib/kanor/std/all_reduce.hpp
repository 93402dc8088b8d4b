// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions whose result all members get.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <type_traits>

namespace kanor {

namespace detail {

/// An object whose value is assigned later: a new one, or a copy if the type has no default constructor.
template <class T>
T receiving(const T& like) {
  if constexpr (std::is_default_constructible_v<T>)
    return T{};
  else
    return like;
}

}  // namespace detail

/// Folds the values of all members in the order of their ranks, and returns the result on every
/// member, with the same bits. Executes one block of the team, so all members must call it.
/// `operation(a, b)` must be associative and need not be commutative. Arrays and vectors are folded
/// element by element, unless the operation accepts two whole ones.
template <class T, class Operation>
T all_reduce(const T& value, Operation operation, const team& members = world,
             call_site where = call_site::current()) {
  const detail::call call("kanor::all_reduce", where);
  T result = detail::receiving(value);
  @communicate (team = members) { result@i << operation << value@j where i in members, j in members }
  return result;
}

/// The sum of all members' values.
template <class T>
T all_sum(const T& value, const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::all_sum", where);
  T result = detail::receiving(value);
  @communicate (team = members) { result@i << + << value@j where i in members, j in members }
  return result;
}

/// The largest of all members' values. If several are equal, that of the lowest rank.
template <class T>
T all_max(const T& value, const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::all_max", where);
  T result = detail::receiving(value);
  @communicate (team = members) { result@i << max << value@j where i in members, j in members }
  return result;
}

/// The smallest of all members' values. If several are equal, that of the lowest rank.
template <class T>
T all_min(const T& value, const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::all_min", where);
  T result = detail::receiving(value);
  @communicate (team = members) { result@i << min << value@j where i in members, j in members }
  return result;
}

}  // namespace kanor
