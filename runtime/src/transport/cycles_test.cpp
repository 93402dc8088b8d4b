// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/cycles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "transport/streams.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

constexpr int rounds = 40;

/// Limits without rings and with them, and messages that lie in the ring's places or elsewhere.
class Cycles : public ::testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {
 protected:
  std::size_t limit() const { return std::get<0>(GetParam()); }
  std::size_t message_bytes() const { return std::get<1>(GetParam()); }

  /// Of a block, from one rank to another: many times the limit. The block's letter is their context.
  int messages() const { return 6 + static_cast<int>(5 * limit() / (message_bytes() + sizeof(Message))); }
  void give(int to, char block, int round) const {
    for (int i = 0; i < messages(); ++i) {
      Buffer payload = allocate_message(here(), message_bytes());
      std::memset(payload.data(), block + i % 50, message_bytes());
      send(here(), to, static_cast<std::uint64_t>(block), number(round, i), std::move(payload));
    }
  }
  void take(int from, char block, int round) const {
    for (int i = 0; i < messages(); ++i) {
      const Buffer payload = receive(here(), from, static_cast<std::uint64_t>(block), number(round, i));
      ASSERT_EQ(payload.bytes(), message_bytes());
      ASSERT_TRUE(std::all_of(payload.data(), payload.data() + message_bytes(),
                              [&](std::byte b) { return b == std::byte(block + i % 50); }));
    }
  }

  /// All is given back in the end, and counted: the limit holds again.
  static void expect_settled(TestJob& job) {
    for (int from = 0; from < job.control.count(); ++from)
      for (int to = 0; to < job.control.count(); ++to)
        EXPECT_EQ(job.local.inflight(from, to).bytes(), 0u) << from << " to " << to;
  }

 private:
  std::uint64_t number(int round, int i) const {
    return static_cast<std::uint64_t>(round) * static_cast<std::uint64_t>(messages()) +
           static_cast<std::uint64_t>(i);
  }
};

TEST_P(Cycles, OfRanksThatAllWaitForRoom) {
  TestJob job(3, true, limit());
  job.run([&] {
    const int me = here().number;
    for (int round = 0; round < rounds; ++round) {
      give((me + 1) % 3, 'a', round);
      take((me + 2) % 3, 'a', round);
    }
    EXPECT_EQ(here().flow.lent.most(), 0u);
  });
  expect_settled(job);
}

TEST_P(Cycles, OfWhoWaitsForRoomAndWhoWaitsForData) {
  TestJob job(2, true, limit());
  job.run([&] {
    for (int round = 0; round < rounds; ++round) {
      if (here().number == 0) {
        give(1, 'a', round);
        give(1, 'b', round);
      } else {
        take(0, 'b', round);
        take(0, 'a', round);
      }
    }
    EXPECT_EQ(here().flow.lent.most(), 0u);
  });
  expect_settled(job);
}

TEST_P(Cycles, OverAThird) {
  TestJob job(3, true, limit());
  job.run([&] {
    for (int round = 0; round < rounds; ++round) {
      if (here().number == 0) {
        give(1, 'a', round);
        give(2, 'b', round);
      } else if (here().number == 2) {
        take(0, 'b', round);
        give(1, 'c', round);
      } else {
        take(2, 'c', round);
        take(0, 'a', round);
      }
    }
    EXPECT_EQ(here().flow.lent.most(), 0u);
  });
  expect_settled(job);
}

TEST_P(Cycles, AlthoughTheReceiverHoldsWhatItHasReceived) {
  TestJob job(2, true, limit());
  job.run([&] {
    for (int round = 0; round < rounds; ++round) {
      const std::uint64_t number = static_cast<std::uint64_t>(round);
      if (here().number == 0) {
        send(here(), 1, 'h', number, allocate_message(here(), message_bytes()));
        give(1, 'a', round);
        send(here(), 1, 'l', number, allocate_message(here(), limit() - sizeof(Message)));
        give(1, 'b', round);
      } else {
        const Buffer held = receive(here(), 0, 'h', number);
        take(0, 'b', round);
        const Buffer large = receive(here(), 0, 'l', number);
        take(0, 'a', round);
      }
    }
    EXPECT_EQ(here().flow.lent.most(), 0u);
  });
  expect_settled(job);
}

