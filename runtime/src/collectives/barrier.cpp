// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "collectives/barrier.hpp"

#include "match/matcher.hpp"

namespace kanor::rt::collectives {
namespace {

/// The barrier's channel, which no communicator has.
constexpr std::uint32_t barrier_channel = ~std::uint32_t{0};

/// A receive of an empty message.
class Signal final : public Receive {
 public:
  using Receive::Receive;

 private:
  void complete(Arrival&&) override {}
};

}  // namespace

void barrier(Rank& rank) {
  const int size = team_size(rank), number = rank_number(rank);
  Matcher& matcher = Matcher::of(rank);
  // Messages of one round, and of the same round of the next barrier, come in order.
  for (int distance = 1, round = 0; distance < size; distance *= 2, ++round) {
    stream_few_to(rank, (number + distance) % size, context_of(barrier_channel, Form::content),
                  static_cast<std::uint32_t>(round), nullptr, 0);
    Signal signal({barrier_channel, (number - distance + size) % size, round});
    matcher.post(signal);
    if (!signal.done()) matcher.wait(signal);
  }
}

}  // namespace kanor::rt::collectives
