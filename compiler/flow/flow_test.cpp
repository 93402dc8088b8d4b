// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
    write n, root, f <- n
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
  node 2 level 1: 1 3 if !exception from 1 2
  node 3:
function f (n, root) -> f uniform given entry 0 exit 0
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

constexpr std::string_view contents = R"flow(variable A local of main
variable v local of main
variable p parameter of f
function main () entry 0 exit 4
  candidate A[1024][?] bytes 8192 initialised asked globalize "double A[1024] = {}" in 0
  candidate v vector asked local
    obstacle "it is \"captured\"" "[v]"
    obstacle "it is a reference's"
  statement 0 "double A[1024] = {};"
  statement 1 loop "for (;;)"
  statement 2 loop in 1
  statement 3 ends "return;" in 2
  loop 0 header 1 counts 0 to ? by -2 along v in 1
  loop 1 header 2 inside 0 counts -3 to 9
  loop 2 header 3 inside 1
  node 0: 1
    access overwrite A "A" in 0
  node 1 level 1: 2 4 if v "for (;;)"
    access read A[i0 + 1][?] "A[i + 1]" in 1
    access write A[2*i0 - i1 - 7][-3*i2] in 2
    access write A[0][-5]
  node 2 level 2: 3 1 if v
    access send A block 0 part 1 "A" in 3
    access receive v block 0 part 0 everywhere in 3
    access receive A block 1 part 0
  node 3 level 3: 3 2 if v
    call f (A > A; ) "f(A)"
    access call A to f 0 "f(A)" in 3
    access call v to ? in 3
    access call v to ? 2
    access escape v because "its address is stored" "[v]"
  node 4:
function f (p, p) entry 0 exit 0
  node 0:
)flow";
const text::Source program("b.cpp", "double A[1024] = {}; for (;;) A[i + 1]; v; { A; f(A); return; } [v]");

TEST(FlowGraph, ContentsArePrintedAsTheyAreRead) {
  const FlowGraph graph = parse(contents, program);
  verify(graph);
  std::ostringstream out;
  print(graph, out);
  EXPECT_EQ(out.str(), contents);
}

TEST(FlowGraph, SubscriptsAreRead) {
  const FlowGraph graph = parse(contents, program);
  const Access& access = graph.functions[0].nodes[1].accesses[1];
  ASSERT_EQ(access.subscripts.size(), 2u);
  EXPECT_EQ(access.subscripts[0], (Affine{-7, {{0, 2}, {1, -1}}}));
  EXPECT_EQ(access.subscripts[1], (Affine{0, {{2, -3}}}));
  EXPECT_EQ(graph.functions[0].loops[0].last, std::nullopt);
  EXPECT_EQ(graph.functions[0].loops[1].first, -3);
}

/// The contents with one place of them changed.
FlowGraph changed(std::string_view from, std::string_view to) {
  std::string text(contents);
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("nothing to change");
  return parse(text.replace(at, from.size(), to), program);
}

bool is_refused(const FlowGraph& graph) {
  try {
    verify(graph);
  } catch (const std::logic_error&) {
    return true;
  }
  return false;
}

TEST(FlowGraph, ContentsAreVerified) {
  EXPECT_TRUE(is_refused(changed("in 0\n  candidate", "in 4\n  candidate")));
  EXPECT_TRUE(is_refused(changed("statement 1 loop \"for (;;)\"", "statement 1 loop in 3")));
  EXPECT_TRUE(is_refused(changed("statement 2 loop in 1", "statement 2 loop in 2")));
  EXPECT_TRUE(is_refused(changed("header 1", "header 0")));
  EXPECT_TRUE(is_refused(changed("header 2 inside 0", "header 2")));
  EXPECT_TRUE(is_refused(changed("header 2 inside 0", "header 2 inside 1")));
  EXPECT_TRUE(is_refused(changed("header 2 inside 0", "header 2 inside 3")));

  EXPECT_TRUE(is_refused(changed("header 3 inside 1", "header 2 inside 1")));
  EXPECT_TRUE(is_refused(changed("  loop 2 header 3 inside 1\n", "")));
  EXPECT_TRUE(is_refused(changed("by -2", "by 0")));
  EXPECT_TRUE(is_refused(changed("along v in 1", "in 4")));
  EXPECT_TRUE(is_refused(changed("-3*i2", "-3*i3")));
  EXPECT_TRUE(is_refused(changed("2*i0 - i1", "2*i1 - i0")));
  EXPECT_TRUE(is_refused(changed("part 1 \"A\" in 3", "part 1 in 9")));
  EXPECT_TRUE(is_refused(changed("to f 0", "to f 2")));
  EXPECT_TRUE(is_refused(changed("to f 0", "to f")));
}

