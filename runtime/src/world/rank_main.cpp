// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/rank_main.hpp"

#include <setjmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <kanor/abi/globals.hpp>
#include <memory>

#include "c_library/signals.hpp"
#include "exchange/blocks.hpp"
#include "job/failure.hpp"
#include "ownership/counters.hpp"
#include "ownership/leftovers.hpp"
#include "platform/placement.hpp"
#include "world/image.hpp"
#include "world/process_ends.hpp"

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
bool process_ends_well = false;  ///< its main has ended with status 0

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

/// Runs after the handlers that exit() calls, those that destroy the program's variables among them.
[[gnu::destructor]] void end_process_rank() {
  if (rank_of_process && process_ends_well && !is_forked_child()) end_rank(*rank_of_process);
}

/// The copy of the program that this rank runs; null: it runs the program itself.
thread_local std::unique_ptr<Image> own_image;

int run_main(const Rank& rank, const Arguments& arguments) {
  abi::rank_initialiser::run_all();
  const bool is_first = rank.number == rank.home.local.sizes().first;
  if (is_rank_thread() && !is_first && Image::is_there()) own_image = std::make_unique<Image>(rank.number);
  const Image::Main main = own_image ? own_image->main() : &__real_main;
  return main(arguments.count, arguments.values, arguments.environment);
}

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
  if (sigsetjmp(frame.jump, 1) == 0) frame.status = run_main(rank, arguments);
  base_frame = nullptr;
  if (is_forked_child()) __real_exit(frame.status);  // a child's way out of main
  if (own_image) leave_signals();  // the handlers go with it
  own_image.reset();
  rank.status = visible(frame.status);
  if (rank.status != 0) print_numbers(rank);
  return rank.status;
}

int run_rank_process(Rank& rank, const Arguments& arguments) {
  set_process_rank(&rank);
  enter_rank(&rank);
  rank_of_process = &rank;
  const int status = run_main(rank, arguments);
  if (!is_forked_child()) leave_process(visible(status));
  return status;
}

bool begin_to_leave() { return !leaves.exchange(true, std::memory_order_relaxed); }

bool a_rank_left_at_once() { return left_at_once; }

bool is_rank_thread() { return runs_rank_main; }

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
  if (is_forked_child()) __real_exit(status);
  if (BaseFrame* const frame = base_frame) {
    frame->status = status;
    siglongjmp(frame->jump, 1);
  }
  if (rank_of_process) leave_process(visible(status));
  end_beside_rank("exit", status);
  __real_exit(status);
}
