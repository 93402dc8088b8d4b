#include "world/rank_main.hpp"

#include <setjmp.h>

#include <cstdlib>
#include <kanor/abi/globals.hpp>

#include "exchange/blocks.hpp"
#include "ownership/counters.hpp"

// kanorc links with --wrap=main and --wrap=exit.
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
Rank* rank_of_process = nullptr;  ///< while its main runs

/// What a parent process sees of a status.
int visible(int status) { return status & 0xff; }

/// In checked mode a rank that ends as it should hears first what the others did.
void leave_main(const Rank& rank, int status) {
  if (status != 0 || !rank.home.switches.check) return;
  finish_checks();
}

/// What KANOR_STATS=1 asks for.
void print_numbers(Rank& rank) {
  if (!rank.home.switches.statistics) return;
  print_statistics(rank);
  print_sharing(rank);
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

int run_rank_thread(Rank& rank, const Arguments& arguments) {
  enter_rank(&rank);
  BaseFrame frame;
  base_frame = &frame;
  if (sigsetjmp(frame.jump, 1) == 0) frame.status = run_main(arguments);
  base_frame = nullptr;
  leave_main(rank, visible(frame.status));
  print_numbers(rank);
  return visible(frame.status);
}

int run_rank_process(Rank& rank, const Arguments& arguments) {
  set_process_rank(&rank);
  enter_rank(&rank);
  rank_of_process = &rank;
  const int status = visible(run_main(arguments));
  leave_main(rank, status);
  print_numbers(rank);
  rank_of_process = nullptr;
  return status;
}

}  // namespace kanor::rt

void __wrap_exit(int status) {
  using namespace kanor::rt;
  if (BaseFrame* const frame = base_frame) {
    frame->status = status;
    siglongjmp(frame->jump, 1);
  }
  if (rank_of_process) {
    leave_main(*rank_of_process, visible(status));
    print_numbers(*rank_of_process);
  }
  __real_exit(status);
}
