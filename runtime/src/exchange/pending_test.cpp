// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchanges that are started, and ended later.
#include "kanor/pending.hpp"

#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"

namespace kanor::rt {
namespace {

/// `place@(i + 1) % size <<= value@i` for all ranks, started.
template <class Place, class Value>
pending start_shift(Place& place, const Value& value) {
  BLOCK;
  block.assign(SITE, [&](auto& bind) {
    for (const auto i : abi::each(world)) binding(bind, (i + 1) % world.size(), AT(place), i, SEND(value), i);
  });
  return block.start();
}

template <class Place, class Value>
void shift(Place& place, const Value& value) {
  start_shift(place, value).wait();
}

int left_of(int rank) { return (rank + world.size() - 1) % world.size(); }

TEST(Pending, EndsLater) {
  on_all_jobs([] {
    std::string mine = "from " + std::to_string(world.rank()), left = "nothing";
    pending p = start_shift(left, mine);
    EXPECT_EQ(left, "nothing");
    p.wait();
    EXPECT_EQ(left, "from " + std::to_string(left_of(world.rank())));
  });
}

TEST(Pending, SeveralInAnyOrderWithBlocksBetween) {
  on_all_jobs([] {
    constexpr int count = 20;
    const int me = world.rank();
    std::vector<std::vector<int>> places(count), values(count);
    std::vector<pending> all;
    int sum = 0;
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      values[at].assign(at + 1, 100 * me + k);
      all.push_back(start_shift(places[at], values[at]));
      int between = -1;
      shift(between, 7 * me + k);
      sum += between;
    }
    // Each rank in an order of its own.
    for (int k = 0; k < count; ++k) all[static_cast<std::size_t>((k * 7 + me) % count)].wait();
    const int left = left_of(me);
    EXPECT_EQ(sum, count * 7 * left + count * (count - 1) / 2);
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      EXPECT_EQ(places[at], std::vector<int>(at + 1, 100 * left + k));
    }
  });
}

TEST(Pending, ReducesAndKeepsItsOperation) {
  on_all_jobs([] {
    const int n = world.size();
    std::string all;
    std::optional<pending> p;
    {
      const std::string separator = "-";
      BLOCK;
      block.reduce(
          SITE, [separator](const std::string& a, const std::string& b) { return a + separator + b; },
          [&](auto& kanor_bind, auto kanor_operation) {
            const Reducing bind(kanor_bind, kanor_operation);
            for (const auto i : abi::each(world))
              binding(bind, 0, AT(all), i, SEND(std::to_string(world.rank())), i);
          });
      p = block.start();
    }
    p->wait();
    std::string expected = "0";
    for (int i = 1; i < n; ++i) expected += "-" + std::to_string(i);
    EXPECT_EQ(all, world.rank() == 0 ? expected : "");
  });
}

TEST(Pending, EndsWithItsScopeAndMoves) {
  on_all_jobs([] {
    const int me = world.rank();
    int first = -1, second = -1;
    {
      pending p = start_shift(first, me);
      pending moved = std::move(p);
      EXPECT_EQ(first, -1);
      moved = start_shift(second, 10 * me);  // ends the first
      EXPECT_EQ(first, left_of(me));
      pending& itself = moved;
      moved = std::move(itself);
      EXPECT_EQ(second, -1);
    }
    EXPECT_EQ(second, 10 * left_of(me));
  });
}

