// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: a job whose ranks are threads of the test, with or without addresses in common.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "transport/rank_state.hpp"

namespace kanor::rt {

/// Mailboxes of one process that can claim that its ranks share no addresses: so values take the way that
/// they take between processes.
class TestTransport final : public Transport {
 public:
  TestTransport(Local& local, bool shares_addresses) : local_(local), shares_addresses_(shares_addresses) {}
  Capabilities capabilities(int from, int to) const override {
    return {from == to || shares_addresses_, from == to || shares_memory};
  }
  void post(Message* message) override { local_.post(message); }
  bool progress(Arrivals&) override { return false; }

  bool shares_memory = true;  ///< where not, a message counts as arrived only once its receiver says so

 private:
  Local& local_;
  bool shares_addresses_;
};

struct TestJob {
  explicit TestJob(int count, bool shares_addresses = true, std::size_t inflight = std::size_t{8} << 20)
      : control(Sharing::within_process, 0, count),
        local(Sharing::within_process, {.first = 0,
                                        .count = count,
                                        .ranks = count,
                                        .memory_bytes = std::size_t{256} << 20,
                                        .inflight_bytes = inflight}),
        transport(local, shares_addresses) {}

  /// Runs `body` on every rank, each a thread, and waits for all.
  void run(const std::function<void()>& body) {
    std::vector<std::thread> threads;
    for (int number = 0; number < control.count(); ++number)
      threads.emplace_back([&, number] { run_rank(number, body); });
    for (std::thread& thread : threads) thread.join();
  }

  /// Runs `body` on the calling thread as one rank.
  void run_rank(int number, const std::function<void()>& body) {
    Rank rank(home, number);
    enter_rank(&rank);
    body();
    enter_rank(nullptr);
  }

  Control control;
  Local local;
  TestTransport transport;
  Home home{.control = control, .local = local, .transport = transport, .spare_cores = false};
};

/// The ranks of a job, played by the calling thread in turn: for what need not wait.
class Played {
 public:
  explicit Played(TestJob& job) {
    for (int number = 0; number < job.control.count(); ++number)
      ranks_.push_back(std::make_unique<Rank>(job.home, number));
  }
  ~Played() { enter_rank(nullptr); }
  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;

  /// The calling thread is this rank from here on.
  Rank& operator[](int number) {
    Rank& rank = *ranks_[static_cast<std::size_t>(number)];
    enter_rank(&rank);
    return rank;
  }

 private:
  std::vector<std::unique_ptr<Rank>> ranks_;
};

/// Runs `body` as jobs of 1, 2, 3, 4 and 8 ranks, with and without addresses in common.
inline void on_all_jobs(const std::function<void()>& body) {
  for (const bool shares_addresses : {true, false})
    for (const int ranks : {1, 2, 3, 4, 8}) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks, shared addresses: " << shares_addresses);
      TestJob(ranks, shares_addresses).run(body);
    }
}

}  // namespace kanor::rt
