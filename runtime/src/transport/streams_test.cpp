// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: what goes by the ring and what by the mailbox comes out in the order in which it was sent.
#include "transport/streams.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "transport/rings.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

/// The word-th message of a stream: its length, context and bytes follow from that.
std::size_t bytes_of(std::uint32_t word) {
  constexpr std::size_t short_ones = ShortMessage::most_bytes + 1;
  return word % 3 == 0 ? ShortMessage::room_bytes + 1 + word % 2000 : word % short_ones;
}
std::uint64_t context_of(std::uint32_t word) { return in_stream(word % 5); }
std::byte byte_of(std::uint32_t word) { return static_cast<std::byte>(word * 7); }

void send_word(Rank& rank, int to, std::uint32_t word) {
  const std::size_t bytes = bytes_of(word);
  if (bytes <= ShortMessage::most_bytes) {
    std::byte content[ShortMessage::most_bytes];
    std::fill_n(content, bytes, byte_of(word));
    return stream_few_to(rank, to, context_of(word), word, content, bytes);
  }
  Buffer payload = allocate_message(rank, bytes);
  std::fill_n(payload.data(), bytes, byte_of(word));
  stream_to(rank, to, context_of(word), word, std::move(payload));
}

void expect_word(const Streamed& next, std::uint32_t word) {
  ASSERT_EQ(next.word, word);
  EXPECT_EQ(next.context, context_of(word));
  ASSERT_EQ(next.bytes, bytes_of(word));
  EXPECT_TRUE(std::all_of(next.payload, next.payload + next.bytes,
                          [&](std::byte one) { return one == byte_of(word); }));
}

/// Takes the next message in one of the three ways.
Buffer take_somehow(Rank& rank, int from, const Streamed& next, unsigned way) {
  if (way % 3 == 0) return take_next(rank, from, next);
  if (way % 3 == 1) return detach_next(rank, from, next);
  drop_next(rank, from, next);
  return {};
}

/// A stream that begins near the end of its numbers, as if much had gone through it; both ends say so.
void begin_at(Rank& rank, std::uint32_t number) {
  for (int other = 0; other < rank.size; ++other)
    rank.streams.with(other).sent = rank.streams.with(other).taken = number;
}

/// Ranks, and limits of bytes in flight for which there are rings and for which there are none; 0: a large
/// one, and rings are switched off.
class Streaming : public ::testing::TestWithParam<std::tuple<int, std::size_t>> {
 protected:
  Streaming() { job_.home.switches.inline_messages = std::get<1>(GetParam()) != 0; }

  void expect_settled() {
    for (int from = 0; from < ranks_; ++from)
      for (int to = 0; to < ranks_; ++to) EXPECT_EQ(job_.local.inflight(from, to).bytes(), 0u);
  }

  const int ranks_ = std::get<0>(GetParam());
  const std::size_t limit_ = std::get<1>(GetParam()) ? std::get<1>(GetParam()) : std::size_t{8} << 20;
  TestJob job_{ranks_, true, limit_};
};

TEST_P(Streaming, KeepTheOrder) {
  constexpr std::uint32_t count = 3000;
  job_.run([&] {
    Rank& rank = here();
    begin_at(rank, ~std::uint32_t{0} - 1000);
    std::mt19937 random(static_cast<unsigned>(rank.number));
    std::vector<std::uint32_t> words(static_cast<std::size_t>(ranks_));
    std::vector<Buffer> held;
    std::uint32_t left = count * static_cast<std::uint32_t>(ranks_);
    const auto look = [&] {
      bool any = false;
      for (int from = 0; from < ranks_; ++from)
        while (const std::optional<Streamed> next = next_from(rank, from)) {
          expect_word(*next, words[static_cast<std::size_t>(from)]++);
          Buffer taken = take_somehow(rank, from, *next, random());
          // Held at times, so that rings are not emptied in order.
          if (taken && random() % 4 == 0) held.push_back(std::move(taken));
          if (held.size() > 5) held.erase(held.begin());
          any = true;
          --left;
        }
      return any;
    };
    for (std::uint32_t word = 0; word < count; ++word) {
      for (int to = 0; to < ranks_; ++to) send_word(rank, to, word);
      if (random() % 100 == 0) look();
    }
    while (left > 0) wait_for_streams(rank, any_rank, look);
    held.clear();
    EXPECT_EQ(rank.flow.lent.most(), 0u);
    for (int from = 0; from < ranks_; ++from) EXPECT_EQ(rank.streams.with(from).early, nullptr);
    // Who holds what a sender needs room for lends it once all others sleep or have ended.
    rank_is_over(job_.home, rank.number, 0);
  });
  expect_settled();
}

