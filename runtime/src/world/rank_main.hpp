// One rank's run through the program's main.
#pragma once

#include <string>
#include <vector>

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// What main is called with.
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

/// Runs initialisers and main of `rank` on the calling thread, which must be no rank yet, and answers the
/// exit status that main returned or that exit() was called with on this thread (0 … 255). exit() leaves main
/// by a jump: automatic objects are not destroyed, as with std::exit everywhere. The thread stays this rank.
int run_rank_thread(Rank& rank, const Arguments& arguments);

/// The same for a rank that is a process. exit() is the C library's, so this may not return.
int run_rank_process(Rank& rank, const Arguments& arguments);

}  // namespace kanor::rt
