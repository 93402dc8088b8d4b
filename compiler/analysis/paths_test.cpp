// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/paths.hpp"

#include <gtest/gtest.h>

namespace kanor::analysis {
namespace {

using List = std::vector<int>;

TEST(Paths, BothEndsBelongToThem) {
  // 0 -> 1 -> 2, the printed algorithm's {1} and nothing
  EXPECT_EQ(paths({{1}, {2}, {}}, 0, 2), (List{0, 1, 2}));
  EXPECT_EQ(paths({{1}, {2}, {}}, 0, 1), (List{0, 1}));
}

TEST(Paths, WithoutAPathThereAreNoNodes) {
  EXPECT_EQ(paths({{1}, {2}, {}}, 2, 0), List{});
  EXPECT_EQ(paths({{}, {}}, 0, 1), List{});
}

TEST(Paths, SideWaysAreLeftOut) {
  // 0 -> 1 | 2; 1 -> 3; 2 -> 4; 3 -> 5; 6 -> 3
  EXPECT_EQ(paths({{1, 2}, {3}, {4}, {5}, {}, {}, {3}}, 0, 3), (List{0, 1, 3}));
}

TEST(Paths, CyclesOnTheWayBelongToThem) {
  // 0 -> 1 <-> 2, 1 -> 3 -> 4
  EXPECT_EQ(paths({{1}, {2, 3}, {1}, {4}, {}}, 0, 3), (List{0, 1, 2, 3}));
}

TEST(Paths, ToSeveralAreTheUnion) {
  // 0 -> 1 | 2; 1 -> 3; 2 -> 4; 5 -> 6
  const flow::Edges edges{{1, 2}, {3}, {4}, {}, {}, {6}, {}};
  EXPECT_EQ(paths(edges, 0, List{3, 4, 6}), (List{0, 1, 2, 3, 4}));
  EXPECT_EQ(paths(edges, 0, List{6}), List{});
  EXPECT_EQ(paths(edges, 0, List{}), List{});
}

TEST(Paths, FromANodeToItself) {
  EXPECT_EQ(paths({{1}, {2}, {}}, 1, 1), List{1});
  // 0 -> 1 -> 2 -> 1, 2 -> 3
  EXPECT_EQ(paths({{1}, {2}, {1, 3}, {}}, 1, 1), (List{1, 2}));
}

}  // namespace
}  // namespace kanor::analysis
