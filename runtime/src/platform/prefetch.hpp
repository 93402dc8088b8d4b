// A hint to the memory system.
#pragma once

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

}  // namespace kanor::rt
