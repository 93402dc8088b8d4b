// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/sharing_decisions.hpp"

#include <gtest/gtest.h>

#include "analysis/flow_text.hpp"

namespace kanor::analysis {
namespace {

/// What is done in the nodes of
///
///     double A[1024];                        0
///     while (go) {                           1 <-+       loop 0: {1, 2, 3, 4, 5}
///       @0                                   2   |
///       first;                               3   |
///       second;                              4   |
///       third;                               5 --+
///     }
///     last;                                  6           statement 6
///                                            7
/// Accesses alone: their statements are the nodes', but for the numbers.
struct TimeLoop {
  std::string candidate = "A[1024] bytes 8192";
  std::string block = "send A block 0 part 0, receive A block 0 part 0 everywhere";
  std::string first, second, third, last;
  Options options;

  std::string flow() const {
    const auto node = [](int number, const std::string& rest, const std::string& accesses, int statement) {
      std::string text = "  node " + std::to_string(number) + rest + "\n";
      for (std::size_t at = 0; at < accesses.size();) {
        const auto end = std::min(accesses.find(", ", at), accesses.size());
        const std::string one = accesses.substr(at, end - at);
        text += one == "work" ? "    call ? ()\n"
                              : "    access " + one + " in " + std::to_string(statement) + "\n";
        at = end + 2;
      }
      return text;
    };
    return "variable A local of f\nvariable p parameter of g\nfunction f () entry 0 exit 7\n  candidate " +
           candidate +
           " in 0\n"
           "  statement 0 \"double A[1024];\"\n  statement 1 loop \"while (go) { @0 first; second; third; "
           "}\"\n"
           "  statement 2 \"@0\" in 1\n  statement 3 \"first;\" in 1\n  statement 4 \"second;\" in 1\n"
           "  statement 5 \"third;\" in 1\n  statement 6 \"last;\"\n  loop 0 header 1 in 1\n" +
           node(0, ": 1", "overwrite A", 0) + "  node 1 level 1: 2 6 if  \"go\"\n" +
           node(2, " level 1: 3", block, 2) + node(3, " level 1: 4", first, 3) +
           node(4, " level 1: 5", second, 4) + node(5, " level 1: 1", third, 5) + node(6, ": 7", last, 6) +
           "  node 7:\nfunction g (p) entry 0 exit 0\n  node 0:\n    access write p[0]\n";
  }

  FlowText text() const { return {"double A[1024]; while (go) { @0 first; second; third; } last;", flow()}; }