TEST(FlowGraph, ContentsThatCannotBeRead) {
  EXPECT_THROW(changed("access read", "access unheard_of"), std::invalid_argument);
  EXPECT_THROW(changed("asked local", "asked politely"), std::invalid_argument);
  EXPECT_THROW(changed("statement 1", "statement 7"), std::invalid_argument);
  EXPECT_THROW(changed("i0 + 1", "j0 + 1"), std::invalid_argument);
  EXPECT_THROW(changed("\"it is a reference's\"", ""), std::invalid_argument);
  EXPECT_THROW(changed("is stored\"", "is stored"), std::invalid_argument);
  EXPECT_THROW(parse("access read A\n", program), std::invalid_argument);
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
  EXPECT_THROW(verify(parse("variable x local\nfunction f (x) entry 0 exit 0\n  node 0:\n    call f (x; x)\n",
                            source)),
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

TEST(Shape, LoopsThatAreEnteredTwiceAreNotReducible) {
  EXPECT_TRUE(is_reducible(function_of(nested)));
  EXPECT_TRUE(is_reducible(function_of(diamond)));
  EXPECT_TRUE(is_reducible(function_of({{1, 4}, {2, 3}, {0}, {0}, {}})));
  // 0 -> 1 | 2, 1 <-> 2: nobody is its head.
  EXPECT_FALSE(is_reducible(function_of({{1, 2}, {2, 3}, {1}, {}})));
  // The same around a loop that is one, and where 4 <-> 5 cannot be reached.
  EXPECT_FALSE(is_reducible(function_of({{1, 3}, {2}, {2, 3}, {1, 4}, {}})));
  EXPECT_TRUE(is_reducible(function_of({{1}, {2}, {1, 3}, {}, {5, 1}, {4, 2}})));
}

TEST(Shape, LoopsAreCompleted) {
  // 0 -> 1 -> 2 -> 1, 1 -> 3 <-> 3, 3 -> 4: the loop {3} is in the text of {1, 2}, and leaves it.
  Function function = function_of({{1}, {2, 3}, {1}, {3, 4}, {}});
  function.loops.resize(2);
  function.loops[0].header = 1;
  function.loops[1].header = 3;
  function.loops[1].parent = 0;
  complete_loops(function);
  ASSERT_EQ(function.loops.size(), 2u);
  EXPECT_EQ(function.loops[1].parent, -1);

  function = function_of(nested);
  function.loops.resize(1);
  function.loops[0].header = 3;
  complete_loops(function);
  ASSERT_EQ(function.loops.size(), 2u);
  EXPECT_EQ(function.loops[1].header, 1);
  EXPECT_EQ(function.loops[1].statement, -1);
  EXPECT_EQ(function.loops[0].parent, 1);
}

TEST(Shape, ALevelIsThatOfNaturalLoops) {
  FlowGraph graph;
  // 0 -> 1 | 2, 1 <-> 2: the source has a loop at 1, which is entered in the middle.
  Function& function = graph.functions.emplace_back(function_of({{1, 2}, {2, 3}, {1}, {}}));
  function.name = "f";
  function.loops.resize(1);
  function.loops[0].header = 1;
  EXPECT_NO_THROW(verify(graph));
  function.nodes[1].level = 1;
  EXPECT_THROW(verify(graph), std::logic_error);

  function.nodes[0].successors = {1};
  function.nodes[2].level = 1;
  EXPECT_NO_THROW(verify(graph));
  function.nodes[1].level = 2;
  EXPECT_THROW(verify(graph), std::logic_error);
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
