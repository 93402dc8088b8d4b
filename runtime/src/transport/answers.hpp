// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a process learns that one behind the network stands still.
#pragma once

#include <map>
#include <mutex>

#include "memory/message.hpp"

namespace kanor::rt {

class Pool;
struct Home;

/// Questions to other processes, which each answers whatever its ranks do: its supervisor makes the network
/// move, so that only a process that stands still, or is out of reach, owes an answer for long. Thread-safe.
class Answers {
 public:
  /// Asks the process of remote rank `peer` in the name of rank `own`, if it owes no answer. Returns how many
  /// earlier calls have found the same question open: 0 if it has just been asked.
  int ask(Home& home, Pool& pool, int own, int peer);
  /// Handles a message of answers_context from the network: sends a question back, takes note of an answer.
  void hear(Home& home, Message* message, Pool& pool);

 private:
  std::mutex lock_;
  std::map<int, int> open_;  ///< for each rank whose process owes an answer: how often that was found
};

}  // namespace kanor::rt
