// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/cfg.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/cfg/test_flow_graph.hpp"

namespace kanor::host {
namespace {

class FlowGraphTest : public FlowGraphFixture {
 protected:
  /// The events of `function`, one a line, without the nodes.
  std::string events(const std::string& body, const std::string& function = "f", bool whole_program = false) {
    build("#include <tuple>\n#include <vector>\n", body, whole_program);
    std::string found;
    for (const auto& line : lines(function, "    ")) found += line + '\n';
    return found;
  }
};

TEST_F(FlowGraphTest, AUnitWithoutBlocksHasNone) {
  EXPECT_EQ(events("void f() { int x = 0; x++; }\n"), "");
  EXPECT_TRUE(graph_.functions.empty());
}

TEST_F(FlowGraphTest, ABlockIsOneEventWithWhatItReceives) {
  EXPECT_EQ(events("void f() {\n  int x = world.rank(), y = 1;\n"
                   "  @communicate { x@i <<= x@y where i in world }\n}\n"),
            "overwrite x <- !rank \"world.rank()\" \"world.rank()\"\n"
            "overwrite y \"1\"\n"
            "block 0\n"
            "  set 0 \"world\"\n"
            "  receiver 0 \"i\"\n"
            "  sender 0 <- y \"y\"\n"
            "receive x <- y \"x\"\n");
}

TEST_F(FlowGraphTest, AConstantIsNotWrittenByWhatMayReferToIt) {
  EXPECT_EQ(events("void f(int m) {\n  const int n = m;\n  std::vector<std::vector<int>> rows;\n"
                   "  auto& row = rows.emplace_back(n);\n  row[0] = world.rank();\n"
                   "  int x = 0;\n  @communicate { x@0 <<= 1@1 }\n}\n")
                .find("\nwrite n"),
            std::string::npos);
}

TEST_F(FlowGraphTest, WhatIsPutIntoAPairOrTupleIsNotWritten) {
  const std::string found = events(
      "void f(int m) {\n  int n = m;\n  auto pair = std::make_pair(m, n);\n"
      "  auto tuple = std::make_tuple(n, m);\n  @communicate { m@0 <<= n@1 }\n}\n");
  EXPECT_NE(found.find("overwrite tuple <- n, m"), std::string::npos) << found;
  EXPECT_EQ(found.find("\nwrite n"), std::string::npos) << found;
}

TEST_F(FlowGraphTest, WhatNotAllReceiveIsSaidSo) {
  EXPECT_EQ(events("void f() { int x = 0; @communicate { x@0 <<= 1@1 } }\n"),
            "overwrite x \"0\"\n"
            "block 0\n"
            "  receiver 0 \"0\"\n"
            "  sender 0 \"1\"\n"
            "write x <- !received \"x\" \"x\"\n");
}

TEST_F(FlowGraphTest, LengthsAreVariablesOfTheirOwn) {
  EXPECT_EQ(events("void f(int n) { std::vector<int> v(n); v[n] = 2; v.push_back(n);\n"
                   "  @communicate { n@0 <<= 1@1 where i in v } }\n"),
            "overwrite v.size__ <- n \"v(n)\"\n"
            "overwrite v <- n \"v(n)\"\n"
            "write v <- n \"2\"\n"
            "write v <- n \"v.push_back(n)\"\n"
            "write v.size__ \"v.push_back(n)\"\n"
            "block 0\n"
            "  set 0 <- v, v.size__ \"v\"\n"
            "  receiver 0 \"0\"\n"
            "  sender 0 \"1\"\n"
            "write n <- !received \"n\" \"n\"\n");
}

TEST_F(FlowGraphTest, ElementsDoNotDecideHowManyThereAre) {
  EXPECT_EQ(events("void f(int n, int e) {\n  std::vector<int> v, w;\n  v.resize(n, e);\n  v.assign(n, e);\n"
                   "  v.assign({e, e});\n  v.insert(v.end(), e);\n  v.insert(v.begin(), n, e);\n"
                   "  v.insert(v.end(), w.begin(), w.end());\n  v.erase(v.begin());\n"
                   "  @communicate { n@0 <<= 1@1 }\n}\n"),
            "overwrite v.size__ \"v\"\n"
            "overwrite v \"v\"\n"
            "overwrite w.size__ \"w\"\n"
            "overwrite w \"w\"\n"
            "write v <- n, e \"v.resize(n, e)\"\n"
            "overwrite v.size__ <- n \"v.resize(n, e)\"\n"
            "overwrite v <- n, e \"v.assign(n, e)\"\n"
            "overwrite v.size__ <- n \"v.assign(n, e)\"\n"
            "overwrite v <- e, e \"v.assign({e, e})\"\n"
            "overwrite v.size__ \"v.assign({e, e})\"\n"
            "write v <- v.size__, v, e \"v.insert(v.end(), e)\"\n"
            "write v.size__ \"v.insert(v.end(), e)\"\n"
            "write v <- v, n, e \"v.insert(v.begin(), n, e)\"\n"
            "write v.size__ <- n \"v.insert(v.begin(), n, e)\"\n"
            "write v <- v.size__, v, w, w.size__, w \"v.insert(v.end(), w.begin(), w.end())\"\n"
            "write v.size__ <- w.size__ \"v.insert(v.end(), w.begin(), w.end())\"\n"
            "write v <- v \"v.erase(v.begin())\"\n"
            "write v.size__ \"v.erase(v.begin())\"\n"
            "block 0\n"
            "  receiver 0 \"0\"\n"
            "  sender 0 \"1\"\n"
            "write n <- !received \"n\" \"n\"\n");
}

TEST_F(FlowGraphTest, AnObjectThatIsNeverWholeIsItsMembers) {
  const std::string type = "struct S { int root = 0; std::vector<int> list; };\n";
  EXPECT_EQ(events(type + "void f(int n) {\n  S s;\n  s.root = n;\n  s.list.resize(n);\n"
                          "  @communicate { s.root@i <<= n@s.root where i in world }\n}\n"),
            "overwrite s.root \"0\"\n"
            "overwrite s.list \"s\"\n"
            "overwrite s.list.size__ \"s\"\n"
            "overwrite s.root <- n \"n\"\n"
            "write s.list <- n \"s.list.resize(n)\"\n"
            "overwrite s.list.size__ <- n \"s.list.resize(n)\"\n"
            "block 0\n"
            "  set 0 \"world\"\n"
            "  receiver 0 \"i\"\n"
            "  sender 0 <- s.root \"s.root\"\n"
            "receive s.root <- s.root \"s.root\"\n");
  EXPECT_EQ(events(type + "void g(const S&);\nvoid f(int n) {\n  S s{n, {}};\n  g(s);\n"
                          "  @communicate { n@s.root <<= n@0 }\n}\n")
                .find("overwrite s.root"),
            std::string::npos);
}

TEST_F(FlowGraphTest, AnAddressInAMemberLeadsToWhatAnyObjectsMemberMayLeadTo) {
  const std::string types = "struct A { int* p; };\nstruct B { int* q; };\n";
  const std::string found = events(types +
                                       "void g(A& a) { *a.p = 1; }\n"
                                       "void f(int m) {\n  int k = 0, l = 0;\n  double d = 0;\n  A a{&k};\n"
                                       "  B b{&l};\n  std::vector<double*> ds{&d};\n"
                                       "  @communicate { k@0 <<= 1@1 }\n}\n",
                                   "g");
  EXPECT_NE(found.find("write k, p <- a, p"), std::string::npos) << found;
  EXPECT_EQ(found.find("\nwrite l"), std::string::npos) << found;
  EXPECT_EQ(found.find("\nwrite d"), std::string::npos) << found;
}

TEST_F(FlowGraphTest, AnAddressInAContainerLeadsToWhatAnElementMayLeadTo) {
  const std::string found = events(
      "void keep(std::vector<int*>& list, int& one) { list.push_back(&one); }\n"
      "void f(int m) {\n  int k = 0, other = 0;\n  long n = 0;\n  std::vector<int*> list;\n"
      "  keep(list, k);\n  int* followed = &other;\n  *list[0] = m;\n  @communicate { k@0 <<= 1@1 }\n}\n");
  EXPECT_NE(found.find("write k, list#2 <- m"), std::string::npos) << found;
  EXPECT_EQ(found.find("\nwrite other"), std::string::npos) << found;
  EXPECT_EQ(found.find("\nwrite n"), std::string::npos) << found;
}

TEST_F(FlowGraphTest, ANumberThatNobodyGivesAValueHasNone) {
  const std::string found = events(
      "void f() {\n  int k, l, m;\n  l = 1;\n  int* p = &m;\n  *p = 2;\n"
      "  @communicate { k@0 <<= 1@1 }\n  int n;\n  @communicate { l@n <<= 1@1 }\n}\n");
  EXPECT_NE(found.find("overwrite k \"k\""), std::string::npos) << found;
  EXPECT_NE(found.find("overwrite l \"l\""), std::string::npos) << found;
  EXPECT_NE(found.find("overwrite m \"m\""), std::string::npos) << found;
  EXPECT_NE(found.find("overwrite n <- !undefined \"n\" \"n\""), std::string::npos) << found;
}

TEST_F(FlowGraphTest, AFunctionsStaticVariableKeepsItsValue) {
  EXPECT_EQ(events("int& f() {\n  static int n = 0;\n  return n;\n}\n"
                   "void g(int m) {\n  int x = 0;\n  f() = m;\n  @communicate { x@0 <<= 1@1 }\n}\n",
                   "f"),
            "write n \"0\"\noverwrite f__ <- n \"n\"\n");
}

TEST_F(FlowGraphTest, AReferenceParameterStandsForWhatItRefersTo) {
  const std::string callee =
      "static void f(int& a, std::vector<int>& list, const int& c) { a = c; list.clear(); }\n";
  const std::string caller =
      "void g(int n) {\n  std::vector<int> v;\n  f(n, v, n);\n  f(v[0], v, 1);\n"
      "  @communicate { n@0 <<= 1@1 }\n}\n";
  EXPECT_EQ(events(callee + caller),
            "overwrite a <- c \"c\"\n"
            "overwrite list \"list.clear()\"\n"
            "overwrite list.size__ \"list.clear()\"\n");
  EXPECT_EQ(events(callee + caller, "g"),
            "overwrite v.size__ \"v\"\n"
            "overwrite v \"v\"\n"
            "call f (n => n; v => v; v.size__ => v.size__; n) \"f(n, v, n)\"\n"
            "call f (v > v; v => v; v.size__ => v.size__; ) \"f(v[0], v, 1)\"\n"
            "block 0\n"
            "  receiver 0 \"0\"\n"
            "  sender 0 \"1\"\n"
            "write n <- !received \"n\" \"n\"\n");
}

TEST_F(FlowGraphTest, RangeAlgorithmsKeepLengths) {
  EXPECT_EQ(events("#include <algorithm>\nvoid f(std::vector<int> v) {\n  std::ranges::sort(v);\n"
                   "  @communicate { v@0 <<= v@1 }\n}\n"),
            "write v <- v \"std::ranges::sort(v)\"\n"
            "block 0\n"
            "  receiver 0 \"0\"\n"
            "  sender 0 \"1\"\n"
            "write v <- !received \"v\" \"v\"\n"
            "write v.size__ <- !received \"v\" \"v\"\n");
}

TEST_F(FlowGraphTest, TeamsHaveNames) {
  EXPECT_EQ(events("static void g(const kanor::team&) {}\n"
                   "void f(kanor::team t) {\n"
                   "  int x = 0;\n"
                   "  const kanor::team& all = world;\n"
                   "  kanor::team row = t, part = t.split(0, 0);\n"
                   "  part = row;\n"
                   "  g(t);\n"
                   "  g(t.split(0, 0));\n"
                   "  @communicate (team = part) { x@0 <<= 1@1 }\n}\n"),
            "overwrite x \"0\"\n"
            "overwrite all @!world \"world\"\n"
            "overwrite row @t <- !team_size t \"t\" \"t\"\n"
            "split @t \"t.split(0, 0)\"\n"
            "overwrite part \"t.split(0, 0)\"\n"
            "overwrite part @row <- !team_size row \"row\" \"part = row\"\n"
            "call g (@t !team_size t \"t\") \"g(t)\"\n"
            "split @t \"t.split(0, 0)\"\n"
            "call g () \"g(t.split(0, 0))\"\n"
            "block 0 @part\n"
            "  receiver 0 \"0\"\n"
            "  sender 0 \"1\"\n"
            "write x <- !received \"x\" \"x\"\n");
}

TEST_F(FlowGraphTest, WhatAnOperandChangesIsChangedWhereItIsEvaluated) {
  events(
      "void f(bool b) {\n  int r = 0, x = 0;\n  b && (r = 1);\n"
      "  @communicate { x@i <<= 1@r where i in world }\n}\n");
  ASSERT_FALSE(graph_.functions.empty());
  const auto& nodes = graph_.functions[0].nodes;
  const auto changed = [&](const flow::Node& node) {
    return std::count_if(node.events.begin(), node.events.end(), [&](const flow::Event& event) {
      return event.variable >= 0 && graph_.variables[static_cast<std::size_t>(event.variable)].name == "r";
    });
  };
  int of_one_way = 0;
  for (const auto& node : nodes)
    if (node.successors.size() == 2)
      for (const int next : node.successors)
        of_one_way += static_cast<int>(changed(nodes[static_cast<std::size_t>(next)]));
  EXPECT_EQ(of_one_way, 1);
}

TEST_F(FlowGraphTest, AnAssignmentInAnOperandComesBeforeWhatUsesIt) {
  EXPECT_EQ(events("void f(int n) {\n  int r = 0;\n  const int y = (r = n) + 1;\n"
                   "  @communicate { n@0 <<= 1@1 }\n}\n"),
            "overwrite r \"0\"\n"
            "overwrite r <- n \"n\"\n"
            "overwrite y <- r \"(r = n) + 1\"\n"
            "block 0\n"
            "  receiver 0 \"0\"\n"
            "  sender 0 \"1\"\n"
            "write n <- !received \"n\" \"n\"\n");
}

TEST_F(FlowGraphTest, AnObjectThatIsReturnedSaysWhatItsMembersHave) {
  const auto found = events(
      "struct A { int r; };\nstatic A make(int r) { return {r}; }\n"
      "void f() {\n  int x = make(0).r;\n  @communicate { x@0 <<= 1@1 }\n}\n");
  ASSERT_FALSE(graph_.functions.empty());
  bool is_told_apart = false;
  for (const auto& function : graph_.functions)
    for (const auto& node : function.nodes)
      for (const auto& event : node.events)
        for (const auto& use : event.uses)
          is_told_apart |= use.also >= 0 && graph_.variables[static_cast<std::size_t>(use.also)].kind ==
                                                flow::VariableKind::result;
  EXPECT_TRUE(is_told_apart) << found;
}

TEST_F(FlowGraphTest, AGridHasATeam) {
  EXPECT_EQ(events("void f(const kanor::team& t, int n) {\n"
                   "  int x = 0;\n"
                   "  kanor::grid<1> g(t, {n});\n"
                   "  const kanor::team& m = g.team();\n"
                   "  @communicate (team = m) { x@g.neighbor(i, 0, 1) <<= x@i where i in m }\n}\n"),
            "overwrite x \"0\"\n"
            "overwrite g.team__ @t \"g(t, {n})\"\n"
            "overwrite g <- n, !team_size g.team__ \"g(t, {n})\" \"g(t, {n})\"\n"
            "overwrite m @g.team__ <- !team_size g.team__ \"g.team()\" \"g.team()\"\n"
            "block 0 @m\n"
            "  set 0 <- !team_size m \"m\" \"m\"\n"
            "  receiver 0 <- g \"g.neighbor(i, 0, 1)\"\n"
            "  sender 0 \"i\"\n"
            "write x <- !received \"x\" \"x\"\n");
}

TEST_F(FlowGraphTest, OtherFilesMayCallWhatTheySee) {
  events("static void f() { int x = 0; @communicate { x@0 <<= 1@1 } }\nvoid g() { f(); }\n");
  ASSERT_EQ(graph_.functions.size(), 2u);
  EXPECT_EQ(graph_.functions[0].other_callers, flow::OtherCallers::none);
  EXPECT_EQ(graph_.functions[1].other_callers, flow::OtherCallers::other_files);
}

TEST_F(FlowGraphTest, WhoIsGivenAFunctionMayCallIt) {
  events(
      "static void f() { int x = 0; @communicate { x@0 <<= 1@1 } }\n"
      "static void g() { int x = 0; @communicate { x@0 <<= 1@1 } }\n"
      "void (*const table[])() = {f};\nvoid h() { table[0](); g(); }\n");
  ASSERT_EQ(graph_.functions.size(), 4u);
  EXPECT_EQ(graph_.functions[0].other_callers, flow::OtherCallers::given_it);
  EXPECT_EQ(graph_.functions[1].other_callers, flow::OtherCallers::none);
  EXPECT_EQ(graph_.functions[2].other_callers, flow::OtherCallers::other_files);
}

TEST_F(FlowGraphTest, NobodyElseCallsTheFunctionsOfAWholeProgram) {
  events("int x; void f() { @communicate { x@0 <<= 1@1 } }\n", "f", true);
  ASSERT_FALSE(graph_.functions.empty());
  EXPECT_EQ(graph_.functions[0].other_callers, flow::OtherCallers::none);
  EXPECT_FALSE(graph_.variables[0].other_files);
}

}  // namespace
}  // namespace kanor::host
