// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that give buffers away; written as kanorc emits them.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"
#include "kanor/abi/block.hpp"

namespace kanor::rt {
namespace {

int right_of(int rank) { return (rank + 1) % world.size(); }
int left_of(int rank) { return (rank + world.size() - 1) % world.size(); }

/// `place@(i + 1) % size <<= std::move(value)@i` for all ranks.
void pass_on(buffer<int>& place, buffer<int>& value) {
  BLOCK;
  block.assign(SITE, [&](auto& bind) {
    for (const auto i : abi::each(world)) binding(bind, right_of(i), AT(place), i, SEND(std::move(value)), i);
  });
  block.run();
}

/// Where the left neighbour's elements lie.
std::uintptr_t lefts(const buffer<int>& value) {
  const auto own = reinterpret_cast<std::uintptr_t>(value.data());
  std::uintptr_t got = 0;
  BLOCK;
  block.assign(SITE, [&](auto& bind) {
    for (const auto i : abi::each(world)) binding(bind, right_of(i), AT(got), i, SEND(own), i);
  });
  block.run();
  return got;
}

TEST(Gifts, MemoryGoesRoundUncopied) {
  for (const int ranks : {1, 2, 3, 9}) {
    TestJob(ranks).run([] {
      buffer<int> b(5'000, world.rank());
      const void* const mine = b.data();
      for (int round = 0; round < world.size(); ++round) {
        pass_on(b, b);
        b[1] += 1;
      }
      EXPECT_EQ(b.data(), mine);
      EXPECT_EQ(b[0], world.rank());
      EXPECT_EQ(b[1], world.rank() + world.size());
    });
  }
}

TEST(Gifts, AreCopiedWhereNothingIsShared) {
  for (const bool off : {false, true}) {
    TestJob job(3, off);
    job.transport.shares_memory = off;
    job.home.switches.patterns = off;
    job.home.switches.sharing = !off;
    job.run([] {
      buffer<int> b(5'000, world.rank()), got;
      const std::uintptr_t before = lefts(b);
      pass_on(got, b);
      EXPECT_TRUE(b.empty());
      EXPECT_EQ(got.size(), 5'000u);
      EXPECT_EQ(got.back(), left_of(world.rank()));
      EXPECT_NE(reinterpret_cast<std::uintptr_t>(got.data()), before);
    });
  }
}

TEST(Gifts, SeveralReceiversHaveTheirOwn) {
  on_all_jobs([] {
    for (int round = 0; round < 20; ++round) {
      buffer<int> b, got;
      if (world.rank() == 0) b = buffer<int>(5'000, round);
      {
        BLOCK;
        block.assign(SITE, [&](auto& bind) {
          for (const auto i : abi::each(world)) binding(bind, i, AT(got), 0, SEND(std::move(b)), i);
        });
        block.run();
      }
      ASSERT_TRUE(b.empty());
      ASSERT_EQ(got.size(), 5'000u);
      for (const int value : got) ASSERT_EQ(value, round);
      for (int& value : got) value = world.rank();
      for (const int value : got) ASSERT_EQ(value, world.rank());
    }
  });
}

TEST(Gifts, AreReadBySendersUntilAllValuesAreTaken) {
  on_all_jobs([] {
    const int from = left_of(world.rank());
    buffer<int> b(100, world.rank()), given, copied;
    int one = -1;
    {
      BLOCK;
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, right_of(i), AT(given), i, SEND(std::move(b)), i);
      });
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, right_of(i), AT(copied), i, SEND(b), i);
      });
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, right_of(i), AT(one), i, SEND(b[99]), i);
      });
      block.run();
    }
    EXPECT_TRUE(b.empty());
    EXPECT_TRUE(given == buffer<int>(100, from));
    EXPECT_TRUE(copied == given);
    EXPECT_EQ(one, from);
    copied[0] = -1;
    EXPECT_EQ(given[0], from);
  });
}

TEST(Gifts, OfWhatIsMadeForTheBlock) {
  on_all_jobs([] {
    buffer<int> got;
    {
      BLOCK;
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world))
          binding(bind, right_of(i), AT(got), i, SEND(buffer<int>(static_cast<std::size_t>(i), i)), i);
      });
      block.run();
    }
    EXPECT_TRUE(got == buffer<int>(static_cast<std::size_t>(left_of(world.rank())), left_of(world.rank())));
  });
}

TEST(Gifts, AreFolded) {
  on_all_jobs([] {
    const int n = world.size();
    buffer<int> b(300, world.rank() + 1), sum;
    {
      BLOCK;
      block.reduce(SITE, std::plus<>{}, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto i : abi::each(world))
          for (const auto j : abi::each(world)) binding(bind, i, AT(sum), j, SEND(std::move(b)), i, j);
      });
      block.run();
    }
    EXPECT_TRUE(b.empty());
    EXPECT_TRUE(sum == buffer<int>(300, n * (n + 1) / 2));
  });
}

TEST(GiftsDeathTest, CheckedModeReportsWhatIsSentOrGivenAgain) {
  for (const bool given : {false, true}) {
    TestJob job(2);
    job.home.switches.check = true;
    EXPECT_EXIT(job.run([&] {
      buffer<int> b(30, 1), got;
      pass_on(got, b);
      if (given) return pass_on(got, b);
      BLOCK;
      block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(got), 1, SEND(b)); });
      block.run();
    }),
                testing::ExitedWithCode(1),
                "checked mode: .*the value's memory was given away by the block at test.cpp:[0-9]+");
  }
}

}  // namespace
}  // namespace kanor::rt
