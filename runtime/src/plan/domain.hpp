// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of integers that a rank or a name may be: unions of few arithmetic progressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace kanor::rt::plan {

/// Holds every sum, difference and product of two 64-bit numbers.
__extension__ typedef __int128 Wide;

/// The least and the greatest member that a set may have. The one number that has no negative is not among
/// them.
inline constexpr std::int64_t least = -std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

/// The progression first, first + step, …, last: never empty; `step` is at least 1 and divides last - first;
/// it is 1 if there is one member.
struct Progression {
  std::int64_t first, last;
  std::uint64_t step;

  bool single() const { return first == last; }
  /// The number of members less one.
  std::uint64_t steps() const {
    const std::uint64_t span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    return step == 1 ? span : span / step;
  }
  /// The modulus to which all members are congruent: 0 if there is one member.
  std::uint64_t lattice() const { return single() ? 0 : step; }
  bool contains(std::int64_t value) const {
    return value >= first && value <= last &&
           (step == 1 || (static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(first)) % step == 0);
  }
  friend bool operator==(const Progression&, const Progression&) = default;
};

/// A set of integers from `least` to `greatest`, exact as long as `most_parts` progressions describe it and
/// else a superset. Numbers added beyond these limits are cut off: no C++ expression has such a value. A
/// value; needs no memory but itself; copying costs what it holds.
class Domain {
 public:
  static constexpr int most_parts = 32;

  Domain() = default;
  Domain(const Domain& other) { *this = other; }
  Domain& operator=(const Domain& other) {
    count_ = other.count_;
    for (int i = 0; i < count_; ++i) parts_[i] = other.parts_[i];
    return *this;
  }

  static Domain all() { return interval(least, greatest); }
  static Domain of(std::int64_t value) { return interval(value, value); }
  /// first … last in steps; empty if first > last.
  static Domain interval(Wide first, Wide last, Wide step = 1) {
    Domain domain;
    domain.add(first, last, step);
    return domain;
  }

  bool empty() const { return count_ == 0; }
  bool single() const { return count_ == 1 && parts_[0].single(); }
  std::int64_t min() const { return parts_[0].first; }  ///< of a set that is not empty
  std::int64_t max() const;
  /// The number of members, counted once for each progression that has them; at most the largest number.
  std::uint64_t size() const;
  bool contains(std::int64_t value) const;
  /// The progressions, in ascending order of their first members; they may interleave.
  const Progression* begin() const { return parts_; }
  const Progression* end() const { return parts_ + count_; }
  int parts() const { return count_; }

  /// Adds first, first + step, … up to `last`; nothing if first > last. `step` is at least 0, and 0 only if
  /// the ends are equal.
  void add(Wide first, Wide last, Wide step);
  void add(std::int64_t value) { add(Progression{value, value, 1}); }
  void add(const Progression& part);
  void add(const Domain& other) {
    for (const Progression& part : other) add(part);
  }

  void intersect(const Domain& other);
  void intersect(std::int64_t first, std::int64_t last);
  void remove(std::int64_t value);
  /// Unites progressions until there are at most `parts`.
  void coarsen(int parts);

  friend bool operator==(const Domain& a, const Domain& b);

 private:
  void unite_cheapest();
  void erase(int index);

  int count_ = 0;
  Progression parts_[most_parts + 1];  // [0, count_) are valid
};

/// Sets `common` to the common members, which are one progression; returns false if there are none.
bool intersect(const Progression& a, const Progression& b, Progression& common);

}  // namespace kanor::rt::plan
