// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of other processes, which the kernel copies (process_vm_readv(2)).
#pragma once

#include <cstddef>

namespace kanor::rt {

/// Copies `bytes` bytes from the memory of a process to this one's. Returns false, with errno set, if the
/// kernel does not permit it, or if not all of the bytes are memory; some may have been copied then.
bool read_process(int process, void* to, const void* from, std::size_t bytes);

/// The same in the other direction.
bool write_process(int process, void* to, const void* from, std::size_t bytes);

}  // namespace kanor::rt
