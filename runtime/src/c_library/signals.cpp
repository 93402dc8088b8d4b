// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_library/signals.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "c_library/library_state.hpp"
#include "platform/children.hpp"
#include "platform/signals.hpp"

namespace kanor::rt {
namespace {

/// The code of a signal that was passed on to a rank; its first code is then in si_errno, which nothing else
/// uses. The system leaves negative codes to programs.
constexpr int passed_on = -1000;

/// The time that some ranks' handlers have before the signal ends the process for the others.
constexpr long handlers_ns = 200'000'000;

pid_t process = 0;  ///< whose ranks have signals of their own; 0: none has
constinit SignalSlots first_actions;
/// What the process does at a signal where no rank asks for anything; noted when the first one does.
constinit SignalSlots below;
/// The process's action is the runtime's, because ranks ask for something.
constinit std::array<std::atomic<bool>, NSIG> is_shared{};
/// A lock of all changes. Its holder lets no signal come, so that no handler waits for what it interrupts.
constinit std::atomic<bool> is_changing{false};
sigset_t mask_at_fork;  ///< while a fork holds that lock

sigset_t lock_changes() {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  while (is_changing.exchange(true, std::memory_order_acquire)) ::sched_yield();
  return before;
}

void unlock_changes(const sigset_t& before) {
  is_changing.store(false, std::memory_order_release);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

class Change {
 public:
  Change() : before_(lock_changes()) {}
  ~Change() { unlock_changes(before_); }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  const sigset_t before_;
};

std::size_t at(int signal) { return static_cast<std::size_t>(signal); }

SignalSet bit(int signal) { return SignalSet{1} << (signal - 1); }

/// The system writes no more of a set than this.
SignalSet bits_of(const sigset_t& set) {
  SignalSet bits = 0;
  std::memcpy(&bits, &set, sizeof bits);
  return bits;
}

sigset_t set_of(SignalSet bits) {
  sigset_t set;
  ::sigemptyset(&set);
  std::memcpy(&set, &bits, sizeof bits);
  return set;
}

using HandlerWithInfo = void (*)(int, siginfo_t*, void*);

SignalAction own_form(const struct sigaction& action) {
  const bool has_info = (action.sa_flags & SA_SIGINFO) != 0;
  return {has_info ? reinterpret_cast<void (*)()>(action.sa_sigaction)
                   : reinterpret_cast<void (*)()>(action.sa_handler),
          action.sa_flags, bits_of(action.sa_mask)};
}

struct sigaction system_form(const SignalAction& action) {
  struct sigaction result {};
  if ((action.flags & SA_SIGINFO) != 0)
    result.sa_sigaction = reinterpret_cast<HandlerWithInfo>(action.handler);
  else
    result.sa_handler = reinterpret_cast<sighandler_t>(action.handler);
  result.sa_mask = set_of(action.mask);
  result.sa_flags = action.flags;
  return result;
}

SignalAction first_action(int signal) { return first_actions[at(signal)].get().value_or(SignalAction{}); }

SignalAction action_below(int signal) { return below[at(signal)].get().value_or(SignalAction{}); }

/// Returns true if the signal does to the rank what it does to the process: the rank has asked for nothing,
/// or for what a process begins with, where the runtime tells of crashes.
bool follows_process(const OwnSignals& own, int signal) {
  const std::optional<SignalAction> asked = own.actions[at(signal)].get();
  return !asked || (asked->is_default() && first_action(signal).is_default());
}

/// What the signal does to a rank.
SignalAction effect(const OwnSignals& own, int signal) {
  if (follows_process(own, signal)) return action_below(signal);
  return own.actions[at(signal)].get().value_or(SignalAction{});
}

void dispatch(int signal, siginfo_t* info, void* context);

/// Sets for the process what its ranks ask for together. Called with the lock.
void share(int signal) {
  bool is_asked = false, all_ignore = true, all_restart = true, one_has_stack = false;
  if (!is_shared[at(signal)]) {
    struct sigaction now {};
    process_sigaction(signal, nullptr, &now);
    below[at(signal)].put(own_form(now));
  }
  for (const LibraryState* state = first_library_state(); state; state = state->next) {
    const OwnSignals& own = state->signals;
    if (!own.lives()) continue;
    const SignalAction action = effect(own, signal);
    all_ignore = all_ignore && action.is_ignored();
    if (follows_process(own, signal)) continue;
    is_asked = true;
    if (!action.has_function()) continue;
    all_restart = all_restart && (action.flags & SA_RESTART) != 0;
    one_has_stack = one_has_stack || (action.flags & SA_ONSTACK) != 0;
  }
  if (!is_asked && !is_shared[at(signal)]) return;
  struct sigaction wanted {};
  if (!is_asked) {
    wanted = system_form(action_below(signal));
  } else if (all_ignore) {
    // The system looks at that itself: for terminals, and for programs that a child becomes.
    wanted.sa_handler = SIG_IGN;
  } else {
    wanted.sa_sigaction = dispatch;
    wanted.sa_flags = SA_SIGINFO | (all_restart ? SA_RESTART : 0) | (one_has_stack ? SA_ONSTACK : 0);
    ::sigfillset(&wanted.sa_mask);
  }
  process_sigaction(signal, &wanted, nullptr);
  is_shared[at(signal)] = is_asked;
}

/// Sends the signal to one thread, with what is known of its cause.
void send_to_thread(pid_t thread, int signal, const siginfo_t& info) {
  siginfo_t sent = info;
  sent.si_errno = info.si_code;
  sent.si_code = passed_on;
  if (::syscall(SYS_rt_tgsigqueueinfo, process, thread, signal, &sent) != 0 && errno != ESRCH)
    ::syscall(SYS_tgkill, process, thread, signal);
}

bool does_nothing_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH || signal == SIGCONT;
}

/// Does what the system does at a signal without a handler. Returns if the process was stopped, and goes on.
void act_by_default(int signal) {
  if (does_nothing_by_default(signal)) return;
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  process_sigaction(signal, &standard, nullptr);
  const sigset_t one = set_of(bit(signal));
  ::raise(signal);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::pthread_sigmask(SIG_BLOCK, &one, nullptr);
  const Change change;
  share(signal);
}

/// Does to all ranks what the signal, which was sent to the process, does to them.
void pass_on(int signal, const siginfo_t& info) {
  bool is_handled = false, is_default = false;
  for (const LibraryState* state = first_library_state(); state; state = state->next) {
    const pid_t thread = state->signals.thread.load(std::memory_order_acquire);
    if (thread == 0) continue;
    const SignalAction action = effect(state->signals, signal);
    is_handled = is_handled || action.has_function();
    is_default = is_default || action.is_default();
    if (action.has_function()) send_to_thread(thread, signal, info);
  }
  if (!is_default || does_nothing_by_default(signal)) return;
  const timespec time{0, handlers_ns};
  if (is_handled) ::nanosleep(&time, nullptr);
  act_by_default(signal);
}

bool is_fault(int signal, const siginfo_t& info) {
  return info.si_code > 0 && (signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
                              signal == SIGTRAP || signal == SIGSYS);
}

/// The number that the rank takes for its process's.
pid_t number_of(const OwnSignals& own) {
  const pid_t number = own.number.load(std::memory_order_relaxed);
  return number != 0 ? number : process;
}

/// The rank that runs and has this number for `own`; null if there is none.
const OwnSignals* rank_with(const OwnSignals& own, pid_t number) {
  if (number_of(own) == number) return &own;
  for (const LibraryState* state = first_library_state(); state; state = state->next)
    if (state->signals.lives() && number_of(state->signals) == number) return &state->signals;
  return nullptr;
}

/// Returns true if the signal is about the calling thread, whose rank `own` is (null: none). Others were sent
/// to the process. The system gives those to the supervisor's thread, unless one waits for it already.
bool concerns_thread(const OwnSignals* own, int signal, const siginfo_t& info) {
  if (is_fault(signal, info)) return true;
  if (!own) return info.si_code == SI_TKILL;
  if (info.si_code > 0) return false;
  const bool was_sent = info.si_code == SI_USER || info.si_code == SI_QUEUE;
  return !was_sent || info.si_pid == process || info.si_pid == 0;
}

/// What the signal, which has come, does to the rank. With SA_RESETHAND it has done so for the last time.
SignalAction take(OwnSignals& own, int signal) {
  const SignalAction action = effect(own, signal);
  const auto is_once = [](const SignalAction& one) {
    return one.has_function() && (static_cast<unsigned>(one.flags) & SA_RESETHAND) != 0;
  };
  if (!is_once(action)) return action;
  const Change change;
  const SignalAction last = effect(own, signal);
  if (!is_once(last)) return last;
  SignalAction next = last;
  next.handler = reinterpret_cast<void (*)()>(SIG_DFL);
  own.actions[at(signal)].put(next);
  share(signal);
  return last;
}

/// Calls a handler, with the signals blocked that it wants blocked.
void call(const SignalAction& action, int signal, siginfo_t* info, void* context, int errno_before) {
  SignalSet blocked = bits_of(static_cast<const ucontext_t*>(context)->uc_sigmask) | action.mask;
  if ((action.flags & SA_NODEFER) == 0) blocked |= bit(signal);
  const sigset_t mask = set_of(blocked);
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  errno = errno_before;
  reinterpret_cast<HandlerWithInfo>(action.handler)(signal, info, context);
}

/// The process's handler, which begins with all signals blocked.
void dispatch(int signal, siginfo_t* info, void* context) {
  const int errno_before = errno;
  LibraryState* const state = own_library_state();
  OwnSignals* const own = state ? &state->signals : nullptr;
  if (info->si_code == passed_on) {
    info->si_code = info->si_errno;
    info->si_errno = 0;
  } else if (own && info->si_code == SI_TIMER && info->si_value.sival_ptr == own) {
    // As the system tells of a process's timer.
    *info = siginfo_t{};
    info->si_signo = signal;
    info->si_code = SI_KERNEL;
  } else if (::getpid() == process && !concerns_thread(own, signal, *info)) {
    pass_on(signal, *info);
    errno = errno_before;
    return;
  } else if (own && !is_fault(signal, *info) && info->si_pid == process) {
    info->si_pid = number_of(*own);
  }
  const bool lives = own && own->lives();
  const SignalAction action = lives ? take(*own, signal) : action_below(signal);
  if (action.has_function()) return call(action, signal, info, context, errno_before);
  // What comes to a rank that is over would have come too late for its process.
  if (action.is_default() && (lives || !own)) act_by_default(signal);
  errno = errno_before;
}

void hold_changes() {
  const sigset_t before = lock_changes();
  mask_at_fork = before;
}

void release_changes() {
  const sigset_t before = mask_at_fork;  // the next fork's as soon as the lock is free
  unlock_changes(before);
}

/// In a child, what its rank has asked for becomes its process's.
void keep_in_child() {
  const LibraryState* const state = own_library_state();
  for (int signal = 1; signal < NSIG; ++signal) {
    if (!is_shared[at(signal)].exchange(false)) continue;
    const struct sigaction kept = system_form(state ? effect(state->signals, signal) : action_below(signal));
    process_sigaction(signal, &kept, nullptr);
  }
  release_changes();
}

}  // namespace

void note_first_actions() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (process_sigaction(signal, nullptr, &action) == 0) first_actions[at(signal)].put(own_form(action));
  }
  at_forks(hold_changes, release_changes, keep_in_child);
  process = ::getpid();
}

