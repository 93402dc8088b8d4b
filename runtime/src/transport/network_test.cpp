// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks of several processes behind a network, here in one process: delivery, and the in-flight limit across
// it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "transport/rank.hpp"
#include "transport/rank_state.hpp"

namespace kanor::rt {
namespace {

struct Wire {
  std::mutex lock;
  std::deque<std::pair<Envelope, std::vector<std::byte>>> travelling;
};

/// Copies messages over wires; newer messages may overtake older ones of other senders.
class LoopNetwork final : public Network {
 public:
  LoopNetwork(std::vector<Wire>& wires, int process, int ranks_each)
      : wires_(wires), process_(process), ranks_each_(ranks_each) {}

  Capabilities capabilities(int, int) const override { return {}; }
  void post(Message* message) override {
    Wire& wire = wires_[static_cast<std::size_t>(message->envelope.destination / ranks_each_)];
    {
      const std::lock_guard guard(wire.lock);
      wire.travelling.emplace_back(
          message->envelope,
          std::vector<std::byte>(message->payload(), message->payload() + message->envelope.bytes));
    }
    const std::lock_guard guard(sent_lock_);
    sent_.push_back(message);
  }
  bool progress(Arrivals& arrivals) override {
    std::deque<Message*> done;
    {
      const std::lock_guard guard(sent_lock_);
      done.swap(sent_);
    }
    for (Message* const message : done) arrivals.sent(message);
    Wire& wire = wires_[static_cast<std::size_t>(process_)];
    decltype(wire.travelling) arrived;
    {
      const std::lock_guard guard(wire.lock);
      arrived.swap(wire.travelling);
    }
    for (const auto& [envelope, payload] : arrived) {
      Message* const message = arrivals.allocate(payload.size());
      message->envelope = envelope;
      if (!payload.empty()) std::memcpy(message->payload(), payload.data(), payload.size());
      arrivals.deliver(message);
    }
    return !arrived.empty() || !done.empty();
  }
  int process() const override { return process_; }
  int processes() const override { return static_cast<int>(wires_.size()); }
  int processes_here() const override { return processes(); }
  int first_here() const override { return 0; }
  bool all_here(bool mine) override { return mine; }
  void broadcast_here(void*, std::size_t) override {}
  void broadcast(void*, std::size_t) override {}
  int thread_level() const override { return 3; }
  void finish(Arrivals& arrivals) override { progress(arrivals); }
  void abort_job(int status) override { std::_Exit(status); }

 private:
  std::vector<Wire>& wires_;
  const int process_;
  const int ranks_each_;
  std::mutex sent_lock_;
  std::deque<Message*> sent_;
};

class Mailboxes final : public Transport {
 public:
  explicit Mailboxes(Local& local) : local_(local) {}
  Capabilities capabilities(int, int) const override { return {true, true}; }
  void post(Message* message) override { local_.post(message); }
  bool progress(Arrivals&) override { return false; }

 private:
  Local& local_;
};

struct Process {
  Process(std::vector<Wire>& wires, int number, int ranks_each, std::size_t inflight)
      : control(Sharing::within_process, number * ranks_each, ranks_each),
        local(Sharing::within_process, {.first = number * ranks_each,
                                        .count = ranks_each,
                                        .ranks = static_cast<int>(wires.size()) * ranks_each,
                                        .memory_bytes = std::size_t{64} << 20,
                                        .inflight_bytes = inflight}),
        network(wires, number, ranks_each) {}

