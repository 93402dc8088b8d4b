// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Telling that ranks wait for a process that stands still: one that was stopped, or that a debugger holds.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// Reports processes that stand still while ranks wait for them; whoever watches over ranks calls it now and
/// then. Of a process of this machine the system says whether it stands still, and one behind the network is
/// asked (transport/answers.hpp). One that has stood still for `seconds` looks in a row is told of, once for
/// all who wait for it, and again only after it has gone on. Nothing is ended, and a rank that computes is
/// none of its business. Belongs to one thread.
class StillWatch {
 public:
  StillWatch(Home& home, int seconds) : home_(home), seconds_(seconds) {}
  StillWatch(const StillWatch&) = delete;
  StillWatch& operator=(const StillWatch&) = delete;

  /// Looks, if it is time.
  void look();
  /// The time until it is.
  std::int64_t due_us() const;
  /// Returns true if a process of this machine, for which ranks wait, stood still at the last look.
  bool sees_stopped() const { return !still_.empty(); }

 private:
  /// The reason why a process matters.
  struct Waited {
    int waiter;  ///< the lowest rank here that waits for it; -1: none does, but the job cannot end without it
    int peer;    ///< the rank that it waits for; any_rank
  };
  /// For each process, by its first rank.
  using AllWaited = std::map<int, Waited>;

  AllWaited waited() const;
  int first_of_process(int rank) const;
  bool is_own(int rank) const { return !home_.own_process && home_.control.has(rank); }
  void look_at(int first, const Waited* waited);
  void ask(int first, const Waited& waited);
  void tell(int first, const Waited& waited, const std::string& what) const;

  Home& home_;
  const int seconds_;
  std::uint64_t next_look_us_ = 0;
  std::map<int, int> still_;  ///< processes of this machine that stand still: for how many looks
};

}  // namespace kanor::rt
