// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a rank learns that one which it shares no memory with has ended.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "memory/message.hpp"

namespace kanor::rt {

class Rank;
struct Home;

/// The open questions of remote ranks whether a local rank has ended. Thread-safe.
///
/// Before a rank sleeps for a remote one it asks that rank's process, once for each such pair. The process
/// answers when the rank has ended. Nobody else hears of ends, so a job whose ranks do not wait for each
/// other exchanges nothing at its end. A rank that waits for whoever sends asks the others one after the
/// other: the next one when the last has ended.
///
/// Why no end is missed: whether the rank has ended is looked at, and the question kept, under one lock;
/// tell_end() looks for questions under that lock after the rank was marked as ended. Why no message is taken
/// for missing: a network delivers the answer after all that the rank has posted before it (see
/// Transport::post), and the rank had posted its last message by then.
class Askers {
 public:
  /// Stores a question for a local rank. If the rank has ended already, returns it for the caller to answer.
  Message* keep(Home& home, Message* question);
  /// Removes and returns the questions for a rank.
  std::vector<Message*> of(int rank);
  /// The number of stored questions.
  std::size_t waiting() const;

 private:
  mutable std::mutex lock_;
  std::vector<Message*> questions_;
};

/// Returns true if remote rank `peer` has reported its end. Asks it at the first call. Does not wait.
bool has_told_its_end(Rank& rank, int peer);

/// Handles a message of end_context from the network: a question for a local rank, or an answer.
void hear_of_end(Home& home, Message* message);

/// Answers those who have asked about local rank `rank`, which has been marked as ended.
void tell_end(Home& home, int rank);

}  // namespace kanor::rt