  Control control;
  Local local;
  Mailboxes mailboxes{local};
  LoopNetwork network;
  Home home{
      .control = control, .local = local, .transport = mailboxes, .network = &network, .spare_cores = false};
};

template <class Body>
void run(int processes, int ranks_each, std::size_t inflight, const Body& body) {
  std::vector<Wire> wires(static_cast<std::size_t>(processes));
  std::vector<std::unique_ptr<Process>> all;
  for (int p = 0; p < processes; ++p)
    all.push_back(std::make_unique<Process>(wires, p, ranks_each, inflight));
  std::vector<std::thread> threads;
  for (int number = 0; number < processes * ranks_each; ++number)
    threads.emplace_back([&, number] {
      Rank rank(all[static_cast<std::size_t>(number / ranks_each)]->home, number);
      enter_rank(&rank);
      body(rank);
      enter_rank(nullptr);
    });
  for (std::thread& thread : threads) thread.join();
}

void send_number(Rank& rank, int to, std::uint64_t sequence, int number, std::size_t bytes = 4) {
  Buffer buffer = allocate_message(rank, bytes);
  std::memcpy(buffer.data(), &number, sizeof number);
  send(rank, to, 1, sequence, std::move(buffer));
}

int receive_number(Rank& rank, int from, std::uint64_t sequence) {
  const Buffer buffer = receive(rank, from, 1, sequence);
  int number = 0;
  std::memcpy(&number, buffer.data(), sizeof number);
  return number;
}

TEST(NetworkRanks, ExchangeWithinAndBetweenProcesses) {
  run(3, 2, 1 << 20, [](Rank& rank) {
    const int me = rank_number(rank);
    EXPECT_EQ(team_size(rank), 6);
    for (int peer = 0; peer < 6; ++peer) EXPECT_EQ(shares_addresses(rank, peer), peer / 2 == me / 2);
    for (int round = 0; round < 20; ++round) {
      const auto sequence = static_cast<std::uint64_t>(round);
      for (int peer = 0; peer < 6; ++peer) send_number(rank, peer, sequence, me * 1000 + round);
      for (int peer = 6; peer-- > 0;) EXPECT_EQ(receive_number(rank, peer, sequence), peer * 1000 + round);
    }
  });
}

TEST(NetworkRanks, ASenderThatRunsAheadKeepsTheLimit) {
  static constexpr std::size_t limit = 64 << 10;
  static constexpr int count = 300;
  run(2, 1, limit, [](Rank& rank) {
    if (rank_number(rank) == 0) {
      for (int i = 0; i < count; ++i) send_number(rank, 1, static_cast<std::uint64_t>(i), i, 4096);
      EXPECT_LE(inflight_peak_bytes(rank, 1), limit);
      EXPECT_GT(inflight_peak_bytes(rank, 1), limit / 2) << "the sender never ran ahead";
    } else {
      ::usleep(20'000);
      for (int i = 0; i < count; ++i) EXPECT_EQ(receive_number(rank, 0, static_cast<std::uint64_t>(i)), i);
    }
  });
}

TEST(NetworkRanks, MessagesNearAndAboveTheLimitDoNotBlock) {
  // What the receiver has not yet said it consumed must never make the sender wait for good.
  static constexpr std::size_t limit = 10'000;
  run(2, 1, limit, [](Rank& rank) {
    std::uint64_t sequence = 0;
    for (const std::size_t bytes : {100, 9'900, 2'000, 9'000, 50'000, 64, 2'400, 30'000, 4, 9'930}) {
      if (rank_number(rank) == 0) {
        send_number(rank, 1, sequence, 7, bytes);
        EXPECT_EQ(receive_number(rank, 1, sequence), 8);
      } else {
        EXPECT_EQ(receive_number(rank, 0, sequence), 7);
        send_number(rank, 0, sequence, 8);
      }
      ++sequence;
    }
  });
}

/// Rank 0 waits for what `wait` wants; the ranks of the other two processes end, before that or later.
template <class Wait>
void wait_for_the_ended(bool ends_first, const Wait& wait) {
  std::atomic<int> ended{0};
  run(3, 1, 10'000, [&](Rank& rank) {
    if (rank_number(rank) != 0) {
      if (!ends_first)
        while (rank.home.askers.waiting() == 0) rank.home.network->progress(rank.inbound);
      rank_is_over(rank.home, rank_number(rank), 0);
      ++ended;
      for (;;) rank.home.network->progress(rank.inbound);
    }
    while (ends_first && ended < 2) std::this_thread::yield();
    wait(rank);
  });
}

TEST(NetworkRanks, WaitingForRemoteRanksThatHaveEndedEndsTheJob) {
  for (const bool ends_first : {true, false}) {
    SCOPED_TRACE(ends_first);
    EXPECT_EXIT(wait_for_the_ended(ends_first, [](Rank& rank) { receive_number(rank, 1, 0); }),
                testing::ExitedWithCode(1), "waits for data from rank 1, which has ended");
    const auto stream = [](int from) {
      return [from](Rank& rank) { wait_for_streams(rank, from, [] { return false; }); };
    };
    EXPECT_EXIT(wait_for_the_ended(ends_first, stream(2)), testing::ExitedWithCode(1),
                "waits for a message from rank 2, which has ended without sending it");
    const auto send_much = [](Rank& rank) {
      for (std::uint64_t i = 0; i < 10; ++i) send_number(rank, 2, i, 7, 4000);
    };
    EXPECT_EXIT(wait_for_the_ended(ends_first, send_much), testing::ExitedWithCode(1),
                "waits for room to send to rank 2, which has ended");
  }
  EXPECT_EXIT(wait_for_the_ended(true, [](Rank& r) { wait_for_streams(r, any_rank, [] { return false; }); }),
              testing::ExitedWithCode(1), "waits for a message, and all other ranks have ended");
}

TEST(NetworkRanks, WhatEndedRemoteRanksHaveSentComes) {
  static constexpr int count = 50;
  run(2, 2, 1 << 20, [](Rank& rank) {
    const int me = rank_number(rank);
    if (me > 1) {
      ::usleep(10'000);  // so that the others have asked
      for (int i = 0; i < count; ++i) send_number(rank, me - 2, static_cast<std::uint64_t>(i), i, 4096);
      rank_is_over(rank.home, me, 0);
      return;
    }
    for (int i = 0; i < count; ++i) EXPECT_EQ(receive_number(rank, me + 2, static_cast<std::uint64_t>(i)), i);
  });
}

TEST(NetworkRanks, AProcessAnswersOnceItMoves) {
  std::vector<Wire> wires(2);
  Process asks(wires, 0, 1, 1 << 20), asked(wires, 1, 1, 1 << 20);
  Inbound at_first(asks.home, asks.local.supervisor_pool()),
      at_second(asked.home, asked.local.supervisor_pool());
  const auto ask = [&] { return asks.home.answers.ask(asks.home, asks.local.supervisor_pool(), 0, 1); };
  const auto move = [&] {
    asked.network.progress(at_second);
    asks.network.progress(at_first);
  };
  EXPECT_EQ(ask(), 0);
  EXPECT_EQ(ask(), 1);
  EXPECT_EQ(ask(), 2) << "it stands still";
  EXPECT_EQ(wires[1].travelling.size(), 1u) << "and is asked once";
  move();
  EXPECT_EQ(ask(), 0) << "a new question";
  move();
  EXPECT_EQ(ask(), 0);
  EXPECT_EQ(asks.home.answers.ask(asks.home, asks.local.supervisor_pool(), 0, 1), 1);
}

}  // namespace
}  // namespace kanor::rt
