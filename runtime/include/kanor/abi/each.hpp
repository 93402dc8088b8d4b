// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the sets that a block's generators range over.
#pragma GCC system_header

#include <type_traits>
#include <utility>

#include "kanor/abi/integers.hpp"
#include "kanor/team.hpp"

namespace kanor::abi {

/// Ends the job: the member `value` of a set of unsigned numbers is negative.
[[noreturn]] void fail_negative_member(long long value);

template <class T>
inline constexpr bool integer = is_integer_type<T>;
/// An enumeration counts as an integer if it converts to one.
template <class T>
requires(std::is_enum_v<T>) inline constexpr bool integer<T> = std::is_convertible_v<T, long long>;

template <class T>
constexpr auto number(T value) {
  if constexpr (std::is_enum_v<T> || std::is_same_v<T, bool>) {
    return +value;
  } else {
    return value;
  }
}

/// `value` converted to Integer. A negative number in a set of unsigned ones is a run-time error.
template <class Integer, class T>
constexpr Integer member(T value) {
  if constexpr (is_signed_type<T> && !is_signed_type<Integer>) {
    if (value < 0) fail_negative_member(value);
  }
  return static_cast<Integer>(value);
}

template <class First, class Last>
constexpr auto interval(First first, Last last) {
  using Integer = std::common_type_t<First, Last>;
  if (is_signed_type<Last> && last < Last{}) {
    if (!is_signed_type<First> || first > static_cast<std::common_type_t<First, long long>>(last))
      return integer_range<Integer>();
  }
  if (is_signed_type<First> && !is_signed_type<Last> && first < First{}) fail_negative_member(first);
  const Integer low = static_cast<Integer>(first), high = static_cast<Integer>(last);
  if (low > high) return integer_range<Integer>();
  const auto count = static_cast<unsigned long long>(high) - static_cast<unsigned long long>(low) + 1;
  return integer_range<Integer>(low, 1, static_cast<long>(count));
}

/// `{first ... last}`: both included; empty if first > last as numbers, whatever the types' signs.
/// The members have the common type of the two.
template <class First, class Last>
constexpr auto each(First first, Last last) {
  static_assert(integer<First> && integer<Last>, "the ends of a set { a ... b } must be integers");
  return interval(number(first), number(last));
}

/// A set given by a range: the range itself (by reference), or a temporary one moved into the result.
template <class Range>
constexpr Range each(Range&& range) {
  return std::forward<Range>(range);
}

/// The members of `{a, b, c}`.
template <class Integer, int count>
struct member_list {
  Integer members[count];
  constexpr const Integer* begin() const { return members; }
  constexpr const Integer* end() const { return members + count; }
};

/// `{a, b, c}`: the listed integers in the given order, repeated ones kept, in their common type.
template <class... Integers>
constexpr auto list(Integers... members) {
  static_assert((integer<Integers> && ...), "the members of a set { a, b, c } must be integers");
  using Integer = std::common_type_t<decltype(number(members))...>;
  return member_list<Integer, sizeof...(members)>{{member<Integer>(number(members))...}};
}

}  // namespace kanor::abi
