// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables whose memory ranks share that are processes.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"
#include "kanor/abi/globalised.hpp"

namespace kanor::rt {
namespace {

using abi::globalised;

/// Message memory that processes share which are forked from here on.
struct ProcessJob {
  explicit ProcessJob(int count)
      : control(Sharing::with_forked_processes, 0, count),
        local(Sharing::with_forked_processes, {.first = 0,
                                               .count = count,
                                               .ranks = count,
                                               .memory_bytes = std::size_t{256} << 20,
                                               .inflight_bytes = std::size_t{8} << 20}),
        transport(local, false) {
    home.switches.statistics = true;
  }

  /// Runs `body` on every rank, each a process, which answers whether all is well; so does the whole.
  bool run(const std::function<bool()>& body) {
    std::vector<pid_t> children;
    for (int number = 0; number < control.count(); ++number) {
      const pid_t child = ::fork();
      if (child == 0) {
        bool well = false;
        {
          Rank rank(home, number);
          enter_rank(&rank);
          well = body();
          enter_rank(nullptr);
        }
        ::_exit(well ? 0 : 1);
      }
      children.push_back(child);
    }
    bool all_well = true;
    for (const pid_t child : children) {
      int status = 1;
      ::waitpid(child, &status, 0);
      all_well = all_well && status == 0;
    }
    return all_well;
  }

  Control control;
  Local local;
  TestTransport transport;
  Home home{
      .control = control, .local = local, .transport = transport, .spare_cores = false, .own_process = true};
};

using Array = int[50'000];

bool is_filled(const Array& array, int value) {
  for (const int element : array)
    if (element != value) return false;
  return true;
}

void fill(Array& array, int value) { std::fill(std::begin(array), std::end(array), value); }

/// Each rank makes its own objects at addresses of its own; only message memory is the same.
bool exchange(int rounds) {
  const int me = world.rank(), n = world.size();
  globalised<Array> a, sum;
  globalised<std::vector<int>> v;
  bool well = true;
  for (int round = 0; round < rounds; ++round) {
    fill(*a.overwrite(), 10 * me + round);
    v.overwrite()->assign(1'000, me);
    {
      abi::block block({test_file, 1, "test"});
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, (i + 1) % n, AT(a), i, SEND(a), i);
      });
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, (i + 1) % n, AT(v), i, SEND(v.give()), i);
      });
      block.run();
    }
    const int left = (me + n - 1) % n;
    well = well && is_filled(*a.get(), 10 * left + round) && *v.get() == std::vector<int>(1'000, left);
    (*a.acquire())[0] += 1;
    {
      abi::block block({test_file, 2, "test"});
      block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto i : abi::each(world)) binding(bind, 0, AT(sum), i, SEND(a), i);
      });
      block.run();
    }
    if (me == 0) {
      const int expected = 5 * n * (n - 1) + n * round;
      well = well && (*sum.get())[0] == expected + n && (*sum.get())[49'999] == expected;
    }
  }
  SharingCounts& counts = *SharingCounters::at(here(), test_file, 2);
  // Copied is what conflicts before it make dearer to share; the receiver counts that as well.
  return well && counts.shared_bytes > 0 &&
         counts.shared_bytes + counts.copied_bytes >= rounds * sizeof(Array);
}

TEST(GlobalisedProcesses, ShareArraysAndCopyVectors) {
  ProcessJob job(3);
  EXPECT_TRUE(job.run([] { return exchange(100); }));
  // 3 ranks' variables, and what their pools keep.
  EXPECT_LE(job.local.segment().used_bytes(), std::size_t{32} << 20);
}

}  // namespace
}  // namespace kanor::rt
