// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the machine offers to this process.
#pragma once

#include <cstddef>
#include <string>

namespace kanor::rt {

/// Cores that this process may run on (its affinity mask), at least 1.
int usable_cores();

/// Bytes of main memory of the machine.
std::size_t physical_memory_bytes();

std::size_t page_bytes();

/// The machine's host name.
std::string host_name();

/// Bytes of the huge pages that the system can give to any program; 0 where it knows none. Whether it gives
/// them depends on its settings (/sys/kernel/mm/transparent_hugepage), and on what is free.
std::size_t huge_page_bytes();

}  // namespace kanor::rt
