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
