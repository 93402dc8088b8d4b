// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/pages.hpp"

#include <sys/mman.h>

namespace kanor::rt {
namespace {

constexpr int of_this_process = MAP_PRIVATE | MAP_ANONYMOUS;

}  // namespace

std::byte* map_pages(std::size_t bytes) {
  void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, of_this_process, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

bool set_access(std::byte* pages, std::size_t bytes, Access access) {
  // A new mapping in the old one's place: unlike mprotect() it gives the memory back.
  if (access == Access::none)
    return ::mmap(pages, bytes, PROT_NONE, of_this_process | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
  const int reads = access == Access::hidden ? PROT_NONE : PROT_READ;
  return ::mprotect(pages, bytes, access == Access::write ? PROT_READ | PROT_WRITE : reads) == 0;
}

bool unmap_pages(std::byte* pages, std::size_t bytes) { return ::munmap(pages, bytes) == 0; }

}  // namespace kanor::rt
