// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace kanor::rt {
namespace {

/// The largest that glibc accepts on a 64-bit system.
constexpr int most_bytes_from_heap = 32 << 20;
/// As many pages as are worth watching.
constexpr int bytes_apart = 32 << 10;
/// glibc's own choice: twice the other.
constexpr int most_kept_bytes = 2 * most_bytes_from_heap;

bool user_has_set_malloc() {
  constexpr const char* variables[] = {"MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_",
                                       "MALLOC_MMAP_MAX_"};
  const char* const tunables = std::getenv("GLIBC_TUNABLES");
  return (tunables && std::strstr(tunables, "glibc.malloc.")) ||
         std::any_of(std::begin(variables), std::end(variables),
                     [](const char* name) { return std::getenv(name); });
}

}  // namespace

void keep_freed_memory(bool apart) {
  if (user_has_set_malloc()) return;
  mallopt(M_MMAP_THRESHOLD, apart ? bytes_apart : most_bytes_from_heap);
  mallopt(M_TRIM_THRESHOLD, most_kept_bytes);
}

}  // namespace kanor::rt