INSTANTIATE_TEST_SUITE_P(Jobs, Streaming,
                         ::testing::Combine(::testing::Values(1, 2, 3, 4),
                                            ::testing::Values(0, 4000, 65536, std::size_t{8} << 20)));

// Short messages wait in the ring's cells until it is full; what does not fit goes by the mailbox, and the
// ring is used again as soon as it has a cell.
TEST(Streams, GoBesideARingThatIsFull) {
  for (const std::size_t limit : {std::size_t{8000}, std::size_t{65536}})
    for (const bool switched_on : {true, false}) {
      TestJob job(2, true, limit);
      job.home.switches.inline_messages = switched_on;
      Played ranks(job);
      const bool has_ring = ring_to(ranks[0], 1) != nullptr;
      EXPECT_EQ(has_ring, switched_on && limit == 65536);
      std::uint32_t sent = 0, taken = 0;
      const auto send_some = [&](std::uint32_t number) {
        for (const std::uint32_t end = sent + number; sent < end; ++sent)
          stream_few_to(ranks[0], 1, in_stream(3), sent, &sent, sizeof sent);
      };
      // How many of them lay in the ring.
      const auto take_some = [&](std::uint32_t number) {
        unsigned in_ring = 0;
        for (const std::uint32_t end = taken + number; taken < end; ++taken) {
          const std::optional<Streamed> next = next_from(ranks[1], 0);
          EXPECT_TRUE(next && next->word == taken) << taken;
          if (!next) return in_ring;
          in_ring += next->in_ring;
          take_somehow(ranks[1], 0, *next, taken);
        }
        return in_ring;
      };
      send_some(Ring::cells + 5);
      EXPECT_EQ(take_some(3), has_ring ? 3 : 0);
      send_some(5);
      EXPECT_EQ(take_some(Ring::cells + 7), has_ring ? Ring::cells : 0);
      EXPECT_FALSE(next_from(ranks[1], 0));
    }
}

/// Streams and blocks' messages share rings.
class Mixed : public ::testing::Test {
 protected:
  void send_block_message(std::uint64_t sequence) {
    send(ranks_[0], 1, block, sequence, allocate_message(ranks_[0], 500));
  }
  /// The next one is this, and lies there.
  void expect_next(std::uint32_t word, bool in_ring) {
    const std::optional<Streamed> next = next_from(ranks_[1], 0);
    ASSERT_TRUE(next) << word;
    EXPECT_EQ(next->in_ring, in_ring) << word;
    expect_word(*next, word);
  }
  void drop() { drop_next(ranks_[1], 0, *next_from(ranks_[1], 0)); }
  std::uint64_t in_word() { return job_.local.inflight(0, 1).bytes(); }

  static constexpr std::uint64_t block = 77;
  TestJob job_{2};
  Played ranks_{job_};
};

TEST_F(Mixed, BlocksMessagesAreNoneOfTheStreams) {
  send_block_message(1);
  EXPECT_FALSE(next_from(ranks_[1], 0));
  send_word(ranks_[0], 1, 0);
  expect_next(0, true);
  EXPECT_EQ(receive(ranks_[1], 0, block, 1).bytes(), 500u);
  expect_next(0, true);
}

