// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's functions that set handlers and send signals, as each rank has them. Linked as those of
// functions.cpp; for a process that is one rank they do what the C library's do.
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "c_library/own_name.hpp"
#include "c_library/own_signals.hpp"
#include "c_library/signals.hpp"
#include "kanor/abi/hidden_state.hpp"
#include "platform/signals.hpp"

extern "C" {
sighandler_t __wrap_signal(int signal, sighandler_t handler) noexcept;
sighandler_t __wrap_bsd_signal(int signal, sighandler_t handler) noexcept;
sighandler_t __wrap_ssignal(int signal, sighandler_t handler) noexcept;
sighandler_t __wrap_sysv_signal(int signal, sighandler_t handler) noexcept;
sighandler_t __wrap___sysv_signal(int signal, sighandler_t handler) noexcept;
int __wrap_sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept;
int __wrap_sigignore(int signal) noexcept;
int __wrap_siginterrupt(int signal, int interrupts) noexcept;
int __wrap_kill(pid_t process, int signal) noexcept;
unsigned __wrap_alarm(unsigned seconds) noexcept;
useconds_t __wrap_ualarm(useconds_t value, useconds_t interval) noexcept;
}

namespace {

using kanor::rt::OwnSignals;
using kanor::rt::SignalSet;

constexpr long second_us = 1'000'000;

/// Signals that siginterrupt() has been called for, of a process that is one rank.
constinit std::atomic<SignalSet> interrupts_of_process{0};

std::atomic<SignalSet>& interrupts() {
  OwnSignals* const own = kanor::rt::own_signals();
  return own ? own->interrupts : interrupts_of_process;
}

bool is_signal(int signal) { return signal > 0 && signal < NSIG; }

SignalSet set_with(int signal) { return SignalSet{1} << (signal - 1); }

/// signal() with these flags, and with the signal blocked meanwhile or not. Returns what it returns.
sighandler_t set_handler(int signal, sighandler_t handler, int flags, bool blocks) {
  if (handler == SIG_ERR || !is_signal(signal)) {
    errno = EINVAL;
    return SIG_ERR;
  }
  struct sigaction action {
  }, before{};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  if (blocks) ::sigaddset(&action.sa_mask, signal);
  action.sa_flags = flags;
  return __wrap_sigaction(signal, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/// The kernel's number of the rank's timer, which is made if need be; -1 if it cannot be.
int timer_of(OwnSignals& own) {
  int timer = own.timer.load();
  if (timer >= 0) return timer;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGALRM;
  event.sigev_value.sival_ptr = &own;
  event._sigev_un._tid = own.thread.load(std::memory_order_acquire);
  int made = -1;
  if (::syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &made) != 0) return -1;
  // Another thread of the rank may have made one, too.
  if (own.timer.compare_exchange_strong(timer, made)) return made;
  ::syscall(SYS_timer_delete, made);
  return timer;
}

timespec precise(const timeval& time) { return {time.tv_sec, time.tv_usec * 1000}; }

timeval coarse(const timespec& time) { return {time.tv_sec, time.tv_nsec / 1000}; }

/// setitimer(ITIMER_REAL): the rank's own, whose signal comes to the rank's thread.
int set_timer(const itimerval& next, itimerval& before) {
  OwnSignals* const own = kanor::rt::own_signals();
  if (!own) return ::setitimer(ITIMER_REAL, &next, &before);
  before = {};
  const bool is_set = next.it_value.tv_sec != 0 || next.it_value.tv_usec != 0;
  if (!own->lives() || (!is_set && own->timer.load() < 0)) return 0;
  const int timer = timer_of(*own);
  const itimerspec wanted{precise(next.it_interval), precise(next.it_value)};
  itimerspec last{};
  if (timer < 0 || ::syscall(SYS_timer_settime, timer, 0, &wanted, &last) != 0) return -1;
  before = {coarse(last.it_interval), coarse(last.it_value)};
  return 0;
}

}  // namespace

sighandler_t __wrap_signal(int signal, sighandler_t handler) noexcept {
  const bool interrupts_calls = is_signal(signal) && (interrupts().load() & set_with(signal)) != 0;
  return set_handler(signal, handler, interrupts_calls ? 0 : SA_RESTART, true);
}
sighandler_t __wrap_bsd_signal(int signal, sighandler_t handler) noexcept {
  return __wrap_signal(signal, handler);
}
sighandler_t __wrap_ssignal(int signal, sighandler_t handler) noexcept {
  return __wrap_signal(signal, handler);
}

sighandler_t __wrap___sysv_signal(int signal, sighandler_t handler) noexcept {
  return set_handler(signal, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_INTERRUPT), false);
}
sighandler_t __wrap_sysv_signal(int signal, sighandler_t handler) noexcept {
  return __wrap___sysv_signal(signal, handler);
}

int __wrap_sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  OwnSignals* const own = kanor::rt::own_signals();
  return own ? kanor::rt::rank_sigaction(*own, signal, action, before)
             : kanor::rt::process_sigaction(signal, action, before);
}

int __wrap_sigignore(int signal) noexcept {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  return __wrap_sigaction(signal, &action, nullptr);
}

int __wrap_siginterrupt(int signal, int interrupts_calls) noexcept {
  struct sigaction action {};
  if (__wrap_sigaction(signal, nullptr, &action) != 0) return -1;
  if (interrupts_calls != 0) {
    interrupts() |= set_with(signal);
    action.sa_flags &= ~SA_RESTART;
  } else {
    interrupts() &= ~set_with(signal);
    action.sa_flags |= SA_RESTART;
  }
  return __wrap_sigaction(signal, &action, nullptr);
}

int __wrap_kill(pid_t process, int signal) noexcept {
  const OwnSignals* const own = kanor::rt::own_signals();
  if (own && kanor::rt::send_to_rank(*own, process, signal)) return 0;
  return static_cast<int>(::syscall(SYS_kill, process, signal));
}

unsigned __wrap_alarm(unsigned seconds) noexcept {
  itimerval before{};
  if (set_timer({{}, {static_cast<time_t>(seconds), 0}}, before) != 0) return 0;
  const auto left = static_cast<unsigned>(before.it_value.tv_sec);
  const long rest_us = before.it_value.tv_usec;
  // To the nearest second, but not to none while it is set.
  return left + (rest_us >= second_us / 2 || (left == 0 && rest_us > 0) ? 1 : 0);
}

useconds_t __wrap_ualarm(useconds_t value, useconds_t interval) noexcept {
  const auto time = [](useconds_t us) {
    return timeval{static_cast<time_t>(us / second_us), static_cast<suseconds_t>(us % second_us)};
  };
  itimerval before{};
  if (set_timer({time(interval), time(value)}, before) != 0) return static_cast<useconds_t>(-1);
  return static_cast<useconds_t>(before.it_value.tv_sec * second_us + before.it_value.tv_usec);
}

KANOR_OWN_HANDLERS(KANOR_UNDER_OWN_NAME)
KANOR_OWN_SIGNALS(KANOR_UNDER_OWN_NAME)
