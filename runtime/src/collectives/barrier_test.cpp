// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "collectives/barrier.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "match/matcher.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt::collectives {
namespace {

TEST(Barrier, NobodyLeavesBeforeAllHaveCome) {
  for (const int ranks : {1, 2, 3, 5, 8}) {
    TestJob job(ranks);
    std::atomic<int> come{0};
    job.run([&] {
      for (int round = 1; round <= 200; ++round) {
        ++come;
        barrier(here());
        EXPECT_GE(come, round * ranks);
      }
    });
  }
}

/// A receive of anything.
class Any final : public Receive {
 public:
  Any() : Receive({}) {}

 private:
  void complete(Arrival&&) override {}
};

// Its messages are not for who receives whatever comes; and what others send meanwhile stays theirs.
TEST(Barrier, KeepsToItself) {
  TestJob job(3);
  job.run([] {
    Rank& rank = here();
    Matcher& matcher = Matcher::of(rank);
    Any receive;
    matcher.post(receive);
    barrier(rank);
    EXPECT_FALSE(receive.done());
    barrier(rank);
    stream_few_to(rank, (rank.number + 1) % 3, context_of(0, Form::content), 0, nullptr, 0);
    barrier(rank);
    if (!receive.done()) matcher.wait(receive);
    EXPECT_EQ(matcher.kept(), 0u);
  });
}

}  // namespace
}  // namespace kanor::rt::collectives
