// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/answers.hpp"

#include <utility>

#include "transport/rank_state.hpp"

namespace kanor::rt {
namespace {

/// The values of `sequence` in messages of answers_context.
constexpr std::uint64_t inquiry = 0, reply = 1;

}  // namespace

int Answers::ask(Home& home, Pool& pool, int own, int peer) {
  Message* message = nullptr;
  {
    const std::lock_guard guard(lock_);
    if (const auto found = open_.find(peer); found != open_.end()) return ++found->second;
    message = pool.allocate(0);
    if (!message) return 0;
    open_.emplace(peer, 0);
  }
  message->envelope = {own, peer, answers_context, inquiry, 0};
  home.network->post(message);
  return 0;
}

void Answers::hear(Home& home, Message* message, Pool& pool) {
  message->counted = Counted::nowhere;
  Envelope& envelope = message->envelope;
  if (envelope.sequence == inquiry) {
    std::swap(envelope.source, envelope.destination);
    envelope.sequence = reply;
    return home.network->post(message);
  }
  {
    const std::lock_guard guard(lock_);
    open_.erase(envelope.source);
  }
  pool.give_back(message, &pool);
}

}  // namespace kanor::rt