TEST(Pending, LeavesTheExecutionToTheNextBlock) {
  TestJob(1).run_rank(0, [] {
    std::vector<int> places(3, -1);
    std::vector<pending> all;
    const Execution* used = nullptr;
    for (int k = 0; k < 3; ++k) {
      BLOCK;
      block.assign(
          SITE, [&](auto& bind) { binding(bind, 0, AT(places[static_cast<std::size_t>(k)]), 0, SEND(k)); });
      EXPECT_TRUE(!used || Blocks::here().current() == used);
      used = Blocks::here().current();
      EXPECT_TRUE(used);
      all.push_back(block.start());
    }
    EXPECT_EQ(Blocks::here().pending().size(), 3u);
    all[1].wait();
    all[2].wait();
    EXPECT_EQ(places, (std::vector<int>{-1, 1, 2}));
    all[0].wait();
    EXPECT_EQ(places[0], 0);
    EXPECT_TRUE(Blocks::here().pending().empty());
  });
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they count memory otherwise
TEST(Pending, TakesHalfAKilobyteEach) {
  TestJob(1).run_rank(0, [] {
    constexpr std::size_t count = 10'000, message = 128;
    std::vector<long> places(count);
    std::vector<pending> all;
    all.reserve(count);
    const auto start = [&](std::size_t k) {
      BLOCK;
      block.reduce(
          SITE, [](long a, long b) { return a + b; },
          [&](auto& kanor_bind, auto kanor_operation) {
            const Reducing bind(kanor_bind, kanor_operation);
            binding(bind, 0, AT(places[k]), 0, SEND(static_cast<long>(k)), 0, 0);
          });
      all.push_back(block.start());
    };
    start(0);
    const std::size_t before = ::mallinfo2().uordblks;
    for (std::size_t k = 1; k < count; ++k) start(k);
    EXPECT_LE((::mallinfo2().uordblks - before) / (count - 1) + message, 512u);
    all.clear();
    EXPECT_LE(::mallinfo2().uordblks, before + 16 * count) << "what ends gives its memory back";
    for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(places[k], static_cast<long>(k));
  });
}
#endif

/// Every rank starts more than the others accept before it ends any: each must give back what has arrived for
/// the exchanges that it has started, wherever it waits.
TEST(Pending, StartsBeyondTheLimitDoNotBlock) {
  for (const bool shares_addresses : {true, false})
    for (const int ranks : {2, 3, 8})
      TestJob(ranks, shares_addresses, 10'000).run([] {
        const int me = world.rank();
        constexpr std::size_t count = 8, length = 2'000;  // 8'000 bytes each
        std::vector<std::vector<int>> places(count);
        std::vector<pending> all;
        for (std::size_t k = 0; k < count; ++k)
          all.push_back(start_shift(places[k], std::vector<int>(length, me)));
        for (std::size_t k = 0; k < count; ++k) all[k].wait();
        for (const auto& place : places) EXPECT_EQ(place, std::vector<int>(length, left_of(me)));
      });
}

TEST(Pending, AReceiverThatWaitsForALaterBlockGivesBackToo) {
  TestJob(2, true, 10'000).run([] {
    std::vector<int> first, second, third;
    const std::vector<int> value(2'000, 5);
    const auto start = [&](std::vector<int>& place) {
      BLOCK;
      block.assign(SITE, [&](auto& bind) { binding(bind, 1, AT(place), 0, SEND(value)); });
      return block.start();
    };
    pending a = start(first), b = start(second);
    start(third).wait();
    EXPECT_EQ(third.size(), world.rank() == 1 ? value.size() : 0);
    a.wait();
    b.wait();
    EXPECT_EQ(first.size(), third.size());
    EXPECT_EQ(second.size(), third.size());
  });
}

TEST(Pending, TheReceiverNeedsNothingOfABusySender) {
  TestJob(2).run([] {
    int place = -1;
    static std::atomic<bool> received;
    received = false;
    BLOCK;
    block.assign(SITE, [&](auto& bind) { binding(bind, 1, AT(place), 0, SEND(41)); });
    pending p = block.start();
    if (world.rank() == 0) {
      for (int ms = 0; ms < 20'000 && !received; ++ms) ::usleep(1'000);  // computes, and calls nothing
      EXPECT_TRUE(received);
    } else {
      p.wait();
      EXPECT_EQ(place, 41);
      received = true;
    }
  });
}

