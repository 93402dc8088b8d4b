// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How elements are dealt to the members of a team.
#pragma once

#include <kanor/kanor.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace kanor {

/// The first row of rank `rank`, if `count` rows are distributed as evenly as possible. It is also
/// the end of the rows of the rank before.
inline long first_row(long count, long rank, const team& members = world) { return count * rank / members.size(); }

namespace detail {

/// Throws std::invalid_argument unless there is one element for each member.
inline void expect_one_for_each(const char* function, std::size_t elements, const team& members) {
  if (elements == static_cast<std::size_t>(members.size())) return;
  throw std::invalid_argument(std::string(function) + ": the vector has " + std::to_string(elements) +
                              " elements, and the team has " + std::to_string(members.size()) + " members");
}

}  // namespace detail
}  // namespace kanor
