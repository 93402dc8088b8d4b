// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rank's run through the program's main.
#pragma once

#include <string>
#include <vector>

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// The arguments that main is called with.
struct Arguments {
  int count = 0;
  char** values = nullptr;
  char** environment = nullptr;
};

/// A deep copy of the arguments for a rank thread, since programs write into argv (getopt does).
class OwnArguments {
 public:
  explicit OwnArguments(const Arguments& original);
  Arguments get() { return {static_cast<int>(strings_.size()), pointers_.data(), environment_}; }

 private:
  std::vector<std::string> strings_;
  std::vector<char*> pointers_;
  char** environment_;
};

/// Binds the calling thread to the rank's processors, before it touches memory of its own, and tells its pool
/// on which node they are. Where the system refuses, it runs where it may.
void settle(const Home& home, int rank);

/// Runs initialisers and main of `rank` on the calling thread, which must be no rank yet, and returns the
/// exit status that main returned or that exit() was called with on this thread (0 … 255). exit() leaves main
/// by a jump: automatic objects are not destroyed, as with std::exit everywhere. The thread stays this rank:
/// the destructors of the rank's variables, which run when the thread ends, may still execute blocks.
int run_rank_thread(Rank& rank, const Arguments& arguments);

/// Returns true if the calling rank thread runs an MPI program, whose end is the rank's: it calls handlers
/// and destructors that take part in the job, whatever the status is.
bool has_own_end();

/// Ends a rank whose main has ended with this status, once the destructors of its thread's variables have
/// run. Returns the status that its handlers leave.
int end_rank_main(Rank& rank, int status);

/// Ends the rank of this process after the handlers that exit() calls, those that destroy the program's
/// variables among them, and after the program's functions of that kind. Those of the lowest number are last.
[[gnu::destructor(101)]] void end_process_rank();

/// Makes `rank` the rank of this process, whatever thread asks.
void begin_rank_process(Rank& rank);

/// Runs the rank of this process as run_rank_thread() does. exit() is the C library's, so this may not
/// return. Calls end_rank() where it is due.
int run_rank_process(const Arguments& arguments);

/// Returns true if a rank of this process has begun its main.
bool ranks_have_begun();

/// Returns true if the calling thread is the one that runs the main of a rank thread.
bool is_rank_thread();

/// Returns true if the calling thread is the one that runs the main of a rank process.
bool is_thread_of_rank_process();

/// Ends the calling rank thread with this status, and nothing runs that it has registered or has variables
/// for: what _exit() means on it. Another status than 0 ends the job.
[[noreturn]] void end_rank_thread(Rank& rank, int status);

/// Notes that the rank of this process is about to end. Returns true for the first call: what the C library
/// calls on its way out is none of the program's.
bool begin_to_leave();

/// Returns true if a rank thread of this process has ended so.
bool a_rank_left_at_once();

/// Prints the numbers that KANOR_STATS=1 asks for, of a rank that ends.
void print_numbers(Rank& rank);

/// Called in a process that a rank has forked: neither main's end nor exit() has to do with the job there.
void forget_main();

/// Ends a rank with status 0, on one of its threads, once its variables have been destroyed, so that it
/// executes no more blocks. In checked mode hears first what the others did; prints the rank's numbers.
void end_rank(Rank& rank);

}  // namespace kanor::rt
