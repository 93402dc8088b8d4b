// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hint to the memory system.
#pragma once

#include <cstddef>

namespace kanor::rt {

/// This core is about to write the cache line: it may take the line from the others now, while it has other
/// work. Changes nothing but time. (GCC's builtin asks for a shared copy where the baseline is plain x86-64,
/// although every processor of the last ten years knows the exclusive kind and older ones ignore it.)
inline void prefetch_for_writing(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

namespace prefetching {

template <class Prefetch>
void each_line(const void* from, std::size_t bytes, Prefetch prefetch) {
  constexpr std::size_t line_bytes = 64;
  for (std::size_t at = 0; at < bytes; at += line_bytes) prefetch(static_cast<const std::byte*>(from) + at);
}

}  // namespace prefetching

/// The same for all lines of these bytes, which begin a line.
inline void prefetch_for_writing(const void* from, std::size_t bytes) {
  prefetching::each_line(from, bytes, [](const void* line) { prefetch_for_writing(line); });
}
/// This core is about to read these bytes, which begin a line: it may fetch all their lines at once.
inline void prefetch_for_reading(const void* from, std::size_t bytes) {
  prefetching::each_line(from, bytes, [](const void* line) { __builtin_prefetch(line, 0); });
}

}  // namespace kanor::rt
