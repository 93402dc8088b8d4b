// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves runs of elements to other places of the sequence that is distributed over the members of a team.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/block_range.hpp>
#include <kanor/std/detail/call.hpp>
#include <kanor/std/gather.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kanor::detail {

/// Elements that lie behind each other in a member's vector, and where the first of them goes. All members
/// have the same runs.
struct run {
  [[kanor::uniform]] long position = 0;
  [[kanor::uniform]] long size = 0;
};

/// The positions at which the vectors of the members begin, if all are joined in the order of ranks, and
/// behind these the number of all elements. Executes one block.
template <class T>
std::vector<long> starts_of(const std::vector<T>& values, const team& members) {
  std::vector<long> starts{0};
  for (const long size : all_gather(static_cast<long>(values.size()), members))
    starts.push_back(starts.back() + size);
  return starts;
}

/// The same. Throws std::invalid_argument from `call` if members have different `by`, by which it moves
/// the elements.
template <class T>
std::vector<long> starts_of(const std::vector<T>& values, long by, const call& call, const team& members) {
  std::vector<long> starts{0};
  for (const auto& [size, other] : all_gather(std::array<long, 2>{static_cast<long>(values.size()), by}, members)) {
    if (other != by)
      throw std::invalid_argument(call.text("a member moves the elements by " + std::to_string(other) +
                                            ", and this one by " + std::to_string(by)));
    starts.push_back(starts.back() + size);
  }
  return starts;
}

/// Those of block_range(count, rank).
inline std::vector<long> even_starts(long count, const team& members) {
  std::vector<long> starts{0};
  for (int rank = 0; rank < members.size(); ++rank) starts.push_back(block_range(count, rank, members).end);
  return starts;
}

/// One run for each member: its whole vector, which goes to position(rank). `starts` are those of the
/// vectors.
template <class Position>
std::vector<std::vector<run>> whole_runs(const std::vector<long>& starts, Position position) {
  std::vector<std::vector<run>> runs;
  for (std::size_t rank = 0; rank + 1 < starts.size(); ++rank)
    runs.push_back({{position(rank), starts[rank + 1] - starts[rank]}});
  return runs;
}

/// Puts the elements where they belong. runs[i] are the runs that the vector of rank i consists of,
/// equally many for each rank; `starts` are those of the vectors when the call ends, each of which has
/// that size in `placed`. Elements that no run goes to keep their values; what goes outside of the
/// sequence is lost. `runs` and `starts` are the same on all members. Executes one block, in which each
/// element is sent once, at most.
template <class T>
void place_runs(std::vector<T>& values, std::vector<T> placed,
                [[kanor::uniform]] const std::vector<std::vector<run>>& runs,
                [[kanor::uniform]] const std::vector<long>& starts, const team& members) {
  const std::size_t count = runs.front().size();
  std::vector<long> offsets(count, 0);
  const auto own = static_cast<std::size_t>(members.rank());
  for (std::size_t k = 1; k < count; ++k) offsets[k] = offsets[k - 1] + runs[own][k - 1].size;
  const auto run_of = [&](int rank, std::size_t k) { return runs[static_cast<std::size_t>(rank)][k]; };
  const auto start_of = [&](int rank) { return starts[static_cast<std::size_t>(rank)]; };
  @communicate (team = members) {
    placed[first - start_of(j) : last - first]@j <<= values[offsets[k] + first - from.position : last - first]@i
        where i in members, j in members, k in range(0, count), let from = run_of(i, k),
              let first = std::max(from.position, start_of(j)),
              let last = std::min(from.position + from.size, start_of(j + 1)), first < last
  }
  values = std::move(placed);
}

}  // namespace kanor::detail
