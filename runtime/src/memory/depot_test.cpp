// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/depot.hpp"

#include <gtest/gtest.h>

#include <atomic>
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
  /// Takes all blocks of the tests with threads; how many there were, each of them once.
  std::size_t all_in_depot() {
    std::set<Message*> found;
    while (Message* batch = depot_.take(5, 0))
      for (; batch; batch = batch->next) EXPECT_TRUE(found.insert(batch).second);
    return found.size();
  }
  static Block* block_of(Message* message) { return reinterpret_cast<Block*>(message); }

  static constexpr std::size_t count = 400;
  const std::unique_ptr<Block[]> blocks_ = std::make_unique<Block[]>(count);
  Depot depot_;
};

using Numbers = std::vector<std::size_t>;

TEST_F(DepotTest, GivesEachBatchOnceAndWhole) {
  EXPECT_EQ(depot_.take(3, 0), nullptr);
  // More than there are stacks.
  std::set<Numbers> put, taken;
  for (std::size_t i = 0; i < 30; i += 3) {
    depot_.put(3, list({i, i + 2, i + 1}), 0);
    put.insert({i, i + 2, i + 1});
  }
  for (unsigned first = 0; Message* const batch = depot_.take(3, first); first += 5)
    EXPECT_TRUE(taken.insert(numbers(batch)).second);
  EXPECT_EQ(taken, put);
  depot_.put(3, list({5, 4, 3}), 7);
  EXPECT_EQ(numbers(depot_.take(3, 1)), (Numbers{5, 4, 3}));
  EXPECT_EQ(depot_.take(3, 1), nullptr);
}

TEST_F(DepotTest, KeepsSizesApart) {
  depot_.put(0, list({0}), 0);
  depot_.put(Depot::classes - 1, list({1}), 0);
  EXPECT_EQ(depot_.take(1, 0), nullptr);
  EXPECT_EQ(numbers(depot_.take(0, 0)), Numbers{0});
  EXPECT_EQ(numbers(depot_.take(Depot::classes - 1, 0)), Numbers{1});
}

TEST_F(DepotTest, LosesNothingAndGivesNothingTwiceWhereAllPutAndTake) {
  constexpr int threads = 4, rounds = 5000;
  const auto put = [&](std::vector<Message*>& from, std::size_t blocks, unsigned first) {
    Message* batch = nullptr;
    for (; blocks > 0 && !from.empty(); --blocks, from.pop_back()) {
      block_of(from.back())->payload.holder = Block::nobody;
      from.back()->next.store(batch, std::memory_order_relaxed);
      batch = from.back();
    }
    if (batch) depot_.put(5, batch, first);
  };
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      std::vector<Message*> mine;
      for (std::size_t i = static_cast<std::size_t>(t); i < count; i += threads) mine.push_back(block(i));
      for (Message* const message : mine) block_of(message)->payload.holder = t;
      for (int round = 0; round < rounds; ++round) {
        put(mine, random() % 9, random());
        for (Message* batch = depot_.take(5, random()); batch;
             batch = batch->next.load(std::memory_order_relaxed)) {
          EXPECT_EQ(block_of(batch)->payload.holder, Block::nobody);
          block_of(batch)->payload.holder = t;
          mine.push_back(batch);
        }
        for (Message* const message : mine) EXPECT_EQ(block_of(message)->payload.holder, t);
      }
      while (!mine.empty()) put(mine, 7, 0);
    });
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(all_in_depot(), count);
}

TEST_F(DepotTest, HasSomeForEveryoneWhileOthersTake) {
  constexpr int threads = 4, rounds = 100'000;
  for (std::size_t i = 0; i < count; ++i) depot_.put(5, list({i}), static_cast<unsigned>(i));
  std::atomic<int> misses{0};
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&] {
      // All put on the stack from which all take.
      for (int round = 0; round < rounds; ++round)
        if (Message* const batch = depot_.take(5, 0))
          depot_.put(5, batch, 0);
        else
          ++misses;
    });
  for (std::thread& thread : running) thread.join();
  EXPECT_EQ(misses, 0);
  EXPECT_EQ(all_in_depot(), count);
}

}  // namespace
}  // namespace kanor::rt
