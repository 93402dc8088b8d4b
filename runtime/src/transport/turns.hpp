// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of one rank that make calls at the same time.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "transport/mailbox.hpp"

namespace kanor::rt {

/// Lets threads of a rank into its calls in turn: one runs, in the order in which they came, and lets the
/// next one run between two looks while it waits. What a rank has belongs to the thread that runs.
/// MPI_THREAD_MULTIPLE. A thread that waits sleeps for at most a millisecond where another one's message
/// would not wake it; a new call ends its sleep.
class Turns {
 public:
  explicit Turns(Mailbox& mailbox) : mailbox_(mailbox) {}

  /// Begins a call, which may be inside of another one: of a function of the program that a call calls.
  void enter();
  void leave();
  /// Called while the rank waits: lets those run first that are there. Does nothing outside of a call.
  void pass();
  /// Returns true if a new call is there, so that this is not the time to sleep.
  bool has_new() const { return new_.load(std::memory_order_relaxed) > 0; }

 private:
  /// Returns true if it is this thread's turn.
  bool runs() const;
  void wait_for_turn(bool is_new);
  void end_turn();

  Mailbox& mailbox_;
  std::atomic<std::uint32_t> next_{0}, serving_{0};  ///< whose turn it is; release, acquire
  std::atomic<int> new_{0};
  std::atomic<std::thread::id> running_{};
  int depth_ = 0;  ///< of the calls of the thread that runs
};

}  // namespace kanor::rt
