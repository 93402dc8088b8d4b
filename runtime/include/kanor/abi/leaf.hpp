#pragma once

/// For emitted code alone: what the symbolic forms of statements refer to, and the answers that come back.
#pragma GCC system_header

#include <type_traits>

namespace kanor::abi {

/// A value in a statement's form: `$k` is the k-th leaf. An integer, or a grid, which it refers to. Anything
/// else, and what 64 bits cannot hold, is unknown: nothing is concluded from it.
class leaf {
 public:
  static constexpr long long unknown = -9223372036854775807LL - 1;

  template <class T>
  constexpr leaf(const T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      const auto number = static_cast<long long>(value);
      if constexpr (std::is_unsigned_v<T>) {
        number_ = number < 0 ? unknown : number;
      } else {
        number_ = number;
      }
    } else if constexpr (requires { value.view().extents; }) {
      const auto view = value.view();
      dimensions_ = view.dimensions;
      extents_ = view.extents;
      periodic_ = view.periodic;
    } else if constexpr (std::is_class_v<T> && std::is_convertible_v<const T&, long long>) {
      number_ = value;
    }
  }

  constexpr long long number() const { return number_; }
  constexpr bool is_grid() const { return dimensions_ != 0; }
  constexpr int dimensions() const { return dimensions_; }
  constexpr const int* extents() const { return extents_; }
  constexpr const bool* periodic() const { return periodic_; }

 private:
  long long number_ = unknown;
  int dimensions_ = 0;
  const int* extents_ = nullptr;
  const bool* periodic_ = nullptr;
};

/// first, first + step, …: `count` numbers, at least 1. The sums wrap as unsigned ones do.
struct candidate_run {
  long long first;
  long long step;
  long long count;
};

}  // namespace kanor::abi
