// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "kanor/team.hpp"

/// For emitted code alone, as that of Kanor's standard library: teams of one rank with each of the others.
#pragma GCC system_header

namespace kanor::abi {

/// Makes a team of two for each member of the team but `first`. Its rank 0 is that member, its rank 1 the
/// other one. Returns, on `first`, these teams in the order of the others' ranks, and on each other member
/// the one that it is in.
///
/// All members must call it, with the same `first`, at the same position in the sequence of the team's blocks
/// and splits. A member waits for `first` at most, which sends a message of a few bytes to each. Splits would
/// need one for each pair, in which all members wait for each other. `file` and `line` are for messages.
std::vector<team> pairs(const team& members, int first, const char* file, int line);

}  // namespace kanor::abi
