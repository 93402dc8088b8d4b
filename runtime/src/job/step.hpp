// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the members of a team do together, one step after the other, each of them the same.
#pragma once

#include <cstdint>

namespace kanor::rt {

enum class Step : std::uint8_t {
  block,
  split,   ///< of the team
  pairs,   ///< of one member and each other one become teams
  window,  ///< the members open memory for puts
  fence,   ///< of such a window
  end      ///< the member does no more with this team
};

/// The step's name in messages, which goes on with its place: "block at a.cpp:12".
constexpr const char* name_of(Step step) {
  switch (step) {
    case Step::block:
      return "block";
    case Step::split:
      return "split";
    case Step::pairs:
      return "making of pairs";
    case Step::window:
      return "opening of a window";
    case Step::fence:
      return "fence";
    case Step::end:
      break;
  }
  return "end";
}

/// What a rank does in such a step, in messages.
constexpr const char* doing(Step step) {
  switch (step) {
    case Step::block:
      return "executes the block";
    case Step::split:
      return "calls kanor::team::split";
    case Step::pairs:
      return "makes pairs of ranks";
    case Step::window:
      return "opens a kanor::window";
    case Step::fence:
      return "calls kanor::window::fence";
    case Step::end:
      break;
  }
  return "has ended";
}

}  // namespace kanor::rt
