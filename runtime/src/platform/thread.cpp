// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/thread.hpp"

#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "platform/machine.hpp"

namespace kanor::rt {
namespace {

// Address space, which memory is taken for where the rank uses it.
constexpr std::size_t unlimited_stack_bytes = std::size_t{4} << 30;
constexpr std::size_t tight_stack_bytes = std::size_t{64} << 20;
/// Room below a stack that has no memory, so that a large frame does not reach another thread's.
constexpr std::size_t guard_bytes = std::size_t{1} << 30;
constexpr std::size_t least_stack_bytes = std::size_t{256} << 10;
/// A handler may wait for messages, and MPI libraries want stack for that.
constexpr std::size_t signal_stack_bytes = std::size_t{256} << 10;

/// The size of the static thread-local block, which glibc places at the end of a thread's stack.
std::size_t static_tls_bytes() {
  std::size_t total = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* sum) {
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_TLS)
            *static_cast<std::size_t*>(sum) += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
        return 0;
      },
      &total);
  return total;
}

/// Returns true if the system counts memory that is not used yet.
bool counts_address_space() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return true;
  char kind = '0';
  const int file = ::open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_read = ::read(file, &kind, 1) == 1;
  ::close(file);
  return is_read && kind == '2';
}

/// The stack of a rank thread without a limit. The system refuses one that is larger than its memory.
std::size_t largest_stack_bytes() {
  if (counts_address_space()) return tight_stack_bytes;
  const auto memory_bytes = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * page_bytes();
  return std::clamp(memory_bytes / 2, tight_stack_bytes, unlimited_stack_bytes);
}

bool are_left = false;
sigset_t first_mask;

}  // namespace

std::size_t rank_stack_bytes() {
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  std::size_t bytes = is_limited ? limit.rlim_cur : largest_stack_bytes();
  bytes = std::max(bytes, least_stack_bytes) + static_tls_bytes();
  const std::size_t page = page_bytes();
  return (bytes + page - 1) / page * page;
}

int start_thread(pthread_t& thread, std::size_t stack_bytes, void* (*function)(void*), void* argument) {
  pthread_attr_t attributes;
  if (const int error = ::pthread_attr_init(&attributes)) return error;
  int error = ::pthread_attr_setstacksize(&attributes, stack_bytes);
  if (!error && !counts_address_space()) error = ::pthread_attr_setguardsize(&attributes, guard_bytes);
  if (!error) error = ::pthread_create(&thread, &attributes, function, argument);
  ::pthread_attr_destroy(&attributes);
  return error;
}

void make_room_for_files(int processes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return;
  const auto count = static_cast<rlim_t>(processes);
  limit.rlim_cur = limit.rlim_cur > limit.rlim_max / count ? limit.rlim_max : limit.rlim_cur * count;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

SignalStack::SignalStack()
    : memory_(
          ::mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
  if (memory_ == MAP_FAILED) {
    memory_ = nullptr;
    return;
  }
  stack_t stack{};
  stack.ss_sp = memory_;
  stack.ss_size = signal_stack_bytes;
  ::sigaltstack(&stack, nullptr);
}

SignalStack::~SignalStack() {
  if (!memory_) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  ::sigaltstack(&none, nullptr);
  ::munmap(memory_, signal_stack_bytes);
}

void leave_signals_to_rank() {
  sigset_t outside;
  ::sigfillset(&outside);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
    ::sigdelset(&outside, number);
  are_left = ::pthread_sigmask(SIG_BLOCK, &outside, &first_mask) == 0;
}

void take_signals() {
  if (are_left) ::pthread_sigmask(SIG_SETMASK, &first_mask, nullptr);
}

void name_thread_after_rank(int rank) {
  char name[16];
  std::snprintf(name, sizeof name, "rank %d", rank);
  ::pthread_setname_np(::pthread_self(), name);
}

}  // namespace kanor::rt
