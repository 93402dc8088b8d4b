#include "world/rank_main.hpp"

#include <setjmp.h>

#include <cstdlib>
#include <kanor/abi/globals.hpp>

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
const Rank* statistics_of_process = nullptr;

/// What a parent process sees of a status.
int visible(int status) { return status & 0xff; }

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

int run_rank_thread(Rank& rank, const Arguments& arguments, bool statistics) {
  enter_rank(&rank);
  BaseFrame frame;
  base_frame = &frame;
  if (sigsetjmp(frame.jump, 1) == 0) frame.status = run_main(arguments);
  base_frame = nullptr;
  if (statistics) print_statistics(rank);
  return visible(frame.status);
}

int run_rank_process(Rank& rank, const Arguments& arguments, bool statistics) {
  set_process_rank(&rank);
  enter_rank(&rank);
  if (statistics) statistics_of_process = &rank;
  const int status = visible(run_main(arguments));
  if (statistics) print_statistics(rank);
  statistics_of_process = nullptr;
  return status;
}

}  // namespace kanor::rt

void __wrap_exit(int status) {
  using namespace kanor::rt;
  if (BaseFrame* const frame = base_frame) {
    frame->status = status;
    siglongjmp(frame->jump, 1);
  }
  if (statistics_of_process) print_statistics(*statistics_of_process);
  __real_exit(status);
}
