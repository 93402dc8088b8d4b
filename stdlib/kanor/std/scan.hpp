// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans: each member gets the fold of the values of the ranks up to its own.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace kanor {

/// Returns on rank r of the team the values of ranks 0 to r, folded in this order. Executes one block
/// of the team, so all members must call it. `operation(a, b)` must be associative and need not be
/// commutative. Arrays and vectors are folded element by element, unless the operation accepts two
/// whole ones.
template <class T, class Operation>
T inclusive_scan(const T& value, Operation operation, const team& members = world,
                 call_site where = call_site::current()) {
  const detail::call call("kanor::inclusive_scan", where);
  T result{};
  @communicate (team = members) { result@i << operation << value@j where i in members, j in {0 ... i} }
  return result;
}

/// The same without the rank's own value, and with `initial` before the others: `initial` itself on
/// rank 0, and `operation(initial, fold of ranks 0 to r - 1)` on rank r. Each rank's own argument
/// `initial` counts.
template <class T, std::invocable<const T&, const T&> Operation>
T exclusive_scan(const T& value, std::type_identity_t<T> initial, Operation operation,
                 const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::exclusive_scan", where);
  T before{};
  @communicate (team = members) { before@i << operation << value@j where i in members, j in {0 ... i - 1} }
  if (members.rank() == 0) return initial;
  return operation(std::move(initial), std::move(before));
}

}  // namespace kanor
