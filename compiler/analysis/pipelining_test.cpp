// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/pipelining.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>

#include "flow/flow_graph.hpp"
#include "text/source.hpp"

namespace kanor::analysis {
namespace {

/// What is decided on the block of
///
///     B; A; n;                       0   statements 0, 1
///     for (k < n) <producer>         1 <-+ 2     loop 0
///     <between>                      3           statement 4
///     @0                             4           statement 5
///     for (k < n) <consumer>         5 <-+ 6     loop 1
///                                    7
struct Block {
  std::string producer = "access write B[i0]", between, consumer = "access read A[i1]";
  std::string candidate_a, uses = "receiver 0", event, first = "0", length;

  bool says(std::string_view part) const { return decision().find(part) != std::string::npos; }

  std::string decision() const {
    const std::string text = "B A n for (b) { p }; x; @0 for (a) { c }";
    const text::Source source("a.cpp", text);
    const std::string written = " written k below \"n\"" + length + " step \"p\"";
    const flow::FlowGraph graph = flow::parse(
        "variable B local of f\nvariable A local of f\nvariable n local of f\n"
        "function f () entry 0 exit 7\n"
        "  candidate B[?] vector \"B\" in 0\n  candidate A[?] vector \"A\" in 1\n" +
            candidate_a +
            "  statement 0 \"B\"\n  statement 1 \"A n\"\n  statement 2 loop \"for (b) { p };\"\n"
            "  statement 3 \"p\" in 2\n  statement 4 \"x;\"\n  statement 5 \"@0\"\n"
            "  statement 6 loop \"for (a) { c }\"\n  statement 7 \"c\" in 6\n"
            "  loop 0 header 1 counts " +
            first + " to ?" + written +
            " in 2\n"
            "  loop 1 header 5 counts 0 to ? written k below \"n\" step \"c\" in 6\n"
            "  node 0: 1\n  node 1 level 1: 2 3 if  \"b\"\n"
            "  node 2 level 1: 1\n    " +
            producer + " \"p\" in 3\n" + "  node 3: 4\n" +
            (event.empty() ? "" : "    " + event + " \"x\"\n") +
            (between.empty() ? "" : "    " + between + " \"x\" in 4\n") + "  node 4: 5\n    block 0\n      " +
            uses +
            "\n"
            "    access send B block 0 part 0 delta \"@0\" in 5\n"
            "    access receive A block 0 part 0 delta \"@0\" in 5\n"
            "  node 5 level 1: 6 7 if  \"a\"\n  node 6 level 1: 5\n    " +
            consumer + " \"c\" in 7\n  node 7:\n",
        source);
    flow::verify(graph);
    std::ostringstream out;
    print(graph, decide_pipelines(graph), out);
    return out.str();
  }
};

TEST(Pipelining, BothLoops) {
  EXPECT_EQ(Block().decision(),
            "pipeline block 0 of f\n"
            "    producer loop 0 in 2: below 1*i + 0 \"for (b) { p };\"\n"
            "    consumer loop 1 in 6: below 1*i + 1 \"for (a) { c }\"\n");
}

TEST(Pipelining, TheLeastElementThatLaterIterationsWriteIsNotFinal) {
  Block block;
  block.producer = "access write B[2*i0 + 5] \"p\" in 3\n    access write B[2*i0 - 3]";
  EXPECT_TRUE(block.says("below 2*i + -3")) << block.decision();
  block.producer = "access write B[2*i0] \"p\" in 3\n    access write B[i0]";
  EXPECT_TRUE(block.says("producer none: elements are written here in another order")) << block.decision();
  block.producer = "access write B[-1*i0]";
  EXPECT_TRUE(block.says("producer none: kanorc does not know")) << block.decision();
  block.producer = "access write B";
  EXPECT_TRUE(block.says("producer none: kanorc does not know")) << block.decision();
  block.producer = "access write B[i0] \"p\" in 3\n    access read B[?]";
  EXPECT_TRUE(block.says("producer loop 0")) << block.decision();
  block.producer = "access overwrite B";
  EXPECT_TRUE(block.says("producer none: kanorc does not know")) << block.decision();
}

TEST(Pipelining, TheLastElementThatAnIterationUsesMustBeThere) {
  Block block;
  block.consumer =
      "access read A[3*i1 + 4] \"c\" in 7\n    access write A[3*i1 - 4] \"c\" in 7\n    access read A[9]";
  EXPECT_TRUE(block.says("below 3*i + 5, and 10")) << block.decision();
  block.consumer = "access read A[?]";
  EXPECT_TRUE(block.says("consumer none: kanorc does not know")) << block.decision();
  block.consumer = "access read A[4]";
  EXPECT_TRUE(block.says("consumer none: each iteration")) << block.decision();
  block.consumer = "access overwrite A";
  EXPECT_TRUE(block.says("consumer none: kanorc does not know")) << block.decision();
}

TEST(Pipelining, WhatStandsBetween) {
  Block block;
  block.between = "access read B[0]";
  EXPECT_TRUE(block.says("producer loop 0")) << block.decision();
  block.between = "access write B[0]";
  EXPECT_TRUE(block.says("producer none: 'B' is used here, outside of a loop \"x\"")) << block.decision();
}

TEST(Pipelining, RanksAndSetsStayAsTheyAre) {
  Block block;
  block.uses = "receiver 0 <- n";
  EXPECT_TRUE(block.says("producer loop 0")) << block.decision();
  block.event = "write n";
  EXPECT_TRUE(block.says("producer none: this may change its ranks or sets \"x\"")) << block.decision();
  block.event = "call ? ( > n)";
  EXPECT_TRUE(block.says("producer none: this may change its ranks or sets \"x\"")) << block.decision();
  block.event = "call ? ()";
  EXPECT_TRUE(block.says("producer loop 0")) << block.decision();
  block.event = "";
  block.uses = "receiver 0 <- !rank";
  EXPECT_TRUE(block.says("producer loop 0")) << block.decision();
  block.uses = "receiver 0 <- !call";
  EXPECT_TRUE(block.says("producer none: a loop before it might change")) << block.decision();
}

TEST(Pipelining, LoopsThatMayChangeTheirOwnEnd) {
  Block block;
  block.length = " of A";
  EXPECT_TRUE(block.says("producer none: this loop may change its own end")) << block.decision();
  block.length = " of B";
  EXPECT_TRUE(block.says("producer loop 0")) << block.decision();
}

TEST(Pipelining, ObstaclesOfTheVariables) {
  Block block;
  block.candidate_a = "    obstacle \"it is odd\"\n";
  EXPECT_EQ(block.decision(), "pipeline block 0 of f: of 'A', it is odd\n");
  block.candidate_a.clear();
  block.between = "access escape A because \"somebody keeps it\"";
  EXPECT_EQ(block.decision(), "pipeline block 0 of f: of 'A', somebody keeps it\n");
}

}  // namespace
}  // namespace kanor::analysis
