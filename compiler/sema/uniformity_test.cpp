// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/uniformity.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "sema/test_uniformity.hpp"

namespace kanor::sema {
namespace {

TEST_F(UniformityTest, ConstantsAgree) {
  run(straight("    overwrite x\n"));
  EXPECT_TRUE(agrees());
  EXPECT_TRUE(reached());
}

TEST_F(UniformityTest, AWriteChangesItsVariablesAtOnce) {
  run(
      straight("    overwrite x\n    overwrite y <- !rank \"world.rank()\" \"world.rank()\"\n"
               "    write y, x <- y, x \"here\"\n"));
  EXPECT_FALSE(agrees());
  EXPECT_EQ(causes(), (std::vector<Cause>{Cause::written, Cause::assigned, Cause::rank}));
}

TEST_F(UniformityTest, TheRankDoesNot) {
  run(straight("    overwrite x <- !rank \"world.rank()\" \"world.rank()\"\n"));
  EXPECT_EQ(causes(), (std::vector{Cause::assigned, Cause::rank}));
}

TEST_F(UniformityTest, AnOverwriteForgetsWhatWas) {
  run(straight("    overwrite x <- !rank \"world.rank()\"\n    overwrite x\n"));
  EXPECT_TRUE(agrees());
}

TEST_F(UniformityTest, AWriteDoesNot) {
  run(straight("    overwrite x <- !call \"get()\"\n    write x\n"));
  EXPECT_EQ(causes(), (std::vector{Cause::assigned, Cause::call}));
}

TEST_F(UniformityTest, CopiesCarryTheReasonOn) {
  run(straight("    overwrite y <- !rank \"world.rank()\" \"world.rank()\"\n    overwrite x <- y \"y\"\n"));
  EXPECT_EQ(causes(), (std::vector{Cause::assigned, Cause::assigned, Cause::rank}));
}

TEST_F(UniformityTest, WhatEveryRankReceivesAgrees) {
  run(straight("    overwrite x <- !rank \"world.rank()\"\n    receive x\n"));
  EXPECT_TRUE(agrees());
  run(straight("    overwrite y <- !rank \"world.rank()\"\n    receive x <- y\n"));
  EXPECT_FALSE(agrees());
}

TEST_F(UniformityTest, WhatOneRankReceivesDoesNot) {
  run(straight("    write x <- !received \"here\" \"here\"\n"));
  EXPECT_EQ(causes(), (std::vector{Cause::written, Cause::received}));
}

TEST_F(UniformityTest, AnAssertionHolds) {
  std::string text = straight("    overwrite x <- !rank \"world.rank()\"\n");
  text.replace(0, text.find('\n'), "variable x local of main uniform");
  run(text);
  EXPECT_TRUE(agrees());
}

TEST_F(UniformityTest, AMemberAgreesIfItsObjectDoes) {
  run("variable x member\nvariable y local of main\nvariable z local of main\n"
      "function main () entry 0 exit 0\n  node 0:\n"
      "    overwrite x <- !rank \"world.rank()\"\n    overwrite y <- x\n    receive y\n"
      "    block 0 \"@communicate\"\n      sender 0 <- x/y\n      sender 0 <- x/z\n");
  EXPECT_TRUE(agrees());
  run("variable x member\nvariable y local of main\n"
      "function main () entry 0 exit 0\n  node 0:\n"
      "    overwrite x <- !rank \"world.rank()\"\n    overwrite y <- x\n"
      "    block 0 \"@communicate\"\n      sender 0 <- x/y\n");
  EXPECT_FALSE(agrees());
}

TEST_F(UniformityTest, AMemberIsNeverOverwrittenAsAWhole) {
  run("variable x member\nfunction main () entry 0 exit 0\n  node 0:\n"
      "    overwrite x <- !rank \"world.rank()\"\n    overwrite x\n" +
      std::string(ask));
  EXPECT_FALSE(agrees());
}

// ---- branches

std::string branched(const std::string& condition, const std::string& then, const std::string& after) {
  return "variable x local of main\nvariable y local of main\n"
         "function main () entry 0 exit 3\n  node 0: 1 2 if " +
         condition +
         " \"cond\"\n"
         "  node 1: 2\n" +
         then + "  node 2: 3\n" + after + "  node 3:\n";
}

TEST_F(UniformityTest, WhatIsAssignedUnderACommonConditionAgrees) {
  run(branched("y", "    overwrite x\n", std::string(ask)));
  EXPECT_TRUE(agrees());
}

TEST_F(UniformityTest, WhatIsAssignedUnderTheRankDoesNotAfterwards) {
  run(branched("!rank \"world.rank()\"", "    overwrite x\n", std::string(ask)));
  EXPECT_EQ(causes(), (std::vector{Cause::branch, Cause::rank}));
  EXPECT_TRUE(reached());
}

TEST_F(UniformityTest, ButDoesWithinTheBranchWhichNotAllReach) {
  run(branched("!rank \"world.rank()\"", "    overwrite x\n" + std::string(ask), ""));
  EXPECT_TRUE(agrees());
  EXPECT_FALSE(reached());
}

TEST_F(UniformityTest, ReassignedAfterTheBranchItAgrees) {
  run(branched("!rank \"world.rank()\"", "    overwrite x\n", "    overwrite x\n" + std::string(ask)));
  EXPECT_TRUE(agrees());
}

TEST_F(UniformityTest, ALoopOfDifferentLengthsLeavesDifferentCounters) {
  const auto loop = [](const std::string& bound) {
    return "variable x local of main\nvariable y local of main\nfunction main () entry 0 exit 3\n"
           "  node 0: 1\n    overwrite x\n  node 1 level 1: 2 3 if x, " +
           bound +
           "\n"
           "  node 2 level 1: 1\n    overwrite x <- x\n  node 3:\n" +
           std::string(ask);
  };
  run(loop("y"));
  EXPECT_TRUE(agrees());
  run(loop("!rank \"world.rank()\""));
  EXPECT_EQ(causes(), (std::vector{Cause::branch, Cause::rank}));
  EXPECT_TRUE(reached());
}

TEST_F(UniformityTest, AnEarlyReturnOfSomeRanksKeepsThemFromWhatFollows) {
  run("variable x local of main\nfunction main () entry 0 exit 2\n"
      "  node 0: 1 2 if !rank \"world.rank()\" \"cond\"\n  node 1: 2\n" +
      std::string(ask) + "  node 2:\n");
  EXPECT_FALSE(reached());
}

// ---- calls

TEST_F(UniformityTest, AResultAgreesIfTheArgumentsDo) {
  const std::string text =
      "variable x local of main\nvariable y local of main\nvariable p parameter of f\nvariable r result of "
      "f\n"
      "function main () entry 0 exit 0\n  node 0:\n    call y = f (!rank \"world.rank()\")\n    call x = f "
      "()\n" +
      std::string(ask) + "function f (p) -> r entry 0 exit 0\n  node 0:\n    overwrite r <- p\n";
  run(text);
  EXPECT_EQ(causes(), std::vector<Cause>{});
}

TEST_F(UniformityTest, AResultDoesNotIfAnArgumentDoesNot) {
  run("variable x local of main\nvariable p parameter of f\nvariable r result of f\n"
      "function main () entry 0 exit 0\n  node 0:\n    call x = f (!rank \"world.rank()\") \"here\"\n" +
      std::string(ask) + "function f (p) -> r entry 0 exit 0\n  node 0:\n    overwrite r <- p \"p\"\n");
  EXPECT_EQ(causes(), (std::vector{Cause::returned, Cause::assigned, Cause::argument, Cause::rank}));
}

constexpr std::string_view asking_function =
    "variable x parameter of f\nfunction f (x) entry 0 exit 0\n  node 0:\n";

TEST_F(UniformityTest, AParameterAgreesIfEveryCallSaysSo) {
  run(std::string(asking_function) + std::string(ask) +
      "function main () entry 0 exit 0\n  node 0:\n    call f ()\n    call f ()\n");
  EXPECT_TRUE(agrees());
  run(std::string(asking_function) + std::string(ask) +
      "function main () entry 0 exit 0\n  node 0:\n    call f ()\n    call f (!rank \"world.rank()\")\n");
  EXPECT_EQ(causes(), (std::vector{Cause::argument, Cause::rank}));
}

TEST_F(UniformityTest, OtherFilesMayCallWithAnything) {
  run("variable x parameter of f\nfunction f (x) elsewhere entry 0 exit 0\n  node 0:\n" + std::string(ask));
  EXPECT_EQ(causes(), std::vector{Cause::other_caller});
}

TEST_F(UniformityTest, ABlockInAFunctionThatSomeRanksCallIsNotReachedByAll) {
  run(std::string(asking_function) + std::string(ask) +
      "function main () entry 0 exit 2\n  node 0: 1 2 if !rank \"world.rank()\"\n  node 1: 2\n    call f "
      "()\n  node 2:\n");
  EXPECT_FALSE(reached());
  EXPECT_TRUE(agrees());
}

TEST_F(UniformityTest, WhatAFunctionWritesThroughItsParameter) {
  const auto text = [](const std::string& value) {
    return "variable x local of main\nvariable p parameter of f\n"
           "function main () entry 0 exit 0\n  node 0:\n    overwrite x\n    call f (x > x)\n" +
           std::string(ask) + "function f (p) entry 0 exit 0\n  node 0:\n    overwrite p <- " + value + "\n";
  };
  run(text("p"));
  EXPECT_TRUE(agrees());
  run(text("!rank \"world.rank()\""));
  EXPECT_FALSE(agrees());
}

// A function that gives all of what its parameter refers to a value that agrees, by the only way to it.
TEST_F(UniformityTest, WhatAFunctionReplacesThroughItsParameter) {
  const auto text = [](const std::string& arguments, const std::string& kind = "local of main",
                       const std::string& body = "overwrite p") {
    return "variable x " + kind +
           "\nvariable p parameter of f\nvariable q parameter of f\n"
           "function main () entry 0 exit 0\n  node 0:\n    overwrite x <- !rank \"world.rank()\"\n    call "
           "f (" +
           arguments + ")\n" + std::string(ask) + "function f (p, q) entry 0 exit 0\n  node 0:\n    " + body +
           "\n";
  };
  run(text("x => x; "));
  EXPECT_TRUE(agrees());
  run(text("x => x; ", "local of main", "write p"));
  EXPECT_FALSE(agrees());
  run(text("x > x; "));
  EXPECT_FALSE(agrees());
  run(text("x => x; x => x"));
  EXPECT_FALSE(agrees());
  run(text("x => x; ", "global", "overwrite p\n    overwrite x <- !rank \"world.rank()\""));
  EXPECT_FALSE(agrees());
}

TEST_F(UniformityTest, RecursionEnds) {
  run("variable x parameter of f\nvariable r result of f\nfunction f (x) -> r entry 0 exit 3\n"
      "  node 0: 1 2 if x\n" +
      std::string(ask) +
      "  node 1: 3\n    call r = f (x)\n  node 2: 3\n    overwrite r <- x\n  node 3:\n"
      "function main () entry 0 exit 0\n  node 0:\n    call f ()\n");
  EXPECT_TRUE(agrees());
}

TEST_F(UniformityTest, ManyPatternsOfArgumentsAreThrownTogether) {
  std::string text = "variable x parameter of f\n", parameters = "x", calls;
  for (int at = 0; at < 5; ++at) {
    text += "variable p" + std::to_string(at) + " parameter of f\n";
    parameters += ", p" + std::to_string(at);
  }
  for (int pattern = 0; pattern < 32; ++pattern) {
    calls += "    call f (";
    for (int at = 0; at < 5; ++at) calls += (pattern >> at & 1) != 0 ? "; !rank \"world.rank()\"" : "; ";
    calls += ")\n";
  }
  run(text + "function f (" + parameters + ") entry 0 exit 0\n  node 0:\n" + std::string(ask) +
      "function main () entry 0 exit 0\n  node 0:\n" + calls);
  EXPECT_TRUE(agrees());
}

// ---- shared variables

TEST_F(UniformityTest, AGlobalAgreesIfAllAssignmentsDo) {
  const auto text = [](const std::string& value) {
    return "variable x global\nfunction f () entry 0 exit 0\n  node 0:\n" + std::string(ask) +
           "function main () entry 0 exit 0\n  node 0:\n    overwrite x <- " + value +
           "\n    call f ()\nfunction g () entry 0 exit 0\n  node 0:\n    overwrite x\n";
  };
  run(text("x"));
  EXPECT_TRUE(agrees());
  run(text("!rank \"world.rank()\""));
  EXPECT_FALSE(agrees());
}

TEST_F(UniformityTest, ACallMayChangeAGlobal) {
  run("variable x global\nfunction g () entry 0 exit 0\n  node 0:\n    overwrite x <- !rank "
      "\"world.rank()\"\n"
      "function main () entry 0 exit 0\n  node 0:\n    overwrite x\n    call g ()\n" +
      std::string(ask));
  EXPECT_FALSE(agrees());
  run("variable x global\nfunction g () entry 0 exit 0\n  node 0:\n    overwrite x <- !rank "
      "\"world.rank()\"\n"
      "function main () entry 0 exit 0\n  node 0:\n    call g ()\n    overwrite x\n" +
      std::string(ask));
  EXPECT_TRUE(agrees());
}

TEST_F(UniformityTest, UnseenCodeMayChangeWhatOtherFilesSee) {
  const auto text = [](const std::string& flags, const std::string& call) {
    return "variable x global" + flags + "\nfunction main () entry 0 exit 0\n  node 0:\n    overwrite x\n" +
           call + std::string(ask);
  };
  run(text(" elsewhere", "    call ? () \"get()\"\n"));
  EXPECT_FALSE(agrees());
  run(text(" elsewhere", ""));
  EXPECT_TRUE(agrees());
  run(text("", "    call ? () \"get()\"\n"));
  EXPECT_TRUE(agrees());
  run(text(" escapes", "    call ? () \"get()\"\n"));
  EXPECT_FALSE(agrees());
}

// ---- what lambdas see

/// `x` is a local variable of main that the lambda f reads.
std::string captured(const std::string& assignment, const std::string& before_call) {
  return "variable x local of main\nfunction f () entry 0 exit 0\n  node 0:\n" + std::string(ask) +
         "function main () entry 0 exit 3\n  node 0: 1 3 if !rank \"world.rank()\" \"cond\"\n  node 1: 2\n" +
         assignment + "  node 2: 3\n    call f ()\n  node 3:\n" + before_call;
}

TEST_F(UniformityTest, RanksThatHaveLeftDoNotMatterToTheOthers) {
  run(captured("    overwrite x\n", ""));
  EXPECT_TRUE(agrees());
  EXPECT_FALSE(reached());
}

TEST_F(UniformityTest, RanksThatMeetAgainDo) {
  run("variable x local of main\nfunction f () entry 0 exit 0\n  node 0:\n" + std::string(ask) +
      "function main () entry 0 exit 2\n  node 0: 1 2 if !rank \"world.rank()\" \"cond\"\n    overwrite x\n"
      "  node 1: 2\n    overwrite x\n  node 2:\n    call f ()\n");
  EXPECT_EQ(causes(), (std::vector{Cause::branch, Cause::rank}));
}

// ---- reasons

TEST_F(UniformityTest, EachCallHasReasonsOfItsOwn) {
  const std::string text =
      "variable x local of main\nvariable y local of main\nvariable p parameter of f\nvariable r result of "
      "f\n"
      "function f (p) -> r entry 0 exit 0\n  node 0:\n    overwrite r <- p \"p\"\n"
      "function main () entry 0 exit 0\n  node 0:\n    call y = f (!rank \"world.rank()\")\n"
      "    call x = f (!call \"get()\") \"here\"\n";
  run(text + std::string(ask));
  EXPECT_EQ(causes(), (std::vector{Cause::returned, Cause::assigned, Cause::argument, Cause::call}));
}

TEST_F(UniformityTest, AReasonLeadsBackThroughAllCalls) {
  run("variable x parameter of f\nvariable p parameter of g\n"
      "function f (x) entry 0 exit 0\n  node 0:\n" +
      std::string(ask) +
      "function g (p) entry 0 exit 0\n  node 0:\n    call f (p)\n"
      "function main () entry 0 exit 0\n  node 0:\n    call g (!rank \"world.rank()\")\n");
  EXPECT_EQ(causes(), (std::vector{Cause::argument, Cause::argument, Cause::rank}));
}

/// Of so many functions, each with a call of unseen code and a variable that it may change.
std::size_t reasons_of(int functions) {
  std::string variables, bodies, calls;
  for (int at = 0; at < functions; ++at) {
    const std::string number = std::to_string(at), name = "f" + number + "_";
    variables += "variable x" + number + " local of " + name + " escapes\n";
    bodies += "function " + name + " () entry 0 exit 0\n  node 0:\n    call ? () \"" + name +
              "\"\n    block " + number + " \"" + name + "\"\n      sender 0 <- x" + number + "\n";
    calls += name;
  }
  const text::Source source("a.cpp", calls);
  return find_uniformity(flow::parse(variables + bodies, source)).reasons.size();
}

TEST_F(UniformityTest, FunctionsAreLookedAtWithoutTheVariablesOfOthers) {
  EXPECT_EQ(reasons_of(1), 2u);
  EXPECT_EQ(reasons_of(100), 200u);
}

TEST_F(UniformityTest, IsPrinted) {
  run(straight("    overwrite x <- !rank \"world.rank()\"\n"));
  std::ostringstream out;
  print(result_, out);
  EXPECT_EQ(out.str(), "block line 1 reached: uniform\n  sender ?: x is not uniform\n");
}

}  // namespace
}  // namespace kanor::sema
