// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole pages whose use can be forbidden.
#pragma once

#include <cstddef>

namespace kanor::rt {

enum class Access { none, hidden, read, write };

/// Pages (machine.hpp says of how many bytes) for `bytes` bytes, filled with zeros, to be read and written by
/// this process; null where the system refuses.
std::byte* map_pages(std::size_t bytes);
/// Sets what may be done with whole pages; anything else is SIGSEGV. With Access::none their content is gone,
/// and they take no memory; with Access::hidden it stays. Returns false where the system refuses: it
/// limits into how many pieces a process's memory may be cut. Then nothing has changed, but if the pages are
/// of several mappings, some may have.
bool set_access(std::byte* pages, std::size_t bytes, Access access);
/// Returns false where the system refuses.
bool unmap_pages(std::byte* pages, std::size_t bytes);

}  // namespace kanor::rt
