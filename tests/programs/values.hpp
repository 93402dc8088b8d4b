#pragma once
// Values of many types that follow from a number, so that every rank knows what all others give.
#include "../conformance/check.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace values {

using Letters = std::pair<int, std::string>;
using Matrix = std::array<unsigned, 4>;

struct Point {
  int x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};

/// x -> factor * x + offset.
struct Affine {
  unsigned factor = 1, offset = 0;
  bool operator==(const Affine&) const = default;
};

/// What tells -0 from 0, too.
template <class T>
auto bits(const T& value) {
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else {
    return value;
  }
}

inline unsigned mixed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// The value of this number. Strings and vectors have many lengths, and some are empty.
template <class T>
T of(unsigned number) {
  const unsigned bits = mixed(number + 1);
  if constexpr (std::is_same_v<T, bool>) {
    return bits % 2 == 1;
  } else if constexpr (std::is_floating_point_v<T>) {
    // Of very different sizes, so that every bracketing of a sum has another result.
    const double size = std::ldexp(1 + bits % 1000 / 7.0, static_cast<int>(bits / 1000 % 60) - 30);
    return static_cast<T>(bits % 2 == 0 ? size : -size);
  } else if constexpr (std::is_same_v<T, char>) {
    return static_cast<char>('a' + bits % 26);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(bits);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string(bits / 26 % 50, static_cast<char>('a' + bits % 26));
  } else if constexpr (std::is_same_v<T, std::vector<int>>) {
    std::vector<int> numbers(number % 3 == 0 ? 0 : bits % 9);
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<int>(mixed(bits) % 1000 + k);
    return numbers;
  } else if constexpr (std::is_same_v<T, Matrix>) {
    return {bits, mixed(bits), mixed(bits + 1), mixed(bits + 2)};
  } else if constexpr (std::is_same_v<T, Letters>) {
    return {static_cast<int>(bits % 100), of<std::string>(bits)};
  } else if constexpr (std::is_same_v<T, Affine>) {
    return {bits, mixed(bits)};
  } else {
    static_assert(std::is_same_v<T, Point>);
    return {static_cast<int>(bits), of<double>(bits)};
  }
}

/// What rank 0, rank 1, ... of `count` ranks give in the step `step`.
template <class T>
std::vector<T> of_ranks(int count, unsigned step) {
  std::vector<T> all;
  for (int i = 0; i < count; ++i) all.push_back(of<T>(step * 1009 + static_cast<unsigned>(i)));
  return all;
}

template <class T>
T at(const std::vector<T>& all, int rank) {
  return all[static_cast<std::size_t>(rank)];
}

}  // namespace values

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