// What a rank looks for in streams comes after more than fits; what comes before it is kept, and counts.
TEST_P(Cycles, OfWhoWaitsForWhoeverSends) {
  TestJob job(3, true, limit());
  job.run([&] {
    const std::uint32_t last = static_cast<std::uint32_t>(messages() - 1);
    for (int round = 0; round < rounds / 4; ++round) {
      if (here().number != 0) {
        for (std::uint32_t i = 0; i <= last; ++i) {
          Buffer payload = allocate_message(here(), message_bytes());
          std::memset(payload.data(), static_cast<int>(i % 50), message_bytes());
          stream_to(here(), 0, in_stream(1), i, std::move(payload));
        }
        take(0, 'a', round);
        continue;
      }
      std::vector<Buffer> kept[3];
      bool done[3] = {true, false, false};
      for (const int from : {1, 2})
        wait_for_streams(here(), any_rank, [&] {
          for (int other = 1; other < 3; ++other)
            while (!done[other]) {
              const std::optional<Streamed> next = next_from(here(), other);
              if (!next) break;
              done[other] = next->word == last;
              EXPECT_EQ(next->word, kept[other].size());
              kept[other].push_back(detach_next(here(), other, *next));
            }
          return done[from];
        });
      for (const int from : {1, 2})
        for (std::size_t i = 0; i < kept[from].size(); ++i) {
          ASSERT_EQ(kept[from][i].bytes(), message_bytes());
          ASSERT_EQ(kept[from][i].data()[message_bytes() - 1], std::byte(i % 50));
        }
      give(1, 'a', round);
      give(2, 'a', round);
    }
    EXPECT_EQ(here().flow.lent.most(), 0u);
  });
  expect_settled(job);
}

INSTANTIATE_TEST_SUITE_P(Limits, Cycles,
                         ::testing::Values(std::tuple(1024, 40), std::tuple(1024, 3000),
                                           std::tuple(65536, 40), std::tuple(65536, 700),
                                           std::tuple(65536, 20000)));

/// Ranks that sleep, as far as others see; the test is one of them.
class Chain : public ::testing::Test {
 protected:
  /// Rank 0 has sent something to rank 1, which has not looked yet.
  void SetUp() override {
    job_.run_rank(0, [] {
      for (std::uint64_t i = 0; i < 3; ++i) send(here(), 1, 'a', i, allocate_message(here(), 400));
      send(here(), 1, any_source_context, 0, allocate_message(here(), 400));
    });
  }

  void sleep(int rank, Waits what, int awaited) {
    Presence& presence = job_.local.presence(rank);
    presence.for_room = what == Waits::room;
    presence.seen = job_.local.mailbox(rank).signal();
    presence.awaits = awaited;
  }
  /// What rank 1 lends when `rank` is about to sleep.
  std::size_t lent_by(int rank) {
    std::size_t lent = 0;
    job_.run_rank(rank, [&] {
      break_cycle(here());
      lent = here().flow.lent.most();
    });
    return lent;
  }
  bool woken(int rank) { return job_.local.presence(rank).seen != job_.local.mailbox(rank).signal(); }

  static constexpr std::size_t in_word = sizeof(Message) + 400;  ///< the rest is in the ring
  TestJob job_{4, true, 65536};
};

TEST_F(Chain, WhomTheCyclesLastWaitsForLends) {
  sleep(0, Waits::room, 1);
  sleep(2, Waits::data, 0);
  sleep(1, Waits::data, 2);
  EXPECT_EQ(lent_by(1), in_word);
  EXPECT_EQ(job_.local.inflight(0, 1).bytes(), 0u);
  EXPECT_EQ(job_.local.ring(0, 1)->taken(), 3u);
  EXPECT_TRUE(woken(0));
  EXPECT_FALSE(woken(2));
}

