// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/exchanges.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "host/cfg/test_flow_graph.hpp"

namespace kanor::host {
namespace {

class ExchangesTest : public FlowGraphFixture {
 protected:
  /// The exchanges of `f`, without their places in the text, one on each line.
  std::string of(const std::string& body, const std::string& before = "") {
    also_ = [&](const ParsedUnit& parsed) { graph_ = build_flow_graph(parsed, {.pipelines_blocks = true}); };
    run("#include <kanor/kanor.hpp>\n#include <vector>\nusing kanor::world;\n" + before +
        "void f(int n) {\n" + body + "\n}\n");
    EXPECT_EQ(messages(), "");
    flow::verify(graph_);
    std::string all;
    for (const std::string& line : lines("f", "  exchange "))
      all += line.substr(line.find(" in ") + 4) + '\n';
    return all;
  }
};

TEST_F(ExchangesTest, NameWhatTheyUpdateAndUse) {
  EXPECT_EQ(of("double a[9], b = 1; int to = 0;\n@communicate { a[n]@to <<= b@0 where to > 0 }"),
            "2 updates a uses n uses b uses to\n");
  EXPECT_EQ(of("std::vector<std::vector<int>> v(2);\n"
               "@communicate (team = world, copy) { v[0][2]@1 <<= n@0; v[1][0 : n]@0 <<= v[0][1 : 2]@1 }"),
            "1 updates v uses n uses v\n");
  EXPECT_EQ(of("const int last = world.size() - 1; int a = 0;\n@communicate { a@last <<= last@i where i in "
               "world }"),
            "2 updates a uses last\n");
  EXPECT_EQ(
      of("int a = 0;\n@communicate (knows = sender) { a@0 <<= n@1 }\n@communicate (delta) { a@0 <<= n@1 }"),
      "");
}

TEST_F(ExchangesTest, MayHaveToStayWhereTheyAre) {
  const auto why = [&](const std::string& body, const std::string& before = "") {
    const std::string all = of(body, before);
    const auto reason = all.find("because");
    return reason == std::string::npos ? all : all.substr(reason, all.find('\n', reason) - reason);
  };
  EXPECT_EQ(why("int a = 0, &b = a;\n@communicate { b@0 <<= n@1 }"),
            "because \"'b' is another name of an object\" \"b\"");
  EXPECT_EQ(why("int a[2] = {}, *b = a;\n@communicate { b[0]@0 <<= n@1 }"),
            "because \"kanorc does not know which variable this is part of\" \"b[0]\"");
  EXPECT_EQ(why("@communicate { g@0 <<= n@1 }", "int g;\n"),
            "because \"'g' is not local to the function\" \"g\"");
  EXPECT_EQ(why("static int s;\n@communicate { s@0 <<= n@1 }"),
            "because \"'s' is not local to the function\" \"s\"");
  EXPECT_EQ(why("int a = 0;\nagain: @communicate { a@0 <<= n@1 }\nif (a) goto again;"),
            "because \"its function has labels, assembler or suspends\" \"again\"");
}

TEST_F(ExchangesTest, MayNotStartEarly) {
  const auto late = [&](const std::string& body, const std::string& before = "") {
    const std::string all = of(body, before);
    const auto reason = all.find(" late ");
    return reason == std::string::npos ? all : all.substr(reason + 1, all.find('\n', reason) - reason - 1);
  };
  EXPECT_EQ(late("int a = 0;\n@communicate { a@0 <<= g@1 }", "int g;\n"),
            "late \"'g' is not local to the function\" \"g\"");
  EXPECT_EQ(late("int a = 0;\n@communicate { a@0 <<= get()@1 }", "int get();\n"),
            "late \"a function of the program is called here\" \"get()\"");
  EXPECT_EQ(late("int a = 0;\n@communicate { a@0 <<= g@1 }", "constexpr int g = 3;\n"),
            "1 updates a uses g\n");
}

}  // namespace
}  // namespace kanor::host
