// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How elements are distributed over the members of a team as evenly as possible.
#pragma once

#include <kanor/kanor.hpp>

namespace kanor {

/// The indices from `begin` up to, but not including, `end`.
struct index_range {
  long begin = 0;
  long end = 0;

  long size() const { return end - begin; }
  bool contains(long index) const { return begin <= index && index < end; }
  friend bool operator==(const index_range&, const index_range&) = default;
};

/// The elements of rank `rank` of the team, if `count` elements are distributed as evenly as possible:
/// rank 0 has the first ones, rank 1 those that follow, and so on. The range begins at count * rank / size,
/// rounded down. `count` is not negative. Communicates nothing, so any rank may call it.
inline index_range block_range(long count, long rank, const team& members = world) {
  const long size = members.size(), each = count / size, rest = count % size;
  return {each * rank + rest * rank / size, each * (rank + 1) + rest * (rank + 1) / size};
}

/// The rank of the team whose block_range(count, rank) contains the index; `no_rank` if the index is
/// negative, or not less than `count`. Communicates nothing.
inline int block_owner(long count, long index, const team& members = world) {
  if (index < 0 || index >= count) return no_rank;
  int first = 0, last = members.size() - 1;
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (index < block_range(count, middle, members).end) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

}  // namespace kanor
