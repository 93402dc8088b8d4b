// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the values that a statement's form calls `$0`, `$1`, ...
#pragma GCC system_header

#include <type_traits>

#include "kanor/abi/integers.hpp"
#include "kanor/grid.hpp"

namespace kanor::abi {

/// A value in a statement's sets, filters and ranks that does not depend on the statement's names: an
/// integer, or a grid, which the leaf refers to. An integer whose magnitude is 2^62 or more is unknown, so
/// that sums of a leaf and a rank's number do not wrap in 64 bits.
class leaf {
 public:
  enum class kind : unsigned char { unknown, integer, grid };

  template <class T>
  requires(std::is_convertible_v<T, long long> &&
           (is_integer_type<T> || std::is_enum_v<T>)) constexpr leaf(T value)
      : leaf(static_cast<long long>(value), sizeof(T) < sizeof(long long), value < T{}) {}
  template <int D>
  constexpr leaf(const kanor::grid<D>& grid) : leaf(grid.view()) {}
  constexpr leaf(const grid_view& grid) : kind_(kind::grid), grid_(grid) {}

  constexpr kind what() const { return kind_; }
  constexpr long long integer() const { return integer_; }
  /// Without dimensions if the value is no grid.
  constexpr grid_view grid() const { return kind_ == kind::grid ? grid_ : grid_view{0, nullptr, nullptr}; }

 private:
  constexpr leaf(long long value, bool is_short, bool negative) : integer_(value) {
    constexpr long long beyond = 1LL << 62;
    if (is_short || (-beyond < value && value < beyond && (value < 0) == negative)) kind_ = kind::integer;
  }

  kind kind_ = kind::unknown;
  union {
    long long integer_;
    grid_view grid_;
  };
};

}  // namespace kanor::abi
