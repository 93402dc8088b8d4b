// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/rank.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "job/failure.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {
namespace {

/// The simplest transport: the ranks of one process, or of some of its processes as far as a network is
/// concerned.
class Mailboxes final : public Transport {
 public:
  explicit Mailboxes(Local& local) : local_(local) {}
  Capabilities capabilities(int from, int to) const override {
    const bool here = local_.has(from) && local_.has(to);
    return {here, here};
  }
  void post(Message* message) override { local_.post(message); }
  bool progress(Arrivals&) override { return false; }

 private:
  Local& local_;
};

struct Job {
  Job(int count, std::size_t inflight, std::size_t memory = std::size_t{64} << 20)
      : control(Sharing::within_process, 0, count),
        local(Sharing::within_process, {.first = 0,
                                        .count = count,
                                        .ranks = count,
                                        .memory_bytes = memory,
                                        .inflight_bytes = inflight}) {}

  /// Runs `body` on every rank and waits for all.
  void run(const std::function<void(Rank&)>& body) {
    std::vector<std::thread> threads;
    for (int number = 0; number < control.count(); ++number)
      threads.emplace_back([&, number] {
        Rank rank(home, number);
        enter_rank(&rank);
        body(rank);
        enter_rank(nullptr);
      });
    for (std::thread& thread : threads) thread.join();
  }

