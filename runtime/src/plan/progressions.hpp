// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What operators and their inverses do with single progressions.
#pragma once

#include "plan/domain.hpp"

namespace kanor::rt::plan {

inline constexpr std::uint64_t least_whole_steps = 8;  // members that are worth a progression each

inline Wide floor_divide(Wide a, Wide b) {
  if (a >= least && a <= greatest && b <= greatest && b > 0) {  // the short division is much faster
    const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
    return x / y - (x % y < 0 ? 1 : 0);
  }
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
inline Wide ceiling_divide(Wide a, Wide b) { return -floor_divide(-a, b); }

template <class Use>
void for_members(const Progression& part, const Use& use) {
  const std::uint64_t steps = part.steps();
  for (std::uint64_t i = 0; i <= steps; ++i)
    use(static_cast<std::int64_t>(static_cast<std::uint64_t>(part.first) + i * part.step));
}

/// Returns true if each member may be looked at.
inline bool has_few(const Progression& part) { return part.steps() < least_whole_steps; }

/// The members from `first` on.
inline Domain from(const Domain& domain, std::int64_t first) {
  Domain part = domain;
  part.intersect(first, greatest);
  return part;
}
/// The members up to `last`.
inline Domain up_to(const Domain& domain, std::int64_t last) {
  Domain part = domain;
  part.intersect(least, last);
  return part;
}

/// Adds x + by for each member x.
inline void add_shifted(Domain& out, const Progression& part, Wide by) {
  out.add(part.first + by, part.last + by, static_cast<Wide>(part.step));
}

}  // namespace kanor::rt::plan
