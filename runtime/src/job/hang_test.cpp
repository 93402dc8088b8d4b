// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job/hang.hpp"

#include <gtest/gtest.h>

namespace kanor::rt {
namespace {

constexpr std::uint64_t second = 1'000'000;

struct Job {
  void waits(int rank, Waits what, int peer) {
    control.page(rank).waits_for = peer;
    control.page(rank).waits = what;
  }
  void goes_on(int rank) {
    control.page(rank).waits = Waits::nothing;
    control.page(rank).waits_done += 1;
  }
  Control control{Sharing::within_process, 4, 3};
  HangWatch watch{control};
};

TEST(HangWatch, CountsWhileEveryRankWaitsOrHasEnded) {
  Job job;
  EXPECT_EQ(job.watch.stuck_us(1 * second), 0u);
  job.waits(4, Waits::data, 5);
  job.waits(5, Waits::room, 4);
  EXPECT_EQ(job.watch.stuck_us(2 * second), 0u) << "rank 6 computes";
  EXPECT_EQ(job.watch.stuck_us(90 * second), 0u) << "and may do so for long";
  job.control.mark_ended(6, 0);
  EXPECT_EQ(job.watch.stuck_us(100 * second), 0u);
  EXPECT_EQ(job.watch.stuck_us(104 * second), 4 * second);
  EXPECT_FALSE(job.watch.all_ended());
}

TEST(HangWatch, StartsAnewWithEveryStepForward) {
  Job job;
  for (const int rank : {4, 5, 6}) job.waits(rank, Waits::data, 4);
  job.watch.stuck_us(1 * second);
  EXPECT_EQ(job.watch.stuck_us(5 * second), 4 * second);
  // It has gone on and waits again, and nobody has looked meanwhile.
  job.goes_on(5);
  job.waits(5, Waits::data, 6);
  EXPECT_EQ(job.watch.stuck_us(6 * second), 0u);
  EXPECT_EQ(job.watch.stuck_us(8 * second), 2 * second);
  job.goes_on(5);
  EXPECT_EQ(job.watch.stuck_us(9 * second), 0u);
}

TEST(HangWatch, StartsAnewAfterAProcessWasStopped) {
  Job job;
  for (const int rank : {4, 5, 6}) job.waits(rank, Waits::data, 4);
  job.watch.stuck_us(1 * second);
  EXPECT_EQ(job.watch.stuck_us(9 * second), 8 * second);
  job.watch.start_anew();
  EXPECT_EQ(job.watch.stuck_us(10 * second), 0u);
  EXPECT_EQ(job.watch.stuck_us(11 * second), 1 * second);
}

TEST(HangWatch, SaysWhereEachRankWaits) {
  Job job;
  RankPage& page = job.control.page(4);
  page.file = "a.cpp";
  page.line = 12;
  job.waits(4, Waits::data, 5);
  job.control.page(5).file = "b.cpp";
  job.control.page(5).line = 7;
  job.control.page(5).step = Step::split;
  job.waits(5, Waits::room, 6);
  job.control.mark_ended(6, 0);
  EXPECT_EQ(job.watch.report(),
            "kanor: rank 4: waits in the block at a.cpp:12 for data from rank 5\n"
            "kanor: rank 5: waits in the split at b.cpp:7 for room to send to rank 6\n"
            "kanor: rank 6: has ended\n");
  job.waits(4, Waits::end, -1);
  EXPECT_NE(job.watch.report().find("rank 4: its main has ended (last block at a.cpp:12)"),
            std::string::npos);
  job.control.mark_ended(4, 0);
  job.control.mark_ended(5, 0);
  EXPECT_TRUE(job.watch.all_ended());
}

TEST(HangWatch, NamesTheTeamsWhoseBlocksRanksWaitIn) {
  Job job;
  for (const int rank : {4, 5, 6}) {
    job.control.page(rank).file = "a.cpp";
    job.control.page(rank).line = 12;
    job.waits(rank, Waits::data, 4);
  }
  const std::string headline =
      "kanor: the job hangs: every rank waits or has ended, and nothing has moved for 1 second "
      "(KANOR_HANG_SECONDS)\n";
  EXPECT_EQ(hang_text(1, job.watch.report()), headline + job.watch.report()) << "all in the world's blocks";
  job.control.page(5).team_size = 2;
  job.control.page(5).team_rank = 1;
  job.control.page(6).team_size = 1;
  job.control.page(6).call.name = "MPI_Recv";
  const std::string report = job.watch.report();
  EXPECT_EQ(
      report,
      "kanor: rank 4: waits in the block at a.cpp:12 for data from rank 4\n"
      "kanor: rank 5: waits in the block at a.cpp:12 (of a team of 2 ranks, as its rank 1) for data from "
      "rank 4\n"
      "kanor: rank 6: waits in MPI_Recv for data from rank 4\n");
  EXPECT_EQ(hang_text(1, report),
            headline + report +
                "kanor: the likely cause: ranks execute the blocks of different teams in contradicting "
                "orders\n");
}

}  // namespace
}  // namespace kanor::rt
