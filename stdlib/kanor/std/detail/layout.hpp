// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rank has which elements of an array that is distributed over a grid of ranks.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/block_range.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace kanor::detail {

/// The indices of one dimension, distributed over `parts` ranks: evenly in runs (`block` is 0), or in turn,
/// `block` at a time.
class axis {
 public:
  axis(long count = 0, long block = 0, int parts = 1)
      : count_(count), block_(std::min(block, std::max(count, 1L))), parts_(parts) {}

  long count() const { return count_; }
  /// How many indices a part has.
  long size(int part) const {
    if (block_ == 0) return block_range(count_, part, parts_).size();
    const long round = block_ * parts_;
    return count_ / round * block_ + std::clamp(count_ % round - part * block_, 0L, block_);
  }
  int owner(long index) const {
    return block_ == 0 ? block_owner(count_, index, parts_) : static_cast<int>(index / block_ % parts_);
  }
  /// The position in its part of an index that the part owns, and the index at a position.
  long position(int part, long index) const {
    if (block_ == 0) return index - block_range(count_, part, parts_).begin;
    return index / (block_ * parts_) * block_ + index % block_;
  }
  long index(int part, long position) const {
    if (block_ == 0) return block_range(count_, part, parts_).begin + position;
    return (position / block_ * parts_ + part) * block_ + position % block_;
  }

 private:
  long count_, block_;
  int parts_;
};

/// The indices of each dimension that a rank wants. It wants all elements with such coordinates.
template <std::size_t D>
using wanted_indices = std::array<std::vector<long>, D>;

template <std::size_t D>
class layout {
 public:
  layout(const std::array<axis, D>& axes, const grid<static_cast<int>(D)>& ranks) : axes_(axes), ranks_(ranks) {}

  const axis& along(std::size_t d) const { return axes_[d]; }
  const team& members() const { return ranks_.team(); }
  const grid<static_cast<int>(D)>& ranks() const { return ranks_; }

  int owner(const std::array<long, D>& index) const {
    int rank = 0;
    for (std::size_t d = 0; d < D; ++d) rank = rank * ranks_.extent(int(d)) + axes_[d].owner(index[d]);
    return rank;
  }
  /// How many elements a rank has.
  long size(int rank) const {
    long size = 1;
    const auto part = ranks_.coords(rank);
    for (std::size_t d = 0; d < D; ++d) size *= axes_[d].size(part[d]);
    return size;
  }
  /// The position of an element that the rank owns in its part, which is in row-major order.
  long position(int rank, const std::array<long, D>& index) const {
    long position = 0;
    const auto part = ranks_.coords(rank);
    for (std::size_t d = 0; d < D; ++d)
      position = position * axes_[d].size(part[d]) + axes_[d].position(part[d], index[d]);
    return position;
  }
  std::array<long, D> index(int rank, long position) const {
    std::array<long, D> index{};
    const auto part = ranks_.coords(rank);
    for (std::size_t d = D; d-- > 0;) {
      const long size = axes_[d].size(part[d]);
      index[d] = axes_[d].index(part[d], position % size);
      position /= size;
    }
    return index;
  }
  wanted_indices<D> indices(int rank) const {
    wanted_indices<D> all;
    const auto part = ranks_.coords(rank);
    for (std::size_t d = 0; d < D; ++d)
      for (long at = 0; at < axes_[d].size(part[d]); ++at) all[d].push_back(axes_[d].index(part[d], at));
    return all;
  }

  /// The wanted elements that the rank owns, in the order in which they are wanted: first their positions in
  /// the rank's part, second those among all that are wanted. Both are in row-major order.
  std::pair<std::vector<long>, std::vector<long>> owned(int rank, const wanted_indices<D>& wanted) const {
    std::pair<std::vector<long>, std::vector<long>> found{{0}, {0}};
    const auto part = ranks_.coords(rank);
    for (std::size_t d = 0; d < D; ++d) {
      std::pair<std::vector<long>, std::vector<long>> longer;
      const long size = axes_[d].size(part[d]), count = static_cast<long>(wanted[d].size());
      for (std::size_t k = 0; k < found.first.size(); ++k)
        for (long at = 0; at < count; ++at) {
          const long index = wanted[d][static_cast<std::size_t>(at)];
          if (axes_[d].owner(index) != part[d]) continue;
          longer.first.push_back(found.first[k] * size + axes_[d].position(part[d], index));
          longer.second.push_back(found.second[k] * count + at);
        }
      found = std::move(longer);
    }
    return found;
  }

 private:
  std::array<axis, D> axes_;
  [[kanor::uniform]] grid<static_cast<int>(D)> ranks_;
};

/// Fetches the elements that each rank wants; `wanted(rank)` is known to all members. `part` has this rank's
/// elements. Executes one block, in which each element that another rank wants is sent to it.
template <class T, std::size_t D, class Wanted>
std::vector<T> fetch(const layout<D>& from, const std::vector<T>& part, Wanted wanted) {
  const team& members = from.members();
  const int me = members.rank();
  const auto mine = wanted(me);
  std::size_t count = 1;
  for (const auto& indices : mine) count *= indices.size();
  std::vector<T> result(count);
  std::vector<std::vector<long>> positions, places;
  for (int rank = 0; rank < members.size(); ++rank) {
    positions.push_back(from.owned(me, wanted(rank)).first);
    places.push_back(from.owned(rank, mine).second);
  }
  const auto of = [](const std::vector<std::vector<long>>& lists, int rank) -> const std::vector<long>& {
    return lists[static_cast<std::size_t>(rank)];
  };
  @communicate (team = members) {
    result[of(places, owner)]@r <<= part[of(positions, r)]@owner where owner in members, r in members
  }
  return result;
}

}  // namespace kanor::detail
