// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/accesses.hpp"

#include <gtest/gtest.h>

#include "host/cfg/test_flow_graph.hpp"

namespace kanor::host {
namespace {

class AccessesTest : public FlowGraphFixture {
 protected:
  /// The accesses of `f`, one a line, without the statements that they stand in; that with_array() declares A
  /// is left out.
  std::string accesses(const std::string& body, const std::string& function = "f") {
    const std::string declared = "overwrite A \"A[100]\"\n";
    const std::string found = lines(body, function, "    access ");
    return found.starts_with(declared) ? found.substr(declared.size()) : found;
  }
  /// What keeps the candidates of `f` from being shared.
  std::string obstacles(const std::string& body) {
    parse(body);
    std::string found;
    for (const auto& one : graph_.functions)
      for (const auto& candidate : one.candidates)
        for (const auto* all : {&candidate.obstacles, &candidate.text_obstacles})
          for (const auto& [reason, at] : *all)
            found +=
                graph_.variables[static_cast<std::size_t>(candidate.variable)].name + ": " + reason + '\n';
    return found;
  }
  std::string lines(const std::string& body, const std::string& function, const std::string& prefix) {
    parse(body);
    std::string found;
    for (const auto& line : FlowGraphFixture::lines(function, prefix))
      found += line.substr(0, line.rfind(" in ")) + '\n';
    return found;
  }
  void parse(const std::string& body) {
    build(
        "#include <algorithm>\n#include <array>\n#include <cstring>\n#include <numeric>\n#include <vector>\n",
        body);
  }
};

/// `body` between a declaration and a block that communicates A as a whole.
std::string with_array(const std::string& body) {
  return "void f(int n) {\n  double A[100];\n" + body + "\n  @communicate { A@0 <<= A@1 }\n}\n";
}
const std::string communicated = "send A block 0 part 0 \"A\"\nreceive A block 0 part 0 \"A\"\n";

TEST_F(AccessesTest, NothingIsSaidWhereNothingWholeIsCommunicated) {
  EXPECT_EQ(accesses("void f() { double A[9]; A[1] = 2; @communicate { A[1]@0 <<= A[2]@1 } }\n"), "");
}

TEST_F(AccessesTest, ElementsAreReadAndWritten) {
  EXPECT_EQ(accesses(with_array("  A[3] = 1; A[n] += A[4]; ++A[5]; double x = A[6]; (void)x;")),
            "write A[3] \"A[3] = 1\"\n"
            "read A[?] \"A[n] += A[4]\"\n"
            "read A[4] \"A[4]\"\n"
            "write A[?] \"A[n] += A[4]\"\n"
            "read A[5] \"++A[5]\"\n"
            "write A[5] \"++A[5]\"\n"
            "read A[6] \"A[6]\"\n" +
                communicated);
}

TEST_F(AccessesTest, SubscriptsAreAffineInCountedLoops) {
  EXPECT_EQ(accesses(with_array("  for (int i = 1; i <= 9; i += 2)\n    for (unsigned j = 0; j != 4; ++j)\n"
                                "      A[10 * i + 2 - j] = A[i * n] + A[(j + 1) * 3];")),
            "read A[?] \"A[i * n]\"\n"
            "read A[3*i1 + 3] \"A[(j + 1) * 3]\"\n"
            "write A[10*i0 - i1 + 2] \"A[10 * i + 2 - j] = A[i * n] + A[(j + 1) * 3]\"\n" +
                communicated);
  EXPECT_EQ(lines(with_array("  for (int i = 1; i <= 9; i += 2)\n    for (unsigned j = 0; j != 4; ++j)\n"
                             "      A[i + j] = 1;"),
                  "f", "  loop "),
            "0 header 2 counts 1 to 9 by 2\n1 header 4 inside 0 counts 0 to 3\n");
}

TEST_F(AccessesTest, ACounterThatTheBodyChangesIsNone) {
  EXPECT_EQ(lines(with_array("  for (int i = 0; i < 9; ++i) { A[i] = 1; i += n; }"), "f", "  loop "),
            "0 header 2\n");
  EXPECT_EQ(lines(with_array("  for (int i = 0; i < 9; ++i) { int* p = &i; A[i] = *p; }"), "f", "  loop "),
            "0 header 2\n");
}

TEST_F(AccessesTest, ObjectsAreOverwrittenAsAWhole) {
  EXPECT_EQ(
      accesses("void f() {\n  std::array<int, 99> a{}, b;\n  std::vector<int> v(9), w;\n  double A[9];\n"
               "  b = a; b.fill(1); v = w; v.assign(3, 4); w = {1, 2}; v.push_back(1);\n"
               "  std::memset(A, 0, sizeof A); std::memset(A + 1, 0, 8);\n"
               "  @communicate { a@0 <<= b@1; v@0 <<= w@1; A@0 <<= A@1 }\n}\n"),
      "overwrite a \"a{}\"\n"
      "overwrite b \"b\"\n"
      "overwrite v \"v(9)\"\n"
      "overwrite w \"w\"\n"
      "overwrite A \"A[9]\"\n"
      "read a \"b = a\"\n"
      "overwrite b \"b = a\"\n"
      "overwrite b \"b.fill(1)\"\n"
      "read w \"v = w\"\n"
      "overwrite v \"v = w\"\n"
      "overwrite v \"v.assign(3, 4)\"\n"
      "overwrite w \"w = {1, 2}\"\n"
      "read v \"v.push_back(1)\"\n"
      "write v \"v.push_back(1)\"\n"
      "overwrite A \"std::memset(A, 0, sizeof A)\"\n"
      "read A[?] \"std::memset(A + 1, 0, 8)\"\n"
      "write A[?] \"std::memset(A + 1, 0, 8)\"\n"
      "send b block 0 part 0 \"b\"\n"
      "send w block 0 part 1 \"w\"\n"
      "send A block 0 part 2 \"A\"\n"
      "receive a block 0 part 0 \"a\"\n"
      "receive v block 0 part 1 \"v\"\n"
      "receive A block 0 part 2 \"A\"\n");
}

TEST_F(AccessesTest, LibraryFunctionsLookOrChange) {
  EXPECT_EQ(accesses(with_array("  double s = std::accumulate(A, A + 100, 0.0); std::fill(A, A + n, s);")),
            "read A[?] \"std::accumulate(A, A + 100, 0.0)\"\n"
            "read A[?] \"std::accumulate(A, A + 100, 0.0)\"\n"
            "read A[?] \"std::fill(A, A + n, s)\"\n"
            "read A[?] \"std::fill(A, A + n, s)\"\n"
            "write A[?] \"std::fill(A, A + n, s)\"\n"
            "write A[?] \"std::fill(A, A + n, s)\"\n" +
                communicated);
}

TEST_F(AccessesTest, FunctionsOfTheProgramSayWhatTheyDo) {
  const std::string functions =
      "double sum(const double* p, int n) { double s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; "
      "}\n"
      "void set(double (&a)[100]) { a[0] = 1; }\n"
      "double* kept; void keep(double* q) { kept = q; }\n";
  EXPECT_EQ(accesses(functions + with_array("  set(A); sum(A, n); keep(A);")),
            "call A to set 0 \"set(A)\"\ncall A to sum 0 \"sum(A, n)\"\ncall A to keep 0 \"keep(A)\"\n" +
                communicated);
  EXPECT_EQ(accesses(functions + with_array(""), "sum"), "read p \"p[i]\"\n");
  EXPECT_EQ(accesses(functions + with_array(""), "set"), "write a \"a[0] = 1\"\n");
  EXPECT_EQ(accesses(functions + with_array(""), "keep"),
            "escape q because \"a pointer to it is stored\" \"kept = q\"\n");
}

TEST_F(AccessesTest, WhatIsNotFollowedEscapes) {
  EXPECT_EQ(accesses("void unseen(double*); void harmless([[clang::noescape]] const double*);\n"
                     "struct Kept { template <class F> Kept(F) {} };\n" +
                     with_array("  double* p = A; double& r = A[1]; unseen(A); harmless(A); auto q = &A;\n"
                                "  Kept kept([&] { return A[0]; });")),
            "escape A because \"a variable refers to it\" \"double* p = A;\"\n"
            "escape A[1] because \"a variable refers to it\" \"double& r = A[1];\"\n"
            "escape A because \"'unseen' gets it, but its body is not visible\" \"unseen(A)\"\n"
            "read A \"harmless(A)\"\n"
            "escape A because \"its address is taken\" \"&A\"\n"
            "escape A because \"a lambda captures it\" \"[&] { return A[0]; }\"\n" +
                communicated);
}

TEST_F(AccessesTest, ALambdaDoesItWhereItRuns) {
  EXPECT_EQ(accesses(with_array("  const auto put = [&](int i) { A[i] += A[i + 1]; };\n  put(3); put(n);")),
            "read A[?] \"put(3)\"\nread A[?] \"put(3)\"\nwrite A[?] \"put(3)\"\n"
            "read A[?] \"put(n)\"\nread A[?] \"put(n)\"\nwrite A[?] \"put(n)\"\n" +
                communicated);
  EXPECT_EQ(accesses(with_array("  [&A] { std::memset(A, 0, sizeof A); }();")),
            "write A \"[&A] { std::memset(A, 0, sizeof A); }()\"\n" + communicated);
  EXPECT_EQ(
      accesses(with_array("  int o[3]; std::sort(o, o + 3, [&](int i, int j) { return A[i] < A[j]; });")),
      "read A[?] \"std::sort(o, o + 3, [&](int i, int j) { return A[i] < A[j]; })\"\n"
      "read A[?] \"std::sort(o, o + 3, [&](int i, int j) { return A[i] < A[j]; })\"\n" +
          communicated);
  EXPECT_EQ(accesses(with_array("  const auto never = [&] { A[0] = 1; }; (void)n;")), communicated);
}

TEST_F(AccessesTest, ALambdaThatMayRunElsewhereEscapes) {
  const std::string escape = "escape A because \"a lambda captures it\" ";
  EXPECT_EQ(accesses(with_array("  auto get = [&] { return A[0]; }; auto again = get; (void)again;")),
            escape + "\"[&] { return A[0]; }\"\n" + communicated);
  EXPECT_EQ(
      accesses(with_array("  auto get = [&] { return A[0]; }; auto other = [&] { return get(); }; other();")),
      escape + "\"[&] { return A[0]; }\"\n" + communicated);
  EXPECT_EQ(accesses(with_array("  [&] { return [&] { return A[0]; }(); }();")),
            escape + "\"[&] { return [&] { return A[0]; }(); }()\"\n" + communicated);
  EXPECT_EQ(
      accesses(with_array("  int x; auto get = [&] { return A[0]; }; @communicate { x@0 <<= get()@1 }")),
      escape + "\"[&] { return A[0]; }\"\nsend A block 1 part 0 \"A\"\nreceive A block 1 part 0 \"A\"\n");
  EXPECT_EQ(obstacles(with_array("  [A] { return A[0]; }();")), "A: a lambda captures it\n");
}

TEST_F(AccessesTest, WhatAnExceptionEndsMayBeShared) {
  EXPECT_EQ(obstacles("void f() { try { double A[9]; @communicate { A@0 <<= A@1 } } catch (...) {} }\n"), "");
  EXPECT_EQ(obstacles("void f() { try { } catch (...) { double A[9]; @communicate { A@0 <<= A@1 } } }\n"),
            "");
  EXPECT_EQ(obstacles("void f() { { try { } catch (...) { } } double A[9]; @communicate { A@0 <<= A@1 } }\n"),
            "");
  EXPECT_EQ(obstacles("void f() { double A[9]; @communicate { A@0 <<= A@1 } try { } catch (...) { } }\n"),
            "A: exceptions are caught inside its scope\n");
}

TEST_F(AccessesTest, ALoopOverAnObjectRefersToItsElements) {
  EXPECT_EQ(accesses(with_array("  for (double& x : A) x = 1;")),
            "read A[?] \"A\"\n"
            "write A[?] \"A\"\n"
            "write A \"A\"\n"
            "read A \"A\"\n"
            "write A \"x = 1\"\n" +
                communicated);
  EXPECT_EQ(accesses(with_array("  double s = 0; for (double x : A) s += x;")),
            "read A[?] \"A\"\nread A \"A\"\n" + communicated);
  EXPECT_EQ(
      accesses("void f() {\n  std::array<int, 4> A[100];\n  for (std::array<int, 4>& row : A) row.fill(1);\n"
               "  @communicate { A@0 <<= A@1 }\n}\n"),
      "read A[?] \"A\"\n"
      "write A[?] \"A\"\n"
      "write A \"A\"\n"
      "read A \"A\"\n"
      "write A \"row.fill(1)\"\n" +
          communicated);
  EXPECT_EQ(obstacles("void f(int n) { double A[9]; for (double x : A) if (n > x)\n"
                      "  { @communicate { A@0 <<= A@1 } } }\n"),
            "A: a block in a loop over it communicates it\n");
}

TEST_F(AccessesTest, BlocksReadWhatIsNoWholePlaceOrValue) {
  EXPECT_EQ(
      accesses(
          "void f() { double A[100], x; @communicate { A@0 <<= A@1 } @communicate { x@0 <<= A[3]@1 } }\n"),
      "send A block 0 part 0 \"A\"\nreceive A block 0 part 0 \"A\"\nread A \"A\"\n");
  EXPECT_EQ(
      obstacles("void f() { double A[9]; @communicate { A@0 <<= A@1 } @communicate { A[3]@0 <<= 1@1 } }\n"),
      "A: a part of it is a block's place\n");
}

TEST_F(AccessesTest, WhatCannotBeWrittenOtherwiseIsAnObstacle) {
  const auto of = [&](const std::string& declaration, const std::string& rest = "") {
    return obstacles("#define TWICE(x) ((x) + (x))\n#define NAMED A[1]\nvoid f(int n) { " + declaration +
                     "; " + rest + " (void)n; @communicate { A@0 <<= A@1 } }\n");
  };
  EXPECT_EQ(of("double A[9]"), "");
  EXPECT_EQ(of("alignas(64) double A[9]"), "A: it asks for an alignment\n");
  EXPECT_EQ(of("auto A = std::vector<int>(3)"), "A: its declaration does not spell its type\n");
  EXPECT_EQ(of("double A[9]", "n = TWICE(A[0]);"),
            "A: a macro's argument names it\nA: a macro's argument names it\n");
  EXPECT_EQ(of("double A[9]", "n = NAMED;"), "A: a macro names it\n");
  EXPECT_EQ(of("double A[9]", "try { A[0] = 1; } catch (...) {}"),
            "A: exceptions are caught inside its scope\n");
  EXPECT_EQ(of("double A[9]", "decltype(A) B; (void)B;"), "A: a type names it\n");
  EXPECT_EQ(of("double A[9]", "constexpr auto s = std::size(A); (void)s;"),
            "A: a constant expression uses it\n");
  EXPECT_EQ(of("double A[9]", "int B[std::size(A)]; (void)B;"), "A: it is used outside of statements\n");
  EXPECT_EQ(of("double A[9]", "constexpr auto s = sizeof A; (void)s;"), "");
  for (const char* declaration : {"double (A)[9]", "double A[9] /* = */ = {}", "double *p = nullptr, A[9]",
                                  "double x, /* , */ A[9]", "double A[9] __attribute__((unused))"})
    EXPECT_EQ(of(declaration), "A: its declaration cannot be written otherwise\n") << declaration;
  EXPECT_EQ(of("double A[9], *p = A", "(void)p;"), "");
  EXPECT_EQ(
      obstacles("void f() { int A[9]; @communicate { A@0 <<= A@1 } @communicate { A@A[1] <<= A@0 } }\n"),
      "A: a block's rank or clause uses it\n");
  EXPECT_EQ(of("double A[] = {1, 2, 3}"), "A: its declaration does not say its length\n");
  EXPECT_EQ(of("std::vector A(3, 1)"), "A: its declaration does not spell its type\n");
  EXPECT_EQ(obstacles("void f(int n) { switch (n) { int A[9]; case 1: @communicate { A@0 <<= A@1 } } }\n"),
            "A: a case label may lead past its declaration\n");

  EXPECT_EQ(obstacles("void f() { double A[9]; @communicate (async = p) { A@0 <<= A@1 } p.wait(); }\n"),
            "A: an async block communicates it\n");
}

TEST_F(AccessesTest, StatementsEndWithTheirSemicolons) {
  parse(
      "struct S { int x; };\nvoid f(int n) {\n  S A[9];\n  if (n) A[1] = S{2};\n  else A[1] = {};\n"
      "  for (int i = 0; i < n; ++i) { A[i] = {i}; }\n  do A[n] = {}; while (n-- > 0);\n"
      "  @communicate { A@0 <<= A@1 }\n}\n");
  std::string found;
  for (const auto& statement : graph_.functions.at(0).statements)
    found += std::string(statement.at.source->text(statement.at.span)) + "|\n";
  EXPECT_EQ(found,
            "S A[9];|\nif (n) A[1] = S{2};\n  else A[1] = {};|\nA[1] = S{2};|\nA[1] = {};|\n"
            "for (int i = 0; i < n; ++i) { A[i] = {i}; }|\nA[i] = {i};|\n"
            "do A[n] = {}; while (n-- > 0);|\nA[n] = {};|\n@communicate { A@0 <<= A@1 }|\n");
}

TEST_F(AccessesTest, DeclarationsAreTakenApart) {
  parse(
      "void f() {\n  double A[2][3] = {{1}}, x = 1, *p = nullptr;\n  std::vector<int> v(3), w;\n"
      "  (void)x, (void)p;\n  @communicate { A@0 <<= A@1; v@0 <<= w@1 }\n}\n");
  std::string found;
  const auto& candidates = graph_.functions.at(0).candidates;
  for (const auto& candidate : candidates) {
    const auto text = [&](Span span) { return std::string(candidate.declaration.source->text(span)); };
    found += "<" + text(candidate.spelling.specifiers) + ">";
    const auto& own = candidate.spelling.declarators.at(static_cast<std::size_t>(candidate.declarator));
    found += " <" + text(own.name) + "> <" + text(own.suffix) + "> <" + text(own.init) + "> of " +
             std::to_string(candidate.spelling.declarators.size()) + "\n";
  }
  EXPECT_EQ(found,
            "<double > <A> <[2][3]> < = {{1}}> of 3\n"
            "<std::vector<int> > <v> <> <(3)> of 2\n"
            "<std::vector<int> > <w> <> <> of 2\n");
}

}  // namespace
}  // namespace kanor::host
