// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/split_phase.hpp"

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
///     G; n;                           0           statements 0, 1
///     for (t < n) {                   1 <-+ 5     statement 2, loop 0
///       for (a) { p }                 2           statements 3, 4
///       u;                            2           statement 5
///       @0                            3           statement 6: updates G, uses n
///       for (b) { q }                 4           statements 7, 8
///     }
///     v;                              5           statement 9
struct Block {
  std::string before = "access write A", use = "access read G", after = "access write A";
  std::string effect_before = {}, effect_after = {}, exchange = " updates G uses n";
  std::string written = " written t below \"n\" step \"++t\"", last = "access read G";
  bool is_pairwise = true;

  bool says(std::string_view part) const { return decision().find(part) != std::string::npos; }

  std::string decision() const {
    const std::string text = "G n; for (t; n; ++t) { for (a) { p } u; @0; for (b) { q } } v;";
    const text::Source source("a.cpp", text);
    const auto at = [](const std::string& access, const char* where) {
      return access.empty() ? std::string() : "    " + access + where + '\n';
    };
    const flow::FlowGraph graph = flow::parse(
        "variable G local of f\nvariable n local of f\nvariable A local of f\n"
        "function f () entry 0 exit 6\n"
        "  statement 0 \"G\"\n  statement 1 \"n;\"\n"
        "  statement 2 loop \"for (t; n; ++t) { for (a) { p } u; @0; for (b) { q } }\"\n"
        "  statement 3 loop \"for (a) { p }\" in 2" +
            effect_before +
            "\n  statement 4 \"p\" in 3\n  statement 5 \"u;\" in 2\n"
            "  statement 6 \"@0;\" in 2 because \"another block communicates\"\n"
            "  statement 7 loop \"for (b) { q }\" in 2" +
            effect_after +
            "\n  statement 8 \"q\" in 7\n  statement 9 \"v;\"\n"
            "  loop 0 header 1 counts 0 to ?" +
            written +
            " in 2\n"
            "  exchange 0 \"@0\" in 6" +
            exchange +
            "\n"
            "  node 0: 1\n  node 1 level 1: 2 5 if n \"n\"\n  node 2 level 1: 3\n" +
            at(before, " \"p\" in 4") + at(use, " \"u\" in 5") + "  node 3 level 1: 4\n    block 0\n" +
            "  node 4 level 1: 1\n" + at(after, " \"q\" in 8") + "  node 5: 6\n" + at(last, " \"v\" in 9") +
            "  node 6:\n",
        source);
    flow::verify(graph);
    std::ostringstream out;
    print(graph, split_phases(graph, {}, {}, [&](const text::Source&, int) { return is_pairwise; }), out);
    return out.str();
  }
};

TEST(SplitPhase, IsCompleteInTheNextIteration) {
  EXPECT_EQ(Block{}.decision(),
            "split block 0 of f\n"
            "    complete in the next iteration after 3 \"for (a) { p }\"\n"
            "    complete after the loop 2 \"for (t; n; ++t) { for (a) { p } u; @0; for (b) { q } }\"\n");
}

TEST(SplitPhase, IsCompleteBehindItWhereTheNextIterationUsesIt) {
  const std::string here = "complete after 7 \"for (b) { q }\"\n";
  EXPECT_TRUE((Block{.before = "access read G"}.says(here)));
  EXPECT_TRUE((Block{.effect_before = " because \"it prints\""}.says(here)));
  EXPECT_TRUE((Block{.written = ""}.says(here))) << "a loop that is not known";
}

TEST(SplitPhase, StartsBeforeWhatLeavesItsOperandsAlone) {
  const Block block{.use = "access read n", .after = "access read G"};
  EXPECT_EQ(block.decision(), "split block 0 of f\n    starts before 3 \"for (a) { p }\"\n");
  EXPECT_TRUE((Block{.use = "access write n", .after = "access read G"}.says("no, ")));
  EXPECT_TRUE((Block{.before = "access write n", .use = "", .after = "access read G"}.says(": no, ")));
  const Block calls{.use = "", .after = "access read G", .exchange = " updates G late \"it calls\" \"u\""};
  EXPECT_TRUE(calls.says("no, 'G', which it updates, is used here")) << calls.decision();
}

TEST(SplitPhase, LeavesIndicesAlone) {
  EXPECT_TRUE((Block{.before = "access write n", .after = "access write n"}.says("split block 0 of f\n")));
  const Block block{.before = "access write n", .after = "access write n", .exchange = " updates G by n"};
  EXPECT_TRUE(block.says("no, 'n', which it uses, may change here")) << block.decision();
}

TEST(SplitPhase, StaysWhole) {
  EXPECT_TRUE((Block{.is_pairwise = false}.says("no, its ranks take part in a collective operation")));
  EXPECT_TRUE((Block{.exchange = " updates G because \"of me\" \"u\""}.says("no, of me \"u\"")));
  EXPECT_TRUE((Block{.last = "access escape G because \"it is kept\""}.says("no, of 'G', it is kept")));
  EXPECT_TRUE((Block{.last = "access call G to ?"}.says("no, of 'G', a function that is not seen gets it")));
  EXPECT_TRUE((Block{.before = "access read G", .after = "access read G"}.says("no, 'G', which it updates")));
  EXPECT_TRUE((Block{.before = "access read G", .effect_after = " because \"it prints\" \"q\""}.says(
      "no, it prints \"q\"")));
}

}  // namespace
}  // namespace kanor::analysis
