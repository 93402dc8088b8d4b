// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replaced_loops.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "flow/flow_graph.hpp"
#include "text/source.hpp"

namespace kanor::analysis {
namespace {

/// What is decided on a loop before, or behind, block 0:
///
///     B;                 statement 0
///     for (L) { B = A; } statement 1, with 2 in it
///     @0 B               statement 3
///     u;                 statement 4
struct Loop {
  std::string facts = " fresh", last = "access read A", others = "";
  bool unpacks = false;

  std::string decision() const {
    const std::string text = "B; for (L) { B = A; } @0 B; u; for (M) { C; }";
    const text::Source source("a.cpp", text);
    const std::string use = unpacks ? "read" : "write";
    const flow::FlowGraph graph = flow::parse(
        "variable A local of f\nvariable B local of f\nvariable C local of f\n"
        "function f () entry 0 exit 1\n"
        "  statement 0 \"B;\"\n  statement 1 loop \"for (L) { B = A; }\"\n  statement 2 \"B = A;\" in 1\n"
        "  statement 3 \"@0 B;\"\n  statement 4 \"u;\"\n  statement 5 loop \"for (M) { C; }\"\n"
        "  copy " +
            std::string(unpacks ? "out" : "into") + " B block 0 \"B;\" \"for (L) { B = A; }\" in 1" + facts +
            "\n" + others + "  node 0: 1\n    access " + use +
            " B \"B = A\" in 2\n    access read B length \"u\" in 4\n    access read B \"B;\" in 3\n    " +
            last + " \"u\" in 4\n  node 1:\n",
        source);
    std::ostringstream out;
    print(graph, decide_replaced_loops(graph, {}, {}, {}), out);
    const std::string all = out.str();
    const auto colon = all.find(": ");
    return all.substr(colon + 2, all.find_first_of("\"\n") - colon - 2);
  }
};

TEST(ReplacedLoops, NeedBuffersThatNobodyReads) {
  EXPECT_EQ(Loop{}.decision(), "replaced ");
  EXPECT_EQ((Loop{.last = "access read B"}).decision(), "no, 'B' is also used here ");
  EXPECT_EQ((Loop{.last = "access escape B because \"it\""}).decision(), "no, 'B' is also used here ");
  EXPECT_EQ((Loop{.last = "access send B block 1 part 0"}).decision(), "no, 'B' is also used here ");
  EXPECT_EQ((Loop{.last = "access overwrite B"}).decision(), "replaced ");
  EXPECT_EQ((Loop{.facts = " because \"that\""}).decision(), "no, that");
}

TEST(ReplacedLoops, LeaveNoOldElementsToTheBlock) {
  EXPECT_EQ((Loop{.facts = ""}).decision(),
            "no, it may copy other elements each time, and 'B' is declared further out ");
  EXPECT_EQ((Loop{.facts = " steady"}).decision(), "replaced ");
  EXPECT_EQ((Loop{.facts = " exact"}).decision(), "replaced ");
  const std::string other = "  copy into B block 1 \"B;\" \"for (M) { C; }\" in 5\n";
  EXPECT_EQ((Loop{.facts = " steady fresh", .others = other}).decision(), "no, another loop copies 'B' too ");
  EXPECT_EQ((Loop{.facts = " exact", .others = other}).decision(), "replaced ");
}

TEST(ReplacedLoops, LeaveNoOldElementsToTheLoop) {
  const auto decision = [](const std::string& facts, const std::string& others = "") {
    return Loop{.facts = facts, .others = others, .unpacks = true}.decision();
  };
  EXPECT_EQ(decision(" fresh"), "replaced ");
  EXPECT_EQ(decision(" exact steady"), "no, a rank may receive nothing, and 'B' is declared further out ");
  EXPECT_EQ(decision(" everywhere"), "no, a rank may receive nothing, and 'B' is declared further out ");
  EXPECT_EQ(decision(" exact everywhere"), "replaced ");
  EXPECT_EQ(decision(" steady everywhere"), "replaced ");
  const std::string other = "  copy out B block 1 \"B;\" \"for (M) { C; }\" in 5\n";
  EXPECT_EQ(decision(" fresh", other),
            "no, a rank may receive nothing, and 'B' is communicated by another block too ");
  EXPECT_EQ(decision(" exact everywhere", other), "replaced ");
  EXPECT_EQ(decision(" steady everywhere", other),
            "no, a rank may receive nothing, and 'B' is declared further out ");
}

TEST(ReplacedLoops, DependOnWhatStandsBetween) {
  EXPECT_EQ((Loop{.facts = " fresh beside C"}).decision(), "replaced ");
  EXPECT_EQ((Loop{.facts = " fresh beside C", .last = "access read C"}).decision(), "replaced ");
  EXPECT_EQ((Loop{.facts = " fresh beside C", .last = "access escape C because \"it\""}).decision(),
            "no, 'C' may have another name here ");
}

}  // namespace
}  // namespace kanor::analysis