void enter_signals() {
  LibraryState* const state = own_library_state();
  if (!state) return;
  const Change change;
  state->signals.thread.store(static_cast<pid_t>(::syscall(SYS_gettid)), std::memory_order_release);
  for (int signal = 1; signal < NSIG; ++signal)
    if (is_shared[at(signal)]) share(signal);
}

void take_number_of_thread() {
  if (LibraryState* const state = own_library_state())
    state->signals.number.store(static_cast<pid_t>(::syscall(SYS_gettid)), std::memory_order_relaxed);
}

void leave_signals() {
  LibraryState* const state = own_library_state();
  if (!state || !state->signals.lives()) return;
  OwnSignals& own = state->signals;
  if (const int timer = own.timer.exchange(-1); timer >= 0) ::syscall(SYS_timer_delete, timer);
  const Change change;
  own.thread.store(0, std::memory_order_release);
  for (int signal = 1; signal < NSIG; ++signal)
    if (is_shared[at(signal)]) share(signal);
}

void handle_abort() {
  OwnSignals* const own = own_signals();
  if (!own || follows_process(*own, SIGABRT)) return;
  const sigset_t one = set_of(bit(SIGABRT));
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(SIGABRT);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  rank_sigaction(*own, SIGABRT, &standard, nullptr);
}

