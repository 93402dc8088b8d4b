// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/pool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "memory/test_pages.hpp"
#include "platform/machine.hpp"

namespace kanor::rt {
namespace {

constexpr std::size_t idle_limit = std::size_t{2} << 20;

/// Pools as they lie in a job: side by side.
class Pools {
 public:
  explicit Pools(std::uint32_t count, std::size_t bytes = std::size_t{64} << 20,
                 std::size_t idle = idle_limit)
      : mapping_(Sharing::within_process, Segment::bytes_for(bytes)),
        segment(*new (mapping_.data())
                    Segment(Sharing::within_process, Segment::rounded(bytes), huge_page_bytes())),
        memory_(count * sizeof(Pool)) {
    for (std::uint32_t i = 0; i < count; ++i) new (&(*this)[i]) Pool(i, segment, depots.data(), idle);
  }
  Pool& operator[](std::uint32_t i) { return reinterpret_cast<Pool*>(memory_.data())[i]; }

  // Made in this order: the segment lies in the mapping.
 private:
  Mapping mapping_;

 public:
  Segment& segment;
  std::array<Depot, Pool::most_nodes> depots;

 private:
  struct alignas(64) Byte {
    std::byte bytes[64];
  };
  struct Aligned {
    explicit Aligned(std::size_t bytes) : cells(std::make_unique<Byte[]>(bytes / 64 + 1)) {}
    void* data() { return cells.get(); }
    std::unique_ptr<Byte[]> cells;
  } memory_;
};

TEST(Pool, GivesDistinctAlignedPayloads) {
  Pools pools(1);
  std::set<std::byte*> seen;
  for (const std::size_t bytes : {0, 1, 63, 64, 65, 1000, 65536, 131072, 1 << 20})
    for (int i = 0; i < 3; ++i) {
      Message* const message = pools[0].allocate(bytes);
      ASSERT_NE(message, nullptr);
      EXPECT_EQ(message->envelope.bytes, bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(message->payload()) % 64, 0u);
      std::memset(message->payload(), 0x11, bytes);
      EXPECT_TRUE(seen.insert(message->payload()).second);
    }
}

TEST(Pool, ReusesWhatItsOwnerGivesBack) {
  Pools pools(1);
  Message* const first = pools[0].allocate(500);
  pools[0].give_back(first, &pools[0]);
  EXPECT_EQ(pools[0].allocate(600), first);
}

TEST(Pool, ReusesWhatOthersGiveBack) {
  Pools pools(2);
  Message* const first = pools[0].allocate(500);
  Message* const second = pools[0].allocate(500);
  pools[1].give_back(first, &pools[1]);
  pools[1].give_back(second, nullptr);
  const std::set<Message*> expected{first, second};
  EXPECT_EQ((std::set<Message*>{pools[0].allocate(500), pools[0].allocate(500)}), expected);
}

TEST(Pool, StaysBoundedOverManyRounds) {
  Pools pools(2);
  std::size_t after_first_round = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<Message*> messages;
    for (int i = 0; i < 20; ++i) messages.push_back(pools[0].allocate(static_cast<std::size_t>(i) * 40'000));
    for (Message* const message : messages) pools[1].give_back(message, &pools[1]);
    EXPECT_LE(pools[0].idle_bytes(), idle_limit);
    if (round == 0) after_first_round = pools.segment.used_bytes();
  }
  EXPECT_LE(pools.segment.used_bytes(), after_first_round + idle_limit);
}

TEST(Pool, ReturnsLargeBlocksBeyondItsIdleLimit) {
  Pools pools(2);
  std::vector<Message*> messages;
  for (int i = 0; i < 10; ++i) messages.push_back(pools[0].allocate(std::size_t{1} << 20));
  EXPECT_GE(pools.segment.used_bytes(), std::size_t{20} << 20);  // each takes 2 MiB, header included
  for (Message* const message : messages) pools[1].give_back(message, &pools[1]);
  EXPECT_LE(pools.segment.used_bytes(), idle_limit);
}

/// Of a large block that is half full only what was asked for takes memory: so only that counts.
TEST(Pool, CountsWhatLargeBlocksHold) {
  constexpr std::size_t megabyte = 1'000'000, block = std::size_t{1} << 20;
  Pools pools(2);
  // In blocks of 2^20 bytes; an idle limit of two.
  std::vector<Message*> messages;
  for (int i = 0; i < 4; ++i) messages.push_back(pools[0].allocate(6 * megabyte / 10));
  const std::size_t each = pools[0].footprint().now_bytes() / 4;
  EXPECT_GE(each, 6 * megabyte / 10);
  EXPECT_LE(each, 6 * megabyte / 10 + sizeof(Message) + block / 256);
  EXPECT_EQ(pools[0].footprint().peak_bytes(), 4 * each);
  EXPECT_EQ(pools.segment.footprint().now_bytes(), 4 * each);

  for (Message* const message : messages) pools[1].give_back(message, &pools[1]);
  EXPECT_EQ(pools[0].idle_bytes(), 3 * each) << "the fourth is beyond the limit";
  EXPECT_EQ(pools[0].footprint().now_bytes(), 3 * each);
  EXPECT_EQ(pools[0].footprint().peak_bytes(), 4 * each);

  // One is filled further than it ever was, and holds that from now on.
  Message* const message = pools[0].allocate(85 * megabyte / 100);
  EXPECT_EQ(pools[0].idle_bytes(), 2 * each);
  const std::size_t more = pools[0].footprint().now_bytes() - 3 * each;
  EXPECT_GE(each + more, 85 * megabyte / 100);
  EXPECT_LE(each + more, 85 * megabyte / 100 + sizeof(Message) + block / 256);
  EXPECT_EQ(pools.segment.footprint().now_bytes(), 3 * each + more);
  pools[0].give_back(message, &pools[0]);
  EXPECT_EQ(pools[0].idle_bytes(), 3 * each + more);
  EXPECT_EQ(pools[0].allocate(6 * megabyte / 10), message);
  EXPECT_EQ(pools[0].idle_bytes(), 2 * each);
  EXPECT_EQ(pools[0].footprint().now_bytes(), 3 * each + more);
}

TEST(Pool, CountsSmallBlocksAsTheyAreMade) {
  Pools pools(2);
  Message* const first = pools[0].allocate(900);
  EXPECT_EQ(pools[0].footprint().peak_bytes(), 1024u);
  pools[1].adopt(*first);
  pools[1].give_back(first, &pools[1]);
  EXPECT_NE(pools[1].allocate(900), nullptr);
  EXPECT_EQ(pools[1].footprint().peak_bytes(), 0u) << "it has made none";
  pools[0].allocate(900);
  EXPECT_EQ(pools[0].footprint().peak_bytes(), 2048u);
  EXPECT_EQ(pools.segment.footprint().peak_bytes(), 2048u);
}

/// A block that is filled further has huge pages there as well.
TEST(Pool, AsksForHugePagesWhereABlockIsFilledFurther) {
  if (huge_page_bytes() == 0) GTEST_SKIP() << "the system knows no huge pages";
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  Pools pools(1, 64 * mebibyte, 16 * mebibyte);
  const auto to_be_huge = [&](std::size_t payload) {
    Message* const message = pools[0].allocate(payload);
    const std::size_t found = test::bytes_to_be_huge(reinterpret_cast<std::byte*>(message), 16 * mebibyte);
    pools[0].give_back(message, &pools[0]);
    return found;
  };
  EXPECT_EQ(to_be_huge(9 * mebibyte), 8 * mebibyte);
  EXPECT_EQ(to_be_huge(15 * mebibyte), 14 * mebibyte);
}

TEST(Pool, SaysWhenTheSegmentIsUsedUp) {
  Pools pools(1, std::size_t{4} << 20);
  std::vector<Message*> messages;
  while (Message* const message = pools[0].allocate(100'000)) messages.push_back(message);
  EXPECT_EQ(messages.size(), 32u);  // two in each of 16 units
  EXPECT_EQ(pools[0].allocate(1), nullptr);
  EXPECT_EQ(pools[0].allocate(~std::size_t{0}), nullptr);
  pools[0].give_back(messages.back(), &pools[0]);
  EXPECT_NE(pools[0].allocate(100'000), nullptr);
}

TEST(Pool, GivesItsIdleBlocksUpBeforeItFails) {
  Pools pools(1, std::size_t{4} << 20);
  Message* const large = pools[0].allocate(std::size_t{1} << 20);
  pools[0].give_back(large, &pools[0]);
  EXPECT_GT(pools[0].idle_bytes(), 0u);
  Message* const larger = pools[0].allocate(std::size_t{3} << 20);
  EXPECT_NE(larger, nullptr);
  EXPECT_EQ(pools[0].idle_bytes(), 0u);
}

/// Also what lies in the depot.
TEST(Pool, GivesIdleBlocksOfAllUpBeforeItFails) {
  Pools pools(2, std::size_t{4} << 20, std::size_t{4} << 20);
  std::vector<Message*> messages;
  for (int i = 0; i < 8; ++i) messages.push_back(pools[1].allocate(300'000));
  for (Message* const message : messages) pools[1].give_back(message, &pools[1]);
  EXPECT_EQ(pools.segment.used_bytes(), std::size_t{8} << 19);
  EXPECT_NE(pools[0].allocate(std::size_t{1} << 20), nullptr);
  EXPECT_EQ(pools.segment.used_bytes(),
            (std::size_t{2} << 20) + Pool::kept_of(1 << 19) / 2 * (std::size_t{1} << 19));
}

TEST(Pool, TakesBackFromManyThreads) {
  constexpr std::uint32_t others = 3;
  constexpr int rounds = 3000;
  Pools pools(1 + others);
  std::atomic<Message*> slots[others] = {};
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < others; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        Message* message = nullptr;
        while (!(message = slots[t].exchange(nullptr, std::memory_order_acquire))) std::this_thread::yield();
        EXPECT_EQ(message->payload()[0], static_cast<std::byte>(t));
        message->payload()[0] = std::byte{0xff};
        pools[t + 1].give_back(message, &pools[t + 1]);
      }
    });
  std::mt19937 random(1);
  int left = rounds * static_cast<int>(others);
  std::vector<int> sent(others, 0);
  while (left) {
    const std::uint32_t t = random() % others;
    if (sent[t] == rounds || slots[t].load(std::memory_order_relaxed)) {
      std::this_thread::yield();
      continue;
    }
    Message* const message = pools[0].allocate(1 + random() % 300);
    ASSERT_NE(message, nullptr);
    message->payload()[0] = static_cast<std::byte>(t);
    slots[t].store(message, std::memory_order_release);
    ++sent[t];
    --left;
  }
  for (std::thread& thread : threads) thread.join();
  // At most one message a thread was on the way, so a unit for each of the size classes is enough.
  EXPECT_LE(pools.segment.used_bytes(), 4 * Segment::unit_bytes);
}

std::uint32_t kept_of(const Message& message) {
  return Pool::kept_of(std::size_t{128} << message.size_class);
}

/// What the pool has of the size, or the depot for it, all taken out.
std::vector<Message*> idle(Pool& pool, std::size_t bytes) {
  std::vector<Message*> all;
  while (Message* const message = pool.reuse(bytes)) all.push_back(message);
  return all;
}

/// What the depot has of the size, all taken out.
std::vector<Message*> in_depot(Depot& depot, const Message& like) {
  std::vector<Message*> all;
  while (Message* batch = depot.take(like.size_class, 0))
    for (; batch; batch = batch->next.load()) all.push_back(batch);
  return all;
}

/// Blocks that pool 0 carves and pool 1 takes over: a size of small ones, and one of large ones.
class Adopted : public ::testing::TestWithParam<std::size_t> {
 protected:
  Message* adopt() {
    Message* const message = pools_[0].allocate(GetParam());
    pools_[1].adopt(*message);
    return message;
  }
  std::vector<Message*> adopt_as_many_as_stay() {
    std::vector<Message*> all{adopt()};
    while (all.size() < kept_of(*all[0])) all.push_back(adopt());
    return all;
  }
  void give_back(const std::vector<Message*>& all) {
    for (Message* const message : all) pools_[1].give_back(message, &pools_[1]);
  }

  Pools pools_{3};
};

// A pool keeps most_bytes of each size, within limits; the sizes are on both sides of these.
TEST_P(Adopted, StayUntilThereAreTooManyAndThenHalfGoToTheDepot) {
  std::vector<Message*> all = adopt_as_many_as_stay();
  Message* const last = adopt();
  give_back(all);
  EXPECT_TRUE(in_depot(pools_.depots[0], *last).empty());
  const std::size_t each = pools_[1].idle_bytes() / all.size();
  EXPECT_EQ(each > 0, Pool::is_large(*last));
  give_back({last});
  all.push_back(last);
  // Those that were given back last stay.
  const std::vector<Message*> others = idle(pools_[0], GetParam());
  EXPECT_EQ(others.size(), all.size() - all.size() / 2);
  EXPECT_EQ((std::set<Message*>(others.begin(), others.end())),
            (std::set<Message*>(all.begin(), all.end() - static_cast<std::ptrdiff_t>(all.size() / 2))));
  for (Message* const message : others) EXPECT_EQ(message->owner, 0);
  EXPECT_EQ(pools_[1].idle_bytes(), each * (all.size() / 2));
  const std::vector<Message*> stayed = idle(pools_[1], GetParam());
  EXPECT_EQ(stayed, (std::vector<Message*>(all.rbegin(),
                                           all.rbegin() + static_cast<std::ptrdiff_t>(all.size() / 2))));
  EXPECT_EQ(pools_[0].idle_bytes() + pools_[1].idle_bytes(), 0u);
}

// While they lie in a depot, they are idle memory of whoever has made them.
TEST_P(Adopted, InTheDepotCountAtHome) {
  std::vector<Message*> all = adopt_as_many_as_stay();
  all.push_back(adopt());
  give_back(all);
  const std::size_t each = Pool::is_large(*all[0]) ? pools_[0].footprint().now_bytes() / all.size() : 0;
  EXPECT_EQ(pools_[0].idle_bytes(), each * (all.size() - all.size() / 2));
  EXPECT_EQ(pools_[2].idle_bytes(), 0u);
  EXPECT_NE(pools_[2].reuse(GetParam()), nullptr) << "whoever wants some has it";
  EXPECT_EQ(pools_[0].idle_bytes(), 0u);
  EXPECT_EQ(pools_[2].idle_bytes(), each * (all.size() - all.size() / 2 - 1)) << "a batch at a time";
}

// Nothing lies for ever where nobody needs it, not with who made it either.
TEST_P(Adopted, WhatAPoolHasMadeItselfGoesToTheDepotToo) {
  std::vector<Message*> all{pools_[0].allocate(GetParam())};
  const std::size_t kept = kept_of(*all[0]);
  while (all.size() < 3 * kept) all.push_back(pools_[0].allocate(GetParam()));
  for (Message* const message : all) pools_[0].give_back(message, &pools_[0]);
  const std::size_t others = idle(pools_[2], GetParam()).size();
  EXPECT_GE(others, all.size() - kept);
  EXPECT_EQ(others + idle(pools_[0], GetParam()).size(), all.size());
}

// What is taken out again does not count.
TEST_P(Adopted, CountWhileTheyAreIdle) {
  const std::vector<Message*> all = adopt_as_many_as_stay();
  for (int round = 0; round < 10; ++round) {
    give_back(all);
    EXPECT_TRUE(idle(pools_[0], GetParam()).empty());
    EXPECT_EQ(idle(pools_[1], GetParam()).size(), all.size());
  }
}

// Its new owner may never ask for memory of the size, and would not notice how much comes back.
TEST_P(Adopted, StayWithWhoeverElseGivesThemBack) {
  const std::vector<Message*> all = adopt_as_many_as_stay();
  pools_[2].give_back(all[0], &pools_[2]);
  pools_[1].give_back(all[1], nullptr);
  pools_[0].give_back(all[2], &pools_[0]);
  EXPECT_TRUE(idle(pools_[1], GetParam()).empty());
  EXPECT_EQ(idle(pools_[2], GetParam()), std::vector<Message*>{all[0]});
  EXPECT_EQ(idle(pools_[0], GetParam()).size(), 2u)
      << "where nobody in particular gives one back, it goes home";
  EXPECT_EQ(all[0]->owner, 2);
  EXPECT_EQ(all[1]->owner, 0);
  EXPECT_EQ(all[2]->owner, 0);
}

// On the node where their pages are.
TEST_P(Adopted, GoToTheDepotOfTheirNode) {
  pools_[1].settle(1);
  pools_[2].settle(2 + Pool::most_nodes);
  std::vector<Message*> all = adopt_as_many_as_stay();
  Message* const own = pools_[1].allocate(GetParam());
  Message* const third = pools_[2].allocate(GetParam());
  pools_[1].adopt(*third);
  pools_[1].give_back(own, &pools_[1]);
  pools_[1].give_back(third, &pools_[1]);
  give_back(all);
  EXPECT_EQ(in_depot(pools_.depots[1], *own), std::vector<Message*>{own});
  EXPECT_EQ(in_depot(pools_.depots[2], *own), std::vector<Message*>{third});
  EXPECT_FALSE(in_depot(pools_.depots[0], *own).empty());
}

TEST_P(Adopted, UseBoundedMemoryWhereOneGivesAndOneTakes) {
  Message* const first = adopt();
  const std::size_t block = std::size_t{128} << first->size_class, most = kept_of(*first) + 1;
  give_back({first});
  std::set<Message*> used;
  for (int round = 0; round < 100'000; ++round) {
    Message* const message = adopt();
    ASSERT_NE(message, nullptr);
    used.insert(message);
    give_back({message});
  }
  EXPECT_LE(used.size(), most);
  EXPECT_LE(pools_.segment.used_bytes(), most * block + Segment::unit_bytes);
}

// As many each way: each lives on what it has taken over.
TEST_P(Adopted, StayWhereBothGiveAndTake) {
  Message* mine = pools_[0].allocate(GetParam());
  Message* theirs = pools_[1].allocate(GetParam());
  const std::set<Message*> both{mine, theirs};
  for (int round = 0; round < 100'000; ++round) {
    pools_[1].adopt(*mine);
    pools_[0].adopt(*theirs);
    pools_[1].give_back(mine, &pools_[1]);
    pools_[0].give_back(theirs, &pools_[0]);
    mine = pools_[0].reuse(GetParam());
    theirs = pools_[1].reuse(GetParam());
    ASSERT_EQ((std::set<Message*>{mine, theirs}), both);
  }
}

TEST_P(Adopted, UseBoundedMemoryBetweenThreads) {
  constexpr int rounds = 2'000;  // each is a switch of threads, which a busy machine takes milliseconds for
  std::atomic<Message*> slot{nullptr};
  std::thread taker([&] {
    for (int i = 0; i < rounds; ++i) {
      Message* message = nullptr;
      while (!(message = slot.exchange(nullptr, std::memory_order_acquire))) std::this_thread::yield();
      pools_[1].adopt(*message);
      EXPECT_EQ(message->payload()[0], static_cast<std::byte>(i));
      // Sometimes it is a third who has it last.
      if (i % 3 == 0) {
        pools_[2].give_back(message, &pools_[2]);
      } else {
        give_back({message});
      }
    }
  });
  std::set<Message*> used;
  for (int i = 0; i < rounds; ++i) {
    Message* const message = pools_[0].allocate(GetParam());
    ASSERT_NE(message, nullptr);
    used.insert(message);
    message->payload()[0] = static_cast<std::byte>(i);
    while (slot.load(std::memory_order_relaxed)) std::this_thread::yield();
    slot.store(message, std::memory_order_release);
  }
  taker.join();
  // Two pools are given some back and never ask for any.
  EXPECT_LE(used.size(), 2 * kept_of(**used.begin()) + 4);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Adopted, ::testing::Values(40, 3000, 100'000, 150'000));

}  // namespace
}  // namespace kanor::rt
