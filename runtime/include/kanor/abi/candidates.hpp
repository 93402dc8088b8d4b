// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the sets that generators range over, reduced to the members that may concern a
/// rank.
#pragma GCC system_header

#include <cstddef>
#include <type_traits>

#include "kanor/abi/leaf.hpp"
#include "kanor/team.hpp"

namespace kanor::abi {

/// The numbers first, first + step, …; `count` is at least 1. The sums wrap like unsigned ones.
struct candidate_run {
  long long first;
  long long step;
  long long count;
};

/// The members of a set that a plan selects. `noted` is the address to which the current member is written,
/// or null if the members are no 64-bit numbers.
struct candidate_list {
  const candidate_run* first;
  std::size_t runs;
  long long* noted;
};

/// A set that is a progression. `exact` is true if its members are signed 64-bit numbers.
struct member_set {
  long long first = 0;
  long long step = 1;
  long long count = 0;
  bool exact = true;
  friend constexpr bool operator==(const member_set&, const member_set&) = default;
};

/// The integer type of a set that is a progression; void for other sets.
template <class Set>
struct progression_of {
  using type = void;
};
template <class Integer>
struct progression_of<integer_range<Integer>> {
  using type = Integer;
};
template <>
struct progression_of<::kanor::team> {
  using type = int;
};

template <class Integer, class Set>
constexpr member_set members_of(const Set& set) {
  const auto count = static_cast<long long>(set.size());
  if (count == 0) return {};
  const Integer first = set[0], last = set[static_cast<long>(count - 1)];
  member_set members{static_cast<long long>(first), 1, count, true};
  if (count > 1)
    members.step = static_cast<long long>(static_cast<unsigned long long>(set[1]) -
                                          static_cast<unsigned long long>(first));
  if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) == sizeof(long long))
    members.exact = members.first >= 0 && static_cast<long long>(last) >= 0;
  return members;
}
template <class Integer>
constexpr member_set members_of(const ::kanor::team& team) {
  return {0, 1, team.size(), true};
}

/// The position in a list. step() is a function of the library: a loop over runs and over their members takes
/// the host compiler several milliseconds, once for each set of a program.
struct member_cursor {
  candidate_list rest;  ///< begins with the run of the next member
  long long index = 0;  ///< of that member in the run
  long long value;      ///< of the current member, 64 bits of it
  candidate_run all;    ///< not initialised: most lists do not refer to it

  /// Makes the next member of the rest, which is not empty, the current one, and writes it to `noted`.
  void step() noexcept;
};

/// Members of a set, in its order. Each is written to `noted` when it is reached, because its value
/// determines how later sets are reduced. Refers to the runs. Can be iterated over once.
template <class Integer>
class candidates {
 public:
  struct sentinel {};
  class iterator {
   public:
    explicit iterator(member_cursor& at) : at_(&at) {}
    Integer operator*() const { return static_cast<Integer>(at_->value); }
    iterator& operator++() { return *this; }
    /// Steps to the next member: a range-based for asks once before each.
    friend bool operator!=(const iterator& it, sentinel) {
      if (it.at_->rest.runs == 0) return false;
      it.at_->step();
      return true;
    }

   private:
    member_cursor* at_;
  };

  /// The members of the list that `choose(all)` returns, which may refer to `all`.
  template <class Choose>
  explicit candidates(const Choose& choose) {
    at_.rest = choose(at_.all);
  }
  candidates(const candidates&) = delete;
  candidates& operator=(const candidates&) = delete;

  iterator begin() { return iterator(at_); }
  sentinel end() const { return {}; }

 private:
  member_cursor at_;
};

// What a range-based for asks for.
template <class Range>
constexpr auto set_begin(Range& range) {
  if constexpr (std::is_array_v<Range>) {
    return &range[0];
  } else if constexpr (requires { range.begin(); }) {
    return range.begin();
  } else {
    return begin(range);
  }
}
template <class Range>
constexpr auto set_end(Range& range) {
  if constexpr (std::is_array_v<Range>) {
    return &range[0] + std::extent_v<Range>;
  } else if constexpr (requires { range.end(); }) {
    return range.end();
  } else {
    return end(range);
  }
}

/// All members of a set that is no progression, each written to `noted` when it is reached. `Set` is a
/// reference, or the set itself.
template <class Set>
class noted_members {
  template <class Iterator>
  class noting {
   public:
    constexpr noting(Iterator at, long long* noted) : at_(static_cast<Iterator&&>(at)), noted_(noted) {}
    constexpr decltype(auto) operator*() const {
      decltype(auto) member = *at_;
      if (noted_) *noted_ = number(member);
      return member;
    }
    constexpr noting& operator++() {
      ++at_;
      return *this;
    }
    template <class End>
    constexpr bool operator!=(const End& end) const {
      return at_ != end;
    }

   private:
    template <class Member>
    static constexpr long long number(const Member& member) {
      if constexpr (std::is_constructible_v<leaf, Member>) {
        const leaf known(member);
        return known.what() == leaf::kind::integer ? known.integer() : unknown_number;
      } else {
        return unknown_number;
      }
    }

    Iterator at_;
    long long* noted_;
  };

 public:
  constexpr noted_members(Set&& set, long long* noted) : set_(static_cast<Set&&>(set)), noted_(noted) {}

  constexpr auto begin() { return noting<decltype(set_begin(set_))>(set_begin(set_), noted_); }
  constexpr auto end() { return set_end(set_); }

  /// The number that is noted for a member that is no 64-bit number.
  static constexpr long long unknown_number = -9223372036854775807LL - 1;

 private:
  Set set_;
  long long* noted_;
};

}  // namespace kanor::abi
