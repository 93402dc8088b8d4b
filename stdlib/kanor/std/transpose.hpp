// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes of matrices and arrays that are distributed along their first dimension.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/block_range.hpp>
#include <kanor/std/detail/call.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kanor {
namespace detail {

/// The transpose of an array of four dimensions: dimension d of the result is dimension axes[d] of the array.
/// Both are in row-major order and distributed along their first dimension.
class transposition {
 public:
  using numbers = std::array<std::size_t, 4>;

  transposition(const std::array<long, 4>& extents, const numbers& axes, const team& members)
      : extents_(extents), axes_(axes), members_(members) {
    long long from = 1, to = 1;
    for (std::size_t d = 4; d-- > 0;) {
      from_strides_[d] = from;
      to_strides_[axes[d]] = to;
      from *= extents[d];
      to *= extents[axes[d]];
    }
  }

  /// The number of the result's elements on this rank.
  std::size_t size() const {
    long long size = 1;
    for (std::size_t d = 1; d < 4; ++d) size *= extents_[axes_[d]];
    return static_cast<std::size_t>(size * columns(members_.rank()).size());
  }
  /// The elements of this rank's array that belong to rank `to`, in the order of the array.
  template <class T>
  shaped<const T, 4> sent(const std::vector<T>& array, int to) const {
    const long long first = moves() ? from_strides_[axes_[0]] * columns(to).begin : 0;
    return part(array.data() + first, members_.rank(), to, from_strides_);
  }
  /// Where the elements of rank `from` belong in this rank's result, in the same order.
  template <class T>
  shaped<T, 4> placed(std::vector<T>& result, int from) const {
    const long long first = moves() ? to_strides_[0] * rows(from).begin : 0;
    return part(result.data() + first, from, members_.rank(), to_strides_);
  }

 private:
  /// Whether elements go to other ranks.
  bool moves() const { return axes_[0] != 0; }
  index_range rows(int rank) const { return block_range(extents_[0], rank, members_); }
  index_range columns(int rank) const { return block_range(extents_[axes_[0]], rank, members_); }

  template <class T>
  shaped<T, 4> part(T* first, int from, int to, const long long (&strides)[4]) const {
    long long counts[4];
    for (std::size_t d = 0; d < 4; ++d) counts[d] = extents_[d];
    counts[0] = moves() || from == to ? rows(from).size() : 0;
    if (moves()) counts[axes_[0]] = columns(to).size();
    return {first, counts, strides};
  }

  std::array<long, 4> extents_;
  numbers axes_;
  const team& members_;
  long long from_strides_[4], to_strides_[4];  // for each dimension of the array
};

/// Throws std::invalid_argument unless the axes are those of D dimensions, in any order, and this rank's part
/// of an array with these extents has so many elements.
template <std::size_t D>
void expect_transposable(const call& call, std::size_t elements, const long (&extents)[D], const int (&axes)[D],
                         const team& members) {
  long long part = 1;
  bool countable = true;
  std::string shape;
  std::array<bool, D> taken{};
  for (std::size_t d = 0; d < D; ++d) {
    const long here = d > 0 || extents[0] < 0 ? extents[d] : block_range(extents[0], members.rank(), members).size();
    countable = countable && extents[d] >= 0 && !__builtin_mul_overflow(part, here, &part);
    shape += (d == 0 ? "" : " x ") + std::to_string(extents[d]);
    if (axes[d] < 0 || std::size_t(axes[d]) >= D || std::exchange(taken[std::size_t(axes[d])], true))
      throw std::invalid_argument(call.text("axis " + std::to_string(axes[d]) + " is out of range, or occurs twice"));
  }
  if (!countable) throw std::invalid_argument(call.text("there is no array of " + shape + " elements"));
  if (std::cmp_not_equal(elements, part))
    throw std::invalid_argument(call.text("the vector has " + std::to_string(elements) + " elements, and this rank's " +
                                          "part of an array of " + shape + " has " + std::to_string(part)));
}

}  // namespace detail

/// Transposes an array of D dimensions (2 to 4) in row-major order: dimension d of the result is dimension
/// axes[d] of the array, as in `transpose(values, {nx, ny, nz}, {2, 0, 1})`. The array is distributed along
/// its first dimension: a rank has the indices block_range(extents[0], rank). Returns this rank's part
/// of the result, which is distributed along its own first dimension.
///
/// Executes one block of the team, so all members must call it, with the same extents and axes. Each element
/// is sent once, without packing. Throws std::invalid_argument if an axis is missing, or `values` is not
/// this rank's part. `T` must travel, and not be `bool`.
template <class T, std::size_t D>
requires(2 <= D && D <= 4 && !std::same_as<T, bool>)
std::vector<T> transpose(const std::vector<T>& values, [[kanor::uniform]] const long (&extents)[D],
                         [[kanor::uniform]] const int (&axes)[D], const team& members = world,
                         call_site where = call_site::current()) {
  const detail::call call("kanor::transpose", where);
  detail::expect_transposable(call, values.size(), extents, axes, members);
  std::array<long, 4> all{1, 1, 1, 1};
  detail::transposition::numbers order{0, 1, 2, 3};
  std::copy_n(extents, D, all.begin());
  std::copy_n(axes, D, order.begin());
  const detail::transposition how(all, order, members);
  std::vector<T> result(how.size());
  @communicate (team = members) {
    how.placed(result, i)[:][:][:][:]@j <<= how.sent(values, j)[:][:][:][:]@i where i in members, j in members
  }
  return result;
}

/// Transposes a matrix of `height` rows and `width` columns that is distributed by rows, in row-major order.
template <class T>
requires(!std::same_as<T, bool>)
std::vector<T> transpose(const std::vector<T>& rows, [[kanor::uniform]] long height, [[kanor::uniform]] long width,
                         const team& members = world, call_site where = call_site::current()) {
  return transpose(rows, {height, width}, {1, 0}, members, where);
}

}  // namespace kanor
