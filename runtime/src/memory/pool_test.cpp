#include "memory/pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace kanor::rt {
namespace {

constexpr std::size_t idle_limit = std::size_t{2} << 20;

/// Pools as they lie in a job: side by side.
class Pools {
 public:
  explicit Pools(std::uint32_t count, std::size_t bytes = std::size_t{64} << 20)
      : mapping_(Sharing::within_process, Segment::bytes_for(bytes)),
        segment(*new (mapping_.data()) Segment(Sharing::within_process, Segment::rounded(bytes))),
        memory_(count * sizeof(Pool)) {
    for (std::uint32_t i = 0; i < count; ++i) new (&(*this)[i]) Pool(i, segment, idle_limit);
  }
  Pool& operator[](std::uint32_t i) { return reinterpret_cast<Pool*>(memory_.data())[i]; }

  // Made in this order: the segment lies in the mapping.
 private:
  Mapping mapping_;

 public:
  Segment& segment;

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

}  // namespace
}  // namespace kanor::rt
