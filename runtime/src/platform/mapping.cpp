#include "platform/mapping.hpp"

#include <sys/mman.h>

namespace kanor::rt {

Mapping::Mapping(Sharing sharing, std::size_t bytes, std::size_t least_bytes) : sharing_(sharing) {
  const int kind = sharing == Sharing::within_process ? MAP_PRIVATE : MAP_SHARED;
  for (; bytes >= least_bytes && bytes > 0; bytes /= 2) {
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    // A core file need not hold gigabytes of untouched memory.
    ::madvise(memory, bytes, MADV_DONTDUMP);
    data_ = static_cast<std::byte*>(memory);
    bytes_ = bytes;
    return;
  }
}

Mapping::~Mapping() {
  if (data_) ::munmap(data_, bytes_);
}

void Mapping::drop(std::byte* from, std::size_t bytes) const {
  // A shared mapping is a file inside the kernel: only REMOVE frees its pages.
  ::madvise(from, bytes, sharing_ == Sharing::within_process ? MADV_DONTNEED : MADV_REMOVE);
}

}  // namespace kanor::rt
