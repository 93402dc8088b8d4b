// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Teams of ranks, and the names that blocks use for ranks and sets of ranks.
namespace kanor {

/// The rank number that means "no rank": a binding whose sender or receiver is `no_rank` is
/// skipped. It is the smallest `int`, which no arithmetic on rank numbers reaches.
inline constexpr int no_rank = -2147483647 - 1;

/// A random-access iterator over the integers `first, first + step, …`; dereferences to a value.
/// Any two iterators of one range can be compared and subtracted.
template <class Integer>
class integer_iterator {
 public:
  using value_type = Integer;
  using difference_type = long;

  constexpr integer_iterator() = default;
  constexpr integer_iterator(Integer first, Integer step, difference_type index)
      : first_(first), step_(step), index_(index) {}

  constexpr Integer operator*() const { return (*this)[0]; }
  constexpr Integer operator[](difference_type n) const {
    // Unsigned arithmetic wraps, so that the steps to the last value of a type are as good as any other.
    using Wide = unsigned long long;
    return static_cast<Integer>(static_cast<Wide>(first_) +
                                static_cast<Wide>(step_) * static_cast<Wide>(index_ + n));
  }

  constexpr integer_iterator& operator++() { return *this += 1; }
  constexpr integer_iterator& operator--() { return *this -= 1; }
  constexpr integer_iterator operator++(int) { return integer_iterator(first_, step_, index_++); }
  constexpr integer_iterator operator--(int) { return integer_iterator(first_, step_, index_--); }
  constexpr integer_iterator& operator+=(difference_type n) {
    index_ += n;
    return *this;
  }
  constexpr integer_iterator& operator-=(difference_type n) { return *this += -n; }

  friend constexpr integer_iterator operator+(integer_iterator it, difference_type n) { return it += n; }
  friend constexpr integer_iterator operator+(difference_type n, integer_iterator it) { return it += n; }
  friend constexpr integer_iterator operator-(integer_iterator it, difference_type n) { return it -= n; }
  friend constexpr difference_type operator-(integer_iterator a, integer_iterator b) {
    return a.index_ - b.index_;
  }
  friend constexpr bool operator==(integer_iterator a, integer_iterator b) { return a.index_ == b.index_; }
  friend constexpr bool operator<(integer_iterator a, integer_iterator b) { return a.index_ < b.index_; }
  friend constexpr bool operator>(integer_iterator a, integer_iterator b) { return b < a; }
  friend constexpr bool operator<=(integer_iterator a, integer_iterator b) { return !(b < a); }
  friend constexpr bool operator>=(integer_iterator a, integer_iterator b) { return !(a < b); }

 private:
  Integer first_ = 0;
  Integer step_ = 1;
  difference_type index_ = 0;
};

/// A range of `count` equally spaced integers. A value without storage for the elements.
template <class Integer>
class integer_range {
 public:
  using iterator = integer_iterator<Integer>;

  constexpr integer_range() = default;
  constexpr integer_range(Integer first, Integer step, long count)
      : first_(first), step_(step), count_(count) {}

  constexpr iterator begin() const { return iterator(first_, step_, 0); }
  constexpr iterator end() const { return iterator(first_, step_, count_); }
  constexpr unsigned long size() const { return static_cast<unsigned long>(count_); }
  constexpr bool empty() const { return count_ == 0; }
  constexpr Integer operator[](long index) const { return begin()[index]; }

 private:
  Integer first_ = 0;
  Integer step_ = 1;
  long count_ = 0;
};

namespace abi {
[[noreturn]] void fail_range_step();
}  // namespace abi

/// The integers `lo, lo + step, …` up to, but not including, `hi`; downwards if `step` is negative.
/// The elements have the common type of `lo` and `hi`. A zero step ends the job with an error.
template <class First, class Last, class Step = int>
constexpr auto range(First lo, Last hi, Step step = 1) {
  using Integer = decltype(true ? First() : Last());
  const bool upwards = step > 0;
  if (step == 0) abi::fail_range_step();
  const bool below = static_cast<Integer>(lo) < static_cast<Integer>(hi);
  const bool above = static_cast<Integer>(hi) < static_cast<Integer>(lo);
  unsigned long long distance = 0, stride = 1;
  if (upwards) {
    distance = below ? static_cast<unsigned long long>(hi) - static_cast<unsigned long long>(lo) : 0;
    stride = static_cast<unsigned long long>(step);
  } else {
    distance = above ? static_cast<unsigned long long>(lo) - static_cast<unsigned long long>(hi) : 0;
    stride = 0 - static_cast<unsigned long long>(step);
  }
  const unsigned long long count = distance / stride + (distance % stride != 0 ? 1 : 0);
  return integer_range<Integer>(static_cast<Integer>(lo), static_cast<Integer>(step),
                                static_cast<long>(count));
}

namespace abi {

/// A rank's record of a team that split() made. It counts the `team` objects that refer to it.
struct team_record;
void hold(team_record* record) noexcept;
void drop(team_record* record) noexcept;

}  // namespace abi

/// A team of ranks, numbered `0 … size() - 1`, and a random-access range of these numbers. A team
/// is a small value: copies refer to the same team, and its resources are freed with the last copy.
/// It refers to a record of the rank that created it, so it does not travel in a block.
///
/// All members except split() are thread-safe and do not wait. Outside a rank (before `main`, or on
/// a thread that no rank started) they end the program with a message.
class team {
 public:
  using iterator = integer_iterator<int>;

  /// The team of all ranks, as `kanor::world`.
  constexpr team() = default;
  constexpr team(const team& other) noexcept : record_(other.record_) {
    if (record_ != nullptr) abi::hold(record_);
  }
  constexpr team& operator=(const team& other) noexcept {
    abi::team_record* const before = record_;
    record_ = other.record_;
    if (record_ != nullptr) abi::hold(record_);
    if (before != nullptr) abi::drop(before);
    return *this;
  }
  constexpr ~team() {
    if (record_ != nullptr) abi::drop(record_);
  }

  /// The number of ranks, at least 1.
  int size() const;
  /// The calling rank's number in this team. If the rank is not a member, the job ends with an
  /// error.
  int rank() const;
  /// The number in `kanor::world` of rank `i` of this team. `i` outside `0 … size() - 1` ends the
  /// job with an error.
  int world_rank(int i) const;

  /// Divides the team into one team for each colour, and returns the one with the caller's colour.
  /// Its ranks are numbered by ascending key; ranks with equal keys keep their order in this team.
  ///
  /// Every member of this team must call it, at the same position in the sequence of the team's
  /// blocks and splits. It may wait for all members. It costs each member O(log P) messages,
  /// temporary memory proportional to the P members of this team, and permanent memory proportional
  /// to the new one. `file` and `line` are the place of the call, for messages.
  team split(long long colour, long long key, const char* file = __builtin_FILE(),
             int line = __builtin_LINE()) const;

  iterator begin() const { return iterator(0, 1, 0); }
  iterator end() const { return iterator(0, 1, size()); }
  int operator[](long i) const { return static_cast<int>(i); }

  /// Returns true if both refer to the same team: the world, or the result of the same split().
  friend constexpr bool operator==(const team& a, const team& b) { return a.record_ == b.record_; }

 private:
  friend struct abi::team_record;
  explicit team(abi::team_record* record) : record_(record) {}

  abi::team_record* record_ = nullptr;  ///< null: the world
};

/// All ranks of the program.
inline constexpr team world;

}  // namespace kanor
