// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "c_library/library_state.hpp"
#include "c_library/lines.hpp"
#include "c_library/signals.hpp"
#include "job/failure.hpp"
#include "platform/children.hpp"
#include "platform/machine.hpp"
#include "platform/output.hpp"
#include "platform/thread.hpp"
#include "platform/wait.hpp"
#include "transport/thread/thread_transport.hpp"
#include "world/hang.hpp"
#include "world/image.hpp"
#include "world/launch.hpp"
#include "world/process_ends.hpp"
#include "world/still.hpp"

namespace kanor::rt {
namespace {

constexpr std::int64_t flush_limit_us = 200'000;
constexpr std::int64_t exit_limit_us = 300'000;
constexpr std::int64_t last_resort_us = 1'000'000;

pthread_t supervisor_thread;

/// Ends the job from a rank thread: the supervisor writes out what was printed and ends the process.
void leave_to_supervisor(int status) {
  if (::pthread_equal(::pthread_self(), supervisor_thread)) {
    flush_output(flush_limit_us, end_all_lines);
    end_descendants(children_limit_us);
    if (active_network()) active_network()->abort_job(status);
  } else {
    ::usleep(static_cast<useconds_t>(2 * last_resort_us));
  }
  end_process(status);
}

/// The data that one rank thread starts with.
struct Start {
  Home* home = nullptr;
  const Arguments* arguments = nullptr;
  int rank = 0;
  std::unique_ptr<Rank> state;  ///< thread-local destructors and threads of the rank may still use it
  std::unique_ptr<LibraryState> library;  ///< likewise
};

/// The objects that a rank thread needs until its rank is over: when the destructors of the rank's variables
/// have run, which may execute blocks. So it is the value of a key, whose destructor comes after them when
/// the thread ends, by pthread_exit too; a thread that calls the C library's exit runs them, but does not
/// end.
class Life {
 public:
  explicit Life(Start& start) : start_(start), arguments_(*start.arguments) {}
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;
  ~Life() {
    if (is_over_ || is_forked_child()) return;
    tell(end_rank_main(*start_.state, status_));
  }

  /// Runs the rank. Another status than 0 ends the job at once if the rank calls nothing at its end.
  void run() {
    status_ = run_rank_thread(*start_.state, arguments_.get());
    if (status_ == 0 || has_own_end()) return;
    print_numbers(*start_.state);
    tell(status_);
  }

 private:
  void tell(int status) {
    is_over_ = true;
    leave_signals();
    Home& home = *start_.home;
    rank_is_over(home, start_.rank, status);
    home.control.notify();
  }

  Start& start_;
  const SignalStack signal_stack_;
  OwnArguments arguments_;
  int status_ = 0;
  bool is_over_ = false;
};

pthread_key_t life_key;

void* rank_thread(void* argument) {
  Start& start = *static_cast<Start*>(argument);
  start.home->control.wait_start();
  take_signals();
  name_thread_after_rank(start.rank);
  settle(*start.home, start.rank);
  // Made here, so that its memory is near the thread that uses it.
  if (!start.state) start.state = std::make_unique<Rank>(*start.home, start.rank);
  if (start.home->control.count() > 1) start.library = std::make_unique<LibraryState>();
  enter_library_state(start.library.get());
  if (Image::is_there() && start.rank != start.home->control.first()) take_number_of_thread();
  enter_signals();
  // So exit handlers, which run on the first thread, and threads that others have started find it too.
  if (start.home->control.count() == 1) set_process_rank(start.state.get());
  auto* const life = new Life(start);
  ::pthread_setspecific(life_key, life);
  life->run();
  return nullptr;
}

/// The threads of a job. Immovable: each thread knows the address of its Start.
struct RankThreads {
  explicit RankThreads(int count) : starts(static_cast<std::size_t>(count)), threads(starts.size()) {}

  bool join_all() {
    for (const pthread_t thread : threads) ::pthread_join(thread, nullptr);
    return true;
  }
  /// The same, but waits no longer than this. Returns true if all have been joined.
  bool join_within(std::int64_t limit_us) {
    timespec end{};
    ::clock_gettime(CLOCK_MONOTONIC, &end);
    const std::int64_t end_ns = end.tv_nsec + limit_us * 1000;
    end.tv_sec += end_ns / 1'000'000'000;
    end.tv_nsec = end_ns % 1'000'000'000;
    return std::all_of(threads.begin(), threads.end(), [&](pthread_t thread) {
      return ::pthread_clockjoin_np(thread, nullptr, CLOCK_MONOTONIC, &end) == 0;
    });
  }
  /// Detaches the threads that are over, before the process ends with some still running.
  void let_go(const Control& control) {
    for (std::size_t i = 0; i < threads.size(); ++i)
      if (control.page(starts[i].rank).ended.load(std::memory_order_acquire)) ::pthread_detach(threads[i]);
  }

