// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first process of a job of rank processes: watches them, and ends with the job's status.
#pragma once

#include <signal.h>

#include <cstdint>
#include <vector>

#include "job/control.hpp"
#include "transport/local.hpp"
#include "world/hang.hpp"
#include "world/still.hpp"

namespace kanor::rt {

class Supervisor {
 public:
  /// `hang` and `still` look for those; null: nobody does.
  Supervisor(Home& home, HangReporter* hang, StillWatch* still);
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// From now on signals are taken by watch(); returns how they were set before, for the ranks.
  void catch_signals(sigset_t& mask_before, struct sigaction& child_before);

  /// Kills the ranks that run and waits until they are gone.
  void kill_all();

  /// Watches until the job is over: passes signals on to the ranks, tells of ranks that were killed, ends all
  /// when one fails. Ends the process with the job's status, without exit handlers: those ran in the ranks.
  [[noreturn]] void watch();

 private:
  enum class Phase { running, grace, closing, killed };
  struct Child {
    bool over = false;
    int status = 0;       ///< as a shell would say it
    bool signal = false;  ///< it died by one
  };

  void reap();
  void look();
  void begin_closing();
  void kill_those(bool also_reported);
  void pass_on(const siginfo_t& info);
  [[noreturn]] void leave();
  int running() const;
  int process(int rank) const;
  std::int64_t time_left() const;

  Home& home_;
  Control& control_;
  HangReporter* hang_;
  StillWatch* still_;
  std::vector<Child> children_;
  sigset_t signals_{};
  Phase phase_ = Phase::running;
  std::uint64_t phase_end_us_ = 0;
  bool failed_ = false;   ///< a rank told of a failure, or died by a signal
  int status_ = 0;        ///< the job's, once phase_ is past grace
  int asked_signal_ = 0;  ///< the last signal that somebody sent to the job
  bool died_as_asked_ = false;
};

}  // namespace kanor::rt
