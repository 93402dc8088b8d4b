// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only rank of an MPI process while the initialisers of the program's variables run.
#pragma once

#include <pthread.h>

#include <atomic>
#include <memory>

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// Makes the process's first thread the rank until main begins, which another thread runs. What a network
/// has to do meanwhile is done by a thread of its own.
class EarlyRank {
 public:
  explicit EarlyRank(Home& home);
  EarlyRank(const EarlyRank&) = delete;
  EarlyRank& operator=(const EarlyRank&) = delete;

  /// Ends the calling thread's time as the rank, and returns the rank, which is still that of the process.
  std::unique_ptr<Rank> leave();

 private:
  static void* drive(void* early);

  Home& home_;
  std::atomic<bool> is_over_{false};  ///< relaxed: tells the driver to end
  pthread_t driver_{};
  std::unique_ptr<Rank> rank_;
};

}  // namespace kanor::rt
