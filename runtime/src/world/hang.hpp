// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ending a job that hangs: checked mode.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "job/hang.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {

/// Detects that a job hangs; whoever watches over ranks calls it some times a second. Where there are several
/// processes, each tells the first one, over the network, for how long its ranks have been stuck, and when
/// they go on; the first one reports for all. A process that says nothing has ranks that go on.
class HangEnder {
 public:
  /// Made before ranks start. Lasts as long as `home`.
  HangEnder(Home& home, int hang_seconds);
  HangEnder(const HangEnder&) = delete;
  HangEnder& operator=(const HangEnder&) = delete;

  /// The time between two calls of look().
  static constexpr std::int64_t look_us = 100'000;

  /// If the job hangs, reports it and returns true. Then the job is to be ended with status 1.
  bool look();
  /// Called when all ranks of this process are over, and it will look no more; but it may still hear of
  /// others.
  void last_look();

 private:
  struct Process {
    std::uint64_t heard_us = 0;  ///< time of its last message; 0: nothing yet
    std::uint64_t stuck_us = 0;  ///< for how long it was stuck then; 0: its ranks go on
    bool ended = false;
    std::string text;
  };
  /// One process's message about itself; its ranks' lines follow.
  struct Word {
    int process;
    int ended;
    std::uint64_t stuck_us;
  };

  void tell(std::uint64_t stuck_us, bool ended, std::uint64_t now_us);
  void hear(const Message& message);
  void note(const Word& word, std::string text);
  bool all_stuck(std::uint64_t now_us) const;
  bool report();

  Home& home_;
  HangWatch watch_;
  const int hang_seconds_;
  std::uint64_t last_look_us_ = 0, last_told_us_ = 0;
  bool said_stuck_ = false;
  std::mutex lock_;  ///< guards what follows: any rank of the process may hear
  std::vector<Process> processes_;
  std::uint64_t moved_us_ = 0;  ///< when a process last said that its ranks go on or have ended
  bool reported_ = false;
  bool leaving_ = false;
};

}  // namespace kanor::rt
