// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/wait.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace kanor::rt {
namespace {

// The kernel knows a futex by its address alone, so a plain 32-bit word is what it must be.
static_assert(sizeof(std::atomic<std::uint32_t>) == 4 && std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace

void relax_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t timeout_us) {
  const int saved_errno = errno;
  const timespec limit{timeout_us / 1'000'000, timeout_us % 1'000'000 * 1000};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, timeout_us < 0 ? nullptr : &limit, nullptr, 0);
  errno = saved_errno;
}

void futex_wake(const std::atomic<std::uint32_t>& word) {
  const int saved_errno = errno;
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  errno = saved_errno;
}

bool Backoff::pause() {
  if (spinning_) {
    relax_core();
    if (++pauses_ % pauses_a_look != 0) return true;
    const std::uint64_t now_us = monotonic_us();
    if (pauses_ == pauses_a_look) began_us_ = now_us;
    if (now_us - began_us_ < budget_.spin_us()) return true;
    spinning_ = false;
    budget_.failed();
    failed_us_ = now_us;
    return true;
  }
  if (yields_left_ > 0) {
    const std::uint64_t before_us = monotonic_us();
    ::sched_yield();
    yields_left_ = budget_.yielded_for(monotonic_us() - before_us) ? yields_left_ - 1 : 0;
    return true;
  }
  return false;
}

void Backoff::learn() {
  const std::uint64_t now_us = monotonic_us();
  const bool woken = woken_us_ > failed_us_;
  if (woken) budget_.woke_after(now_us - woken_us_);
  budget_.came_after((woken ? woken_us_ : now_us) - failed_us_);
}

std::uint64_t monotonic_us() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(now.tv_nsec) / 1000;
}

}  // namespace kanor::rt
