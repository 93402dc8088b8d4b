// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the environment says that no launch will heed.
#pragma once

#include <string>
#include <vector>

namespace kanor::rt {

/// A line for each variable `KANOR_...` that Kanor does not read, with the nearest that it does, and one for
/// KANOR_RANKS where an MPI launcher has chosen the ranks.
std::vector<std::string> unheeded_settings(bool under_launcher);

}  // namespace kanor::rt
