#include "transport/ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace kanor::rt {
namespace {

bool put(RingSender& sender, std::uint64_t context, std::uint64_t sequence, std::uint64_t number,
         std::size_t bytes = sizeof(std::uint64_t)) {
  std::byte payload[Ring::payload_bytes];
  std::memset(payload, static_cast<int>(number & 0xff), sizeof payload);
  if (bytes >= sizeof number) std::memcpy(payload, &number, sizeof number);
  return sender.put(context, sequence, payload, bytes);
}

std::uint64_t number_in(const Ring::Cell& cell) {
  std::uint64_t number = 0;
  std::memcpy(&number, cell.payload, sizeof number);
  return number;
}

struct Pair {
  std::unique_ptr<Ring> ring = std::make_unique<Ring>();
  RingSender sender{*ring};
  RingReceiver receiver{*ring};
  std::uint64_t position = 0;
};

TEST(Ring, GivesWhatWasPut) {
  Pair pair;
  EXPECT_EQ(pair.receiver.find(1, 0, pair.position), nullptr);
  EXPECT_TRUE(put(pair.sender, 1, 0, 42));
  EXPECT_TRUE(pair.receiver.has(1, 0));
  EXPECT_FALSE(pair.receiver.has(2, 0)) << "another team's";
  EXPECT_FALSE(pair.receiver.has(1, 1)) << "a later block's";
  const Ring::Cell* const cell = pair.receiver.find(1, 0, pair.position);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->bytes, sizeof(std::uint64_t));
  EXPECT_EQ(number_in(*cell), 42u);
  pair.receiver.drop(pair.position);
  EXPECT_FALSE(pair.receiver.has(1, 0));
}

TEST(Ring, EmptyAndWholeCellsArrive) {
  Pair pair;
  EXPECT_TRUE(put(pair.sender, 1, 0, 0, 0));
  EXPECT_TRUE(put(pair.sender, 1, 1, 0x55, Ring::payload_bytes));
  EXPECT_EQ(pair.receiver.find(1, 0, pair.position)->bytes, 0u);
  const Ring::Cell* const cell = pair.receiver.find(1, 1, pair.position);
  EXPECT_EQ(cell->bytes, Ring::payload_bytes);
  EXPECT_EQ(cell->payload[Ring::payload_bytes - 1], std::byte{0x55});
}

TEST(Ring, IsFullUntilTheOldestIsTaken) {
  Pair pair;
  for (std::uint64_t i = 0; i < Ring::cells; ++i) EXPECT_TRUE(put(pair.sender, 1, i, i));
  EXPECT_FALSE(put(pair.sender, 1, 99, 99));
  EXPECT_FALSE(pair.receiver.has(1, 99));
  for (std::uint64_t i = Ring::cells; --i > 0;) {  // all but the oldest, youngest first
    const Ring::Cell* const cell = pair.receiver.find(1, i, pair.position);
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(number_in(*cell), i);
    pair.receiver.drop(pair.position);
    EXPECT_FALSE(pair.receiver.has(1, i)) << "taken twice";
    EXPECT_FALSE(put(pair.sender, 1, 99, 99));
  }
  ASSERT_NE(pair.receiver.find(1, 0, pair.position), nullptr);
  pair.receiver.drop(pair.position);
  for (std::uint64_t i = 0; i < Ring::cells; ++i) EXPECT_TRUE(put(pair.sender, 2, i, i));
  EXPECT_FALSE(put(pair.sender, 2, 99, 99));
}

TEST(Ring, NewEndsTakeUpWhereTheRingIs) {
  Pair pair;
  for (std::uint64_t i = 0; i < 40; ++i) {
    EXPECT_TRUE(put(pair.sender, 1, i, i));
    if (i >= 38) continue;
    ASSERT_NE(pair.receiver.find(1, i, pair.position), nullptr);
    pair.receiver.drop(pair.position);
  }
  RingSender sender(*pair.ring);
  RingReceiver receiver(*pair.ring);
  EXPECT_FALSE(receiver.has(1, 0)) << "long taken";
  EXPECT_TRUE(put(sender, 1, 40, 40));
  for (std::uint64_t i = 38; i <= 40; ++i) {
    const Ring::Cell* const cell = receiver.find(1, i, pair.position);
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(number_in(*cell), i);
    receiver.drop(pair.position);
  }
}

// Two threads, every cell reused many times, taken in and out of order. Meant for ThreadSanitizer, too.
TEST(Ring, LosesNothingBetweenThreads) {
  constexpr std::uint64_t rounds = 3000, window = 20;
  Pair pair;
  std::thread sending([&] {
    for (std::uint64_t i = 0; i < rounds * window; ++i)
      while (!put(pair.sender, i % 3, i, i * i, 8 + i % (Ring::payload_bytes - 7))) std::this_thread::yield();
  });
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (std::uint64_t n = 0; n < window; ++n) {
      const std::uint64_t i = round * window + (round % 2 ? window - 1 - n : n);
      const Ring::Cell* cell;
      while (!(cell = pair.receiver.find(i % 3, i, pair.position))) std::this_thread::yield();
      ASSERT_EQ(cell->bytes, 8 + i % (Ring::payload_bytes - 7));
      ASSERT_EQ(number_in(*cell), i * i);
      pair.receiver.drop(pair.position);
    }
  sending.join();
}

// The litmus test of a sleep: each side stores, then reads what the other stores. It must not happen that
// both miss the other's store: the receiver would sleep for ever.
TEST(Ring, NeitherSideMissesTheOthersStore) {
  constexpr std::uint64_t rounds = 20'000;
  Pair pair;
  std::atomic<int> awaits{-1};
  std::atomic<std::uint64_t> turn{0}, done{0};
  std::uint64_t both_missed = 0;
  bool woke = false;
  std::thread sending([&] {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      while (turn.load(std::memory_order_acquire) != i + 1) std::this_thread::yield();
      EXPECT_TRUE(put(pair.sender, 0, i, i));
      woke = awaits.load(std::memory_order_seq_cst) == 0;
      done.store(i + 1, std::memory_order_release);
    }
  });
  for (std::uint64_t i = 0; i < rounds; ++i) {
    turn.store(i + 1, std::memory_order_release);
    awaits.store(0, std::memory_order_seq_cst);
    const bool found = pair.receiver.has(0, i);
    while (done.load(std::memory_order_acquire) != i + 1) std::this_thread::yield();
    if (!found && !woke) ++both_missed;
    awaits.store(-1, std::memory_order_seq_cst);
    ASSERT_NE(pair.receiver.find(0, i, pair.position), nullptr);
    pair.receiver.drop(pair.position);
  }
  sending.join();
  EXPECT_EQ(both_missed, 0u);
}

}  // namespace
}  // namespace kanor::rt
