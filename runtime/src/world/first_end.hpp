// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a job's processes on one host has ended first.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kanor::rt {

/// The name of the socket where those meet that have this process as their launcher, and nobody else:
/// containers may have a network in common, and with it abstract names of sockets, but numbers of processes,
/// and users, of their own.
std::string meeting_name(pid_t launcher);

/// The watchers of processes that have the same launcher agree which process has ended first: when one ends,
/// the launcher kills the others, and their ends are no news. The first watcher that comes judges; the others
/// tell it when theirs ended, and wait for what it says. They meet at a socket with an abstract name, which
/// is no file and is free again when its watcher ends.
class FirstEnd {
 public:
  /// The watched process's status as wait() gives it, and the time of its end.
  struct Claim {
    std::int64_t when_us = 0;
    std::int32_t code = 0;
  };
  /// Tells the judge of the process's end, or becomes the judge.
  FirstEnd(pid_t launcher, const Claim& own);
  FirstEnd(const FirstEnd&) = delete;
  FirstEnd& operator=(const FirstEnd&) = delete;

  /// Returns true if the process of this watcher was the first. To be asked once, when all others have had
  /// time to tell of theirs; waits for the judge, but not for long.
  bool is_own();
  /// In that case, true if others have ended in the same way.
  bool has_company() const { return company_; }

 private:
  bool judge();

  const Claim own_;
  int socket_ = -1;
  bool judges_ = true;
  bool company_ = false;
};

/// Tells when a wait of the calling thread ended, although the thread may have got a core only later.
class WakeClock {
 public:
  /// Called before the wait.
  WakeClock();
  /// Called after it: CLOCK_MONOTONIC's microseconds, less those in which the thread could have run.
  std::int64_t woken_us() const;

 private:
  std::int64_t delayed_ns_;
};

}  // namespace kanor::rt
