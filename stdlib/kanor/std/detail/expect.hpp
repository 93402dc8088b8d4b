// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls of the library expect of their arguments.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace kanor::detail {

/// The number of members, in words.
inline std::string members_text(const team& members) {
  const int size = members.size();
  return "the team has " + std::to_string(size) + (size == 1 ? " member" : " members");
}

/// Throws std::invalid_argument unless there is one element for each member.
inline void expect_one_for_each(const call& call, std::size_t elements, const team& members) {
  if (elements == static_cast<std::size_t>(members.size())) return;
  throw std::invalid_argument(call.text("the vector has " + std::to_string(elements) +
                                        (elements == 1 ? " element, and " : " elements, and ") +
                                        members_text(members)));
}

}  // namespace kanor::detail
