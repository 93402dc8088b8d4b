// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/ends.hpp"

#include <algorithm>
#include <utility>

#include "transport/rank_state.hpp"
#include "transport/waiting.hpp"

namespace kanor::rt {
namespace {

/// The values of `sequence` in messages of end_context.
constexpr std::uint64_t question = 0, answer = 1;

/// Sends the question back as the answer.
void answer_to(Home& home, Message* message) {
  std::swap(message->envelope.source, message->envelope.destination);
  message->envelope.sequence = answer;
  home.network->post(message);
}

}  // namespace

Message* Askers::keep(Home& home, Message* message) {
  const std::lock_guard guard(lock_);
  if (has_ended(home.local.presence(message->envelope.destination))) return message;
  questions_.push_back(message);
  return nullptr;
}

std::vector<Message*> Askers::of(int rank) {
  const std::lock_guard guard(lock_);
  const auto for_others = std::partition(questions_.begin(), questions_.end(), [&](const Message* message) {
    return message->envelope.destination != rank;
  });
  const std::vector<Message*> found(for_others, questions_.end());
  questions_.erase(for_others, questions_.end());
  return found;
}

std::size_t Askers::waiting() const {
  const std::lock_guard guard(lock_);
  return questions_.size();
}

bool has_told_its_end(Rank& rank, int peer) {
  if (std::exchange(rank.asked[peer], 1) == 0) {
    Message* const message = rank.inbound.allocate(end_payload_bytes);
    message->envelope = {rank.number, peer, end_context, question, end_payload_bytes};
    rank.home.network->post(message);
  }
  keep_arrivals(rank);
  return rank.unexpected.has(peer, end_context, answer);
}

void hear_of_end(Home& home, Message* message) {
  message->counted = Counted::nowhere;
  if (message->envelope.sequence == answer)
    home.local.post(message);
  else if (Message* const late = home.askers.keep(home, message))
    answer_to(home, late);
}

void tell_end(Home& home, int rank) {
  for (Message* const message : home.askers.of(rank)) answer_to(home, message);
}

}  // namespace kanor::rt