TEST_F(Mixed, WhatIsMovedOutOfTheRingKeepsItsPlace) {
  for (std::uint32_t word = 0; word < 6; ++word) {
    send_word(ranks_[0], 1, word);
    if (word % 2 == 1) send_block_message(word);
  }
  EXPECT_EQ(receive(ranks_[1], 0, block, 3).bytes(), 500u);
  settle_rings(ranks_[1]);
  // Whatever is older than what was received, of the block as of the stream.
  for (std::uint32_t word = 0; word < 4; ++word) {
    expect_next(word, false);
    drop();
  }
  expect_next(4, true);
  EXPECT_EQ(receive(ranks_[1], 0, block, 1).bytes(), 500u);
  EXPECT_EQ(receive(ranks_[1], 0, block, 5).bytes(), 500u);
  settle_rings(ranks_[1]);
  for (std::uint32_t word = 4; word < 6; ++word) {
    expect_next(word, false);
    drop();
  }
  EXPECT_FALSE(next_from(ranks_[1], 0));
  EXPECT_EQ(in_word(), 0u);
}

TEST_F(Mixed, WhatIsLentKeepsItsPlace) {
  for (std::uint32_t word = 0; word < 4; ++word) send_word(ranks_[0], 1, word);
  expect_next(0, true);
  drop();
  empty_ring(ranks_[1], 0);
  for (std::uint32_t word = 4; word < 6; ++word) send_word(ranks_[0], 1, word);
  for (std::uint32_t word = 1; word < 6; ++word) {
    expect_next(word, word >= 4);
    drop();
  }
}

TEST_F(Mixed, WhatIsDetachedLeavesTheRingAndCounts) {
  send_word(ranks_[0], 1, 3);
  send_word(ranks_[0], 1, 4);
  const std::optional<Streamed> large = next_from(ranks_[1], 0);
  ASSERT_TRUE(large);
  Buffer first = detach_next(ranks_[1], 0, *large);
  const std::optional<Streamed> small = next_from(ranks_[1], 0);
  ASSERT_TRUE(small);
  EXPECT_EQ(small->memory, nullptr);
  Buffer second = detach_next(ranks_[1], 0, *small);
  EXPECT_EQ(job_.local.ring(0, 1)->taken(), 2u);
  EXPECT_EQ(in_word(), weight_of(*first.get()) + weight_of(*second.get()));
  EXPECT_EQ(second.bytes(), bytes_of(4));
  EXPECT_EQ(second.data()[0], byte_of(4));
  first = Buffer();
  second = Buffer();
  EXPECT_EQ(in_word(), 0u);
}

TEST_F(Mixed, WhatIsTakenBelongsToTheRingUntilItIsDestroyed) {
  send_word(ranks_[0], 1, 3);
  {
    const Buffer taken = take_next(ranks_[1], 0, *next_from(ranks_[1], 0));
    EXPECT_FALSE(next_from(ranks_[1], 0));
    EXPECT_EQ(job_.local.ring(0, 1)->taken(), 0u);
    EXPECT_EQ(taken.bytes(), bytes_of(3));
  }
  EXPECT_EQ(job_.local.ring(0, 1)->taken(), 1u);
}

// The numbers are compared as they lie near each other.
TEST_F(Mixed, WhatComesBeforeItsTurnIsSortedAcrossTheNumbersEnd) {
  begin_at(ranks_[0], ~std::uint32_t{0} - 2);
  begin_at(ranks_[1], ~std::uint32_t{0} - 2);
  const auto message = [&](std::uint32_t number) {
    Message* const made = allocate_message(ranks_[1], 4).take();
    made->envelope.source = 0;
    made->envelope.destination = 1;
    made->envelope.context = in_stream(0);
    made->envelope.sequence = std::uint64_t{number} << 32 | (number + 3);
    ranks_[1].keep(made);
  };
  for (const std::uint32_t ahead : {4u, 1u, 3u, 2u}) message(ahead - 3);
  EXPECT_FALSE(next_from(ranks_[1], 0)) << "the first one is missing";
  message(std::uint32_t{0} - 3);
  for (std::uint32_t word = 0; word < 5; ++word) {
    const std::optional<Streamed> next = next_from(ranks_[1], 0);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->word, word);
    drop();
  }
}

