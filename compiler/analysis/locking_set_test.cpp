// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/locking_set.hpp"

#include <gtest/gtest.h>

#include "analysis/flow_text.hpp"

namespace kanor::analysis {
namespace {

/// The set, and then each component with the edges into and out of it.
std::string locked(const std::string& flow) {
  const FlowText text("", "variable A local of f\nfunction f () entry 0 exit 0\n" + flow);
  const Calls calls(text.graph);
  const LockingSet found = locking_set(Steps(text.function(), text.candidate(), calls));
  std::ostringstream out;
  for (const int node : found.nodes) out << node << ' ';
  for (const Component& component : found.components) {
    out << "{";
    for (const int node : component.nodes) out << ' ' << node;
    out << " in";
    for (const auto& [from, to] : component.entries) out << ' ' << from << '>' << to;
    out << " out";
    for (const auto& [from, to] : component.exits) out << ' ' << from << '>' << to;
    out << " }";
  }
  return out.str();
}

TEST(LockingSet, GoesFromTheWriteToTheRead) {
  //   0 -> 1 write -> 2 -> 3 read -> 4
  EXPECT_EQ(locked(R"(  candidate A[8]
  node 0: 1
  node 1: 2
    access write A[0]
  node 2: 3
  node 3: 4
    access read A[0]
  node 4:
)"),
            "1 2 3 { 1 2 3 in 0>1 out 3>4 }");
}

TEST(LockingSet, OtherElementsDoNotDepend) {
  EXPECT_EQ(locked(R"(  candidate A[8]
  node 0: 1
    access write A[0]
  node 1:
    access read A[1]
)"),
            "");
}

TEST(LockingSet, LeavesOutWhatIsNotOnTheWay) {
  //   0 -> 1 write -> 3 read -> 5
  //    \-> 2 -------------> 4 -^
  EXPECT_EQ(locked(R"(  candidate A[8]
  node 0: 1 2 if 
  node 1: 3
    access write A[0]
  node 2: 4
  node 3: 5
    access read A[0]
  node 4: 5
  node 5:
)"),
            "1 3 { 1 3 in 0>1 out 3>5 }");
}

TEST(LockingSet, TakesBothWaysOfABranch) {
  //   0 write -> 1 -> 3 read -> 4
  //         \--> 2 ---^
  EXPECT_EQ(locked(R"(  candidate A[8]
  node 0: 1 2 if 
    access write A[0]
  node 1: 3
  node 2: 3
  node 3: 4
    access read A[0]
  node 4:
)"),
            "0 1 2 3 { 0 1 2 3 in out 3>4 }");
}

TEST(LockingSet, InOneNodeIsThatNodeAlone) {
  EXPECT_EQ(locked(R"(  candidate A[8]
  node 0: 1
  node 1: 2
    access write A[0]
    access read A[0]
  node 2:
)"),
            "1 { 1 in 0>1 out 1>2 }");
}

/// A loop, drawn
///
///     0 -> 1 -> 2 -> 3 -> 4 -> 1        1 -> 5
///
/// that writes in node 3, reads in node 2, and may do something else in node 4.
std::string loop(const std::string& write, const std::string& read, const std::string& in_4 = "",
                 const std::string& counts = "counts 0 to 9") {
  return locked("  candidate A[10]\n  loop 0 header 1 " + counts +
                "\n  node 0: 1\n  node 1 level 1: 2 5 if \n  node 2 level 1: 3\n    access read A" + read +
                "\n  node 3 level 1: 4\n    access write A" + write + "\n  node 4 level 1: 1\n" + in_4 +
                "  node 5:\n");
}

TEST(LockingSet, OfDistanceZeroDoesNotGoRoundTheLoop) {
  // A[i] is read before it is written, in the same iteration: no value goes from the write to the read.
  EXPECT_EQ(loop("[i0]", "[i0]"), "");
  // In node 4 it is read after that.
  EXPECT_EQ(loop("[i0]", "[i0]", "    access read A[i0]\n"), "3 4 { 3 4 in 2>3 out 4>1 }");
}

TEST(LockingSet, OfDistanceOneComesToTheHeadOnce) {
  // All of the loop, since the read comes right before the write.
  EXPECT_EQ(loop("[i0 + 1]", "[i0]"), "1 2 3 4 { 1 2 3 4 in 0>1 out 1>5 }");
}

TEST(LockingSet, OfDistanceOneLeavesOutWhatIsBetweenReadAndWrite) {
  //   0 -> 1 -> 2 read -> 3 -> 4 write -> 5 -> 1      1 -> 6
  const auto with = [](const std::string& write) {
    return locked(
        "  candidate A[10]\n  loop 0 header 1 counts 0 to 9\n  node 0: 1\n  node 1 level 1: 2 6 if \n"
        "  node 2 level 1: 3\n    access read A[i0]\n  node 3 level 1: 4\n  node 4 level 1: 5\n"
        "    access write A" +
        write + "\n  node 5 level 1: 1\n  node 6:\n");
  };
  EXPECT_EQ(with("[i0 + 1]"), "1 2 4 5 { 1 2 4 5 in 0>1 3>4 out 1>6 2>3 }");
  // Over two iterations the way comes by node 3.
  EXPECT_EQ(with("[i0 + 2]"), "1 2 3 4 5 { 1 2 3 4 5 in 0>1 out 1>6 }");
  EXPECT_EQ(with("[?]"), "1 2 3 4 5 { 1 2 3 4 5 in 0>1 out 1>6 }");
}

/// Two loops, drawn
///
///     0 -> 1 -> 2 -> 3 -> 4 -> 3        loop 0: {1, 2, 3, 4, 5}, loop 1: {3, 4}
///          ^         |
///          +--- 5 <--+                  1 -> 6
///
/// with the write in node 4 and the read in node 3.
std::string nested(const std::string& write, const std::string& read) {
  return locked(
      "  candidate A[10][10]\n  loop 0 header 1 counts 0 to 9\n  loop 1 header 3 inside 0 counts 0 to 9\n"
      "  node 0: 1\n  node 1 level 1: 2 6 if \n  node 2 level 1: 3\n  node 3 level 2: 4 5 if \n"
      "    access read A" +
      read + "\n  node 4 level 2: 3\n    access write A" + write + "\n  node 5 level 1: 1\n  node 6:\n");
}

TEST(LockingSet, CarriedByTheInnerLoopStaysInIt) {
  EXPECT_EQ(nested("[i0][i1 + 1]", "[i0][i1]"), "3 4 { 3 4 in 2>3 out 3>5 }");
}

TEST(LockingSet, CarriedByTheOuterLoopGoesThroughItsHead) {
  EXPECT_EQ(nested("[i0 + 1][i1]", "[i0][i1]"), "1 2 3 4 5 { 1 2 3 4 5 in 0>1 out 1>6 }");
}

TEST(LockingSet, HasComponents) {
  //   0 -> 1 write -> 2 read -> 3 -> 4 write -> 5 read -> 6
  EXPECT_EQ(locked(R"(  candidate A[8]
  node 0: 1
  node 1: 2
    access write A[0]
  node 2: 3
    access read A[0]
  node 3: 4
  node 4: 5
    access write A[1]
  node 5: 6
    access read A[1]
  node 6:
)"),
            "1 2 4 5 { 1 2 in 0>1 out 2>3 }{ 4 5 in 3>4 out 5>6 }");
}

TEST(LockingSet, EndsWhereAllIsOverwritten) {
  //   0 write -> 1 overwrite -> 2 read
  EXPECT_EQ(locked(R"(  candidate A[8]
  node 0: 1
    access write A[0]
  node 1: 2
    access overwrite A
  node 2:
    access read A[0]
)"),
            "1 2 { 1 2 in 0>1 out }");
}

TEST(LockingSet, ANestThatOverwritesAllEndsWhatWasBefore) {
  //   0 write -> 1 -> 2 write -> 1      1 -> 3 read
  EXPECT_EQ(locked(R"(  candidate A[8]
  loop 0 header 1 counts 0 to 7
  node 0: 1
    access write A[0]
  node 1 level 1: 2 3 if 
  node 2 level 1: 1
    access write A[i0]
  node 3:
    access read A
)"),
            "1 2 3 { 1 2 3 in 0>1 out }");
}

TEST(LockingSet, AnInitialisedDeclarationIsAWrite) {
  const std::string rest = R"( in 0
  statement 0
  node 0: 1
    access overwrite A in 0
  node 1:
    access read A
)";
  EXPECT_EQ(locked("  candidate A[8] initialised" + rest), "0 1 { 0 1 in out }");
  EXPECT_EQ(locked("  candidate A[8]" + rest), "");
}

TEST(LockingSet, ASendEndsAComponent) {
  //   0 write -> 1 send -> 2 read, of one value: the read needs nobody else's leave, but it is on a path
  EXPECT_EQ(locked(R"(  candidate A[8]
  node 0: 1
    access write A[0]
  node 1: 2
    access send A block 0 part 0
  node 2: 3
    access read A[0]
  node 3:
)"),
            "0 1 2 { 0 1 in out 1>2 }{ 2 in 1>2 out 2>3 }");
}

TEST(LockingSet, ANodeIsSplitAfterASend) {
  //   0 -> 1 write, send | write, read -> 2
  EXPECT_EQ(locked(R"(  candidate A[8]
  node 0: 1
  node 1: 2
    access write A[0]
    access send A block 0 part 0
    access write A[1]
    access read A[1]
  node 2:
)"),
            "1 { 1 in 0>1 out 1>1 }{ 1 in 1>1 out 1>2 }");
}

TEST(LockingSet, TheWayFromASendBackIsAnEntry) {
  //   0 -> 1 write -> 2 send -> 1       1 -> 3: what is written is sent, and leaves the component for it
  EXPECT_EQ(locked(R"(  candidate A[8]
  loop 0 header 1
  node 0: 1
  node 1 level 1: 2 3 if 
    access write A[0]
  node 2 level 1: 1
    access send A block 0 part 0
  node 3:
)"),
            "1 2 { 1 2 in 0>1 2>1 out 1>3 2>1 }");
}

}  // namespace
}  // namespace kanor::analysis
