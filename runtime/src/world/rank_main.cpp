// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/rank_main.hpp"

#include <setjmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <kanor/abi/globals.hpp>

#include "c_library/lines.hpp"
#include "c_library/signals.hpp"
#include "exchange/blocks.hpp"
#include "job/failure.hpp"
#include "ownership/counters.hpp"
#include "ownership/leftovers.hpp"
#include "platform/placement.hpp"
#include "world/facts.hpp"
#include "world/image.hpp"
#include "world/process_ends.hpp"
#include "world/program_end.hpp"

// kanorc, kanor.pc and Kanor::kanor link with --wrap=main and --wrap=exit.
extern "C" {
int __real_main(int argc, char** argv, char** envp);
[[noreturn]] void __real_exit(int status);
[[noreturn]] void __wrap_exit(int status);
}

namespace kanor::rt {
namespace {

/// The frame that exit() on a rank thread goes back to.
struct BaseFrame {
  sigjmp_buf jump;
  volatile int status = 0;
};

thread_local BaseFrame* base_frame = nullptr;
thread_local bool runs_rank_main = false;
Rank* rank_of_process = nullptr;
std::atomic<bool> left_at_once{false};  // relaxed: its rank tells its end afterwards
std::atomic<bool> leaves{false};
std::atomic<bool> have_begun{false};  // relaxed: whoever runs before the ranks has started none
bool process_ends_well = false;       ///< its main has ended with status 0

/// A status as the parent process sees it.
int visible(int status) { return status & 0xff; }

/// Called when the main of this process's rank has ended, and the destructors of its variables are about to
/// run.
void leave_process(int status) {
  begin_to_leave();
  Rank& rank = *rank_of_process;
  rank.status = status;
  process_ends_well = status == 0;
  if (status != 0) print_numbers(rank);
}

/// What this rank calls when its program has ended; null: that is the process's, or there is nothing.
thread_local ProgramEnd* own_end = nullptr;

/// The main that the rank runs: its copy's, or the executable's.
Image::Main find_main() {
  if (!is_rank_thread()) return &__real_main;
  const Rank& rank = here();
  if (rank.number != rank.home.control.first() && Image::is_there()) {
    // The copy stays until the process ends: threads and handlers of the rank may outlive it.
    const Image& image = *new Image(rank.number);
    own_end = &image.end();
    return image.main();
  }
  // The variables of a process with one rank are the rank's, unless they are the thread's.
  const Facts facts = program_facts();
  const bool is_only = rank.home.control.count() == 1;
  if (facts.is_mpi_program ? is_only || Image::is_there() : is_only && !facts.has_private_variables)
    own_end = &ProgramEnd::of_executable(facts, is_only);
  return &__real_main;
}

int run_main(const Arguments& arguments) {
  have_begun.store(true, std::memory_order_relaxed);
  abi::rank_initialiser::run_all();
  return find_main()(arguments.count, arguments.values, arguments.environment);
}

/// Calls what the rank thread has registered for its end, and returns the status with which it ends then.
/// exit() in a handler goes on with those that are left.
int call_own_end(int status) {
  if (!own_end) return status;
  BaseFrame frame;
  frame.status = status;
  base_frame = &frame;
  ::sigsetjmp(frame.jump, 1);
  own_end->call(visible(frame.status));
  base_frame = nullptr;
  return frame.status;
}

/// Ends a process that a rank thread has forked, with what its rank would call.
[[noreturn]] void end_forked_child(int status) { __real_exit(call_own_end(status)); }

}  // namespace

OwnArguments::OwnArguments(const Arguments& original)
    : strings_(original.values, original.values + original.count), environment_(original.environment) {
  for (std::string& string : strings_) pointers_.push_back(string.data());
  pointers_.push_back(nullptr);
}

void settle(const Home& home, int rank) {
  if (home.places.empty()) return;
  const int place = rank - home.local.sizes().first;
  bind_thread(home.places[static_cast<std::size_t>(place)]);
  home.local.pool(rank).settle(number_of_place(home.places, place));
}

int run_rank_thread(Rank& rank, const Arguments& arguments) {
  enter_rank(&rank);
  BaseFrame frame;
  base_frame = &frame;
  runs_rank_main = true;
  if (sigsetjmp(frame.jump, 1) == 0) frame.status = run_main(arguments);
  base_frame = nullptr;
  if (is_forked_child()) end_forked_child(frame.status);  // a child's way out of main
  rank.status = visible(frame.status);
  return rank.status;
}

bool has_own_end() { return own_end != nullptr; }

int end_rank_main(Rank& rank, int status) {
  rank.status = visible(call_own_end(status));
  end_lines();
  if (rank.status == 0)
    end_rank(rank);
  else
    print_numbers(rank);
  return rank.status;
}

void end_process_rank() {
  if (rank_of_process && process_ends_well && !is_forked_child()) end_rank(*rank_of_process);
}

void begin_rank_process(Rank& rank) {
  set_process_rank(&rank);
  enter_rank(&rank);
  rank_of_process = &rank;
}

int run_rank_process(const Arguments& arguments) {
  // A child that an initialiser has forked comes by, too.
  const int status = run_main(arguments);
  if (!is_forked_child()) leave_process(visible(status));
  return status;
}

bool begin_to_leave() { return !leaves.exchange(true, std::memory_order_relaxed); }

bool ranks_have_begun() { return have_begun.load(std::memory_order_relaxed); }

bool a_rank_left_at_once() { return left_at_once; }

bool is_rank_thread() { return runs_rank_main; }

bool is_thread_of_rank_process() { return rank_of_process && ::gettid() == ::getpid(); }

void end_rank_thread(Rank& rank, int status) {
  leave_signals();
  rank.status = status;
  if (status == 0)
    end_rank(rank);
  else
    print_numbers(rank);
  left_at_once = true;
  rank_is_over(rank.home, rank.number, status);
  rank.home.control.notify();
  while (status != 0) ::pause();  // for the end of the process
  for (;;) ::syscall(SYS_exit, 0);
}

void print_numbers(Rank& rank) {
  if (!rank.home.switches.statistics) return;
  print_statistics(rank);
  print_sharing(rank);
}

void forget_main() {
  base_frame = nullptr;
  runs_rank_main = false;
  rank_of_process = nullptr;
}

void end_rank(Rank& rank) {
  before_call(rank);
  if (rank.home.switches.check) {
    calls_are_over(rank);
    finish_checks();
    wait_for_calls_to_be_over(rank);
    print_leftovers(rank);
  }
  print_numbers(rank);
}

}  // namespace kanor::rt

void __wrap_exit(int status) {
  using namespace kanor::rt;
  if (BaseFrame* const frame = base_frame) {
    frame->status = status;
    siglongjmp(frame->jump, 1);
  }
  if (is_forked_child()) end_forked_child(status);
  if (rank_of_process) leave_process(visible(status));
  end_beside_rank("exit", status);
  __real_exit(status);
}
