// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared libraries that are part of an MPI program's image (driver/link/own_libraries.hpp).
#pragma once

#include "world/facts.hpp"

namespace kanor::rt {

/// Adds an obstacle for each library that is another one now than when the program was linked: the ranks that
/// have its older objects and the first rank, which runs the library itself, would not be of one program.
void compare_own_libraries(Facts& facts);

}  // namespace kanor::rt
