// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/copy_loops.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/cfg/test_flow_graph.hpp"

namespace kanor::host {
namespace {

class CopyLoopsTest : public FlowGraphFixture {
 protected:
  /// The copying loops of `f`, one on each line, without their texts.
  std::string of(const std::string& body, const std::string& before = "") {
    also_ = [&](const ParsedUnit& parsed) { graph_ = build_flow_graph(parsed, {}); };
    run("#include <kanor/kanor.hpp>\n#include <vector>\nusing kanor::world;\nusing V = "
        "std::vector<double>;\n" +
        before + "void f(V& a, double* p, int n, int w) {\n" + body + "\n}\n");
    EXPECT_EQ(messages(), "");
    flow::verify(graph_);
    std::string all;
    for (const std::string& line : lines("f", "  copy ")) {
      const auto text = line.find('"'), rest = line.rfind("\" in ");
      all += line.substr(0, text) + line.substr(rest + 5) + '\n';
    }
    return all;
  }
  std::string pack(const std::string& loop, const std::string& section = "0 : n") {
    return of("V b(n);\n" + loop + "\n@communicate { a[0 : n]@1 <<= b[" + section + "]@0 }");
  }
  std::string unpack(const std::string& loop, const std::string& before = "") {
    return of(
        "V b(n);\n@communicate { b[0 : n]@(r + 1) % world.size() <<= p[0 : n]@r where r in world }\n" + loop,
        before);
  }
  static std::string why(const std::string& all) {
    const auto reason = all.find("because \"");
    return reason == std::string::npos ? all : all.substr(reason + 9, all.find('"', reason + 9) - reason - 9);
  }
};

TEST_F(CopyLoopsTest, SayWhatIsKnownOfThem) {
  EXPECT_EQ(pack("for (int i = 0; i < n; ++i) b[i] = p[w * i];"),
            "into b block 0 1 exact steady fresh uses p uses w uses n\n");
  EXPECT_EQ(pack("for (int i = 1; i < n; ++i) b[i] = p[w * i];"),
            "into b block 0 1 steady fresh uses p uses w uses n\n");
  EXPECT_EQ(pack("int k = 0; for (int i = 0; i < n; ++i) b[k++] = p[w * i];", "0 : k"),
            "into b block 0 2 exact steady fresh uses p uses w uses n\n");
  EXPECT_EQ(pack("int k = n; for (int i = 0; i < n; ++i) b[k++] = p[w * i];"),
            "into b block 0 2 fresh uses p uses w uses n\n");
  EXPECT_EQ(pack("n += 1; for (int i = 0; i < n; ++i) b[i] = p[w * i];"),
            "into b block 0 2 fresh uses p uses w uses n\n");
  EXPECT_EQ(of("V b(n);\nfor (int t = 0; t < 3; ++t) { const int m = n - t;\n"
               "for (int i = 0; i < m; ++i) b[i] = p[i];\n@communicate { a[0 : n]@1 <<= b[0 : n]@0 } }"),
            "into b block 0 3 uses p uses m\n");
  EXPECT_EQ(
      of("double x = 0; V b(n);\nfor (;;) { x += 1;\n"
         "if (x > 2) for (int i = 0; i < n; ++i) b[i] = p[i];\n@communicate { a[0 : n]@1 <<= b[0 : n]@0 } }"),
      "into b block 0 5 uses x uses p uses n\n");
  EXPECT_EQ(pack("if (w > 0) for (int i = 0; i < n; ++i) b[i] = p[i];"),
            "into b block 0 2 steady fresh uses w uses p uses n\n");
  EXPECT_EQ(unpack("for (int i = 0; i < n; ++i) a[i] = b[i];"),
            "out b block 0 2 exact steady fresh everywhere uses a uses n\n");
  EXPECT_EQ(of("V b(n); for (;;) { V c(n); for (int i = 0; i < n; ++i) b[i] = p[i];\n"
               "for (int i = 0; i < n; ++i) c[i] = p[n + i];\n"
               "@communicate { a[0 : n]@1 <<= b[0 : n]@0; a[n : n]@1 <<= c[0 : n]@0 } }"),
            "into b block 0 3 exact steady beside c uses p uses n\n"
            "into c block 0 5 exact steady fresh uses p uses n\n");
}

TEST_F(CopyLoopsTest, AreLinear) {
  const auto is_one = [&](const std::string& element, const std::string& before = "") {
    return why(of("V b(n);\nfor (int i = 0; i < n; ++i) b[i] = " + element +
                      ";\n@communicate { a[0 : n]@1 <<= b[0 : n]@0 }",
                  before))
        .starts_with("into b");
  };
  EXPECT_TRUE(is_one("p[2 * i + w * (n - i) - 3]"));
  EXPECT_TRUE(is_one("a[static_cast<unsigned long>(i) * w]"));
  EXPECT_TRUE(is_one("*(p + i * 3)"));
  EXPECT_TRUE(is_one("(&p[i])[w]"));
  EXPECT_TRUE(is_one("s[i].x[2]", "struct S { int k; double x[3]; } *s;\n"));
  EXPECT_TRUE(is_one("at(p, i)", "double& at(double* p, int i) { return p[2 * i]; }\n"));
  EXPECT_TRUE(is_one("p[at(i, w)]", "long at(int i, int w) { return i * (w + 1L); }\n"));
  EXPECT_FALSE(is_one("p[i * i]"));
  EXPECT_FALSE(is_one("p[i / 2]"));
  EXPECT_FALSE(is_one("p[i % 5]"));
  EXPECT_FALSE(is_one("p[static_cast<unsigned>(i) * 5u]"));
  EXPECT_FALSE(is_one("p[static_cast<short>(i)]"));
  EXPECT_FALSE(is_one("rows[i][0]", "double** rows;\n"));
  EXPECT_FALSE(is_one("all[i][0]", "std::vector<V> all;\n"));
  EXPECT_FALSE(is_one("queue[i]", "#include <deque>\nstd::deque<double> queue;\n"));
  EXPECT_FALSE(is_one("p[at(i)]", "int at(int i);\n"));
  EXPECT_FALSE(is_one("p[at(i)]", "int calls; int at(int i) { ++calls; return i; }\n"));
  EXPECT_FALSE(is_one("p[at(i)]", "__attribute__((weak)) int at(int i) { return i; }\n"));
  EXPECT_FALSE(is_one("p[base + i]", "volatile int base;\n"));
}

TEST_F(CopyLoopsTest, AreNoneOfOtherLoops) {
  EXPECT_EQ(why(pack("for (int i = 0; i < n; ++i) { b[i] = p[i]; w += 1; }")),
            "it does more than copy elements one by one");
  EXPECT_EQ(why(pack("for (int i = 0; i < n; ++i) b[i] += p[i];")),
            "it does more than copy elements one by one");
  EXPECT_EQ(why(pack("for (unsigned i = n; i >= 1; --i) b[i] = p[i];")),
            "kanorc does not know what this loop counts");
  EXPECT_EQ(why(pack("for (int i = 0; i < n; i *= 2) b[i] = p[i];")),
            "kanorc does not know what this loop counts");
  EXPECT_EQ(why(pack("for (int i = 0; i < n; ++i) for (int j = i; j < n; ++j) b[j] = p[i];")),
            "this loop's bounds are not the same throughout");
  EXPECT_EQ(why(pack("int k = 0; for (int i = 0; i < k; ++i) b[k++] = p[i];")),
            "this loop's bounds are not the same throughout");
  EXPECT_EQ(why(pack("int k = 0; for (int i = 0; i < n; ++i) b[i] = p[k++];")),
            "kanorc does not know which elements it copies");
  EXPECT_EQ(why(pack("for (int i = 1; i < n; ++i) b[i] = b[i - 1];")),
            "kanorc does not know which elements it copies");
  EXPECT_EQ(why(pack("int k = 0, &other = k; for (int i = 0; i < n; ++i) b[k++] = p[i];")),
            "kanorc does not know which elements it copies");
  EXPECT_EQ(pack("for (int i = 0; i < n; ++i) b[i] = p[i]; n = b[0];"), "");
}

TEST_F(CopyLoopsTest, AreKnownBeforeTheBlock) {
  EXPECT_EQ(why(unpack("int m = 3; for (int i = 0; i < m; ++i) a[i] = b[i];")),
            "'m' is declared behind the block");
  EXPECT_EQ(why(unpack("n -= 1; for (int i = 0; i < n; ++i) a[i] = b[i];")),
            "this stands between the loop and the block");
  EXPECT_EQ(why(unpack("n = 7; for (int i = 0; i < n; ++i) a[i] = b[i];")),
            "kanorc does not know when this changes");
  EXPECT_EQ(why(unpack("int k = w; for (int i = 0; i < n; ++i) a[i] = b[k++];")),
            "kanorc does not know from where on it counts 'k'");
  const std::string two =
      of("V b(n), c(n); int k = 0;\n@communicate { b[0 : n]@1 <<= p[0 : n]@0; c[0 : n]@1 <<= p[0 : n]@0 }\n"
         "k = 0; for (int i = 0; i < n; ++i) a[i] = b[k++];\nfor (int i = 0; i < n; ++i) p[k + i] = c[i];");
  EXPECT_EQ(why(two.substr(two.find("out c"))), "what stands between the loop and the block changes 'k'");
  EXPECT_EQ(why(unpack("w = 1; for (int i = 0; i < n; ++i) a[i] = b[w + i];")),
            "kanorc does not know when this changes");
  EXPECT_EQ(why(unpack("w = 1; if (w) for (int i = 0; i < n; ++i) a[i] = b[i];")),
            "kanorc does not know when this changes");
  EXPECT_EQ(why(pack("int k = 0; for (int i = 0; i < 3; ++i) for (int i = 0; i < n; ++i) b[k++] = p[i];")),
            "kanorc cannot write down what it copies");
  EXPECT_EQ(unpack("int k = 0; for (int i = 0; i < n; ++i) a[i] = b[k++];"),
            "out b block 0 3 steady fresh everywhere uses a uses n\n");
  EXPECT_EQ(why(of("std::vector<int> b(n);\n@communicate { b[0 : n]@1 <<= g[0 : n]@0 }\n"
                   "for (int i = 0; i < g[0]; ++i) g[i] = b[i];",
                   "int g[100];\n")),
            "kanorc does not know when this changes");
  EXPECT_EQ(why(of("V b(n);\n@communicate { b[0 : n]@1 <<= p[0 : n]@0; p[n : n]@1 <<= a[0 : n]@0 }\n"
                   "for (int i = 0; i < n; ++i) p[i] = b[i];")),
            "the block also updates this");
}

}  // namespace
}  // namespace kanor::host
