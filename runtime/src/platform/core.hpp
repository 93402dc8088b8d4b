// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which core a thread runs on, and getting away from it.
#pragma once

#include <cstdint>
#include <vector>

namespace kanor::rt {

/// The core that the calling thread runs on at this moment; -1 if the system does not say.
int current_core();

/// Moves the calling thread to another core of those it may run on, and leaves it as free to move as it was.
/// Returns true if there is one. Takes some microseconds.
bool leave_core(int core);

/// Numbers of the processors that the calling thread may run on, ascending; empty if the system does not say.
std::vector<int> usable_processors();

/// Binds the calling thread, and those that it starts, to these processors. Returns true if the system does
/// as asked.
bool bind_thread(const std::vector<int>& processors);

/// Two ranks that wake each other in turn, and that the kernel has put on one core, stay there: never do both
/// want to run at the same time, so the other core remains idle. This moves one of them away, but rarely if
/// it does not help, as on a machine that others use too. Belongs to one thread.
class KeepApart {
 public:
  /// `enabled`: every rank has a core of its own.
  explicit KeepApart(bool enabled) : enabled_(enabled) {}

  bool enabled() const { return enabled_; }
  /// The calling thread is about to wait for one that was last seen on `other_core`. Returns the core that
  /// the caller runs on from now on.
  int from(int other_core);

 private:
  static constexpr std::uint64_t least_pause_us = 500, most_pause_us = 1'000'000;
  bool enabled_;
  std::uint64_t moved_us_ = 0;
  std::uint64_t pause_us_ = least_pause_us;
};

}  // namespace kanor::rt