/// Rank 0 to rank 1, started.
pending start_hop(int& place, int value) {
  BLOCK;
  block.assign(SITE, [&](auto& bind) { binding(bind, 1, AT(place), 0, SEND(value)); });
  return block.start();
}

TEST(Pending, TestsWithoutWaiting) {
  for (const bool inline_messages : {true, false}) {
    TestJob job(2);
    job.home.switches.inline_messages = inline_messages;
    Played played(job);
    int place = -1, unused = 0;
    const auto start = [&](int rank) {
      played[rank];
      return std::make_unique<pending>(start_hop(rank == 1 ? place : unused, 41));
    };
    auto receiver = start(1);
    EXPECT_FALSE(receiver->test());
    auto sender = start(0);
    EXPECT_TRUE(sender->test());
    EXPECT_EQ(place, -1);
    played[1];
    EXPECT_TRUE(receiver->test());
    EXPECT_EQ(place, 41);
    EXPECT_TRUE(Blocks::here().pending().empty());
  }
}

TEST(Pending, WaitsForWhatWasStartedFirst) {
  TestJob job(2);
  Played played(job);
  constexpr std::size_t count = 5;
  std::vector<int> places(count, -1);
  std::vector<pending> all(count + 1);  // one is empty
  played[1];
  for (std::size_t k = 0; k < count; ++k) all[k] = start_hop(places[k], 0);
  const auto send_all = [&](int value) {
    std::vector<int> unused(count);
    played[0];
    for (std::size_t k = 0; k < count; ++k) start_hop(unused[k], value + static_cast<int>(k)).wait();
    played[1];
  };
  send_all(10);
  const std::size_t first = wait_any(all);
  EXPECT_EQ(places[first], 10 + static_cast<int>(first));
  std::vector<std::size_t> ended{first};
  for (std::size_t k = 1; k < count; ++k) ended.push_back(wait_any(all));
  EXPECT_EQ(ended, (std::vector<std::size_t>{0, 1, 2, 3, 4})) << "the one that was started first comes first";
  EXPECT_EQ(wait_any(all), all.size());
  EXPECT_EQ(wait_any({}), 0u);
}

TEST(Pending, SleepsUntilAnyArrives) {
  for (const bool shares_addresses : {true, false})
    for (const int ranks : {2, 5})
      TestJob(ranks, shares_addresses).run([] {
        // The last rank gets a value of every other one, of which each waits for the one before it.
        const int n = world.size(), me = world.rank();
        std::vector<int> from(static_cast<std::size_t>(n), -1);
        std::vector<pending> all;
        for (int k = 0; k + 1 < n; ++k) {
          if (me == k) ::usleep(20'000);
          BLOCK;
          block.assign(SITE, [&](auto& bind) {
            binding(bind, n - 1, AT(from[static_cast<std::size_t>(k)]), k, SEND(k));
          });
          all.push_back(block.start());
        }
        for (int k = 0; k + 1 < n && me == n - 1; ++k) {
          const std::size_t one = wait_any(all);
          EXPECT_EQ(from[one], static_cast<int>(one));
        }
      });
}

TEST(Pending, ReferenceEndsWhereItIsWaitedFor) {
  TestJob job(2);
  job.home.switches.reference = true;
  job.run([] {
    int left = -1;
    pending p = start_shift(left, world.rank());
    EXPECT_EQ(left, -1);
    p.wait();
    EXPECT_EQ(left, left_of(world.rank()));
  });
}

TEST(PendingFailure, WaitingTwice) {
  int place = 0;
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [&] {
                                    abi::block block({"f.cpp", 11, "f"});
                                    block.assign(
                                        SITE, [&](auto& bind) { binding(bind, 0, AT(place), 0, SEND(1)); });
                                    pending p = block.start();
                                    p.wait();
                                    p.wait();
                                  }),
              testing::ExitedWithCode(1),
              "the pending exchange of the block at f.cpp:11 was waited for a second time");
}

