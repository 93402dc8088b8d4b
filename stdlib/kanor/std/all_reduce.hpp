// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One value out of everybody's, for everybody.
#pragma once

#include <kanor/kanor.hpp>

namespace kanor {

/// Folds the values of all members in the order of their ranks and returns the result, the same bits on each; a
/// block of that team, so all members call it. `operation(a, b)` must be associative and need not commute. Arrays
/// and vectors fold element by element, unless the operation takes two whole ones.
template <class T, class Operation>
T all_reduce(const T& value, Operation operation, const team& members = world) {
  T result = value;
  @communicate (team = members) { result@i << operation << value@j where i in members, j in members }
  return result;
}

/// The sum of all members' values.
template <class T>
T all_sum(const T& value, const team& members = world) {
  T result = value;
  @communicate (team = members) { result@i << + << value@j where i in members, j in members }
  return result;
}

/// The largest of all members' values; of equal ones that of the lowest rank.
template <class T>
T all_max(const T& value, const team& members = world) {
  T result = value;
  @communicate (team = members) { result@i << max << value@j where i in members, j in members }
  return result;
}

}  // namespace kanor
