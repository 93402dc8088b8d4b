// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/domain.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kanor::rt::plan {
namespace {

std::uint64_t distance(std::int64_t low, std::int64_t high) {
  return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
}

/// Sets `out` to first, first + step, … up to `last`, as far as 64 bits go; returns false if nothing is
/// there.
bool clip(Wide first, Wide last, Wide step, Progression& out) {
  if (first < least) {
    if (last < least) return false;
    first = step > 0 ? first + (least - first + step - 1) / step * step : first;
  }
  if (first > last || first > greatest) return false;
  last = std::min<Wide>(last, greatest);
  out.first = static_cast<std::int64_t>(first);
  const std::uint64_t span = static_cast<std::uint64_t>(last - first);
  if (step <= 1) {
    out.last = static_cast<std::int64_t>(last);
    out.step = 1;
  } else if (span < step) {
    out.last = out.first;
    out.step = 1;
  } else {
    out.step = static_cast<std::uint64_t>(step);
    out.last = static_cast<std::int64_t>(first + static_cast<Wide>(span / out.step * out.step));
  }
  return true;
}

/// The smallest progression that contains both.
Progression hull(const Progression& a, const Progression& b) {
  Progression both{std::min(a.first, b.first), std::max(a.last, b.last), 0};
  const std::uint64_t shift = a.first < b.first ? distance(a.first, b.first) : distance(b.first, a.first);
  both.step = std::max<std::uint64_t>(std::gcd(std::gcd(a.lattice(), b.lattice()), shift), 1);
  return both;
}

/// Returns true if `part` lies wholly in `whole`.
bool covers(const Progression& whole, const Progression& part) {
  return whole.contains(part.first) && whole.contains(part.last) &&
         (part.single() || part.step % whole.step == 0);
}

/// Returns true if the hull of two, a.first <= b.first, has no members beyond theirs.
bool continues(const Progression& a, const Progression& b) {
  if (covers(a, b)) return true;
  if (a.single() && b.single()) return distance(a.first, b.first) == 1;
  const std::uint64_t step = a.single() ? b.step : a.step;
  if (!b.single() && b.step != step) return false;
  if (b.first > a.last && distance(a.last, b.first) > step) return false;
  return distance(a.first, b.first) % step == 0;
}

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
  return a + b < a ? ~std::uint64_t{0} : a + b;
}

/// The x with a * x = 1 modulo m, for a and m without a common divisor.
Wide inverse(Wide a, Wide m) {
  Wide x = 0, next = 1, r = m, next_r = a % m;
  while (next_r != 0) {
    const Wide quotient = r / next_r;
    x = std::exchange(next, x - quotient * next);
    r = std::exchange(next_r, r - quotient * next_r);
  }
  return x < 0 ? x + m : x;
}

/// Sets `common` to the members of the short progression that the other has too; returns false if there are
/// none.
bool pick_members(const Progression& few, const Progression& other, Progression& common) {
  bool found = false;
  for (std::uint64_t i = 0; i <= few.steps(); ++i) {
    const auto member = static_cast<std::int64_t>(static_cast<std::uint64_t>(few.first) + i * few.step);
    if (!other.contains(member)) continue;
    if (!found) {
      common = {member, member, 1};
    } else {
      if (common.single()) common.step = distance(common.first, member);
      common.last = member;
    }
    found = true;
  }
  return found;
}

}  // namespace

