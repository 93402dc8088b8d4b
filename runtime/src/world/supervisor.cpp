// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/supervisor.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "job/failure.hpp"
#include "platform/children.hpp"
#include "platform/output.hpp"
#include "platform/wait.hpp"
#include "world/launch.hpp"

namespace kanor::rt {
namespace {

constexpr int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

/// Ranks that wait for others write out what they have printed, and leave by themselves within this time.
constexpr std::int64_t closing_us = 100'000;
/// A rank that crashed may be writing its core file: it gets longer.
constexpr std::int64_t core_us = 600'000;

}  // namespace

Supervisor::Supervisor(Home& home, HangReporter* hang, StillWatch* still)
    : home_(home),
      control_(home.control),
      hang_(hang),
      still_(still),
      children_(static_cast<std::size_t>(home.control.count())) {
  adopt_orphans();
}

void Supervisor::catch_signals(sigset_t& mask_before, struct sigaction& child_before) {
  ::sigemptyset(&signals_);
  ::sigaddset(&signals_, SIGCHLD);
  for (const int signal : passed_on) ::sigaddset(&signals_, signal);
  ::sigprocmask(SIG_BLOCK, &signals_, &mask_before);
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &standard, &child_before);
}

int Supervisor::process(int rank) const {
  return control_.page(rank).process.load(std::memory_order_relaxed);
}

int Supervisor::running() const {
  return static_cast<int>(
      std::count_if(children_.begin(), children_.end(), [](const Child& c) { return !c.over; }));
}

void Supervisor::kill_those(bool also_reported) {
  for (int rank = 0; rank < control_.count(); ++rank) {
    if (children_[static_cast<std::size_t>(rank)].over || process(rank) <= 0) continue;
    if (also_reported || !control_.page(rank).reported.load(std::memory_order_relaxed))
      ::kill(process(rank), SIGKILL);
  }
}

void Supervisor::kill_all() {
  kill_those(true);
  for (int rank = 0; rank < control_.count(); ++rank)
    if (!children_[static_cast<std::size_t>(rank)].over && process(rank) > 0)
      while (::waitpid(process(rank), nullptr, 0) < 0 && errno == EINTR) {
      }
}

void Supervisor::reap() {
  int how = 0;
  for (pid_t pid = ::waitpid(-1, &how, WNOHANG); pid > 0; pid = ::waitpid(-1, &how, WNOHANG)) {
    for (int rank = 0; rank < control_.count(); ++rank) {
      if (process(rank) != pid) continue;
      Child& child = children_[static_cast<std::size_t>(rank)];
      child.over = true;
      child.signal = WIFSIGNALED(how);
      child.status = child.signal ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
      if (phase_ >= Phase::closing) break;  // a consequence
      if (!child.signal) {
        rank_is_over(home_, rank, child.status);
        break;
      }
      if (WTERMSIG(how) == asked_signal_)
        died_as_asked_ = true;
      else
        report(rank, signal_words(WTERMSIG(how)));
      break;
    }
  }
  // A rank whose exit handlers wait for others has told its status before it is over.
  for (int rank = 0; rank < control_.count(); ++rank) {
    Child& child = children_[static_cast<std::size_t>(rank)];
    const RankPage& page = control_.page(rank);
    if (!child.over && page.ended.load(std::memory_order_acquire))
      child.status = page.status.load(std::memory_order_relaxed);
  }
}

void Supervisor::begin_closing() {
  control_.set_ending(status_);
  home_.local.wake_all();
  phase_ = Phase::closing;
  phase_end_us_ = monotonic_us() + static_cast<std::uint64_t>(closing_us);
}

/// Looks at what has ended, and decides what comes next.
void Supervisor::look() {
  const std::uint64_t now = monotonic_us();
  if (phase_ == Phase::killed) {
    if (now >= phase_end_us_) kill_those(true);
    return;
  }
  if (phase_ == Phase::closing) {
    if (now < phase_end_us_) return;
    kill_those(false);
    phase_ = Phase::killed;
    phase_end_us_ =
        now + static_cast<std::uint64_t>(has_earlier_handler(status_ - 128) ? handler_limit_us : core_us);
    return;
  }

  bool lower_running = false;
  int status = 0;
  int status_rank = -1;
  int death = 0;
  for (int rank = 0; rank < control_.count(); ++rank) {
    const Child& child = children_[static_cast<std::size_t>(rank)];
    if (!child.over && child.status == 0 && status == 0) lower_running = true;
    if (child.status == 0) continue;
    if (status == 0) {
      status = child.status;
      status_rank = rank;
    }
    if (child.signal && death == 0) death = child.status;
  }
  if (phase_ == Phase::running && control_.failure() == 0) {
    if (still_) still_->look();
    if (hang_ && hang_->look(still_ && still_->sees_stopped())) control_.fail(1);
  }
  failed_ = control_.failure() != 0 || death != 0;
  status_ = control_.failure() ? control_.failure() : death ? death : status;
  if (status_ == 0) return;
  if (phase_ == Phase::running) {
    phase_ = Phase::grace;
    phase_end_us_ = now + static_cast<std::uint64_t>(failed_ ? failure_grace_us : status_grace_us);
  } else if (failed_) {
    phase_end_us_ = std::min(phase_end_us_, now + static_cast<std::uint64_t>(failure_grace_us));
  }
  if (now < phase_end_us_ && (failed_ || lower_running)) return;
  if (!failed_) report_status(status_rank, status_);
  begin_closing();
}

void Supervisor::pass_on(const siginfo_t& info) {
  asked_signal_ = info.si_signo;
  // What the terminal sends it sends to the ranks too.
  if (info.si_code == SI_KERNEL) return;
  for (int rank = 0; rank < control_.count(); ++rank)
    if (!children_[static_cast<std::size_t>(rank)].over) ::kill(process(rank), info.si_signo);
}

std::int64_t Supervisor::time_left() const {
  if (phase_ == Phase::running) return hang_ ? hang_->look_us() : still_ ? still_->due_us() : -1;
  const std::uint64_t now = monotonic_us();
  return now >= phase_end_us_ ? 10'000 : static_cast<std::int64_t>(phase_end_us_ - now);
}

void Supervisor::leave() {
  report_repeats(control_);
  if (status_ != 0) end_descendants(children_limit_us);
  if (died_as_asked_) {
    // Die as the ranks did, so that a shell's loop around the job stops too; one core file is enough.
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    ::sigaction(asked_signal_, &standard, nullptr);
    ::sigset_t one;
    ::sigemptyset(&one);
    ::sigaddset(&one, asked_signal_);
    ::kill(::getpid(), asked_signal_);
    ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  }
  end_process(status_);
}

void Supervisor::watch() {
  for (;;) {
    reap();
    look();
    if (running() == 0) leave();
    siginfo_t info{};
    const std::int64_t left = time_left();
    const timespec limit{left / 1'000'000, left % 1'000'000 * 1000};
    const int signal = left < 0 ? ::sigwaitinfo(&signals_, &info) : ::sigtimedwait(&signals_, &info, &limit);
    if (signal > 0 && signal != SIGCHLD) pass_on(info);
  }
}

}  // namespace kanor::rt
