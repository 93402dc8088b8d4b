// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "c_library/lines.hpp"
#include "job/failure.hpp"
#include "platform/machine.hpp"
#include "platform/output.hpp"
#include "platform/thread.hpp"
#include "transport/process/process_transport.hpp"
#include "world/launch.hpp"
#include "world/process_ends.hpp"
#include "world/supervisor.hpp"

namespace kanor::rt {
namespace {

/// Signal settings that a rank process inherits and must put back as the program had them.
struct SignalSetting {
  sigset_t mask;
  struct sigaction child;
};

/// The rank's side after the fork.
RanksMain begin_rank(Home& home, const Facts& facts, int rank, int supervisor, const SignalSetting& before) {
  // Should the supervisor die, even by SIGKILL, this rank dies too; it may have died before the request.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor) end_process(1);
  ::sigaction(SIGCHLD, &before.child, nullptr);
  ::sigprocmask(SIG_SETMASK, &before.mask, nullptr);
  home.control.wait_start();
  name_thread_after_rank(rank);
  settle(home, rank);
  // Only the C library's own streams can be reopened, or take wide characters.
  if (home.control.count() > 1 && !facts.changes_streams) write_whole_lines(&home.control.output_lock());
  [[gnu::used]] static const SignalStack* const signal_stack = new SignalStack;  // a leak, if not kept
  watch_failures(home.control, [](int status) {
    std::fflush(nullptr);  // the supervisor sees to it that this does not last
    end_process(status);
  });
  install_crash_handlers();
  disown_children();
  static Rank& state = *new Rank(home, rank);
  begin_rank_process(state);
  return run_rank_process;
}

}  // namespace

RanksMain begin_processes(const Options& options, const Facts& facts) {
  // They stay until the process ends: destructors that run at exit may still use them.
  static Control& control = *new Control(Sharing::with_forked_processes, 0, options.ranks);
  static Local& local =
      *new Local(Sharing::with_forked_processes, {.first = 0,
                                                  .count = options.ranks,
                                                  .ranks = options.ranks,
                                                  .memory_bytes = options.memory_bytes,
                                                  .inflight_bytes = options.inflight_bytes,
                                                  .huge_pages = options.switches.huge_pages});
  if (!local.ok()) refuse("cannot map any message memory (KANOR_MEMORY sets its size)");
  static ProcessTransport& transport = *new ProcessTransport(local);
  static Home& home = *new Home{.control = control,
                                .local = local,
                                .transport = transport,
                                .spare_cores = options.ranks <= usable_cores(),
                                .own_process = true,
                                .switches = options.switches,
                                .places = places_of_ranks(options)};

  // What is in the streams' buffers now would come out of every rank.
  std::fflush(nullptr);
  watch_failures(control, nullptr);
  SignalSetting before{};
  HangReporter hang(home, options.hang_seconds);
  StillWatch still(home, options.hang_seconds);
  const bool looks = options.hang_seconds > 0;
  Supervisor supervisor(home, looks ? &hang : nullptr, looks ? &still : nullptr);
  supervisor.catch_signals(before.mask, before.child);
  const int self = ::getpid();
  control.set_supervisor_process(self);
  advise_crashes("", options.switches.check);
  control.set_settled();  // nothing is to be done for a crashed rank: the others' output is their own
  for (int rank = 0; rank < options.ranks; ++rank) {
    const pid_t child = ::fork();
    if (child == 0) return begin_rank(home, facts, rank, self, before);
    if (child < 0) {
      const int error = errno;
      supervisor.kill_all();
      refuse("cannot start rank " + std::to_string(rank) + " of " + std::to_string(options.ranks) +
             " as a process: " + std::strerror(error));
    }
    control.page(rank).process.store(child, std::memory_order_relaxed);
  }
  control.open_start();
  supervisor.watch();
}

}  // namespace kanor::rt
