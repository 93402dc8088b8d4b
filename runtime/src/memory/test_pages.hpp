// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this process has asked the system for, as the system tells it: for tests of what it gives.
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace kanor::rt::test {

/// Bytes of the range for which huge pages were asked for, by the kernel's own note (VmFlags of
/// /proc/self/smaps). How many it has given depends on the machine's free memory at the moment, and changes
/// later by itself; see resident_memory().
inline std::size_t bytes_to_be_huge(const std::byte* from, std::size_t bytes) {
  const std::uint64_t first = reinterpret_cast<std::uint64_t>(from), end = first + bytes;
  std::ifstream maps("/proc/self/smaps");
  std::uint64_t low = 0, high = 0;
  std::size_t found = 0;
  for (std::string line; std::getline(maps, line);) {
    std::uint64_t a = 0, b = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " ", &a, &b) == 2) {
      low = std::max(a, first);
      high = std::min(b, end);
    } else if (line.rfind("VmFlags:", 0) == 0 && low < high &&
               (line + " ").find(" hg ") != std::string::npos) {
      found += high - low;
    }
  }
  return found;
}

}  // namespace kanor::rt::test