  /// Without the lines about locking sets.
  std::string decision() const {
    std::istringstream lines(text().decisions(options));
    std::string result;
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("    ") && !line.starts_with("    locking") && !line.starts_with("    component"))
        result += line.substr(4) + '\n';
    return result;
  }
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The paper's example of what is to be ensured, in a loop.
TEST(SharingDecisions, ConsumeOverwriteConsume) {
  TimeLoop loop;
  loop.first = "read A";
  loop.second = "overwrite A";
  loop.third = "read A";
  // The received value is read in node 3, and the one of node 4 in node 5 and by the next block.
  EXPECT_EQ(loop.text().decisions(), R"(function f
  candidate A: globalised
    locking set 1 2 4 5
    component 1 2 4 5 in 0->1 3->4 out 1->6 2->3
    overwrite before 4 "second;"
    hand over in block 0 part 0
)");
}

TEST(SharingDecisions, WhatIsReadLaterIsNotHandedOver) {
  TimeLoop loop;
  loop.block = "send A block 0 part 0, receive A block 0 part 0";
  loop.last = "read A";
  // A rank that does not receive still has what it has sent.
  EXPECT_EQ(loop.decision(), "");
  loop.block = "send A block 0 part 0";
  loop.last = "";
  EXPECT_EQ(loop.decision(), "");  // sent again
  loop.third = "overwrite A";
  EXPECT_EQ(loop.decision(), "overwrite before 5 \"third;\"\nhand over in block 0 part 0\n");
}

TEST(SharingDecisions, OfSeveralSendsTheLastHandsOver) {
  TimeLoop loop;
  loop.block = "send A block 0 part 0, send A block 0 part 1, receive A block 0 part 1 everywhere";
  EXPECT_EQ(loop.decision(), "hand over in block 0 part 1\n");
}

TEST(SharingDecisions, WhatOnlyMovesIsGivenAwayOnceNobodyReadsIt) {
  TimeLoop loop;
  loop.candidate = "A[?] moves";
  loop.block = "send A block 0 part 0";
  loop.third = "overwrite A";
  // Nothing is rewritten, and nothing depends on whether it pays.
  EXPECT_EQ(loop.decision(), "hand over in block 0 part 0\n");
  loop.third = "write A[0]";
  EXPECT_EQ(loop.decision(), "");  // other elements are sent again
  loop.third = "overwrite A";
  loop.second = "read A[1]";
  EXPECT_EQ(loop.decision(), "");
  loop.second = "";
  loop.options.globalize = false;
  EXPECT_EQ(loop.decision(), "not asked\n");
}

TEST(SharingDecisions, PartialWritesAcquire) {
  TimeLoop loop;
  loop.second = "write A[0]";
  EXPECT_EQ(loop.decision(), "acquire before 4 \"second;\"\nhand over in block 0 part 0\n");
  // What is had is kept: the next write needs no more.
  loop.third = "write A[1]";
  EXPECT_EQ(loop.decision(), "acquire before 4 \"second;\"\nhand over in block 0 part 0\n");
}

TEST(SharingDecisions, ADeclarationIsExclusive) {
  TimeLoop loop;
  loop.block = "read A";
  loop.first = "write A[0]";
  loop.last = "send A block 0 part 0";
  loop.candidate += " asked globalize";
  EXPECT_EQ(loop.decision(), "hand over in block 0 part 0\n");
}

TEST(SharingDecisions, EachIterationsDeclarationIsExclusive) {
  //   0 -> 1 -> 2 double A[1024] = f(); A[0] = 1; @0 -> 1        1 -> 3
  for (const char* initialises : {"overwrite", "write"}) {
    const std::string found = FlowText("", std::string(R"(variable A local of f
function f () entry 0 exit 3
  candidate A[1024] bytes 8192 initialised in 1
  statement 0 loop
  statement 1 in 0
  statement 2 in 0
  statement 3 in 0
  loop 0 header 1 in 0
  node 0: 1
  node 1 level 1: 2 3 if 
  node 2 level 1: 1
    access )") + initialises + R"( A in 1
    access write A[0] in 2
    access send A block 0 part 0 in 3
  node 3:
)")
                                  .decisions();
    EXPECT_EQ(found.find("acquire"), std::string::npos) << found;
    EXPECT_NE(found.find("hand over"), std::string::npos) << found;
  }
}

TEST(SharingDecisions, AcquiresAreHoistedOutOfLoops) {
  TimeLoop loop;
  loop.candidate = "A[1024] bytes 65536";
  loop.block = "read A";
  loop.first = "write A[0]";
  loop.last = "send A block 0 part 0, read A";
  EXPECT_EQ(loop.decision(), "");
  // Around all of it another loop, that sends: 7 is its latch, and 8 the exit.
  std::string flow = loop.flow();
  const auto replace = [&](const std::string& from, const std::string& to) { replace_all(flow, from, to); };
  replace("exit 7", "exit 8");
  replace("level 1", "level 2");
  replace("loop 0 header 1", "loop 0 header 9 in 7\n  loop 1 header 1 inside 0");
  replace("  statement 6 \"last;\"\n", "  statement 6 \"last;\" in 7\n  statement 7 loop\n");
  replace("loop \"while (go) { @0 first; second; third; }\"",
          "loop \"while (go) { @0 first; second; third; }\" in 7");
  replace("node 0: 1", "node 0: 9");
  replace("node 6: 7", "node 6 level 1: 7");
  replace("node 7:\n", "node 7 level 1: 9\n  node 8:\n  node 9 level 1: 1 8 if \n");
  const FlowText text("double A[1024]; while (go) { @0 first; second; third; } last;", flow);
  EXPECT_NE(text.decisions().find("    acquire before 1 \"while"), std::string::npos) << text.decisions();
}

TEST(SharingDecisions, ReleasesComeAfterTheLastReadWhereWorkFollows) {
  TimeLoop loop;
  loop.first = "read A";
  loop.second = "work";
  loop.third = "overwrite A";
  EXPECT_EQ(loop.decision(),
            "release after 3 \"first;\"\noverwrite before 5 \"third;\"\nhand over in block 0 part 0\n");
  // Without the work it would free nothing for long.
  loop.second = "";
  EXPECT_EQ(loop.decision(), "overwrite before 5 \"third;\"\nhand over in block 0 part 0\n");
}

TEST(SharingDecisions, AfterALoopItMayBeReleasedAsAWhole) {
  TimeLoop loop;
  loop.first = "read A";
  loop.last = "work";
  // Within the loop the value is sent on; on the way out nobody reads it.
  EXPECT_EQ(loop.decision(),
            "release after 1 \"while (go) { @0 first; second; third; }\"\nhand over in block 0 part 0\n");
}

TEST(SharingDecisions, CallsDoWhatTheirFunctionsDo) {
  TimeLoop loop;
  loop.second = "call A to g 0";
  EXPECT_EQ(loop.decision(), "acquire before 4 \"second;\"\nhand over in block 0 part 0\n");
  loop.second = "call A to ?";
  EXPECT_EQ(loop.decision(), "escapes: it is passed to a function that may keep it\n");
  loop.second = "escape A because \"its address is stored\"";
  EXPECT_EQ(loop.decision(), "escapes: its address is stored\n");
}

TEST(SharingDecisions, WhatAFunctionGetsIsThere) {
  TimeLoop loop;
  loop.block = "send A block 0 part 0";
  loop.first = "call A to g 0";
  loop.second = "overwrite A";
  std::string flow = loop.flow();
  flow.erase(flow.find("    access write p[0]\n"));
  const FlowText text("double A[1024]; while (go) { @0 first; second; third; } last;", flow);
  EXPECT_EQ(text.decisions().find("hand over"), std::string::npos);
}

TEST(SharingDecisions, AStatementThatBothSendsAndWritesHasNoPlaceForAnAcquire) {
  TimeLoop loop;
  loop.block += ", write A[0]";
  EXPECT_EQ(loop.decision(), "not exclusive\n");
  loop.block = "send A block 0 part 0, receive A block 0 part 0 everywhere";
  std::string flow = loop.flow();
  flow.insert(flow.find("  node 2"), "    access write A[0] in 1\n");
  EXPECT_NE(FlowText("double A[1024]; while (go) { @0 first; second; third; } last;", flow)
                .decisions()
                .find("    not exclusive\n"),
            std::string::npos);
}

TEST(SharingDecisions, SmallObjectsAreCopied) {
  TimeLoop loop;
  loop.candidate = "A[2] bytes 16";
  EXPECT_EQ(loop.decision(), "too small: 16 bytes\n");
  loop.options.least_bytes = 16;
  EXPECT_EQ(loop.decision(), "hand over in block 0 part 0\n");
}

TEST(SharingDecisions, WhatIsCommunicatedOnceIsCopiedUnlessItIsLarge) {
  TimeLoop loop;
  loop.block = "";
  loop.last = "send A block 0 part 0";
  EXPECT_EQ(loop.decision(), "not in a loop\n");
  loop.candidate = "A[8192] bytes 65536";
  EXPECT_EQ(loop.decision(), "hand over in block 0 part 0\n");
  loop.candidate = "A[?] vector";
  EXPECT_EQ(loop.decision(), "not in a loop\n");
  loop.candidate = "A[?] vector asked globalize";
  EXPECT_EQ(loop.decision(), "hand over in block 0 part 0\n");
}

TEST(SharingDecisions, AFunctionMayBeCalledInALoop) {
  TimeLoop loop;
  loop.block = "";
  loop.last = "send A block 0 part 0";
  const std::string program = "double A[1024]; while (go) { @0 first; second; third; } last;";
  const std::string caller =
      "function h () entry 0 exit 2\n  node 0: 1\n  node 1 level 1: 1 2 if \n"
      "    call i ()\n  node 2:\nfunction i () entry 0 exit 0\n  node 0:\n    call f ()\n";
  EXPECT_NE(FlowText(program, loop.flow() + caller).decisions().find(": globalised"), std::string::npos);
}

TEST(SharingDecisions, WhatIsUsedAgainAndAgainIsCopied) {
  // Loops 1 and 2 go round inside the time loop: 3 -> 4 -> 3 and 4 alone.
  const auto with = [](const std::string& subscript) {
    return FlowText("", R"(variable A local of f
function f () entry 0 exit 6
  candidate A[8][8] bytes 65536
  loop 0 header 1
  loop 1 header 3 inside 0 counts 0 to 7
  loop 2 header 4 inside 1 counts 0 to 7
  node 0: 1
  node 1 level 1: 2 6 if 
  node 2 level 1: 3
    access send A block 0 part 0
  node 3 level 2: 4 5 if 
  node 4 level 3: 4 3 if 
    access read A)" + subscript +
                            "\n  node 5 level 1: 1\n  node 6:\n")
        .decisions();
  };
  EXPECT_NE(with("[0]").find("    much reuse\n"), std::string::npos);
  EXPECT_EQ(with("[i1]").find("    much reuse\n"), std::string::npos);
  EXPECT_EQ(with("[i1][i2]").find("    much reuse\n"), std::string::npos);
  EXPECT_EQ(with("").find("    much reuse\n"), std::string::npos);
}

TEST(SharingDecisions, OneMayAskOrForbid) {
  TimeLoop loop;
  loop.candidate = "A[2] bytes 16 asked globalize";
  EXPECT_EQ(loop.decision(), "hand over in block 0 part 0\n");
  loop.second = "call A to ?";
  EXPECT_EQ(loop.decision(), "escapes: it is passed to a function that may keep it\n");
  loop.second = "";
  loop.options.globalize = false;
  EXPECT_EQ(loop.decision(), "not asked\n");
  loop.options.globalize = true;
  loop.candidate = "A[1024] bytes 8192 asked local";
  EXPECT_EQ(loop.decision(), "not asked\n");
}

TEST(SharingDecisions, Obstacles) {
  TimeLoop loop;
  std::string flow = loop.flow();
  flow.insert(flow.find("  statement 0"), "    obstacle \"it is declared with another\" \"double\"\n");
  const std::string program = "double A[1024]; while (go) { @0 first; second; third; } last;";
  EXPECT_NE(
      FlowText(program, flow).decisions().find("    obstacle: it is declared with another \"double\"\n"),
      std::string::npos);
}

TEST(SharingDecisions, ALoopThatIsEnteredInTheMiddleIsAnObstacle) {
  TimeLoop loop;
  loop.third = "write A[0]";
  std::string flow = loop.flow();
  const std::string program = "double A[1024]; while (go) { @0 first; second; third; } last;";
  const std::string obstacle = "    obstacle: its function has an irreducible loop\n";
  EXPECT_EQ(FlowText(program, flow).decisions().find(obstacle), std::string::npos);
  const auto replace = [&](const std::string& from, const std::string& to) { replace_all(flow, from, to); };
  replace("  node 0: 1\n", "  node 0: 1 3 if  \"go\"\n");
  replace(" level 1", "");
  replace("  loop 0 header 1 in 1\n", "");
  EXPECT_NE(FlowText(program, flow).decisions().find(obstacle), std::string::npos);
}

TEST(SharingDecisions, WhatNoBlockHasAsAWholeIsNotShared) {
  TimeLoop loop;
  loop.block = "read A";
  EXPECT_EQ(loop.decision(), "never sent\n");
}

TEST(SharingDecisions, BehindAnUnknownBranchOnlyLoopsHaveKnownEnds) {
  TimeLoop loop;
  loop.first = "read A";
  loop.second = "work";
  loop.third = "overwrite A";
  std::string flow = loop.flow();
  flow.replace(flow.find("if  \"go\""), 8, "if A");
  flow.replace(flow.find("loop 0 header 1 in 1"), 20, "loop 0 header 1");
  const std::string program = "double A[1024]; while (go) { @0 first; second; third; } last;";
  const std::string found = FlowText(program, flow).decisions();
  EXPECT_NE(found.find("    acquire before 5 \"third;\"\n    hand over"), std::string::npos) << found;
  EXPECT_EQ(found.find("release"), std::string::npos) << found;
}

/// Inside a time loop that sends, an `if` or another loop with a write; drawn
///
///     0 -> 1 -> 2 send -> 3 -> 4 -> 5 -> 1      3 -> 5 or 4 -> 3     1 -> 6
std::string inner(const std::string& statements, const std::string& edges_of_4, const std::string& in_4) {
  const bool is_loop = edges_of_4 == "3";
  const FlowText text(
      "double A[1024]; while (go) { @0 if (maybe) { part; } rest; }",
      "variable A local of f\nfunction f () entry 0 exit 6\n  candidate A[1024] bytes 8192 in 0\n"
      "  statement 0 \"double A[1024];\"\n"
      "  statement 1 loop \"while (go) { @0 if (maybe) { part; } rest; }\"\n"
      "  statement 2 \"@0\" in 1\n" +
          statements + "  loop 0 header 1 in 1\n" +
          (is_loop ? "  loop 1 header 3 inside 0 counts 0 to 1023 in 3\n" : "") +
          "  node 0: 1\n    access overwrite A in 0\n  node 1 level 1: 2 6 if  \"go\"\n"
          "  node 2 level 1: 3\n    access send A block 0 part 0 in 2\n  node 3 level " +
          (is_loop ? "2" : "1") + ": 4 5 if  \"maybe\"\n  node 4 level " + (is_loop ? "2" : "1") + ": " +
          edges_of_4 + "\n    access " + in_4 + "\n  node 5 level 1: 1\n  node 6:\n");
  const std::string found = text.decisions();
  std::string insertions;
  std::istringstream lines(found);
  for (std::string line; std::getline(lines, line);)
    if (line.find(" before ") != std::string::npos || line.find("hand over") != std::string::npos)
      insertions += line.substr(4) + '\n';
  return insertions;
}

const std::string an_if = "  statement 3 \"if (maybe) { part; }\" in 1\n  statement 4 \"part;\" in 3\n";
const std::string a_loop = "  statement 3 loop \"if (maybe) { part; }\" in 1\n  statement 4 \"part;\" in 3\n";

TEST(SharingDecisions, AcquiresStayInTheirBranch) {
  EXPECT_EQ(inner(an_if, "5", "write A[0] in 4"), "acquire before 4 \"part;\"\n");
  EXPECT_EQ(inner(an_if, "5", "overwrite A in 4"), "overwrite before 4 \"part;\"\n");
  // Without braces the `if` is all that one can be put before: the other way still needs the old value.
  EXPECT_EQ(inner(an_if, "5", "overwrite A in 3"), "acquire before 3 \"if (maybe) { part; }\"\n");
}

TEST(SharingDecisions, AcquiresComeBeforeLoopsThatDoNotCommunicate) {
  EXPECT_EQ(inner(a_loop, "3", "write A[0] in 4"), "acquire before 3 \"if (maybe) { part; }\"\n");
  // All is overwritten, before the next send: nothing need be kept, and the block hands over.
  EXPECT_EQ(inner(a_loop, "3", "write A[i1] in 4"),
            "overwrite before 3 \"if (maybe) { part; }\"\nhand over in block 0 part 0\n");
  EXPECT_EQ(inner(a_loop, "3", "write A[i0] in 4"), "acquire before 3 \"if (maybe) { part; }\"\n");
}

}  // namespace
}  // namespace kanor::analysis
