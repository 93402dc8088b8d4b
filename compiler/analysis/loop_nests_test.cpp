// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/loop_nests.hpp"

#include <gtest/gtest.h>

#include "analysis/flow_text.hpp"

namespace kanor::analysis {
namespace {

/// The nest of the write in node 3 of
///
///     0 -> 1 -> 2 -> 3 -> 2        loop 0: {1, 2, 3, 4}, loop 1: {2, 3}
///          ^    |
///          |    v
///          +--- 4      1 -> 5
int nest(const std::string& array, const std::string& outer, const std::string& inner,
         const std::string& write, const std::string& in_4 = "") {
  const FlowText text(
      "", "variable A local of f\nvariable B local of f\nfunction f () entry 0 exit 5\n  candidate A" +
              array + "\n  loop 0 header 1 " + outer + "\n  loop 1 header 2 inside 0 " + inner +
              "\n  node 0: 1\n  node 1 level 1: 2 5 if \n  node 2 level 2: 3 4 if \n" +
              "  node 3 level 2: 2\n    access write A" + write + "\n  node 4 level 1: 1\n" + in_4 +
              "  node 5:\n");
  return overwriting_loop_nests(text.function(), text.candidate(), flow::loops_around(text.function()))[3][0];
}

const std::string four = "counts 0 to 3", eight = "counts 0 to 7";

TEST(LoopNests, OverwriteEachElement) {
  EXPECT_EQ(nest("[4][8]", four, eight, "[i0][i1]"), 0);
  EXPECT_EQ(nest("[8][4]", four, eight, "[i1][i0]"), 0);
  EXPECT_EQ(nest("[8]", "", eight, "[i1]"), 1);
  EXPECT_EQ(nest("[4]", four, eight, "[i0]"), 0);
}

TEST(LoopNests, CountInAnyDirection) {
  EXPECT_EQ(nest("[8]", "", "counts 7 to 0 by -1", "[i1]"), 1);
  EXPECT_EQ(nest("[8]", "", "counts 1 to 8", "[i1 - 1]"), 1);
  EXPECT_EQ(nest("[8]", "", eight, "[-i1 + 7]"), 1);
  EXPECT_EQ(nest("[8]", "", "counts 0 to 14 by 2", "[i1]"), -1);
}

TEST(LoopNests, CountersAreDigits) {
  EXPECT_EQ(nest("[32]", four, eight, "[8*i0 + i1]"), 0);
  EXPECT_EQ(nest("[32]", "counts 0 to 24 by 8", eight, "[i0 + i1]"), 0);
  EXPECT_EQ(nest("[32]", four, eight, "[i0 + 4*i1]"), 0);
  EXPECT_EQ(nest("[32]", four, eight, "[7*i0 + i1]"), -1);
  EXPECT_EQ(nest("[11]", four, eight, "[i0 + i1]"), -1);
}

TEST(LoopNests, LeftOutDimensionsAreWhole) { EXPECT_EQ(nest("[8][100]", "", eight, "[i1]"), 1); }

TEST(LoopNests, MissNoElement) {
  EXPECT_EQ(nest("[9]", "", eight, "[i1]"), -1);
  EXPECT_EQ(nest("[8]", "", "counts 1 to 7", "[i1]"), -1);
  EXPECT_EQ(nest("[8]", "", "counts 0 to ?", "[i1]"), -1);
  EXPECT_EQ(nest("[8]", "", "counts ? to 7", "[i1]"), -1);
  EXPECT_EQ(nest("[8]", "", eight, "[?]"), -1);
  EXPECT_EQ(nest("[8]", "", eight, "[3]"), -1);
  EXPECT_EQ(nest("[8][8]", "", eight, "[i1][i1]"), -1);
  EXPECT_EQ(nest("[8][4]", "", eight, "[i1][0]"), -1);
  EXPECT_EQ(nest("[?]", "", eight, "[i1]"), -1);
}

TEST(LoopNests, GoAlongTheLength) {
  EXPECT_EQ(nest("[8]", "", "counts 0 to ? along A", "[i1]"), 1);
  EXPECT_EQ(nest("[8]", "", "counts 0 to ? along B", "[i1]"), -1);
  EXPECT_EQ(nest("[?] vector", "", "counts 0 to ? along A", "[i1]"), -1);
}

TEST(LoopNests, ComeToTheWrite) {
  // The outer counter chooses the element, and the inner loop may go round not at all.
  EXPECT_EQ(nest("[4]", four, "counts 0 to ?", "[i0]"), -1);
  EXPECT_EQ(nest("[4]", four, "counts 0 to -1", "[i0]"), -1);
}

TEST(LoopNests, DoNothingElse) {
  EXPECT_EQ(nest("[4][8]", four, eight, "[i0][i1]", "    access read A[i0][0]\n"), -1);
  EXPECT_EQ(nest("[8]", four, eight, "[i1]", "    access read A[0]\n"), 1);
  EXPECT_EQ(nest("[4][8]", four, eight, "[i0][i1]", "    access send A block 0 part 0\n"), -1);
  EXPECT_EQ(nest("[4][8]", four, eight, "[i0][i1]", "    access read B[0]\n    access write A[0][0]\n"), 0);
}

/// The nest of the write in node 2 of a loop {1, 2, 3, 4} with the edges of node 1, 2, and 3.
int branching(const std::string& in_1, const std::string& in_2, const std::string& in_3) {
  const FlowText text("",
                      "variable A local of f\nfunction f () entry 0 exit 5\n  candidate A[8]\n"
                      "  loop 0 header 1 counts 0 to 7\n  node 0: 1\n  node 1 level 1: " +
                          in_1 + "\n  node 2 level 1: " + in_2 +
                          "\n    access write A[i0]\n  node 3 level 1: " + in_3 +
                          "\n  node 4 level 1: 1\n  node 5:\n");
  return overwriting_loop_nests(text.function(), text.candidate(), flow::loops_around(text.function()))[2][0];
}

TEST(LoopNests, EveryIterationWrites) {
  EXPECT_EQ(branching("2 5 if ", "3", "4"), 0);
  EXPECT_EQ(branching("2 5 if ", "3 4 if ", "4"), 0);
  // An `if` around the write, a `continue` before it, and a `break`.
  EXPECT_EQ(branching("2 3 5 if ", "3", "4"), -1);
  EXPECT_EQ(branching("3 5 if ", "4", "2 4 if "), -1);
  EXPECT_EQ(branching("2 5 if ", "3 5 if ", "4"), -1);
}

}  // namespace
}  // namespace kanor::analysis
