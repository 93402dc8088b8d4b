// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: what a domain says, number by number.
#pragma once

#include <cstdint>
#include <set>

#include "plan/domain.hpp"

namespace kanor::rt::plan {

inline std::set<std::int64_t> members(const Domain& domain) {
  std::set<std::int64_t> all;
  for (const Progression& part : domain)
    for (std::uint64_t i = 0; i <= part.steps(); ++i)
      all.insert(static_cast<std::int64_t>(static_cast<std::uint64_t>(part.first) + i * part.step));
  return all;
}

}  // namespace kanor::rt::plan
