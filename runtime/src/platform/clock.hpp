// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The time for measurements.
#pragma once

#include <cstdint>
#include <ctime>

namespace kanor::rt {

/// Nanoseconds since some fixed time. Needs the C library alone, as MPI's plug-ins have it too.
inline std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace kanor::rt
