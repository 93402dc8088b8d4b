// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "transport/local.hpp"

namespace kanor::rt {
namespace {

/// What content is filled up with behind its number.
unsigned rest_of(std::uint64_t number) { return static_cast<unsigned>(number & 0xff) | 0x80; }

bool put(RingSender& sender, std::uint64_t context, std::uint64_t sequence, std::uint64_t number,
         std::size_t bytes = sizeof(std::uint64_t)) {
  std::byte content[Ring::inline_bytes];
  std::memset(content, static_cast<int>(rest_of(number)), sizeof content);
  if (bytes >= sizeof number) std::memcpy(content, &number, sizeof number);
  return sender.put(context, sequence, content, bytes);
}

std::uint64_t number_in(const Ring::Cell& cell) {
  std::uint64_t number = 0;
  std::memcpy(&number, cell.content(), sizeof number);
  return number;
}

/// Content of which every byte tells where it lies, in which message.
std::byte byte_of(std::uint64_t message, std::size_t at) {
  return static_cast<std::byte>((message * 31 + at * 7) >> (at % 3) | 0x80);
}
bool put_marked(RingSender& sender, std::uint64_t message, std::size_t bytes) {
  std::byte content[Ring::inline_bytes];
  for (std::size_t at = 0; at < bytes; ++at) content[at] = byte_of(message, at);
  return sender.put(1, message, content, bytes);
}
void expect_marked(const Ring::Cell& cell, std::uint64_t message, std::size_t bytes) {
  ASSERT_EQ(cell.bytes, bytes);
  std::size_t at = 0;
  while (at < bytes && cell.content()[at] == byte_of(message, at)) ++at;
  ASSERT_EQ(at, bytes) << "of message " << message;
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

TEST(Ring, ShortContentTakesOneLineAndTheNextOnesWhatIsLeft) {
  EXPECT_EQ(Ring::cells_for(0), 1u);
  EXPECT_EQ(Ring::cells_for(32), 1u);
  EXPECT_EQ(Ring::cells_for(33), 2u);
  EXPECT_EQ(Ring::cells_for(96), 2u);
  EXPECT_EQ(Ring::cells_for(97), 3u);
  EXPECT_GE(Ring::inline_bytes_beside_extra, 256u);
  EXPECT_EQ(Ring::cells_for(Ring::inline_bytes), Ring::most_cells);
}

// Each length, beginning in each cell of the ring: also in the last ones, behind which it goes on.
TEST(Ring, ContentOfEachLengthArrivesFromEachCell) {
  Pair pair;
  for (std::size_t bytes = 0; bytes <= Ring::inline_bytes; ++bytes)
    for (unsigned begin = 0; begin < Ring::cells; ++begin) {
      while (pair.ring->taken() % Ring::cells != begin) {
        ASSERT_TRUE(put(pair.sender, 2, 0, 0));
        ASSERT_NE(pair.receiver.find(2, 0, pair.position), nullptr);
        ASSERT_FALSE(pair.receiver.drop(pair.position));
      }
      const std::uint64_t message = bytes * Ring::cells + begin;
      ASSERT_TRUE(put_marked(pair.sender, message, bytes));
      ASSERT_TRUE(put_marked(pair.sender, message + 1, 1)) << "the one behind it";
      const Ring::Cell* const cell = pair.receiver.find(1, message, pair.position);
      ASSERT_NE(cell, nullptr);
      ASSERT_EQ(pair.position % Ring::cells, begin);
      expect_marked(*cell, message, bytes);
      ASSERT_FALSE(pair.receiver.drop(pair.position));
      ASSERT_EQ(pair.ring->taken() % Ring::cells,
                std::min(begin + Ring::cells_for(bytes), Ring::cells) % Ring::cells);
      const Ring::Cell* const next = pair.receiver.find(1, message + 1, pair.position);
      ASSERT_NE(next, nullptr);
      expect_marked(*next, message + 1, 1);
      ASSERT_FALSE(pair.receiver.drop(pair.position));
      ASSERT_EQ(pair.receiver.find_if(pair.position, [](const Ring::Cell&) { return true; }), nullptr);
    }
}

TEST(Ring, AMessageNeedsAllItsCells) {
  Pair pair;
  for (std::uint64_t i = 0; i + 1 < Ring::cells; ++i) ASSERT_TRUE(put(pair.sender, 1, i, i));
  // One is left, the last one: behind it there is room, for it alone.
  ASSERT_TRUE(put_marked(pair.sender, 1000, Ring::inline_bytes));
  EXPECT_FALSE(put_marked(pair.sender, 1001, 0));
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_FALSE(put_marked(pair.sender, 1001, Ring::inline_bytes)) << i << " of its five cells are free";
    ASSERT_NE(pair.receiver.find(1, i, pair.position), nullptr);
    ASSERT_FALSE(pair.receiver.drop(pair.position));
  }
  EXPECT_TRUE(put_marked(pair.sender, 1001, Ring::inline_bytes - Ring::line_bytes));
  EXPECT_FALSE(put_marked(pair.sender, 1002, 0));
  for (std::uint64_t i = 4; i + 1 < Ring::cells; ++i) {
    ASSERT_NE(pair.receiver.find(1, i, pair.position), nullptr);
    ASSERT_FALSE(pair.receiver.drop(pair.position));
  }
  expect_marked(*pair.receiver.find(1, 1001, pair.position), 1001, Ring::inline_bytes - Ring::line_bytes);
  expect_marked(*pair.receiver.find(1, 1000, pair.position), 1000, Ring::inline_bytes);
}

// Out of order, of several cells each: those that have been used are passed together.
TEST(Ring, SeveralCellsAreTakenOutOfOrder) {
  Pair pair;
  const std::size_t lengths[] = {200, 8, 97, 288, 0};
  for (std::uint64_t i = 0; i < 5; ++i) ASSERT_TRUE(put_marked(pair.sender, i, lengths[i]));
  for (const std::uint64_t i : {3u, 1u, 2u, 4u, 0u}) {
    const Ring::Cell* const cell = pair.receiver.find(1, i, pair.position);
    ASSERT_NE(cell, nullptr) << i;
    expect_marked(*cell, i, lengths[i]);
    if (i == 2) pair.receiver.give_out(pair.position);
    EXPECT_FALSE(pair.receiver.drop(pair.position));
    EXPECT_FALSE(pair.receiver.has(1, i));
    EXPECT_EQ(pair.ring->taken(), i == 0 ? 4u + 1u + 3u + 5u + 1u : 0u);
  }
}

// Content that has, where a cell's stamp would be, what its stamp will be when the ring comes round.
TEST(Ring, ContentThatLooksLikeAStampGoesAnotherWay) {
  Pair pair;
  std::byte content[Ring::inline_bytes]{};
  const auto words_at = [&](unsigned line, std::uint64_t word) {
    std::memset(content, 0xff, sizeof content);
    std::memcpy(content + line * Ring::line_bytes - Ring::head_bytes, &word, sizeof word);
  };
  for (unsigned line = 1; line < Ring::most_cells; ++line)
    for (std::uint64_t position = 0; position < Ring::cells; ++position)
      for (const unsigned beside : {0u, 1u, 2u}) {
        words_at(line, position + line + Ring::cells + beside);
        EXPECT_EQ(Ring::is_mistakable(position, content, sizeof content), beside == 1);
      }
  // Of a word that ends early, the rest is zeros.
  words_at(1, 0xffffff00 | (3 + Ring::cells + 2));
  EXPECT_TRUE(Ring::is_mistakable(3, content, Ring::line_bytes - Ring::head_bytes + 1));
  EXPECT_FALSE(Ring::is_mistakable(3, content, Ring::line_bytes - Ring::head_bytes + 2));
  words_at(1, Ring::cells + 2);
  EXPECT_FALSE(pair.sender.put(1, 0, content, 100));
  EXPECT_FALSE(pair.receiver.has(1, 0));
  EXPECT_TRUE(put(pair.sender, 1, 1, 1)) << "one cell on it is like any other";
  EXPECT_TRUE(pair.sender.put(1, 2, content, 100));
  EXPECT_NE(pair.receiver.find(1, 2, pair.position), nullptr);
}

// What would be a stamp of a later round lies in every cell, and the receiver looks after each message
// whether there is one more.
TEST(Ring, NoContentIsTakenForAMessage) {
  Pair pair;
  std::mt19937 random(1);
  std::uint64_t sent = 0, refused = 0;
  for (std::uint64_t at = 0; at < 100'000;) {
    std::byte content[Ring::inline_bytes];
    // Whichever line a word will be in: the stamp of that cell, one of those that follow, or nothing.
    const std::uint64_t ahead = random() % 3 * Ring::cells;
    for (std::size_t word = 0; word < sizeof content / (sizeof ahead); ++word) {
      const std::uint64_t stamp =
          at + (Ring::head_bytes + word * sizeof ahead) / Ring::line_bytes + ahead + 1 + random() % 2;
      std::memcpy(content + word * sizeof stamp, &stamp, sizeof stamp);
    }
    const std::size_t bytes = random() % (Ring::inline_bytes + 1);
    if (!pair.sender.put(1, sent, content, bytes)) {
      ++refused;
      ASSERT_TRUE(pair.sender.put(1, sent, content, 0));
    }
    const Ring::Cell* const cell = pair.receiver.find(1, sent, pair.position);
    ASSERT_NE(cell, nullptr);
    ASSERT_EQ(std::memcmp(cell->content(), content, cell->bytes), 0);
    ASSERT_FALSE(pair.receiver.drop(pair.position));
    ASSERT_EQ(pair.receiver.find_if(pair.position, [](const Ring::Cell&) { return true; }), nullptr);
    at = pair.ring->taken();
    ++sent;
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_LT(refused, sent / 2);
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
  for (std::uint64_t i = 0; i < 80; ++i) {
    EXPECT_TRUE(put(pair.sender, 1, i, i, i < 78 ? 8 : 200));
    if (i >= 78) continue;
    ASSERT_NE(pair.receiver.find(1, i, pair.position), nullptr);
    EXPECT_FALSE(pair.receiver.drop(pair.position));
  }
  RingSender sender(*pair.ring, pair.local.pool(0));
  RingReceiver receiver(*pair.ring);
  EXPECT_FALSE(receiver.has(1, 0)) << "long taken";
  EXPECT_TRUE(put(sender, 1, 80, 80));
  for (std::uint64_t i = 78; i <= 80; ++i) {
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
  const std::byte reference[8]{std::byte{1}, std::byte{2}, std::byte{3}};
  ASSERT_TRUE(put(pair.sender, 1, 0, 0));
  ASSERT_TRUE(put(pair.sender, 1, 1, 1));
  ASSERT_TRUE(pair.sender.put_with_extra(1, 2, reference, sizeof reference, 1 << 20));
  EXPECT_EQ(pair.sender.weight(), sizeof(Message) + sizeof reference + (1 << 20));
  ASSERT_NE(pair.receiver.find(1, 1, pair.position), nullptr);
  EXPECT_FALSE(pair.receiver.drop(pair.position));
  EXPECT_FALSE(pair.receiver.is_held_back()) << "it does not weigh";
  const Ring::Cell* const cell = pair.receiver.find(1, 2, pair.position);
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(cell->bytes, sizeof reference);
  EXPECT_EQ(std::memcmp(cell->content(), reference, sizeof reference), 0);
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
  constexpr std::uint64_t rounds = 4000, window = 10;  // so many have room
  Pair pair;
  std::mt19937 random(7);
  std::vector<std::size_t> lengths(rounds * window);
  for (std::size_t& length : lengths) {
    length = 8 + random() % (Ring::inline_bytes - 9);
    // One byte or two in the last line might be a stamp; three are more than any here.
    if ((Ring::head_bytes + length - 1) % Ring::line_bytes < 2) length += 2;
  }
  std::thread sending([&] {
    for (std::uint64_t i = 0; i < rounds * window; ++i)
      while (!put(pair.sender, i % 3, i, i * i, lengths[i])) std::this_thread::yield();
  });
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (std::uint64_t n = 0; n < window; ++n) {
      const std::uint64_t i = round * window + (round % 2 ? window - 1 - n : n);
      const Ring::Cell* cell;
      while (!(cell = pair.receiver.find(i % 3, i, pair.position))) std::this_thread::yield();
      ASSERT_EQ(cell->bytes, lengths[i]);
      ASSERT_EQ(number_in(*cell), i * i);
      const std::byte rest{static_cast<unsigned char>(rest_of(i * i))};
      ASSERT_TRUE(std::all_of(cell->content() + sizeof i, cell->content() + cell->bytes,
                              [&](std::byte one) { return one == rest; }));
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
