// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction whose result one member gets.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

namespace kanor {

/// Folds the values of all members in the order of their ranks. Returns the result on rank `root`
/// of the team, and `T{}` on the others. Executes one block of the team, so all members must call
/// it, with the same root. `operation(a, b)` must be associative and need not be commutative. Arrays
/// and vectors are folded element by element, unless the operation accepts two whole ones.
template <class T, class Operation>
T reduce(const T& value, Operation operation, [[kanor::uniform]] int root, const team& members = world,
         call_site where = call_site::current()) {
  const detail::call call("kanor::reduce", where);
  T result{};
  @communicate (team = members) { result@root << operation << value@j where j in members }
  return result;
}

}  // namespace kanor
