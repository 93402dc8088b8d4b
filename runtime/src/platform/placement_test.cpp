// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Topologies that hwloc makes up, and where ranks are placed on them.
#include "platform/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

#include "platform/hwloc_library.hpp"

namespace kanor::rt {
namespace {

Processors all_of(int first, int end) {
  Processors all(static_cast<std::size_t>(end - first));
  std::iota(all.begin(), all.end(), first);
  return all;
}

class Placement : public testing::Test {
 protected:
  void SetUp() override {
    if (!hwloc_) GTEST_SKIP() << "there is no libhwloc.so.15";
  }

  /// The nodes of a machine that is described in hwloc's words.
  Topology read(const char* description, const Processors& usable) {
    hwloc_topology_t machine = nullptr;
    EXPECT_EQ(hwloc_topology_init(&machine), 0);
    EXPECT_EQ(hwloc_topology_set_synthetic(machine, description), 0) << description;
    EXPECT_EQ(hwloc_topology_load(machine), 0);
    Topology nodes = hwloc_->read(machine, usable);
    hwloc_topology_destroy(machine);
    return nodes;
  }
  std::vector<Processors> place(const char* description, const Processors& usable, int ranks) {
    return place_ranks(read(description, usable), ranks);
  }

  const std::optional<Hwloc> hwloc_ = Hwloc::open();
};

TEST_F(Placement, OneNodeIsNoRestriction) {
  const Topology nodes = read("package:1 core:2 pu:1", all_of(0, 2));
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].cores, 2);
  EXPECT_EQ(nodes[0].processors, all_of(0, 2));
  EXPECT_TRUE(place_ranks(nodes, 2).empty());
  EXPECT_TRUE(place_ranks({}, 2).empty());
}

TEST_F(Placement, RanksOfOneNodeHaveANumberInCommon) {
  const std::vector<Processors> places = place("node:3 core:2 pu:1", all_of(0, 6), 6);
  std::vector<int> numbers;
  for (int rank = 0; rank < 6; ++rank) numbers.push_back(number_of_place(places, rank));
  EXPECT_EQ(numbers, (std::vector<int>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(number_of_place({}, 3), 0);
}

// Processors 0 to 7 are of the first node, 8 to 15 of the second; two of each core.
TEST_F(Placement, NeighboursShareANodeAndCoresCountNotTheirThreads) {
  const char* const machine = "node:2 core:4 pu:2";
  const Topology nodes = read(machine, all_of(0, 16));
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0].cores, 4);
  const Processors first = all_of(0, 8), second = all_of(8, 16);
  EXPECT_EQ(nodes[1].processors, second);
  EXPECT_EQ(place_ranks(nodes, 2), (std::vector<Processors>{first, second}));
  EXPECT_EQ(place_ranks(nodes, 4), (std::vector<Processors>{first, first, second, second}));
  EXPECT_EQ(place_ranks(nodes, 5), (std::vector<Processors>{first, first, first, second, second}));
  // One core of the first node has one usable thread, another none: three cores remain, and rank 3 of 7 is
  // where a core is free.
  Processors usable = all_of(3, 16);
  EXPECT_EQ(place(machine, usable, 7), (std::vector<Processors>{all_of(3, 8), all_of(3, 8), all_of(3, 8),
                                                                second, second, second, second}));
}

TEST_F(Placement, FourPackagesHaveTheirShares) {
  const char* const machine = "package:4 node:1 core:2 pu:1";
  const auto node = [](int number) { return all_of(2 * number, 2 * number + 2); };
  EXPECT_EQ(place(machine, all_of(0, 8), 4), (std::vector<Processors>{node(0), node(1), node(2), node(3)}));
  EXPECT_EQ(place(machine, all_of(0, 8), 8), (std::vector<Processors>{node(0), node(0), node(1), node(1),
                                                                      node(2), node(2), node(3), node(3)}));
  // Fewer ranks than nodes: each has several for the threads that it starts.
  EXPECT_EQ(place(machine, all_of(0, 8), 2), (std::vector<Processors>{all_of(0, 4), all_of(4, 8)}));
  EXPECT_EQ(place(machine, all_of(0, 8), 1), (std::vector<Processors>{all_of(0, 8)}));
}

TEST_F(Placement, MoreRanksThanProcessorsAreSpreadEvenly) {
  const std::vector<Processors> places = place("node:2 core:2 pu:2", all_of(0, 8), 30);
  ASSERT_EQ(places.size(), 30u);
  for (int rank = 0; rank < 30; ++rank)
    EXPECT_EQ(places[static_cast<std::size_t>(rank)], rank < 15 ? all_of(0, 4) : all_of(4, 8)) << rank;
}

// What the process may not use is nobody's, and a node of which nothing is left does not count.
TEST_F(Placement, OnlyUsableProcessorsCount) {
  const char* const machine = "node:4 core:4 pu:1";
  EXPECT_TRUE(place(machine, all_of(4, 8), 4).empty());
  EXPECT_TRUE(place(machine, {}, 4).empty());
  const Processors usable{1, 13, 14, 15};
  EXPECT_EQ(place(machine, usable, 4),
            (std::vector<Processors>{{1}, {13, 14, 15}, {13, 14, 15}, {13, 14, 15}}));
}

// A machine that hwloc has not seen whole: whoever would be placed could not use all that it may.
TEST_F(Placement, ProcessorsOfNoNodeAreNoTopology) {
  EXPECT_TRUE(read("node:2 core:2 pu:1", all_of(0, 5)).empty());
}

/// However many cores a node has, and however many ranks there are: none idles while another has two a core.
TEST_F(Placement, NoCoreHasTwoRanksBeforeAllHaveOne) {
  for (int left = 1; left <= 8; ++left)
    for (int right = 1; right <= 8; ++right) {
      const Topology nodes{{left, all_of(0, left)}, {right, all_of(8, 8 + right)}};
      for (int ranks = 2; ranks <= left + right; ++ranks) {
        const std::vector<Processors> places = place_ranks(nodes, ranks);
        EXPECT_LE(std::count(places.begin(), places.end(), nodes[0].processors), left);
        EXPECT_LE(std::count(places.begin(), places.end(), nodes[1].processors), right);
        EXPECT_TRUE(std::is_sorted(places.begin(), places.end())) << "neighbours are together";
      }
    }
}

TEST_F(Placement, ThisMachineIsWhatHwlocIsTold) {
  ::setenv("HWLOC_SYNTHETIC", "node:3 core:1 pu:1", 1);
  const Topology nodes = hwloc_->read({0, 2});
  ::unsetenv("HWLOC_SYNTHETIC");
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[1].processors, Processors{2});
}

}  // namespace
}  // namespace kanor::rt
