// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/output.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "platform/wait.hpp"

namespace kanor::rt {
namespace {

std::atomic<std::uint32_t> flushed{0};  // futex; release pairs with the waiter's acquire
std::atomic<int> exit_status{0};        // relaxed: handed over by pthread_create

void* flush_all(void* first) {
  reinterpret_cast<void (*)()>(first)();
  std::fflush(stdout);
  std::fflush(stderr);
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);  // other files; last, because a stream that somebody reads from may block it
  flushed.store(1, std::memory_order_release);
  futex_wake(flushed);
  return nullptr;
}

void* exit_now(void*) { std::exit(exit_status.load(std::memory_order_relaxed)); }

bool start_detached(void* (*function)(void*), void* argument = nullptr) {
  pthread_t thread;
  if (::pthread_create(&thread, nullptr, function, argument) != 0) return false;
  ::pthread_detach(thread);
  return true;
}

}  // namespace

void flush_output(std::int64_t timeout_us, void (*first)()) {
  flushed.store(0, std::memory_order_relaxed);
  if (!start_detached(flush_all, reinterpret_cast<void*>(first))) return;
  const std::uint64_t end = monotonic_us() + static_cast<std::uint64_t>(timeout_us);
  while (flushed.load(std::memory_order_acquire) == 0) {
    const std::uint64_t now = monotonic_us();
    if (now >= end) return;
    futex_wait(flushed, 0, static_cast<std::int64_t>(end - now));
  }
}

void exit_within(int status, std::int64_t timeout_us) {
  exit_status.store(status, std::memory_order_relaxed);
  if (start_detached(exit_now)) ::usleep(static_cast<useconds_t>(timeout_us));
  end_process(status);
}

void end_process(int status) {
  for (;;) ::syscall(SYS_exit_group, status);
}

}  // namespace kanor::rt
