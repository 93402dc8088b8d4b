// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that move values out of variables; written as kanorc emits them.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"
#include "kanor/abi/cereal.hpp"
#include "kanor/abi/globalised.hpp"

namespace kanor::rt {
namespace {

using Row = std::vector<int>;

int right_of(int rank) { return (rank + 1) % world.size(); }
int left_of(int rank) { return (rank + world.size() - 1) % world.size(); }

/// `place@(i + 1) % size <<= value@i` for all ranks, where nobody reads the value again.
template <class Place, class Value>
void pass_on(Place& place, Value& value) {
  BLOCK;
  block.assign(SITE, [&](auto& bind) {
    for (const auto i : abi::each(world))
      binding(bind, right_of(i), AT(place), i, SEND(abi::moved(value)), i);
  });
  block.run();
}

/// What the left neighbour has.
std::uintptr_t lefts(std::uintptr_t own) {
  std::uintptr_t got = 0;
  BLOCK;
  block.assign(SITE, [&](auto& bind) {
    for (const auto i : abi::each(world)) binding(bind, right_of(i), AT(got), i, SEND(own), i);
  });
  block.run();
  return got;
}
template <class T>
std::uintptr_t address(const T* data) {
  return reinterpret_cast<std::uintptr_t>(data);
}

TEST(Moved, ElementsArriveWhereTheyWere) {
  for (const int ranks : {1, 2, 3, 9}) {
    TestJob(ranks).run([] {
      Row mine(5'000, world.rank()), got(3);
      const std::uintptr_t left = lefts(address(mine.data()));
      pass_on(got, mine);
      EXPECT_EQ(address(got.data()), left);
      EXPECT_EQ(got, Row(5'000, left_of(world.rank())));
      EXPECT_TRUE(mine.empty());
    });
  }
}

TEST(Moved, FewBytesAreCopied) {
  TestJob(3).run([] {
    Row mine(10, world.rank()), got;
    const std::uintptr_t left = lefts(address(mine.data()));
    pass_on(got, mine);
    EXPECT_NE(address(got.data()), left);
    EXPECT_EQ(got, Row(10, left_of(world.rank())));
    EXPECT_EQ(mine.size(), 10u);
    // Around least_moved_bytes.
    for (const std::size_t length : {1'023, 1'024}) {
      mine = Row(length, world.rank());
      const std::uintptr_t elements = lefts(address(mine.data()));
      pass_on(got, mine);
      EXPECT_EQ(address(got.data()) == elements, length == 1'024);
      EXPECT_EQ(got, Row(length, left_of(world.rank())));
    }
  });
}

TEST(Moved, AreCopiedWhereNothingIsShared) {
  for (const bool switched_off : {false, true}) {
    TestJob job(3, switched_off);
    job.home.switches.sharing = !switched_off;
    job.run([] {
      Row mine(5'000, world.rank()), got;
      pass_on(got, mine);
      EXPECT_EQ(got, Row(5'000, left_of(world.rank())));
      EXPECT_EQ(mine.size(), 5'000u);
    });
  }
}

TEST(Moved, OtherContainersGoWithTheirElements) {
  TestJob(3).run([] {
    std::map<std::string, Row> mine{{"a", Row(7, world.rank())}}, got;
    const std::uintptr_t left = lefts(address(mine.at("a").data()));
    pass_on(got, mine);
    EXPECT_EQ(address(got.at("a").data()), left);
    EXPECT_EQ(got.at("a"), Row(7, left_of(world.rank())));
    EXPECT_TRUE(mine.empty());
  });
}

TEST(Moved, SharedVariablesTakeTheRegion) {
  TestJob(3).run([] {
    Row mine(5'000, world.rank());
    abi::globalised<Row> got;
    const std::uintptr_t left = lefts(address(mine.data()));
    pass_on(got, mine);
    EXPECT_EQ(address(got.get()->data()), left);
    EXPECT_EQ(*got.get(), Row(5'000, left_of(world.rank())));
  });
}

TEST(Moved, OtherPlacesAreAssigned) {
  TestJob(3).run([] {
    Row mine(2'000, world.rank());
    std::array<int, 2'000> got{};
    pass_on(got, mine);
    EXPECT_EQ(got.back(), left_of(world.rank()));
  });
}

TEST(Moved, ManyRoundsKeepNothing) {
  TestJob(4).run([] {
    std::vector<Row> rows(static_cast<std::size_t>(world.size())), got(rows.size());
    for (int round = 0; round < 300; ++round) {
      for (Row& row : rows) row.assign(2'000, round + world.rank());
      {
        BLOCK;
        block.assign(SITE, [&](auto& bind) {
          for (const auto i : abi::each(world))
            for (const auto j : abi::each(world))
              binding(bind, j, AT(got[static_cast<std::size_t>(i)]), i,
                      SEND(abi::moved(rows[static_cast<std::size_t>(j)])), i, j);
        });
        block.run();
      }
      for (int from = 0; from < world.size(); ++from)
        ASSERT_EQ(got[static_cast<std::size_t>(from)], Row(2'000, round + from));
    }
  });
}

}  // namespace
}  // namespace kanor::rt