bool intersect(const Progression& a, const Progression& b, Progression& common) {
  const std::int64_t first = std::max(a.first, b.first), last = std::min(a.last, b.last);
  if (first > last) return false;
  if (a.step == 1 && b.step == 1) {
    common = {first, last, 1};
    return true;
  }
  // Steps of progressions with many members are small enough for their product to be a Wide.
  constexpr std::uint64_t least_whole_steps = 8;
  if (a.steps() < least_whole_steps) return pick_members(a, b, common);
  if (b.steps() < least_whole_steps) return pick_members(b, a, common);
  const std::uint64_t divisor = std::gcd(a.step, b.step);
  const bool a_is_first = a.first <= b.first;
  const std::uint64_t shift = a_is_first ? distance(a.first, b.first) : distance(b.first, a.first);
  if (shift % divisor != 0) return false;
  // From the lower one's start: k of its steps, until the other's members are met.
  const Progression& low = a_is_first ? a : b;
  const Progression& high = a_is_first ? b : a;
  const std::uint64_t modulus = high.step / divisor;
  Wide k = 0;
  if (modulus > 1) {
    const Wide wanted = static_cast<Wide>(shift / divisor % modulus);
    k = wanted * inverse(static_cast<Wide>(low.step / divisor), static_cast<Wide>(modulus)) %
        static_cast<Wide>(modulus);
  }
  const Wide step = static_cast<Wide>(low.step) * static_cast<Wide>(modulus);
  Wide at = static_cast<Wide>(low.first) + k * static_cast<Wide>(low.step);
  if (at < first) at += (first - at + step - 1) / step * step;
  return clip(at, last, step, common);
}

std::int64_t Domain::max() const {
  std::int64_t most = parts_[0].last;
  for (int i = 1; i < count_; ++i) most = std::max(most, parts_[i].last);
  return most;
}

std::uint64_t Domain::size() const {
  std::uint64_t sum = 0;
  for (const Progression& part : *this) sum = saturated_sum(sum, saturated_sum(part.steps(), 1));
  return sum;
}

bool Domain::contains(std::int64_t value) const {
  return std::any_of(begin(), end(), [&](const Progression& part) { return part.contains(value); });
}

void Domain::add(Wide first, Wide last, Wide step) {
  Progression part;
  if (clip(first, last, step, part)) add(part);
}

void Domain::add(const Progression& part) {
  int at = count_;
  while (at > 0 && parts_[at - 1].first > part.first) --at;
  Progression fresh = part;
  // What one progression can say of it and a neighbour is said by one.
  if (at > 0 && continues(parts_[at - 1], fresh)) {
    fresh = hull(parts_[at - 1], fresh);
    erase(--at);
  }
  while (at < count_ && continues(fresh, parts_[at])) {
    fresh = hull(fresh, parts_[at]);
    erase(at);
  }
  for (int i = count_; i > at; --i) parts_[i] = parts_[i - 1];
  parts_[at] = fresh;
  if (++count_ > most_parts) unite_cheapest();
}

void Domain::erase(int index) {
  for (int i = index + 1; i < count_; ++i) parts_[i - 1] = parts_[i];
  --count_;
}

void Domain::unite_cheapest() {
  int best = 0;
  std::uint64_t least_cost = ~std::uint64_t{0};
  for (int i = 0; i + 1 < count_; ++i) {
    const std::uint64_t both = hull(parts_[i], parts_[i + 1]).steps();
    const std::uint64_t apart = saturated_sum(parts_[i].steps(), parts_[i + 1].steps());
    const std::uint64_t cost = both > apart ? both - apart : 0;
    if (cost < least_cost) {
      least_cost = cost;
      best = i;
    }
  }
  parts_[best] = hull(parts_[best], parts_[best + 1]);
  erase(best + 1);
}

void Domain::coarsen(int parts) {
  while (count_ > parts) unite_cheapest();
}

void Domain::intersect(const Domain& other) {
  Progression common;
  if (count_ == 1 && other.count_ == 1) {
    count_ = plan::intersect(parts_[0], other.parts_[0], common) ? 1 : 0;
    if (count_) parts_[0] = common;
    return;
  }
  const Domain mine = *this;
  count_ = 0;
  for (const Progression& a : mine)
    for (const Progression& b : other)
      if (plan::intersect(a, b, common)) add(common);
}

void Domain::intersect(std::int64_t first, std::int64_t last) {
  if (empty() || (min() >= first && max() <= last)) return;
  intersect(interval(first, last));
}

void Domain::remove(std::int64_t value) {
  if (!contains(value)) return;
  const Domain before = *this;
  count_ = 0;
  for (const Progression& part : before) {
    if (!part.contains(value)) {
      add(part);
      continue;
    }
    const Wide step = static_cast<Wide>(part.step);
    add(part.first, value - step, step);
    add(value + step, part.last, step);
  }
}

bool operator==(const Domain& a, const Domain& b) {
  return a.count_ == b.count_ && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace kanor::rt::plan
