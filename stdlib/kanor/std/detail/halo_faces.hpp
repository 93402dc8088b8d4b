// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cells that ranks of a grid exchange at the faces, edges and corners of their fields.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

// Everything here has four dimensions, so that one block serves fields of one to four. In front of a
// field's dimensions come others of one cell, and in front of a grid's dimensions others of one rank.
//
// A direction is a number with one digit to base 3 for each dimension, the last digit for the last
// dimension: 0 stays, 1 goes to the next coordinate, and 2 to the one before.

namespace kanor::detail {

/// Where a field's faces are. All fields of an exchange have the same extents.
class halo_faces {
 public:
  /// Throws std::invalid_argument if the extents are too small.
  template <std::size_t D>
  halo_faces(const call& call, const std::array<long, D>& extents, long width) {
    static_assert(1 <= D && D <= 4, "a field has one to four dimensions");
    for (std::size_t d = 0; d < D; ++d) {
      if (width < 0 || extents[d] < 2 * width)
        throw std::invalid_argument(call.text("dimension " + std::to_string(d) + " has " +
                                              std::to_string(extents[d]) + " cells, too few for a width of " +
                                              std::to_string(width)));
      extents_[4 - D + d] = extents[d];
      widths_[4 - D + d] = width;
    }
    for (std::size_t d = 3; d > 0; --d) strides_[d - 1] = strides_[d] * extents_[d];
  }

  /// The cells that leave in a direction: the outermost cells except ghost cells.
  template <class T>
  shaped<T, 4> sent(T* field, int direction) const {
    return face(field, direction, [](long extent, long width, int step) {
      return step == 1 ? extent - 2 * width : width;
    });
  }
  /// The ghost cells that they fill at the neighbour.
  template <class T>
  shaped<T, 4> filled(T* field, int direction) const {
    return face(field, direction, [](long extent, long width, int step) {
      return step == 0 ? width : step == 1 ? 0 : extent - width;
    });
  }

 private:
  template <class T, class First>
  shaped<T, 4> face(T* field, int direction, First first) const {
    long long counts[4];
    for (std::size_t d = 4; d-- > 0; direction /= 3) {
      const int step = direction % 3;
      counts[d] = step == 0 ? extents_[d] - 2 * widths_[d] : widths_[d];
      field += strides_[d] * first(extents_[d], widths_[d], step);
    }
    return {field, counts, strides_};
  }

  long extents_[4] = {1, 1, 1, 1}, widths_[4] = {};
  long long strides_[4] = {1, 1, 1, 1};
};

/// The same ranks with four dimensions.
template <int D>
grid<4> halo_grid(const grid<D>& ranks) {
  std::array<int, 4> extents{1, 1, 1, 1};
  std::array<bool, 4> periodic{};
  for (int d = 0; d < D; ++d) {
    extents[static_cast<std::size_t>(4 - D + d)] = ranks.extent(d);
    periodic[static_cast<std::size_t>(4 - D + d)] = ranks.periodic(d);
  }
  return {ranks.team(), extents, periodic};
}

/// The directions in which a field of so many dimensions has neighbours, with or without diagonal ones.
inline std::vector<int> halo_directions(int dimensions, bool diagonal) {
  std::vector<int> directions;
  for (int d = 0, unit = 1; d < dimensions; ++d, unit *= 3) {
    const std::size_t before = diagonal ? directions.size() : 0;
    for (int step = 1; step <= 2; ++step) {
      directions.push_back(step * unit);
      for (std::size_t k = 0; k < before; ++k) directions.push_back(step * unit + directions[k]);
    }
  }
  return directions;
}

}  // namespace kanor::detail
