// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A condition of each member, and what all members know of them.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

namespace kanor {

/// Whether the condition is true on all members. Every member gets the answer. Executes one block of
/// the team, so all members must call it.
inline bool all_of(bool condition, const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::all_of", where);
  bool result = false;
  @communicate (team = members) { result@i << && << condition@j where i in members, j in members }
  return result;
}

/// Whether the condition is true on at least one member. Otherwise as all_of().
inline bool any_of(bool condition, const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::any_of", where);
  bool result = false;
  @communicate (team = members) { result@i << || << condition@j where i in members, j in members }
  return result;
}

/// Whether the condition is true on no member. Otherwise as all_of().
inline bool none_of(bool condition, const team& members = world, call_site where = call_site::current()) {
  return !any_of(condition, members, where);
}

/// The number of members on which the condition is true. Otherwise as all_of().
inline int count(bool condition, const team& members = world, call_site where = call_site::current()) {
  const detail::call call("kanor::count", where);
  int result = 0;
  @communicate (team = members) { result@i << + << int{condition}@j where i in members, j in members }
  return result;
}

}  // namespace kanor
