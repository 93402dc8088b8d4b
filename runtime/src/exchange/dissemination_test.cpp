// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/dissemination.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

namespace kanor::rt {
namespace {

struct Signal {
  int member, round;
};

/// Members enter in a random order, signals arrive in a random order: nobody is done before all have entered,
/// all are done in the end, and each has sent one signal a round.
TEST(DisseminationBarrier, EndsWhenAllHaveEntered) {
  std::mt19937 random(7);
  for (int size = 1; size <= 40; ++size)
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<DisseminationBarrier> members;
      for (int rank = 0; rank < size; ++rank) members.emplace_back(rank, size);
      std::vector<Signal> travelling;
      std::vector<int> sent(static_cast<std::size_t>(size)), order(static_cast<std::size_t>(size));
      for (int rank = 0; rank < size; ++rank) order[static_cast<std::size_t>(rank)] = rank;
      std::shuffle(order.begin(), order.end(), random);
      const auto at = [&](int rank) -> DisseminationBarrier& {
        return members[static_cast<std::size_t>(rank)];
      };
      const auto send_from = [&](int rank) {
        return [&, rank](int member, int round) {
          ++sent[static_cast<std::size_t>(rank)];
          travelling.push_back({member, round});
        };
      };
      while (!order.empty() || !travelling.empty()) {
        if (!order.empty() && (travelling.empty() || random() % 2)) {
          const int rank = order.back();
          order.pop_back();
          at(rank).enter(send_from(rank));
        } else {
          std::swap(travelling[random() % travelling.size()], travelling.back());
          const Signal signal = travelling.back();
          travelling.pop_back();
          at(signal.member).arrived(signal.round, send_from(signal.member));
        }
        if (!order.empty()) {
          EXPECT_TRUE(
              std::none_of(members.begin(), members.end(), [](const auto& one) { return one.done(); }));
        }
      }
      int rounds = 0;
      while ((1 << rounds) < size) ++rounds;
      for (int rank = 0; rank < size; ++rank) {
        EXPECT_TRUE(at(rank).done()) << rank << " of " << size;
        EXPECT_EQ(sent[static_cast<std::size_t>(rank)], rounds);
      }
    }
}

TEST(DisseminationBarrier, WaitsForTheOneThatHasNotSignalled) {
  const auto nobody = [](int, int) {};
  DisseminationBarrier barrier(3, 5);
  barrier.enter(nobody);
  EXPECT_EQ(barrier.source(), 4);
  barrier.arrived(1, nobody);  // early
  EXPECT_EQ(barrier.source(), 4);
  barrier.arrived(0, nobody);
  EXPECT_EQ(barrier.source(), 2);
  EXPECT_FALSE(barrier.done());
  barrier.arrived(2, nobody);
  EXPECT_TRUE(barrier.done());
}

}  // namespace
}  // namespace kanor::rt
