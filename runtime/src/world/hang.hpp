// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reporting a job that hangs.
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
/// they go on; the first one reports for all. A process that says nothing has ranks that go on. Outside of
/// checked mode the job is not ended: what a rank waits for may come from a thread that is no rank.
class HangReporter {
 public:
  /// Made before ranks start. Lasts as long as `home`.
  HangReporter(Home& home, int hang_seconds);
  HangReporter(const HangReporter&) = delete;
  HangReporter& operator=(const HangReporter&) = delete;

  /// The time between two calls of look().
  std::int64_t look_us() const { return home_.switches.check ? 100'000 : 500'000; }

  /// If the job hangs, reports it, once, and returns true in checked mode. Then the job is to be ended with
  /// status 1. While a process is stopped (`some_stopped`) the job does not count as hanging.
  bool look(bool some_stopped);
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
  bool report_for_all();
  bool report(const std::string& lines);

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
