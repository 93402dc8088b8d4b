// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/process_memory.hpp"

#include <sys/types.h>
#include <sys/uio.h>

#include <cerrno>

namespace kanor::rt {
namespace {

/// Calls one of the two functions until all bytes have been copied: it copies 2 GiB at most, and ends early
/// where something beyond is no memory.
template <class Function>
bool copy_all(Function function, int process, std::byte* here, std::byte* there, std::size_t bytes) {
  while (bytes > 0) {
    const iovec ours{here, bytes}, theirs{there, bytes};
    const ssize_t copied = function(process, &ours, 1, &theirs, 1, 0);
    if (copied < 0) return false;
    if (copied == 0) {
      errno = EFAULT;
      return false;
    }
    here += copied;
    there += copied;
    bytes -= static_cast<std::size_t>(copied);
  }
  return true;
}

std::byte* bytes_at(const void* address) { return static_cast<std::byte*>(const_cast<void*>(address)); }

}  // namespace

bool read_process(int process, void* to, const void* from, std::size_t bytes) {
  return copy_all(::process_vm_readv, process, bytes_at(to), bytes_at(from), bytes);
}

bool write_process(int process, void* to, const void* from, std::size_t bytes) {
  return copy_all(::process_vm_writev, process, bytes_at(from), bytes_at(to), bytes);
}

}  // namespace kanor::rt
