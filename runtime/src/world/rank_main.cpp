#include "world/rank_main.hpp"

#include <setjmp.h>

#include <cstdlib>
#include <kanor/abi/globals.hpp>

#include "exchange/blocks.hpp"
#include "ownership/counters.hpp"
#include "ownership/leftovers.hpp"
#include "platform/placement.hpp"

// kanorc, kanor.pc and Kanor::kanor link with --wrap=main and --wrap=exit.
extern "C" {
int __real_main(int argc, char** argv, char** envp);
[[noreturn]] void __real_exit(int status);
[[noreturn]] void __wrap_exit(int status);
}

namespace kanor::rt {
namespace {

/// Where exit() on a rank thread goes back to.
struct BaseFrame {
  sigjmp_buf jump;
  volatile int status = 0;
};

thread_local BaseFrame* base_frame = nullptr;
Rank* rank_of_process = nullptr;
bool process_ends_well = false;  ///< its main has ended with status 0

/// What a parent process sees of a status.
int visible(int status) { return status & 0xff; }

/// What KANOR_STATS=1 asks for.
void print_numbers(Rank& rank) {
  if (!rank.home.switches.statistics) return;
  print_statistics(rank);
  print_sharing(rank);
}

/// The main of this process's rank has ended, and the destructors of its variables are about to run.
void leave_process(int status) {
  Rank& rank = *rank_of_process;
  rank.status = status;
  process_ends_well = status == 0;
  if (status != 0) print_numbers(rank);
}

/// Runs after the handlers that exit() calls, those that destroy the program's variables among them.
[[gnu::destructor]] void end_process_rank() {
  if (rank_of_process && process_ends_well) end_rank(*rank_of_process);
}

int run_main(const Arguments& arguments) {
  abi::rank_initialiser::run_all();
  return __real_main(arguments.count, arguments.values, arguments.environment);
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
  if (sigsetjmp(frame.jump, 1) == 0) frame.status = run_main(arguments);
  base_frame = nullptr;
  rank.status = visible(frame.status);
  if (rank.status != 0) print_numbers(rank);
  return rank.status;
}

int run_rank_process(Rank& rank, const Arguments& arguments) {
  set_process_rank(&rank);
  enter_rank(&rank);
  rank_of_process = &rank;
  const int status = visible(run_main(arguments));
  leave_process(status);
  return status;
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
  if (BaseFrame* const frame = base_frame) {
    frame->status = status;
    siglongjmp(frame->jump, 1);
  }
  if (rank_of_process) leave_process(visible(status));
  __real_exit(status);
}