  Control control;
  Local local;
  Mailboxes mailboxes{local};
  Home home{.control = control, .local = local, .transport = mailboxes, .spare_cores = false};
};

void send_number(Rank& rank, int to, std::uint64_t context, std::uint64_t sequence, int number,
                 std::size_t bytes = 4) {
  Buffer buffer = allocate_message(rank, bytes);
  std::memcpy(buffer.data(), &number, sizeof number);
  send(rank, to, context, sequence, std::move(buffer));
}

int number_in(const Buffer& buffer) {
  int number = 0;
  std::memcpy(&number, buffer.data(), sizeof number);
  return number;
}

TEST(Rank, KnowsItselfAndItsTeam) {
  Job job(3, 1 << 20);
  job.run([](Rank& rank) {
    EXPECT_EQ(&here(), &rank);
    EXPECT_EQ(team_size(rank), 3);
    EXPECT_TRUE(shares_addresses(rank, 0));
    EXPECT_TRUE(shares_memory(rank, 2));
    EXPECT_EQ(inflight_limit_bytes(), std::size_t{1} << 20);
  });
  EXPECT_EQ(here_or_null(), nullptr);
}

TEST(Rank, ReceivesInTheOrderItAsks) {
  Job job(2, 1 << 20);
  job.run([](Rank& rank) {
    if (rank_number(rank) == 0) {
      for (int i = 0; i < 50; ++i) send_number(rank, 1, 1, static_cast<std::uint64_t>(i), i);
      for (int i = 0; i < 50; ++i) send_number(rank, 1, 2, static_cast<std::uint64_t>(i), 100 + i);
    } else {
      for (int i = 49; i >= 0; --i)
        EXPECT_EQ(number_in(receive(rank, 0, 2, static_cast<std::uint64_t>(i))), 100 + i);
      for (int i = 0; i < 50; ++i)
        EXPECT_EQ(number_in(receive(rank, 0, 1, static_cast<std::uint64_t>(i))), i);
    }
  });
}

TEST(Rank, SendsToItselfBeyondTheLimit) {
  Job job(1, 100);
  job.run([](Rank& rank) {
    for (int i = 0; i < 10; ++i) send_number(rank, 0, 1, static_cast<std::uint64_t>(i), i, 1000);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(number_in(receive(rank, 0, 1, static_cast<std::uint64_t>(i))), i);
  });
}

TEST(Rank, EmptyAndShortenedPayloadsArrive) {
  Job job(2, 1 << 20);
  job.run([](Rank& rank) {
    if (rank_number(rank) == 0) {
      send(rank, 1, 1, 1, allocate_message(rank, 0));
      Buffer buffer = allocate_message(rank, 1000);
      std::memset(buffer.data(), 3, 1000);
      buffer.shrink(10);
      send(rank, 1, 1, 2, std::move(buffer));
    } else {
      EXPECT_EQ(receive(rank, 0, 1, 1).bytes(), 0u);
      const Buffer buffer = receive(rank, 0, 1, 2);
      EXPECT_EQ(buffer.bytes(), 10u);
      EXPECT_EQ(buffer.data()[9], std::byte{3});
    }
  });
}

TEST(Rank, AReceivedBufferCanBePassedOn) {
  constexpr int rounds = 100;
  Job job(3, 2000);
  job.run([](Rank& rank) {
    const int me = rank_number(rank);
    for (int i = 0; i < rounds; ++i) {
      const auto sequence = static_cast<std::uint64_t>(i);
      if (me == 0)
        send_number(rank, 1, 1, sequence, i, 500);
      else if (me == 1)
        send(rank, 2, 1, sequence, receive(rank, 0, 1, sequence));
      else
        EXPECT_EQ(number_in(receive(rank, 1, 1, sequence)), i);
    }
    EXPECT_LE(inflight_peak_bytes(rank, (me + 1) % 3), 2000u);
  });
}

TEST(Rank, ASenderThatRunsAheadKeepsTheLimit) {
  constexpr std::size_t limit = 64 << 10;
  constexpr std::size_t payload = 4096;
  constexpr int count = 500;
  Job job(2, limit);
  job.run([&](Rank& rank) {
    if (rank_number(rank) == 0) {
      for (int i = 0; i < count; ++i) send_number(rank, 1, 1, static_cast<std::uint64_t>(i), i, payload);
      EXPECT_LE(inflight_peak_bytes(rank, 1), limit);
      EXPECT_GT(inflight_peak_bytes(rank, 1), limit - 2 * payload) << "the sender never ran ahead";
    } else {
      ::usleep(20'000);
      for (int i = 0; i < count; ++i)
        EXPECT_EQ(number_in(receive(rank, 0, 1, static_cast<std::uint64_t>(i))), i);
    }
  });
  // 2 MB went through; the memory of what was in flight at one time is all that was taken.
  EXPECT_LE(job.local.segment().used_bytes(), 4 * limit + 2 * Segment::unit_bytes);
}

// A small message lies in the pair's ring while there is room, and in the mailbox otherwise; the limit holds
// for both together, and each is found by what it is, wherever it lies.
TEST(Rank, SmallMessagesBeyondTheRingKeepOrderAndLimit) {
  constexpr std::size_t limit = 64 << 10;
  constexpr int count = 2000;
  Job job(2, limit);
  ASSERT_NE(job.local.ring(0, 1), nullptr);
  job.run([&](Rank& rank) {
    if (rank_number(rank) == 0) {
      for (int i = 0; i < count; ++i)
        send_number(rank, 1, i % 2, static_cast<std::uint64_t>(i), i, i % 200 + 4);
      EXPECT_LE(inflight_peak_bytes(rank, 1), limit);
      EXPECT_GT(inflight_peak_bytes(rank, 1), limit / 2) << "the sender never ran ahead";
    } else {
      ::usleep(20'000);
      for (int begin = 0; begin < count; begin += 50)
        for (int i = begin + 49; i >= begin; --i) {
          const Buffer buffer = receive(rank, 0, i % 2, static_cast<std::uint64_t>(i));
          EXPECT_EQ(number_in(buffer), i);
          EXPECT_EQ(buffer.bytes(), static_cast<std::size_t>(i % 200 + 4));
        }
    }
  });
}

// What the receiver has taken counts no longer, although an older message still lies in the ring, or is held:
// the sender would wait for room, and the receiver for the sender.
TEST(Rank, AnOlderMessageDoesNotHoldBackWhatHasBeenTaken) {
  constexpr std::size_t limit = 64 << 10, payload = 4096;
  constexpr int count = 300;
  for (const bool held : {false, true})
    for (const std::size_t first_bytes : {std::size_t{8}, std::size_t{1000}}) {
      Job job(2, limit);
      job.run([&](Rank& rank) {
        if (rank_number(rank) == 0) {
          send_number(rank, 1, 2, 0, 42, first_bytes);
          for (int i = 0; i < count; ++i) send_number(rank, 1, 1, static_cast<std::uint64_t>(i), i, payload);
          EXPECT_LE(inflight_peak_bytes(rank, 1), limit + sizeof(Message) + first_bytes);
        } else {
          Buffer first;
          if (held) first = receive(rank, 0, 2, 0);
          for (int i = 0; i < count; ++i)
            EXPECT_EQ(number_in(receive(rank, 0, 1, static_cast<std::uint64_t>(i))), i);
          if (!held) first = receive(rank, 0, 2, 0);
          EXPECT_EQ(number_in(first), 42);
          EXPECT_EQ(first.bytes(), first_bytes);
        }
      });
      EXPECT_EQ(job.local.inflight(0, 1).bytes(), 0u);
    }
}

// References weigh what they point to; here as much as is allowed, so each waits for the one before it.
TEST(Rank, ReferencesKeepTheLimit) {
  constexpr std::size_t limit = 64 << 10;
  constexpr int count = 200;
  Job job(2, limit);
  job.run([&](Rank& rank) {
    for (int i = 0; i < count; ++i) {
      if (rank_number(rank) == 0) {
        Buffer reference = allocate_message(rank, 8);
        std::memcpy(reference.data(), &i, sizeof i);
        reference.count_extra(limit - 2 * sizeof(Ring));
        send(rank, 1, 1, static_cast<std::uint64_t>(i), std::move(reference));
        EXPECT_LE(inflight_peak_bytes(rank, 1), limit);
      } else {
        EXPECT_EQ(number_in(receive(rank, 0, 1, static_cast<std::uint64_t>(i))), i);
      }
    }
  });
}

// What has been started may be more than the limit on both sides, whichever way it came.
TEST(Rank, ExpectedMessagesInRingsMakeRoom) {
  constexpr std::size_t limit = 64 << 10, payload = 10'000;
  constexpr int count = 60;
  Job job(2, limit);
  job.run([&](Rank& rank) {
    const int peer = 1 - rank_number(rank);
    for (int i = 0; i < count; ++i) {
      expect(rank, 1, static_cast<std::uint64_t>(i));
      send_number(rank, peer, 1, static_cast<std::uint64_t>(i), i, i % 3 == 0 ? 50 : payload);
    }
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(number_in(receive(rank, peer, 1, static_cast<std::uint64_t>(i))), i);
      expect_no_more(rank, 1, static_cast<std::uint64_t>(i));
    }
  });
}

// The memory of messages is the sender's again before it takes more, whoever it sends to.
// On both sides of most_unseen_bytes; more than most_unseen_bytes_of_all follows in the next test.
TEST(Rank, MemoryReturnsByRings) {
  for (const std::size_t payload : {std::size_t{64} << 10, std::size_t{1} << 20}) {
    Job job(3, 4 * payload);
    job.run([&](Rank& rank) {
      for (int i = 0; i < 300; ++i) {
        const auto sequence = static_cast<std::uint64_t>(i);
        if (rank_number(rank) == 0) {
          send_number(rank, 1 + i % 2, 1, sequence, i, payload - 1000);
        } else if (rank_number(rank) == 1 + i % 2) {
          EXPECT_EQ(number_in(receive(rank, 0, 1, sequence)), i);
        }
      }
    });
    EXPECT_LE(job.local.segment().used_bytes(), 10 * payload + 4 * Segment::unit_bytes);
  }
}

// A sender that sends once, and never again, does not look what has come back.
TEST(Rank, LargeMemoryReturnsAlthoughNobodyLooks) {
  constexpr int ranks = 4;
  constexpr std::size_t payload = std::size_t{40} << 20;
  Job job(ranks, std::size_t{64} << 20, std::size_t{512} << 20);
  job.run([&](Rank& rank) {
    if (rank_number(rank) == 0)
      for (int to = 1; to < ranks; ++to) send_number(rank, to, 1, 0, to, payload);
    else
      EXPECT_EQ(number_in(receive(rank, 0, 1, 0)), rank_number(rank));
  });
  EXPECT_LE(job.local.segment().used_bytes(), std::size_t{64} << 20);
}

// Ranks without spare cores sleep after two looks, so nearly every message must wake its receiver.
TEST(Rank, SmallMessagesWakeSleepers) {
  constexpr int ranks = 3, rounds = 2000;
  Job job(ranks, 1 << 20);
  job.run([](Rank& rank) {
    const int me = rank_number(rank);
    int number = 0;
    for (int round = 0; round < rounds; ++round) {
      const auto sequence = static_cast<std::uint64_t>(round);
      if (me == 0) send_number(rank, 1, 1, sequence, number);
      number = number_in(receive(rank, (me + ranks - 1) % ranks, 1, sequence)) + 1;
      if (me != 0) send_number(rank, (me + 1) % ranks, 1, sequence, number);
    }
    if (me == 0) {
      EXPECT_EQ(number, rounds * ranks);
    }
  });
}

TEST(Rank, HasNoRingsForManyRanksOrTightLimits) {
  Job many(129, 1 << 20);
  EXPECT_EQ(many.local.ring(0, 1), nullptr);
  Job tight(2, 8 * sizeof(Ring) - 1);
  EXPECT_EQ(tight.local.ring(0, 1), nullptr);
  // The other sides of most_ranks_with_rings and least_rings_in_flight.
  Job fewer(128, 1 << 20), wider(2, 8 * sizeof(Ring));
  EXPECT_NE(fewer.local.ring(0, 1), nullptr);
  EXPECT_NE(wider.local.ring(0, 1), nullptr);
}

TEST(Rank, ManyRanksAllToAll) {
  constexpr int ranks = 16, rounds = 20;
  Job job(ranks, 1 << 20);
  job.run([](Rank& rank) {
    const int me = rank_number(rank);
    for (int round = 0; round < rounds; ++round) {
      const auto sequence = static_cast<std::uint64_t>(round);
      for (int peer = 0; peer < ranks; ++peer) send_number(rank, peer, 1, sequence, me * 1000 + round);
      for (int peer = ranks; peer-- > 0;)
        EXPECT_EQ(number_in(receive(rank, peer, 1, sequence)), peer * 1000 + round);
    }
  });
}

using RankDeathTest = ::testing::Test;

TEST(RankDeathTest, RunningOutOfMemoryIsSaid) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        Job job(1, 1 << 20, std::size_t{4} << 20);
        watch_failures(job.control, nullptr);
        job.run([](Rank& rank) { allocate_message(rank, std::size_t{5} << 20); });
      },
      ::testing::ExitedWithCode(1),
      "kanor: rank 0: out of message memory: a message of 5242880 bytes needs a free piece of 8388608; all "
      "ranks "
      "use 0 of 4194304 bytes .KANOR_MEMORY sets the limit.");
}

TEST(RankDeathTest, CommunicationOutsideARankIsSaid) {
  ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(here(), ::testing::ExitedWithCode(1), "kanor: a communication outside a rank");
}

}  // namespace
}  // namespace kanor::rt
