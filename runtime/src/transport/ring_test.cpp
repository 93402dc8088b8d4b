#include "transport/ring.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "transport/local.hpp"

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
  Local local{Sharing::within_process,
              {.count = 2,
               .ranks = 2,
               .memory_bytes = std::size_t{16} << 20,
               .inflight_bytes = std::size_t{1} << 20}};
  Ring* ring = local.ring(0, 1);
  RingSender sender{*ring, local.pool(0)};
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
  EXPECT_FALSE(pair.receiver.drop(pair.position)) << "nobody waits for what does not weigh";
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
    EXPECT_FALSE(pair.receiver.drop(pair.position));
    EXPECT_FALSE(pair.receiver.has(1, i)) << "taken twice";
    EXPECT_FALSE(put(pair.sender, 1, 99, 99));
  }
  ASSERT_NE(pair.receiver.find(1, 0, pair.position), nullptr);
  EXPECT_FALSE(pair.receiver.drop(pair.position));
  for (std::uint64_t i = 0; i < Ring::cells; ++i) EXPECT_TRUE(put(pair.sender, 2, i, i));
  EXPECT_FALSE(put(pair.sender, 2, 99, 99));
}

TEST(Ring, NewEndsTakeUpWhereTheRingIs) {
  Pair pair;
  for (std::uint64_t i = 0; i < 40; ++i) {
    EXPECT_TRUE(put(pair.sender, 1, i, i));
    if (i >= 38) continue;
    ASSERT_NE(pair.receiver.find(1, i, pair.position), nullptr);
    EXPECT_FALSE(pair.receiver.drop(pair.position));
  }
  RingSender sender(*pair.ring, pair.local.pool(0));
  RingReceiver receiver(*pair.ring);
  EXPECT_FALSE(receiver.has(1, 0)) << "long taken";
  EXPECT_TRUE(put(sender, 1, 40, 40));
  for (std::uint64_t i = 38; i <= 40; ++i) {
    const Ring::Cell* const cell = receiver.find(1, i, pair.position);
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(number_in(*cell), i);
    EXPECT_FALSE(receiver.drop(pair.position));
  }
}

TEST(Ring, AMessageElsewhereReturnsToItsPoolWhenItHasBeenUsed) {
  Pair pair;
  Pool& pool = pair.local.pool(0);
  Message* const message = pool.allocate(5000);
  ASSERT_TRUE(pair.sender.put(message, {0, 1, 7, 3, 5000}));
  EXPECT_EQ(pair.sender.weight(), sizeof(Message) + 5000);
  const Ring::Cell* const cell = pair.receiver.find(7, 3, pair.position);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->message(), message);
  EXPECT_EQ(cell->bytes, 5000u);
  pair.receiver.give_out(pair.position);
  EXPECT_FALSE(pair.receiver.has(7, 3)) << "in use";
  pair.sender.look_again();
  EXPECT_EQ(pool.reuse(5000), nullptr);
  EXPECT_TRUE(pair.receiver.drop(pair.position)) << "the sender may wait for room";
  EXPECT_EQ(pool.reuse(5000), nullptr) << "the sender has not looked";
  pair.sender.look_again();
  EXPECT_EQ(pair.sender.weight(), 0u);
  EXPECT_EQ(pool.reuse(5000), message);
}

TEST(Ring, AMessageThatIsKeptDoesNotReturn) {
  Pair pair;
  Pool& pool = pair.local.pool(0);
  for (std::uint64_t i = 0; i < 2 * Ring::cells; ++i) {
    Message* const message = pool.allocate(200);
    ASSERT_TRUE(pair.sender.put(message, {0, 1, 7, i, 200}));
    ASSERT_NE(pair.receiver.find(7, i, pair.position), nullptr);
    EXPECT_TRUE(i % 2 ? pair.receiver.keep(pair.position) : pair.receiver.drop(pair.position));
    pair.sender.look_again();
    EXPECT_EQ(pair.sender.weight(), 0u);
    EXPECT_EQ(pool.reuse(200), i % 2 ? nullptr : message);
  }
}

TEST(Ring, KnowsWhatTheOldestHoldsBack) {
  Pair pair;
  const std::byte reference[8]{};
  ASSERT_TRUE(put(pair.sender, 1, 0, 0));
  ASSERT_TRUE(put(pair.sender, 1, 1, 1));
  ASSERT_TRUE(pair.sender.put_with_extra(1, 2, reference, sizeof reference, 1 << 20));
  EXPECT_EQ(pair.sender.weight(), sizeof(Message) + sizeof reference + (1 << 20));
  ASSERT_NE(pair.receiver.find(1, 1, pair.position), nullptr);
  EXPECT_FALSE(pair.receiver.drop(pair.position));
  EXPECT_FALSE(pair.receiver.is_held_back()) << "it does not weigh";
  const Ring::Cell* const cell = pair.receiver.find(1, 2, pair.position);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->extra_bytes(), std::uint64_t{1} << 20);
  EXPECT_FALSE(pair.receiver.drop(pair.position));
  EXPECT_TRUE(pair.receiver.is_held_back());
  EXPECT_EQ(pair.receiver.oldest(pair.position).sequence, 0u);
  EXPECT_FALSE(pair.receiver.is_given_out(pair.position));
  EXPECT_TRUE(pair.receiver.drop(pair.position)) << "room for the sender";
  EXPECT_FALSE(pair.receiver.is_held_back());
  pair.sender.look_again();
  EXPECT_EQ(pair.sender.weight(), 0u);
}

// Two threads, messages elsewhere: their memory is written anew as soon as it is back. For ThreadSanitizer,
// too.
TEST(Ring, ReusesNoMemoryThatIsStillRead) {
  constexpr std::uint64_t rounds = 20'000;
  constexpr std::size_t words = 30;
  Pair pair;
  std::thread sending([&] {
    Pool& pool = pair.local.pool(0);
    for (std::uint64_t i = 0; i < rounds; ++i) {
      Message* message = pool.reuse(words * sizeof i);
      if (!message) {
        pair.sender.look_again();
        message = pool.allocate(words * sizeof i);
      }
      for (std::size_t word = 0; word < words; ++word)
        std::memcpy(message->payload() + word * sizeof i, &i, sizeof i);
      while (!pair.sender.put(message, {0, 1, 1, i, words * sizeof i})) std::this_thread::yield();
    }
  });
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const std::uint64_t wanted = i ^ 1;  // out of order, and the one given out first is dropped last
    const Ring::Cell* cell;
    while (!(cell = pair.receiver.find(1, wanted, pair.position))) std::this_thread::yield();
    pair.receiver.give_out(pair.position);
    for (std::size_t word = 0; word < words; ++word) {
      std::uint64_t number = 0;
      std::memcpy(&number, cell->message()->payload() + word * sizeof number, sizeof number);
      ASSERT_EQ(number, wanted);
    }
    EXPECT_EQ(pair.receiver.drop(pair.position), i % 2 == 1);
  }
  sending.join();
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
      EXPECT_FALSE(pair.receiver.drop(pair.position));
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
    EXPECT_FALSE(pair.receiver.drop(pair.position));
  }
  sending.join();
  EXPECT_EQ(both_missed, 0u);
}

}  // namespace
}  // namespace kanor::rt