TEST(PendingFailure, NothingToWaitFor) {
  EXPECT_EXIT(pending().wait(), testing::ExitedWithCode(1),
              "wait\\(\\) was called on an object that has no exchange, or was moved from");
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [&] {
                                    int place = 0;
                                    pending p = start_shift(place, 1);
                                    pending other = std::move(p);
                                    p.wait();
                                  }),
              testing::ExitedWithCode(1), "has no exchange, or was moved from");
}

TEST(PendingFailure, TestingWhatHasEnded) {
  EXPECT_EXIT(pending().test(), testing::ExitedWithCode(1),
              "test\\(\\) was called on an object that has no exchange");
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [&] {
                                    int place = 0;
                                    pending p = start_shift(place, 1);
                                    EXPECT_TRUE(p.test());
                                    p.test();
                                  }),
              testing::ExitedWithCode(1), "was waited for a second time");
}

TEST(PendingFailure, TestingWhatNeverComes) {
  // Rank 2 lives.
  const auto wait_for_the_ended = [](auto end) {
    TestJob(3).run([&] {
      Rank& rank = here();
      if (world.rank() == 0) return rank_is_over(rank.home, 0, 0);
      if (world.rank() == 2) ::pause();
      int place = 0;
      pending p = start_hop(place, 1);
      end(p);
    });
  };
  EXPECT_EXIT(wait_for_the_ended([](pending& p) {
                while (!p.test()) continue;
              }),
              testing::ExitedWithCode(1), "waits for data from rank 0, which has ended");
  EXPECT_EXIT(wait_for_the_ended([](pending& p) {
                wait_any({&p, 1});
              }),
              testing::ExitedWithCode(1), "waits for data from rank 0, which has ended");
}

TEST(PendingFailure, TestingAOneSidedBlock) {
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [&] {
                                    abi::block block({"f.cpp", 11, "f"}, {.knows = abi::knows::sender});
                                    pending p = block.start();
                                    p.test();
                                  }),
              testing::ExitedWithCode(1),
              "f.cpp:11 is one-sided: only kanor::pending::wait\\(\\) can end it");
}

TEST(PendingFailure, WaitingInsideABlock) {
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [&] {
                                    int place = 0;
                                    abi::block first({"f.cpp", 11, "f"});
                                    pending p = first.start();
                                    abi::block second({"f.cpp", 12, "f"});
                                    second.assign(SITE, [&](auto& bind) {
                                      p.wait();
                                      binding(bind, 0, AT(place), 0, SEND(1));
                                    });
                                  }),
              testing::ExitedWithCode(1),
              "f.cpp:11 is waited for while the block at f.cpp:12 is being evaluated");
}

TEST(PendingFailure, AnotherRanks) {
  EXPECT_EXIT(
      {
        static std::optional<pending> shared;
        static std::atomic<bool> ready;
        TestJob(2).run([&] {
          abi::block block({"f.cpp", 11, "f"});
          pending p = block.start();
          if (world.rank() == 0) {
            shared = std::move(p);
            ready = true;
            for (;;) ::pause();
          }
          while (!ready) ::usleep(100);
          shared->wait();
        });
      },
      testing::ExitedWithCode(1), "f.cpp:11 is waited for by a rank that did not start it");
}

TEST(PendingFailure, LengthsAreReportedAtTheBlock) {
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [&] {
                                    int three[3] = {};
                                    std::vector<int> two{1, 2};
                                    abi::block block({"f.cpp", 11, "f"});
                                    block.assign({12, "three@0 <<= two@0"}, [&](auto& bind) {
                                      binding(bind, 0, AT(three), 0, SEND(two));
                                    });
                                    pending p = block.start();
                                    p.wait();
                                  }),
              testing::ExitedWithCode(1),
              "f.cpp:12: in 'three@0 <<= two@0', the place has length 3, but the value has length 2");
}

}  // namespace
}  // namespace kanor::rt
