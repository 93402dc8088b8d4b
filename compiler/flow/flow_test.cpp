#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "flow/shape.hpp"
#include "flow/solver.hpp"

namespace kanor::flow {
namespace {

constexpr std::string_view text = R"flow(variable n local of main
variable root global uniform elsewhere
variable f.x member escapes
variable f result of f
variable row team of main
function main (n) -> f, n elsewhere entry 0 exit 3
  node 0: 1
    overwrite n <- !rank "world.rank()", root/f.x "world.rank() + root"
    write n
    call f = f (n, root > n root; ) "f(n)"
    call f = f (n => n; ) "f(n)"
    overwrite row @!world
    overwrite row @row <- n
    call f = f (@row n; @!world ) "f(n)"
    block 2 @?
    call ? ()
  node 1 level 1: 2 3 if n, !team_size row "row.size()" "n < row.size()"
    block 0 @row
      sender 1 <- n "n < row.size()"
      filter 2
    receive n <- root "n"
  node 2 level 1: 1
  node 3:
function f (n, root) -> f uniform entry 0 exit 0
  node 0:
)flow";
const text::Source source("a.cpp", "world.rank() + root; f(n); n < row.size(); \"a\\b\n\"");

TEST(FlowGraph, IsPrintedAsItIsRead) {
  const FlowGraph graph = parse(text, source);
  verify(graph);
  std::ostringstream out;
  print(graph, out);
  EXPECT_EQ(out.str(), text);
}

TEST(FlowGraph, TextMayHoldQuotesAndLineEnds) {
  FlowGraph graph;
  graph.variables.emplace_back().name = "x";
  graph.functions.emplace_back().name = "f";
  Event event;
  event.variable = 0;
  event.at = {&source, {43, 49}};
  graph.functions[0].nodes.emplace_back().events.push_back(event);
  std::ostringstream out;
  print(graph, out);
  EXPECT_NE(out.str().find(R"(overwrite x "\"a\\b\n\"")"), std::string::npos) << out.str();
  EXPECT_EQ(parse(out.str(), source).functions[0].nodes[0].events[0].at, event.at);
}

TEST(FlowGraph, EqualNamesAreToldApart) {
  FlowGraph graph;
  graph.variables.resize(2);
  graph.variables[0].name = graph.variables[1].name = "v.size()";
  std::ostringstream out;
  print(graph, out);
  EXPECT_EQ(out.str(), "variable v.size__ local\nvariable v.size__#2 local\n");
}

TEST(FlowGraph, SaysWhatItCannotRead) {
  EXPECT_THROW(parse("variable x unheard_of\n", source), std::invalid_argument);
  EXPECT_THROW(parse("nonsense\n", source), std::invalid_argument);
  EXPECT_THROW(parse("function f () entry 0 exit 0\n  node 0:\n    write x\n", source),
               std::invalid_argument);
  EXPECT_THROW(parse("function f () entry 0 exit 0\n  node 1:\n", source), std::invalid_argument);
}

TEST(FlowGraph, IsVerified) {
  EXPECT_THROW(verify(parse("function f () entry 0 exit 0\n  node 0: 1\n", source)), std::logic_error);
  EXPECT_THROW(verify(parse("function f () entry 0 exit 1\n  node 0:\n", source)), std::logic_error);
  EXPECT_THROW(verify(parse("function f () entry 0 exit 0\n  node 0 level 1:\n", source)), std::logic_error);
  EXPECT_THROW(
      verify(parse("variable x local\nfunction f (x) entry 0 exit 0\n  node 0:\n    call f (x; x)\n", source)),
      std::logic_error);
}

/// Nodes and their successors; the last one is the exit.
Function function_of(const Edges& edges) {
  Function function;
  function.exit = static_cast<int>(edges.size()) - 1;
  for (const auto& successors : edges) function.nodes.emplace_back().successors = successors;
  return function;
}

// 0 -> 1 <-> 2 -> 3 <-> 4, 3 -> 1, 1 -> 5: a loop in a loop
const Edges nested{{1}, {2, 5}, {3}, {4, 1}, {3}, {}};
// 0 -> 1 | 2 -> 3
const Edges diamond{{1, 2}, {3}, {3}, {}};

TEST(Shape, LevelsCountNaturalLoops) {
  EXPECT_EQ(loop_levels(function_of(nested)), (std::vector<int>{0, 1, 1, 2, 2, 0}));
  EXPECT_EQ(loop_levels(function_of(diamond)), (std::vector<int>{0, 0, 0, 0}));
}

TEST(Shape, ALoopWithTwoWaysBackIsOneLoop) {
  EXPECT_EQ(loop_levels(function_of({{1, 4}, {2, 3}, {0}, {0}, {}})), (std::vector<int>{1, 1, 1, 1, 0}));
}

TEST(Shape, Dominators) {
  EXPECT_EQ(immediate_dominators(diamond, 0), (std::vector<int>{-1, 0, 0, 0}));
  EXPECT_EQ(immediate_dominators(reversed(diamond), 3), (std::vector<int>{3, 3, 3, -1}));
  EXPECT_EQ(immediate_dominators(reversed(nested), 5), (std::vector<int>{1, 5, 3, 1, 3, -1}));
}

TEST(Shape, UnreachableNodesHaveNoDominator) {
  const Edges edges{{2}, {2}, {}};
  EXPECT_EQ(immediate_dominators(edges, 0), (std::vector<int>{-1, -1, 0}));
  EXPECT_EQ(reverse_postorder(edges, 0), (std::vector<int>{0, 2}));
}

Influence influence_in(const Edges& edges, int node) {
  return influence(edges, node, immediate_dominators(reversed(edges), static_cast<int>(edges.size()) - 1));
}

TEST(Influence, OfABranchEndsWhereTheWaysMeet) {
  const auto found = influence_in(diamond, 0);
  EXPECT_EQ(found.nodes, (std::vector<int>{1, 2}));
  EXPECT_EQ(found.joins, std::vector<int>{3});
}

TEST(Influence, OfALoopIsItsBodyAndItsConditionNextTime) {
  const auto found = influence_in({{1, 2}, {0}, {}}, 0);
  EXPECT_EQ(found.nodes, (std::vector<int>{0, 1}));
  EXPECT_EQ(found.joins, std::vector<int>{2});
}

TEST(Influence, OfAnEarlyReturnReachesToTheEnd) {
  // 0 -> 1 (return) | 2 -> 3 -> 4 (exit)
  const auto found = influence_in({{1, 2}, {4}, {3}, {4}, {}}, 0);
  EXPECT_EQ(found.nodes, (std::vector<int>{1, 2, 3}));
}

TEST(Influence, WhatDoesNotReturnIsNoWay) {
  // 0 -> 1 (exit()) | 2 -> 3
  const auto found = influence_in({{1, 2}, {}, {3}, {}}, 0);
  EXPECT_EQ(found.nodes, std::vector<int>{1});
  EXPECT_EQ(found.joins, std::vector<int>{2});
}

TEST(Influence, WaysMayMeetBeforeTheyAllDo) {
  // A switch: 0 -> 1 | 2 | 3; 1 falls through to 2.
  const auto found = influence_in({{1, 2, 3}, {2}, {4}, {4}, {}}, 0);
  EXPECT_EQ(found.joins, (std::vector<int>{2, 4}));
}

/// Which nodes have been passed.
struct Passed {
  std::vector<bool> entry() const { return std::vector<bool>(6); }
  void transfer(int node, std::vector<bool>& state) const { state[static_cast<std::size_t>(node)] = true; }
  bool merge(std::vector<bool>& into, const std::vector<bool>& from) const {
    const auto before = into;
    for (std::size_t at = 0; at < into.size(); ++at) into[at] = into[at] || from[at];
    return into != before;
  }
};

TEST(Solver, ReachesTheFixedPointOfLoops) {
  Passed problem;
  const auto states = solve_forward<std::vector<bool>>(function_of(nested), problem);
  EXPECT_EQ(*states[0], (std::vector<bool>{false, false, false, false, false, false}));
  EXPECT_EQ(*states[1], (std::vector<bool>{true, true, true, true, true, false}));
  EXPECT_EQ(*states[5], (std::vector<bool>{true, true, true, true, true, false}));
}

TEST(Solver, LeavesOutWhatCannotBeReached) {
  Passed problem;
  const auto states = solve_forward<std::vector<bool>>(function_of({{2}, {2}, {}}), problem);
  EXPECT_FALSE(states[1].has_value());
  EXPECT_TRUE(states[2].has_value());
}

}  // namespace
}  // namespace kanor::flow
