// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one rank does at each signal: a part of its state of the C library.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace kanor::rt {

/// A set of signals, as the kernel has it: signal N is bit N - 1.
using SignalSet = std::uint64_t;

/// A struct sigaction in the parts that the kernel looks at.
struct SignalAction {
  void (*handler)() = nullptr;  ///< a handler of either kind, SIG_DFL or SIG_IGN
  int flags = 0;
  SignalSet mask = 0;

  bool is_default() const { return handler == reinterpret_cast<void (*)()>(SIG_DFL); }
  bool is_ignored() const { return handler == reinterpret_cast<void (*)()>(SIG_IGN); }
  bool has_function() const { return !is_default() && !is_ignored(); }
};

/// The action for one signal. A handler may read it while another thread changes it.
class SignalSlot {
 public:
  /// Empty if none has been put.
  std::optional<SignalAction> get() const;
  /// Called by one thread at a time, at which no signal comes meanwhile.
  void put(const SignalAction& action);

 private:
  // A lock that readers do not take: odd while the parts are written. The stores of the parts are releases
  // after the odd number, and their loads acquires before the second look at it.
  std::atomic<std::uint64_t> version_{0};
  std::atomic<void (*)()> handler_{nullptr};
  std::atomic<int> flags_{0};
  std::atomic<SignalSet> mask_{0};
};

/// Slots by the signal's number; the first one is of no signal.
using SignalSlots = std::array<SignalSlot, NSIG>;

/// A rank's part of its process's signals.
struct OwnSignals {
  SignalSlots actions;                   ///< what the rank has asked for
  std::atomic<SignalSet> interrupts{0};  ///< signals that siginterrupt() has been called for
  std::atomic<pid_t> thread{0};          ///< the thread of the rank's main; 0: the rank does not run
  std::atomic<pid_t> number{0};          ///< what getpid() tells the rank; 0: the process's number
  std::atomic<int> timer{-1};            ///< the kernel's number of the rank's alarm; -1: none was set

  /// Returns true if the rank runs, so that signals come to it.
  bool lives() const { return thread.load(std::memory_order_acquire) != 0; }
};

}  // namespace kanor::rt