TEST_F(Chain, WhoCannotLendWakesWhoCan) {
  sleep(0, Waits::room, 1);
  sleep(1, Waits::room, 2);
  sleep(2, Waits::data, 3);
  sleep(3, Waits::data, 0);
  EXPECT_EQ(lent_by(3), 0u);
  EXPECT_FALSE(woken(0));
  EXPECT_TRUE(woken(1));
  EXPECT_TRUE(woken(2));
  EXPECT_FALSE(woken(3));
  EXPECT_EQ(job_.local.inflight(0, 1).bytes(), in_word);
}

TEST_F(Chain, NothingIsLentWhereNobodyWaitsForRoom) {
  sleep(0, Waits::data, 1);
  sleep(1, Waits::data, 0);
  EXPECT_EQ(lent_by(1), 0u);
  EXPECT_FALSE(woken(0));
}

TEST_F(Chain, NothingIsLentToWhoHasBeenWoken) {
  sleep(0, Waits::room, 1);
  sleep(1, Waits::data, 0);
  job_.local.mailbox(0).wake();
  EXPECT_EQ(lent_by(1), 0u);
}

TEST_F(Chain, NothingIsLentOverWhoHasBeenWokenOrIsAwake) {
  sleep(0, Waits::room, 1);
  sleep(1, Waits::data, 2);
  EXPECT_EQ(lent_by(1), 0u);
  sleep(2, Waits::data, 0);
  job_.local.mailbox(2).wake();
  EXPECT_EQ(lent_by(1), 0u);
}

TEST_F(Chain, WhoWaitsForACycleOfOthersIsNotLentTo) {
  sleep(0, Waits::room, 1);
  sleep(1, Waits::data, 0);
  sleep(3, Waits::room, 1);
  EXPECT_EQ(lent_by(3), 0u);
  EXPECT_TRUE(woken(1));
  sleep(1, Waits::data, 0);
  EXPECT_EQ(lent_by(1), in_word);
  EXPECT_TRUE(woken(0));
  EXPECT_FALSE(woken(3));
}

TEST_F(Chain, WhoWaitsForWhoeverSendsLendsIfAllSleepForEachOther) {
  sleep(0, Waits::room, 1);
  sleep(1, Waits::data, any_rank);
  sleep(2, Waits::data, 1);
  sleep(3, Waits::data, any_rank);
  EXPECT_EQ(lent_by(1), in_word);
  EXPECT_TRUE(woken(0));
  EXPECT_FALSE(woken(2));
}

TEST_F(Chain, WhoWaitsForWhoeverSendsLendsAlthoughOthersHaveEnded) {
  sleep(0, Waits::room, 1);
  sleep(1, Waits::data, any_rank);
  job_.local.presence(2).over = true;
  job_.local.presence(3).over = true;
  EXPECT_EQ(lent_by(1), in_word);
}

TEST_F(Chain, WhoWaitsForWhoeverSendsLendsNothingWhileOneMaySend) {
  sleep(0, Waits::room, 1);
  sleep(1, Waits::data, any_rank);
  sleep(2, Waits::data, 1);
  EXPECT_EQ(lent_by(1), 0u);
  sleep(3, Waits::data, 1);
  job_.local.mailbox(3).wake();
  EXPECT_EQ(lent_by(1), 0u);
  EXPECT_FALSE(woken(0));
}

TEST_F(Chain, WhoWaitsForRoomIsSeenThroughWhoWaitsForWhoeverSends) {
  sleep(0, Waits::room, 1);
  sleep(1, Waits::data, 2);
  sleep(2, Waits::data, any_rank);
  sleep(3, Waits::data, 2);
  EXPECT_EQ(lent_by(3), 0u);
  EXPECT_TRUE(woken(1));
  EXPECT_EQ(lent_by(2), 0u) << "one of them has been woken";
}

}  // namespace
}  // namespace kanor::rt
