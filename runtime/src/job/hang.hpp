// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeing that a job hangs, and saying where ranks wait.
#pragma once

#include <cstdint>
#include <string>

#include "job/control.hpp"

namespace kanor::rt {

/// Watches the ranks under one supervisor. They hang if each waits in a block or has ended, and no wait ends.
/// A rank that computes, sleeps or waits for anything else is no part of a hang. Belongs to one thread.
class HangWatch {
 public:
  explicit HangWatch(const Control& control) : control_(control) {}

  /// Returns for how long all ranks have been seen to wait or to be over without any progress; 0 where one
  /// goes on. To be called some times a second with a clock that only grows.
  std::uint64_t stuck_us(std::uint64_t now_us);

  /// Counts anew from the next call on: a process was stopped, which is no hang.
  void start_anew() { since_us_ = 0; }

  /// Returns true if all of them have ended.
  bool all_ended() const;

  /// One line for each rank, `kanor: rank 2: waits in the block at a.cpp:12 for data from rank 1`; with the
  /// block's team, if that is not the world.
  std::string report() const;

 private:
  const Control& control_;
  std::uint64_t progress_ = 0;
  std::uint64_t since_us_ = 0;  ///< since when all are stuck; 0: one goes on
};

/// Describes where a rank waits: "waits in the block at a.cpp:12".
std::string waiting_text(const RankPage& page);

/// The report of a hang: a headline, the ranks' lines, and the likely cause if they show one.
std::string hang_text(int seconds, const std::string& lines);

}  // namespace kanor::rt
