// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of one rank that send and receive at the same time.
#include "transport/turns.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "match/call.hpp"
#include "ownership/passing.hpp"
#include "ownership/rendezvous.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

using Bytes = std::vector<std::byte>;

constexpr int threads = 3, messages = 40;

/// Another thread of the rank.
template <class Body>
std::thread start(Rank& rank, Body body) {
  return std::thread([&rank, body] {
    enter_rank(&rank);
    body();
    enter_rank(nullptr);
  });
}

Bytes filled(std::size_t bytes, int with) { return Bytes(bytes, static_cast<std::byte>(with)); }

/// Sends to the next rank and receives from the one before, by one tag.
void exchange(Rank& rank, int tag) {
  const int self = rank_number(rank), size = team_size(rank);
  const int to = (self + 1) % size, from = (self + size - 1) % size;
  for (int number = 0; number < messages; ++number) {
    const std::size_t bytes = number % 5 == 4 ? 200'000 : static_cast<std::size_t>(100 * number);
    const Bytes sent = filled(bytes, self + tag + number);
    Bytes room(bytes);
    {
      const InCall call(rank, "send", {});
      if (can_offer(rank, to) && bytes >= Tuning().least_offered_block)
        Offer(rank, {sent.data(), bytes}, {0, to, tag}, false).wait();
      else
        send_copy(rank, {sent.data(), bytes}, {0, to, tag}, {});
    }
    const InCall call(rank, "receive", {});
    Incoming incoming(rank, {0, from, tag}, bytes, room.data());
    Matcher::of(rank).post(incoming);
    Matcher::of(rank).wait(incoming);
    EXPECT_EQ(incoming.received().bytes, bytes);
    EXPECT_EQ(room, filled(bytes, from + tag + number));
  }
}

TEST(Turns, OfThreadsThatExchange) {
  for (const bool addresses : {true, false})
    for (const int ranks : {1, 2, 3}) {
      TestJob(ranks, addresses).run([] {
        Rank& rank = here();
        take_turns(rank);
        std::vector<std::thread> others;
        for (int tag = 1; tag < threads; ++tag)
          others.push_back(start(rank, [&rank, tag] { exchange(rank, tag); }));
        exchange(rank, 0);
        for (std::thread& other : others) other.join();
      });
    }
}

// One waits for what only the other one sends, and sleeps when that comes.
TEST(Turns, AThreadThatWaitsLetsOthersRun) {
  TestJob(1).run([] {
    Rank& rank = here();
    take_turns(rank);
    int got = 0;
    std::thread waiting = start(rank, [&] {
      const InCall call(rank, "receive", {});
      Incoming incoming(rank, {0, 0, 1}, sizeof got, &got);
      Matcher::of(rank).post(incoming);
      Matcher::of(rank).wait(incoming);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const int sent = 7;
    {
      const InCall call(rank, "send", {});
      send_copy(rank, {&sent, sizeof sent}, {0, 0, 1}, {});
    }
    waiting.join();
    EXPECT_EQ(got, 7);
  });
}

// A call inside of a call: of a function of the program that a call calls.
TEST(Turns, OneThreadMayCallInACall) {
  TestJob(1).run([] {
    Rank& rank = here();
    take_turns(rank);
    int count = 0;
    const auto calls = [&] {
      const InCall outer(rank, "outer", {});
      for (int i = 0; i < 1000; ++i) {
        const InCall inner(rank, "inner", {});
        ++count;
      }
    };
    std::thread other = start(rank, calls);
    calls();
    other.join();
    EXPECT_EQ(count, 2000);
  });
}

}  // namespace
}  // namespace kanor::rt
