// What the machine offers to this process.
#pragma once

#include <cstddef>

namespace kanor::rt {

/// Cores that this process may run on (its affinity mask), at least 1.
int usable_cores();

/// Bytes of main memory of the machine.
std::size_t physical_memory_bytes();

std::size_t page_bytes();

}  // namespace kanor::rt