  std::vector<Start> starts;
  std::vector<pthread_t> threads;
};

/// The ends of the ranks that are over, in sum.
struct Tally {
  bool all_ended = true;       ///< all ranks of this process
  bool any_failed = false;     ///< one of them, with a non-zero status
  int lowest_failed = -1;      ///< the lowest rank of the machine with a non-zero status; -1: none
  int status = 0;              ///< its status
  bool lower_running = false;  ///< a rank of the machine with a lower number runs
};

/// Counts the ranks that are over. Other processes of the machine are seen where they share memory with this
/// one.
Tally count_ended(Home& home) {
  const Local::Sizes& sizes = home.local.sizes();
  Tally tally;
  bool running = false;
  for (int rank = sizes.first; rank < sizes.first + sizes.count; ++rank) {
    const Presence& presence = home.local.presence(rank);
    const int status = presence.failed.load(std::memory_order_acquire);
    const bool runs = status == 0 && !presence.over.load(std::memory_order_acquire);
    running = running || runs;
    if (home.control.has(rank)) {
      tally.all_ended = tally.all_ended && !runs;
      tally.any_failed = tally.any_failed || status != 0;
    }
    if (status == 0 || tally.lowest_failed >= 0) continue;
    tally.lowest_failed = rank;
    tally.status = status;
    tally.lower_running = running;
  }
  return tally;
}

/// Ends the job that a launcher has started. Whoever does not lead gives the others time for what they have
/// to say.
void abort_network(Home& home, int status, bool leads) {
  if (!leads) ::usleep(static_cast<useconds_t>(last_resort_us));
  home.network->abort_job(status);
}

/// Ends the process after a rank has failed and told so: writes out what the others have printed first.
[[noreturn]] void end_after_failure(Home& home, RankThreads& threads) {
  Control& control = home.control;
  ::usleep(static_cast<useconds_t>(failure_grace_us));
  int status = control.failure();
  const bool crashed = status > 128;
  const bool leads = home.local.lead_end(status);
  control.set_ending(status);
  report_repeats(control);
  threads.let_go(control);
  flush_output(flush_limit_us, end_all_lines);
  end_descendants(children_limit_us);
  control.set_settled();
  // A crashed rank now dies of its signal, and the process with it, once a handler of the program's has said
  // what it has to say.
  if (crashed)
    ::usleep(static_cast<useconds_t>(has_earlier_handler(status - 128) ? handler_limit_us : last_resort_us));
  if (home.network) abort_network(home, status, leads);
  end_process(status);
}

/// Ends the job with a rank's exit status while others run.
[[noreturn]] void end_with_status(Home& home, RankThreads& threads, const Tally& tally) {
  int status = tally.status;
  // Another process's rank: that process sees it as well, and comes to the same end.
  const bool leads = home.control.has(tally.lowest_failed) && home.local.lead_end(status);
  if (leads) report_status(tally.lowest_failed, status);
  home.control.set_ending(status);
  threads.let_go(home.control);
  flush_output(flush_limit_us, end_all_lines);
  end_descendants(children_limit_us);
  if (home.network) abort_network(home, status, leads);
  exit_within(status, exit_limit_us);
}

/// Returns when all ranks are over, with how they have ended; with a network, if all have ended as they
/// should.
Tally watch(Home& home, RankThreads& threads, Inbound& inbound, HangReporter* hang, StillWatch* still) {
  Control& control = home.control;
  std::uint64_t grace_end = 0;
  for (;;) {
    const std::uint32_t seen = control.events();
    if (control.failure()) end_after_failure(home, threads);
    const Tally tally = count_ended(home);
    if (tally.all_ended && !(home.network && tally.any_failed)) return tally;
    std::int64_t limit = home.has_remote() ? network_look_us : -1;
    if (tally.any_failed) {
      const std::uint64_t now = monotonic_us();
      if (grace_end == 0) grace_end = now + static_cast<std::uint64_t>(status_grace_us);
      if (!tally.lower_running || now >= grace_end) end_with_status(home, threads, tally);
      // Nobody wakes this process when a rank of another one ends.
      limit = std::min(static_cast<std::int64_t>(grace_end - now), network_look_us);
    } else if (still) {
      still->look();
      if (limit < 0) limit = still->due_us();
    }
    // Without ranks elsewhere nothing comes but what processes tell each other.
    if (home.has_remote() || (home.network && hang)) home.network->progress(inbound);
    if (hang && hang->look(still && still->sees_stopped())) {
      control.fail(1);
      continue;
    }
    if (hang && (limit < 0 || limit > hang->look_us())) limit = hang->look_us();
    control.wait_event(seen, limit);
  }
}

/// Starts the ranks' threads, which wait for Control::open_start().
RankThreads& start_ranks(Home& home, const Arguments& arguments, std::unique_ptr<Rank> first) {
  if (const int error = ::pthread_key_create(&life_key, [](void* life) { delete static_cast<Life*>(life); }))
    refuse(std::string("cannot make a key for the ranks' threads: ") + std::strerror(error));
  const std::size_t stack_bytes = rank_stack_bytes();
  // Stays until the process ends, as the ranks' own threads may.
  static RankThreads& team = *new RankThreads(home.control.count());
  team.starts[0].state = std::move(first);
  for (std::size_t i = 0; i < team.starts.size(); ++i) {
    Start& start = team.starts[i];
    start.home = &home;
    start.arguments = &arguments;
    start.rank = home.control.first() + static_cast<int>(i);
    // No rank has run yet, so there is nothing to clean up but the threads that wait for the start.
    if (const int error = start_thread(team.threads[i], stack_bytes, rank_thread, &start))
      refuse("cannot start rank " + std::to_string(start.rank) + " of " +
             std::to_string(home.local.sizes().ranks) + " as a thread with " +
             std::to_string(stack_bytes >> 10) + " KiB of stack: " + std::strerror(error));
  }
  return team;
}

}  // namespace

void watch_over_threads(Home& home, const Options& options) {
  Control& control = home.control;
  supervisor_thread = ::pthread_self();
  watch_failures(control, leave_to_supervisor);
  if (control.count() > 1) note_first_actions();
  install_crash_handlers();
  disown_children();
  if (!home.network) watch_exit(control);
  if (control.count() > 1) {
    make_room_for_files(control.count());
    write_whole_lines(nullptr);
  }
  advise_crashes(control.count() == 1 ? ""
                 : home.network       ? "the ranks of a process are threads; without KANOR_THREADS each is a "
                                        "process with libraries of its own"
                                : "the ranks are threads; with KANOR_MODE=processes each is a process with "
                                  "libraries of its own",
                 options.switches.check);
}

int run_rank_threads(Home& home, const Options& options, const Arguments& arguments,
                     std::unique_ptr<Rank> first) {
  Control& control = home.control;
  set_thread_pool(&home.local.supervisor_pool());
  RankThreads& team = start_ranks(home, arguments, std::move(first));
  static std::unique_ptr<HangReporter>& hang = *new std::unique_ptr<HangReporter>;
  const bool looks = options.hang_seconds > 0;
  StillWatch still(home, options.hang_seconds);
  // Who stops the only process stops whoever could tell.
  const bool has_others = home.network && home.network->processes() > 1;
  if (looks) hang = std::make_unique<HangReporter>(home, options.hang_seconds);
  control.open_start();

  Inbound inbound(home, home.local.supervisor_pool());
  const Tally tally = watch(home, team, inbound, hang.get(), looks && has_others ? &still : nullptr);
  // After another status a destructor's block waits for the end, which comes although its thread does not.
  const bool all_joined = tally.status == 0 ? team.join_all() : team.join_within(exit_limit_us);
  take_signals();
  if (home.network) {
    if (hang) hang->last_look();
    home.network->finish(inbound);
    control.set_left();
    if (control.count() == 1 && a_rank_left_at_once()) end_process(0);
    return 0;
  }
  if (tally.status != 0) {
    report_status(tally.lowest_failed, tally.status);
    end_descendants(children_limit_us);
  }
  if (all_joined) return tally.status;
  control.set_ending(tally.status);
  flush_output(flush_limit_us, end_all_lines);
  exit_within(tally.status, exit_limit_us);
}

int launch_threads(const Options& options, const Arguments& arguments) {
  // The process's handlers are those of its only rank.
  if (options.ranks == 1) leave_signals_to_rank();
  // They stay until the process ends: handlers and destructors that run at exit may still use them.
  static Control& control = *new Control(Sharing::within_process, 0, options.ranks);
  static Local& local = *new Local(Sharing::within_process, {.first = 0,
                                                             .count = options.ranks,
                                                             .ranks = options.ranks,
                                                             .memory_bytes = options.memory_bytes,
                                                             .inflight_bytes = options.inflight_bytes,
                                                             .huge_pages = options.switches.huge_pages});
  if (!local.ok()) refuse("cannot map any message memory (KANOR_MEMORY sets its size)");
  static ThreadTransport& transport = *new ThreadTransport(local);
  static Home& home = *new Home{.control = control,
                                .local = local,
                                .transport = transport,
                                .spare_cores = options.ranks <= usable_cores(),
                                .switches = options.switches,
                                .places = places_of_ranks(options)};
  watch_over_threads(home, options);
  return run_rank_threads(home, options, arguments, nullptr);
}

}  // namespace kanor::rt
