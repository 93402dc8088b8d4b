// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/core.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>

#include "platform/wait.hpp"

namespace kanor::rt {

int current_core() { return ::sched_getcpu(); }

bool leave_core(int core) {
  const int saved_errno = errno;
  cpu_set_t before, others;
  bool moved = false;
  if (core >= 0 && core < CPU_SETSIZE && ::sched_getaffinity(0, sizeof before, &before) == 0) {
    others = before;
    CPU_CLR(core, &others);
    moved = CPU_COUNT(&others) > 0 && ::sched_setaffinity(0, sizeof others, &others) == 0;
    if (moved) ::sched_setaffinity(0, sizeof before, &before);
  }
  errno = saved_errno;
  return moved;
}

std::vector<int> usable_processors() {
  std::vector<int> found;
  // The kernel's mask may be longer than cpu_set_t: grow until it fits.
  for (int most = CPU_SETSIZE; most <= (1 << 20); most *= 2) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(most));
    if (!set) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    const bool known = ::sched_getaffinity(0, bytes, set) == 0;
    const bool too_short = !known && errno == EINVAL;
    for (int processor = 0; known && processor < most; ++processor)
      if (CPU_ISSET_S(static_cast<std::size_t>(processor), bytes, set)) found.push_back(processor);
    CPU_FREE(set);
    if (!too_short) break;
  }
  return found;
}

bool bind_thread(const std::vector<int>& processors) {
  if (processors.empty()) return false;
  const std::size_t most = static_cast<std::size_t>(processors.back()) + 1;
  cpu_set_t* const set = CPU_ALLOC(most);
  if (!set) return false;
  const std::size_t bytes = CPU_ALLOC_SIZE(most);
  CPU_ZERO_S(bytes, set);
  for (const int processor : processors) CPU_SET_S(static_cast<std::size_t>(processor), bytes, set);
  const bool bound = ::sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return bound;
}

int KeepApart::from(int other_core) {
  const int core = current_core();
  if (!enabled_ || core < 0 || core != other_core) return core;
  const std::uint64_t now = monotonic_us();
  const std::uint64_t since = now - moved_us_;
  if (since < pause_us_) return core;
  // What held for long was worth its move.
  pause_us_ = since > 100 * pause_us_ ? least_pause_us : std::min(2 * pause_us_, most_pause_us);
  moved_us_ = now;
  return leave_core(core) ? current_core() : core;
}

}  // namespace kanor::rt
