// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The call that a rank is in, for messages.
#pragma once

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// A call's place in the program, for messages. `file` lasts as long as the program; without a line it is the
/// name of the call, or empty.
struct Place {
  const char* file = "";
  int line = 0;
};

/// A call, and its place if that has a line.
struct CallSite {
  const char* call = nullptr;  ///< null: none
  Place place{};
};

/// While it lives, other threads of the rank wait for their turn to make calls (transport/turns.hpp).
class InTurn {
 public:
  explicit InTurn(Rank& rank) : turns_(rank.waits.turns.get()) {
    if (turns_) turns_->enter();
  }
  ~InTurn() {
    if (turns_) turns_->leave();
  }
  /// Returns true if several threads of the rank make calls.
  bool is_shared() const { return turns_ != nullptr; }
  InTurn(const InTurn&) = delete;
  InTurn& operator=(const InTurn&) = delete;

 private:
  Turns* const turns_;
};

/// While it lives, the rank is in this call, which its page notes. It is this thread's turn. Everything is
/// relaxed: other threads and processes read the page of a rank that waits, after Waiting's release.
class InCall {
 public:
  InCall(Rank& rank, const char* call, const Place& place) : turn_(rank), page_(rank.page) {
    page_.call.file.store(place.file, std::memory_order_relaxed);
    page_.call.line.store(place.line, std::memory_order_relaxed);
    page_.call.name.store(call, std::memory_order_relaxed);
  }
  ~InCall() { page_.call.name.store(nullptr, std::memory_order_relaxed); }
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;

 private:
  InTurn turn_;
  RankPage& page_;
};

/// The call that the rank is in.
inline CallSite current_call(const Rank& rank) {
  const RankPage& page = rank.page;
  return {page.call.name.load(std::memory_order_relaxed),
          {page.call.file.load(std::memory_order_relaxed), page.call.line.load(std::memory_order_relaxed)}};
}

/// Notes, while it lives, on the rank's page what the call waits for: an operation with this tag that call
/// `posted` has begun (null: the waiting call itself).
class InWait {
 public:
  InWait(Rank& rank, const CallSite& posted, int tag) : page_(rank.page) {
    page_.waits_tag.store(tag, std::memory_order_relaxed);
    if (!posted.call) return;
    page_.posted.file.store(posted.place.file, std::memory_order_relaxed);
    page_.posted.line.store(posted.place.line, std::memory_order_relaxed);
    page_.posted.name.store(posted.call, std::memory_order_relaxed);
  }
  ~InWait() {
    page_.waits_tag.store(no_tag, std::memory_order_relaxed);
    page_.posted.name.store(nullptr, std::memory_order_relaxed);
  }
  InWait(const InWait&) = delete;
  InWait& operator=(const InWait&) = delete;

 private:
  RankPage& page_;
};

}  // namespace kanor::rt
