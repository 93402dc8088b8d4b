// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What agrees within a team: the tests of uniformity with teams other than the world.
#include <gtest/gtest.h>

#include "sema/test_uniformity.hpp"

namespace kanor::sema {
namespace {

using TeamUniformityTest = UniformityTest;

TEST_F(TeamUniformityTest, ATeamsSizeAgreesWithinTheTeam) {
  const std::string size = "    overwrite x <- !team_size row \"row.size()\"\n";
  run(straight(size + "    block 1 @row \"here\"\n      sender 0 <- x\n"));
  ASSERT_EQ(result_.blocks.size(), 2u);
  EXPECT_TRUE(result_.blocks[1].expressions[0].nonuniform.empty());
  EXPECT_EQ(result_.blocks[0].expressions[0].nonuniform.at(0).agreement.level, Agreement::Level::team);
}

TEST_F(TeamUniformityTest, AnotherTeamsSizeDoesNot) {
  run(
      straight("    overwrite x <- !team_size row \"row.size()\"\n    overwrite row\n"
               "    block 1 @row \"here\"\n      sender 0 <- x\n"));
  EXPECT_FALSE(result_.blocks.at(1).expressions[0].nonuniform.empty());
}

TEST_F(TeamUniformityTest, ATeamKeepsItsNameWithinCalls) {
  run("variable row team of main\nvariable x local of main\nvariable p team of f\nvariable y parameter of f\n"
      "variable r result of f\n"
      "function main () entry 0 exit 0\n  node 0:\n"
      "    call x = f (@row !team_size row \"row.size()\"; !team_size row \"row.size()\")\n"
      "    block 0 @row \"@communicate\"\n      sender 0 <- x\n"
      "function f (p, y) -> r entry 0 exit 0\n  node 0:\n    overwrite r <- y\n"
      "    block 1 @p \"here\"\n      sender 0 <- y\n");
  EXPECT_TRUE(agrees());
}

constexpr std::string_view row_and_p =
    "variable row team of main\nvariable p team of main\nvariable x local of main\n"
    "function main () entry 0 exit 0\n  node 0:\n";
constexpr std::string_view in_row = "    overwrite x <- !team_size row \"row.size()\"\n";
constexpr std::string_view ask_p = "    block 0 @p \"@communicate\"\n      sender 0 <- x\n";

TEST_F(TeamUniformityTest, TwoNamesOfATeamAreOneTeam) {
  run(std::string(row_and_p) + std::string(in_row) + "    overwrite p @row\n" + std::string(ask_p));
  EXPECT_TRUE(agrees());
  run(std::string(row_and_p) + std::string(in_row) + "    overwrite p\n" + std::string(ask_p));
  EXPECT_FALSE(agrees());
}

TEST_F(TeamUniformityTest, ANameThatMovesOnIsNoOtherName) {
  run(std::string(row_and_p) + "    overwrite p @row\n" + std::string(in_row) + "    overwrite p\n" +
      std::string(ask_p));
  EXPECT_FALSE(agrees());
  run(std::string(row_and_p) + "    overwrite row\n    overwrite p @row\n    overwrite row\n" +
      std::string(in_row) + std::string(ask_p));
  EXPECT_FALSE(agrees());
}

TEST_F(TeamUniformityTest, AnotherNameOfTheWorldIsTheWorld) {
  run(std::string(row_and_p) + "    overwrite row @!world\n" + std::string(in_row) + std::string(ask));
  EXPECT_TRUE(agrees());
  EXPECT_FALSE(result_.blocks.at(0).has_team);
}

TEST_F(TeamUniformityTest, AParameterIsTheWorldWhereItIsGivenTheWorld) {
  const auto text = [](const std::string& team) {
    return "variable row team of main\nvariable p team of f\nvariable x local of f\n"
           "function main () entry 0 exit 0\n  node 0:\n    call f (" +
           team + ")\nfunction f (p) entry 0 exit 0\n  node 0:\n    overwrite x <- !team_size p \"p\"\n" +
           std::string(ask);
  };
  run(text("@!world"));
  EXPECT_TRUE(agrees());
  run(text("@row"));
  EXPECT_FALSE(agrees());
}

TEST_F(TeamUniformityTest, TwoParametersMayBeOneTeam) {
  const auto text = [](const std::string& team) {
    return "variable row team of main\nvariable z team of main\nvariable p team of f\nvariable y team of f\n"
           "variable x local of f\nfunction main () entry 0 exit 0\n  node 0:\n    call f (@row; " +
           team + ")\nfunction f (p, y) entry 0 exit 0\n  node 0:\n    overwrite x <- !team_size y \"y\"\n" +
           std::string(ask_p);
  };
  run(text("@row"));
  EXPECT_TRUE(agrees());
  run(text("@z"));
  EXPECT_FALSE(agrees());
}

/// Functions that are called by many teams, none of which they know.
TEST_F(TeamUniformityTest, WhatAFunctionMakesOfATeamsValueIsTheTeams) {
  std::string text =
      "variable p parameter of f\nvariable y parameter of f\nvariable r result of f\n"
      "function f (p, y) -> r entry 0 exit 0\n  node 0:\n    overwrite r <- p, y\n";
  for (int at = 0; at < 40; ++at) {
    const std::string n = std::to_string(at);
    text += "variable row" + n + " team of g" + n + "\nvariable x" + n + " local of g" + n + "\nfunction g" +
            n + " () entry 0 exit 0\n  node 0:\n    call x" + n + " = f (!team_size row" + n +
            " \"row.size()\"; " + (at % 2 == 0 ? "" : "!team_size row" + n + " \"row.size()\"") +
            ")\n    block " + n + " @row" + n + " \"@communicate\"\n      sender 0 <- x" + n + "\n";
  }
  run(text);
  EXPECT_TRUE(agrees());
}

TEST_F(TeamUniformityTest, AFunctionKeepsTheValuesOfTwoTeamsApart) {
  run("variable row team of main\nvariable z team of main\nvariable x local of main\nvariable p parameter of "
      "f\n"
      "variable y parameter of f\nvariable r result of f\n"
      "function f (p, y) -> r entry 0 exit 0\n  node 0:\n    overwrite r <- p, y\n"
      "function main () entry 0 exit 0\n  node 0:\n"
      "    call x = f (!team_size row \"row.size()\"; !team_size z \"z\")\n"
      "    block 0 @row \"@communicate\"\n      sender 0 <- x\n");
  EXPECT_FALSE(agrees());
}

}  // namespace
}  // namespace kanor::sema
