// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How elements are distributed over the members of a team as evenly as possible.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <stdexcept>
#include <string>

namespace kanor {

/// The indices from `begin` up to, but not including, `end`.
struct index_range {
  long begin = 0;
  long end = 0;

  long size() const { return end - begin; }
  bool contains(long index) const { return begin <= index && index < end; }
  friend bool operator==(const index_range&, const index_range&) = default;
};

/// The elements of part `part` of `parts`, if `count` elements are distributed as evenly as possible: part 0
/// has the first ones, part 1 those that follow, and so on. The range begins at count * part / parts, rounded
/// down. Throws std::invalid_argument if `count` is negative or there are no parts, and std::out_of_range if there
/// is no such part. Communicates nothing, so any rank may call it.
inline index_range block_range(long count, long part, int parts, call_site where = call_site::current()) {
  if (count < 0 || parts < 1)
    throw std::invalid_argument(detail::text_of_call(
        "kanor::block_range", where,
        std::to_string(count) + " elements in " + std::to_string(parts) + (parts == 1 ? " part" : " parts")));
  if (part < 0 || part >= parts)
    throw std::out_of_range(detail::text_of_call(
        "kanor::block_range", where, "there is no part " + std::to_string(part) + " of " + std::to_string(parts)));
  const long each = count / parts, rest = count % parts;
  return {each * part + rest * part / parts, each * (part + 1) + rest * (part + 1) / parts};
}

/// The elements of rank `rank` of the team, if each of its members has a part.
inline index_range block_range(long count, long rank, const team& members = world,
                               call_site where = call_site::current()) {
  return block_range(count, rank, members.size(), where);
}

/// The part whose block_range(count, part, parts) contains the index; `no_rank` if the index is negative, or
/// not less than `count`. Communicates nothing.
inline int block_owner(long count, long index, int parts) {
  if (index < 0 || index >= count) return no_rank;
  int first = 0, last = parts - 1;
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (index < block_range(count, middle, parts).end) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

/// The rank of the team that has the element with the index.
inline int block_owner(long count, long index, const team& members = world) {
  return block_owner(count, index, members.size());
}

}  // namespace kanor
