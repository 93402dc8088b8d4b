// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job/control.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "platform/machine.hpp"
#include "platform/output.hpp"
#include "platform/text.hpp"
#include "platform/wait.hpp"

namespace kanor::rt {
namespace {

std::size_t bytes_for(int count) {
  const std::size_t page = page_bytes();
  const std::size_t needed = sizeof(RankPage) * static_cast<std::size_t>(count) + page;
  return (needed + page - 1) / page * page;
}

}  // namespace

Control::Control(Sharing sharing, int first, int count) : count_(count), memory_(sharing, bytes_for(count)) {
  if (!memory_.data()) {
    Line()
        .text("kanor: cannot map the control page of ")
        .number(count)
        .text(" ranks")
        .write_to(STDERR_FILENO);
    end_process(2);
  }
  constexpr std::size_t pages_at =
      (sizeof(Shared) + alignof(RankPage) - 1) / alignof(RankPage) * alignof(RankPage);
  static_assert(pages_at <= 4096, "bytes_for() has room for a page");
  shared_ = new (memory_.data()) Shared;
  shared_->first.store(first, std::memory_order_relaxed);
  pthread_mutexattr_t attributes;
  ::pthread_mutexattr_init(&attributes);
  ::pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  ::pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  ::pthread_mutex_init(&shared_->output, &attributes);
  ::pthread_mutexattr_destroy(&attributes);
  pages_ = reinterpret_cast<RankPage*>(memory_.data() + pages_at);
  for (int i = 0; i < count; ++i) new (&pages_[i]) RankPage;
}

Control::~Control() = default;

void Control::set_place(int first, std::string_view host) {
  shared_->host[std::min(host.size(), sizeof shared_->host - 1)] = '\0';
  std::copy_n(host.data(), std::min(host.size(), sizeof shared_->host - 1), shared_->host);
  shared_->first.store(first, std::memory_order_relaxed);
}

void Control::mark_ended(int rank, int status) {
  page(rank).status.store(status, std::memory_order_relaxed);
  page(rank).ended.store(true, std::memory_order_release);
}

void Control::fail(int status) {
  int none = 0;
  shared_->failure.compare_exchange_strong(none, status, std::memory_order_release,
                                           std::memory_order_relaxed);
  notify();
}

bool Control::is_first_to_tell(std::uint64_t identity, int rank) {
  for (Shared::Told& told : shared_->told) {
    std::uint64_t before = 0;
    if (told.identity.compare_exchange_strong(before, identity, std::memory_order_relaxed)) {
      told.rank.store(rank, std::memory_order_relaxed);
      return true;
    }
    if (before != identity) continue;
    told.others.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  return true;
}

Control::Repeats Control::repeats(int at) const {
  const Shared::Told& told = shared_->told[at];
  return {told.rank.load(std::memory_order_relaxed), told.others.load(std::memory_order_relaxed)};
}

void Control::set_settled() {
  shared_->settled.store(1, std::memory_order_release);
  futex_wake(shared_->settled);
}

void Control::wait_settled(std::int64_t timeout_us) const {
  const std::uint64_t end = monotonic_us() + static_cast<std::uint64_t>(timeout_us);
  while (shared_->settled.load(std::memory_order_acquire) == 0) {
    const std::uint64_t now = monotonic_us();
    if (now >= end) return;
    futex_wait(shared_->settled, 0, static_cast<std::int64_t>(end - now));
  }
}

void Control::wait_start() const {
  while (shared_->started.load(std::memory_order_acquire) == 0) futex_wait(shared_->started, 0);
}

void Control::open_start() {
  shared_->started.store(1, std::memory_order_release);
  futex_wake(shared_->started);
}

void Control::wait_event(std::uint32_t seen, std::int64_t timeout_us) const {
  futex_wait(shared_->events, seen, timeout_us);
}

void Control::notify() {
  shared_->events.fetch_add(1, std::memory_order_release);
  futex_wake(shared_->events);
  const int supervisor = shared_->supervisor.load(std::memory_order_relaxed);
  if (supervisor > 0) {
    const int saved_errno = errno;
    ::kill(supervisor, SIGCHLD);
    errno = saved_errno;
  }
}

}  // namespace kanor::rt
