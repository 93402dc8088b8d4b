// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/depot.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace kanor::rt {
namespace {

/// The smallest of blocks.
struct Block {
  Message message;
  struct alignas(64) {
    Message* below;       // the depot's, while the block lies there
    int holder = nobody;  // a thread, or:
  } payload;
  static constexpr int nobody = -1;
};

class DepotTest : public ::testing::Test {
 protected:
  Message* block(std::size_t i) { return &blocks_[i].message; }
  Message* list(std::initializer_list<std::size_t> numbers) {
    Message* first = nullptr;
    for (auto at = std::rbegin(numbers); at != std::rend(numbers); ++at) {
      block(*at)->next = first;
      first = block(*at);
    }
    return first;
  }
  std::vector<std::size_t> numbers(Message* list) {
    std::vector<std::size_t> found;
    for (; list; list = list->next) found.push_back(static_cast<std::size_t>(block_of(list) - blocks_.get()));
    return found;
  }
  static Block* block_of(Message* message) { return reinterpret_cast<Block*>(message); }

  static constexpr std::size_t count = 400;
  const std::unique_ptr<Block[]> blocks_ = std::make_unique<Block[]>(count);
  Depot depot_;
};

using Numbers = std::vector<std::size_t>;

TEST_F(DepotTest, GivesTheLastBatchFirstAndWhole) {
  EXPECT_EQ(depot_.take(3), nullptr);
  depot_.put(3, list({0, 1, 2}));
  depot_.put(3, list({3}));
  depot_.put(3, list({4, 5}));
  EXPECT_EQ(numbers(depot_.take(3)), (Numbers{4, 5}));
  EXPECT_EQ(numbers(depot_.take(3)), (Numbers{3}));
  depot_.put(3, list({5, 4, 3}));
  EXPECT_EQ(numbers(depot_.take(3)), (Numbers{5, 4, 3}));
  EXPECT_EQ(numbers(depot_.take(3)), (Numbers{0, 1, 2}));
  EXPECT_EQ(depot_.take(3), nullptr);
}

TEST_F(DepotTest, KeepsSizesApart) {
  depot_.put(0, list({0}));
  depot_.put(Depot::classes - 1, list({1}));
  EXPECT_EQ(depot_.take(1), nullptr);
  EXPECT_EQ(numbers(depot_.take(0)), Numbers{0});
  EXPECT_EQ(numbers(depot_.take(Depot::classes - 1)), Numbers{1});
}

TEST_F(DepotTest, LosesNothingAndGivesNothingTwiceWhereAllPutAndTake) {
  constexpr int threads = 4, rounds = 5000;
  const auto put = [&](std::vector<Message*>& from, std::size_t blocks) {
    Message* batch = nullptr;
    for (; blocks > 0 && !from.empty(); --blocks, from.pop_back()) {
      block_of(from.back())->payload.holder = Block::nobody;
      from.back()->next.store(batch, std::memory_order_relaxed);
      batch = from.back();
    }
    if (batch) depot_.put(5, batch);
  };
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      std::vector<Message*> mine;
      for (std::size_t i = static_cast<std::size_t>(t); i < count; i += threads) mine.push_back(block(i));
      for (Message* const message : mine) block_of(message)->payload.holder = t;
      for (int round = 0; round < rounds; ++round) {
        put(mine, random() % 9);
        for (Message* batch = depot_.take(5); batch; batch = batch->next.load(std::memory_order_relaxed)) {
          EXPECT_EQ(block_of(batch)->payload.holder, Block::nobody);
          block_of(batch)->payload.holder = t;
          mine.push_back(batch);
        }
        for (Message* const message : mine) EXPECT_EQ(block_of(message)->payload.holder, t);
      }
      while (!mine.empty()) put(mine, 7);
    });
  for (std::thread& thread : running) thread.join();
  std::set<Message*> found;
  std::size_t times = 0;
  while (Message* batch = depot_.take(5))
    for (; batch; batch = batch->next, ++times) found.insert(batch);
  EXPECT_EQ(times, count);
  EXPECT_EQ(found.size(), count);
}

}  // namespace
}  // namespace kanor::rt
