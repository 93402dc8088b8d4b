// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rank leaves undone at its end: checked mode.
#pragma once

#include <string>
#include <vector>

#include "transport/rank.hpp"

namespace kanor::rt {

/// Returns one line for each call that has left something undone, of a rank that makes no more calls: buffers
/// that were neither freed nor given, receives that have not completed, elements that have not come back or
/// been returned; and one for each message that nobody has received, up to a limit.
std::vector<std::string> leftovers(Rank& rank);
/// Writes them to stderr. Nothing else happens: the memory goes with the job.
void print_leftovers(Rank& rank);

}  // namespace kanor::rt