OwnSignals* own_signals() {
  LibraryState* const state = own_library_state();
  // Not in a child, also one that still shares its parent's memory.
  return state && ::getpid() == process ? &state->signals : nullptr;
}

int rank_sigaction(OwnSignals& own, int signal, const struct sigaction* action, struct sigaction* before) {
  struct sigaction now {};
  // The C library says what is no signal, or one of its own.
  if (process_sigaction(signal, nullptr, &now) != 0) return -1;
  if (action && (signal == SIGKILL || signal == SIGSTOP)) {
    errno = EINVAL;
    return -1;
  }
  std::optional<SignalAction> asked;
  if (action) asked = own_form(*action);
  const SignalAction old = [&] {
    const Change change;
    const SignalAction last = own.actions[at(signal)].get().value_or(first_action(signal));
    if (asked) own.actions[at(signal)].put(*asked);
    if (asked) share(signal);
    return last;
  }();
  if (before) *before = system_form(old);
  return 0;
}

bool send_to_rank(const OwnSignals& own, pid_t number, int signal) {
  if (signal <= 0 || signal >= NSIG || !is_shared[at(signal)]) return false;
  const OwnSignals* const rank = rank_with(own, number);
  const pid_t thread = rank ? rank->thread.load(std::memory_order_acquire) : 0;
  if (thread == 0) return false;
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_USER;
  info.si_pid = number_of(own);
  info.si_uid = ::getuid();
  send_to_thread(thread, signal, info);
  return true;
}

}  // namespace kanor::rt
