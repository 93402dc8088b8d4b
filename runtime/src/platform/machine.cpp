#include "platform/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace kanor::rt {

int usable_cores() {
  // The kernel's mask may be longer than cpu_set_t: grow until it fits.
  for (int cores = CPU_SETSIZE; cores <= (1 << 20); cores *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(cores));
    if (!set) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(cores));
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const bool too_short = !known && errno == EINVAL;
    const int count = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (known) return std::max(count, 1);
    if (!too_short) break;
  }
  return static_cast<int>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
}

std::size_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? static_cast<std::size_t>(pages) * page_bytes() : std::size_t{1} << 30;
}

std::size_t page_bytes() {
  static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace kanor::rt
