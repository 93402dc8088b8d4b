#pragma once
// Arrays in row-major order, whose elements follow from a number, so that every rank knows what all others have.
#include "values.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <numeric>

namespace arrays {

using Index = std::array<long, 4>;
using Ranks = std::array<int, 4>;

inline std::size_t at(long index) { return static_cast<std::size_t>(index); }

/// What is at this place in the array `seed` of a rank.
template <class T>
T value(unsigned seed, int rank, long place) {
  const unsigned array = values::mixed(seed) + values::mixed(static_cast<unsigned>(rank));
  return values::of<T>(array + static_cast<unsigned>(place));
}

/// The indices, in `dimensions` dimensions, of an element of an array in row-major order, and back.
inline Index indices(long element, const Index& extents, int dimensions) {
  Index result{};
  for (int d = dimensions; d-- > 0; element /= extents[at(d)]) result[at(d)] = element % extents[at(d)];
  return result;
}
inline long element(const Index& indices, const Index& extents, int dimensions) {
  long result = 0;
  for (int d = 0; d < dimensions; ++d) result = result * extents[at(d)] + indices[at(d)];
  return result;
}
inline long elements(const Index& extents, int dimensions) {
  return std::accumulate(extents.begin(), extents.begin() + dimensions, 1l, std::multiplies<>());
}

template <class Exception>
bool throws(const auto& call) try {
  call();
  return false;
} catch (const Exception&) {
  return true;
}

}  // namespace arrays

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