void wait_until_asleep(TestJob& job, int rank, int for_rank) {
  while (job.local.presence(rank).awaits.load() != for_rank) std::this_thread::yield();
}

// Each message comes to a rank that sleeps; a wake that is lost would hang here.
TEST(Streams, WhoeverSendsEndsTheSleep) {
  for (const bool rings : {true, false}) {
    TestJob job(3);
    job.home.switches.inline_messages = rings;
    constexpr std::uint32_t rounds = 300;
    job.run([&] {
      Rank& rank = here();
      for (std::uint32_t round = 0; round < rounds; ++round) {
        const int sender = 1 + static_cast<int>(round / 2 % 2);
        if (rank.number == 0) {
          wait_for_streams(rank, any_rank, [&] { return next_from(rank, sender).has_value(); });
          expect_word(*next_from(rank, sender), round);
          drop_next(rank, sender, *next_from(rank, sender));
          stream_few_to(rank, 1, in_stream(1), round, nullptr, 0);
          stream_few_to(rank, 2, in_stream(1), round, nullptr, 0);
          continue;
        }
        if (rank.number == sender) {
          wait_until_asleep(job, 0, any_rank);
          send_word(rank, 0, round);
        }
        wait_for_streams(rank, 0, [&] { return next_from(rank, 0).has_value(); });
        drop_next(rank, 0, *next_from(rank, 0));
      }
    });
  }
}

/// Rank 0 waits for `from`; of the other two, those up to `ended` end, before or while it sleeps.
void wait_for_the_ended(int from, int ended, bool ends_first) {
  TestJob job(3);
  job.run([&] {
    Rank& rank = here();
    if (rank.number > ended) return;
    if (rank.number != 0) {
      if (!ends_first) wait_until_asleep(job, 0, from);
      rank_is_over(job.home, rank.number, 0);
      return;
    }
    if (ends_first)
      while (!job.local.presence(1).over || !job.local.presence(2).over) std::this_thread::yield();
    wait_for_streams(rank, from, [] { return false; });
  });
}

TEST(Streams, WaitingForWhoHasEndedEndsTheJob) {
  for (const bool ends_first : {true, false}) {
    EXPECT_EXIT(wait_for_the_ended(any_rank, 2, ends_first), ::testing::ExitedWithCode(1),
                "waits for a message, and all other ranks have ended");
    EXPECT_EXIT(wait_for_the_ended(1, 2, ends_first), ::testing::ExitedWithCode(1),
                "waits for a message from rank 1, which has ended without sending it");
  }
}

TEST(Streams, OneRankThatMaySendIsEnough) {
  TestJob job(3);
  job.run([&] {
    Rank& rank = here();
    if (rank.number == 1) rank_is_over(job.home, 1, 0);
    if (rank.number == 2) {
      while (!job.local.presence(1).over) std::this_thread::yield();
      wait_until_asleep(job, 0, any_rank);
      send_word(rank, 0, 0);
    }
    if (rank.number == 0) wait_for_streams(rank, any_rank, [&] { return next_from(rank, 2).has_value(); });
  });
}

TEST(Streams, WhatEndedRanksHaveSentComes) {
  for (const int from : {1, any_rank}) {
    TestJob job(2);
    job.run([&] {
      Rank& rank = here();
      if (rank.number == 1) {
        for (std::uint32_t word = 0; word < 100; ++word) send_word(rank, 0, word);
        return rank_is_over(job.home, 1, 0);
      }
      while (!job.local.presence(1).over) std::this_thread::yield();
      for (std::uint32_t word = 0; word < 100; ++word) {
        wait_for_streams(rank, from, [&] { return next_from(rank, 1).has_value(); });
        expect_word(*next_from(rank, 1), word);
        drop_next(rank, 1, *next_from(rank, 1));
      }
    });
  }
}

}  // namespace
}  // namespace kanor::rt
