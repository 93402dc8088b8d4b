// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "driver/unit.hpp"

namespace kanor::driver {

/// Words of a user file that Clang's preprocessor skips, if the file tests for the compiler: the host
/// compiler may see them.
struct SkippedWord {
  std::string word;
  std::string location;  ///< path:line of its first occurrence
};

std::vector<SkippedWord> skipped_words(const host::DiscoveredFile& file);

/// The variables that the host compiler has found in skipped text: an obstacle each, since they are not
/// private to ranks. `object` is the unit's object file. Without skipped words the object is not read.
std::vector<sema::Obstacle> unseen_variables(const Unit& unit, const std::string& object);

}  // namespace kanor::driver
