// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests and benchmarks: what a program allocates with new.
#pragma once

#include <cstddef>

namespace kanor::rt::plan {

/// The bytes allocated by the whole program since it began. The program links count_allocations_test.cpp.
std::size_t allocated_bytes();

}  // namespace kanor::rt::plan
