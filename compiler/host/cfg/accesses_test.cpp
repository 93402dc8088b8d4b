// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/accesses.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "host/cfg/cfg.hpp"
#include "host/facts/parsed_unit.hpp"
#include "host/facts/test_front_end.hpp"

namespace kanor::host {
namespace {

class AccessesTest : public FrontEndTest {
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
        for (const auto& [reason, at] : candidate.obstacles)
          found += graph_.variables[static_cast<std::size_t>(candidate.variable)].name + ": " + reason + '\n';
    return found;
  }
  std::string lines(const std::string& body, const std::string& function, const std::string& prefix) {
    parse(body);
    std::ostringstream out;
    print(graph_, out);
    std::istringstream in(out.str());
    std::string found;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("function")) inside = line.starts_with("function " + function + " ");
      if (!inside || !line.starts_with(prefix)) continue;
      line = line.substr(prefix.size());
      found += line.substr(0, line.rfind(" in ")) + '\n';
    }
    return found;
  }
  void parse(const std::string& body) {
    also_ = [&](const ParsedUnit& parsed) { graph_ = build_flow_graph(parsed, false); };
    run("#include <kanor/kanor.hpp>\n#include <algorithm>\n#include <array>\n#include <cstring>\n"
        "#include <numeric>\n#include <vector>\nusing kanor::world;\n" +
        also_included_ + body);
    EXPECT_EQ(messages(), "");
    flow::verify(graph_);
  }

  flow::FlowGraph graph_;
  std::string also_included_;
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

/// One statement, and in a word what it does to A: the kinds of its accesses in their order, or nothing.
struct Form {
  const char* statement;
  const char* does;
};

class StatementForms : public AccessesTest {
 protected:
  /// `declarations` declare A and what the statements use. All forms of a table are compiled at once.
  void check(const std::string& declarations, const std::vector<Form>& forms,
             const std::string& before = "") {
    also_included_ =
        "#include <csetjmp>\n#include <cstdio>\n#include <functional>\n#include <optional>\n#include <span>\n"
        "#include <tuple>\n#include <typeinfo>\n#include <utility>\n#include <iterator>\n"
        "using V = std::vector<double>;\nstruct Box { V v; };\n"
        "struct P;\nP* kept_by_all;\n"
        "struct P {\n  int a, b;\n  int sum() const { return a + b; }\n  void clear() { a = 0; b = 0; }\n"
        "  void keep() { kept_by_all = this; }\n};\n";
    std::string body = before;
    for (std::size_t at = 0; at < forms.size(); ++at)
      body += "void f" + std::to_string(at) + "(int n) {\n  (void)n; " + declarations + "\n  " +
              forms[at].statement + "\n  @communicate { A@0 <<= A@1 }\n}\n";
    parse(body);
    for (std::size_t at = 0; at < forms.size(); ++at)
      EXPECT_EQ(kinds("f" + std::to_string(at)), forms[at].does) << forms[at].statement;
  }

 private:
  std::string kinds(const std::string& function) const {
    std::string found;
    for (const auto& one : graph_.functions) {
      if (one.name != function) continue;
      int a = -1;
      for (const auto& candidate : one.candidates) {
        const auto& name = graph_.variables[static_cast<std::size_t>(candidate.variable)].name;
        if (name != "A") continue;
        a = candidate.variable;
        if (!candidate.obstacles.empty()) return "obstacle";
      }
      for (const auto& node : one.nodes)
        for (const auto& access : node.accesses) {
          const bool is_birth =
              access.kind == flow::AccessKind::overwrite && access.statement == declared(one, a);
          if (access.variable != a || is_birth || access.kind == flow::AccessKind::send ||
              access.kind == flow::AccessKind::receive)
            continue;
          found += (found.empty() ? "" : " ") + std::string(name(access.kind));
        }
    }
    return found;
  }
  static int declared(const flow::Function& function, int variable) {
    for (const auto& candidate : function.candidates)
      if (candidate.variable == variable) return candidate.statement;
    return -1;
  }
};

TEST_F(StatementForms, Assignments) {
  check("V A(9), B(9); Box box; std::optional<V> o; double x = 0; (void)x;",
        {{"A = V(7);", "overwrite"},
         {"A = B;", "overwrite"},
         {"B = A;", "read"},
         {"A = {1, 2};", "overwrite"},
         {"A = V(A.size());", "read write"},
         {"(A) = V(7);", "overwrite"},
         {"(A = V(7)).push_back(1);", "overwrite read write"},
         {"double& r = (A = V(7))[0]; r = 1;", "overwrite escape"},
         {"V& r = A = V(7); (void)r;", "overwrite escape"},
         {"double& r = A[1] = 3; (void)r;", "write escape"},
         {"double& r = ++A[1]; (void)r;", "read write escape"},
         {"x = A[1] = 3;", "write read"},
         {"x = A[1]++;", "read write"},
         {"A[1] += A[2];", "read read write"},
         {"(A[1] = 2) = 3;", "write write"},
         {"B = std::move(A);", "read write"},
         {"B = static_cast<V&&>(A);", "read write"},
         {"B = (V&&)A;", "read write"},
         {"B = std::forward<V>(A);", "read write"},
         {"B = std::as_const(A);", "read"},
         {"B = std::move(std::as_const(A));", "read write"},
         {"box.v = std::move(A);", "read write"},
         {"o = std::move(A);", "read write"},
         {"o = A;", "read"},
         {"V c = std::move(A);", "read write"},
         {"V c(static_cast<V&&>(A));", "read write"},
         {"V c = A;", "read"},
         {"V c{std::move(A)};", "read write"},
         {"auto* c = new V(std::move(A)); delete c;", "read write"},
         {"Box c{std::move(A)};", "read write"},
         {"Box c{A};", "read"},
         {"auto&& c = std::move(A); (void)c;", "escape"},
         {"B.swap(A);", "read write"},
         {"A.swap(B);", "read write"},
         {"std::swap(A, B);", "read write"},
         {"using std::swap; swap(B, A);", "read write"},
         {"B = std::exchange(A, V(7));", "read write"},
         {"std::exchange(B, A);", "read"},
         {"std::vector<V> vs; vs.push_back(A);", "read"},
         {"std::vector<V> vs; vs.push_back(std::move(A));", "read write"},
         {"std::vector<V> vs; vs.emplace_back(A);", "escape"},
         {"std::vector<V> vs; vs = {A, B};", "read"},
         {"std::vector<std::span<double>> vs; vs.push_back(A);", "escape"},
         {"std::vector<const double*> vs(3, A.data());", "escape"},
         {"std::pair<const double*, int> p(A.data(), 3);", "escape"},
         {"auto t = std::forward_as_tuple(std::as_const(A)); (void)t;", "escape"},
         {"auto t = std::make_tuple(std::cref(A)); (void)t;", "escape"},
         {"std::tie(A) = std::make_tuple(V(3));", "escape"}});
}

TEST_F(StatementForms, WhereItIsPerhapsAnotherObject) {
  check("V A(9), B(9); double x = 0; (void)x;",
        {{"(n ? A : B) = V(7);", "write"},
         {"(n ? B : A) = V(7);", "write"},
         {"(n ? A : B).assign(9, 1.0);", "write"},
         {"(n ? A : B)[1] = 2;", "write"},
         {"x = (n ? A : B)[1];", "read"},
         {"(n ? (A) : (n > 1 ? B : A)) = V(7);", "write write"},
         {"(x = 1, A) = V(7);", "overwrite"},
         {"(A, B) = V(7);", "read"},
         {"(void)(A = V(7), 1);", "overwrite"},
         {"n && (A = V(7), true);", "overwrite"},
         {"n ? (void)(A = V(7)) : void();", "overwrite"},
         {"if (n) A = V(7);", "overwrite"},
         {"[&] { A = V(7); }();", "write"},
         {"auto put = [&](auto v) { A = V(7, v); }; put(1.0); put(2.f);", "write write write write"},
         {"auto put = [&](auto) { A[0] = 1; }; (void)put;", "obstacle"},
         {"for (auto& r : {&A, &B}) *r = V(7);", "escape"}});
}

TEST_F(StatementForms, WhatIsNotEvaluatedDoesNothing) {
  check("V A(9), B(9); double D[3] = {}; (void)D;",
        {{"(void)sizeof(A = V(7));", ""},
         {"(void)noexcept(A = V(7));", ""},
         {"(void)typeid(A = V(7));", ""},
         {"(void)__builtin_constant_p((A = V(7), 1));", ""},
         {"static_assert(sizeof(A[0]) == 8);", "obstacle"},
         {"(void)requires { A = V(7); };", "obstacle"},
         {"decltype(A = V(7)) r = B; (void)r;", "obstacle"},
         {"__typeof__(A = V(7)) r = B; (void)r;", "obstacle"},
         {"(void)_Generic(1, int: 1, default: (A = V(7), 1));", "write"},
         {"(void)__builtin_choose_expr(1, 1, (A = V(7), 1));", "write"}});
}

TEST_F(StatementForms, LibraryFunctions) {
  check("V A(9), B(9); double x = 0; (void)x; const double* kept = nullptr; (void)kept;",
        {{"x = std::accumulate(A.begin(), A.end(), 0.0);", "read read"},
         {"x = std::accumulate(A.begin(), A.end(), 0.0, [](double s, double y) { return s + y; });",
          "read read"},
         {"x = std::accumulate(A.begin(), A.end(), 0.0, [&](double s, const double& y) { kept = &y; return "
          "s; });",
          "call read call read"},
         {"std::sort(A.begin(), A.end(), std::greater<>());", "read read write write"},
         {"std::copy(A.begin(), A.end(), B.begin());", "read read"},
         {"std::copy(B.begin(), B.end(), A.begin());", "read write"},
         {"std::copy(A.begin(), A.end(), std::back_inserter(B));", "read read"},
         {"auto i = std::copy(B.begin(), B.end(), A.begin()); *i = 1;", "escape"},
         {"auto p = std::mismatch(A.begin(), A.end(), B.begin()); (void)p;", "escape escape"},
         {"std::fill(B.begin(), B.end(), A[0]);", "read"},
         {"x = std::count(B.begin(), B.end(), A[0]);", "read"},
         {"double* p = (double*)std::memcpy(A.data(), B.data(), 8); *p = 1;", "escape"},
         {"std::memcpy(A.data(), B.data(), 8);", "read write"},
         {"std::printf(\"%p\", (void*)A.data());", "escape"},
         {"std::printf(\"%f\", A[0]);", "read"},
         {"double& r = A.emplace_back(1); (void)r;", "escape"},
         {"A.emplace_back(1);", "read write"},
         {"auto i = A.erase(B.begin()); (void)i;", "escape"},
         {"V w(A.begin(), A.end());", "read read"},
         {"std::ranges::sort(A);", "escape"},
         {"std::ranges::fill(A, 1.0);", "escape"},
         {"auto s = std::span(A); (void)s;", "escape"},
         {"count(A);", "call"},
         {"fill(A, 1);", "call"},
         {"other::swap(A, B);", "call"},
         {"x = A == B;", "read"},
         {"x = A.end()[-1];", "read"},
         {"std::vector<std::vector<double>> r; r.insert(r.end(), A);", "read"}},
        "void count(V& v) { v.clear(); }\nvoid fill(V& v, double) { v.clear(); }\n"
        "namespace other { void swap(V& a, V& b) { a.clear(); b.clear(); } }\n");
}

TEST_F(StatementForms, LoopsBindingsAndTheRest) {
  check("P A[40], B[40]; (void)B; int x = 0; (void)x;",
        {{"for (int i = 0; i < 40; ++i) A[i].a = 1;", "write"},
         {"for (auto& p : A) p.a = 1;", "read write write read write"},
         {"for (const auto& p : A) x += p.a;", "read read read"},
         {"for (auto [a, b] : A) x += a;", "read read"},
         {"for (auto& [a, b] : A) a = b;", "escape read"},
         {"for (const auto& p : std::as_const(A)) x += p.a;", "escape"},
         {"for (auto& p : n ? A : B) p.a = 1;", "escape"},
         {"auto [a, b] = A[1]; x = a + b;", "read"},
         {"auto& [a, b] = A[1]; a = b;", "escape"},
         {"auto& [a, b] = A[1]; x = b;", "escape"},
         {"::new (&A[0]) P{1, 2};", "escape"},
         {"::new (static_cast<void*>(A)) P{1, 2};", "escape"},
         {"[p = A[1]] { (void)p; }();", "read"},
         {"[p = &A[1]] { p->a = 1; }();", "escape"},
         {"const_cast<volatile P&>(A[1]).a = 2;", "write"},
         {"x = A[1].sum();", "read"},
         {"A[1].keep();", "escape"},
         {"A[1].clear();", "read write"},
         {"x = A[1].b + A->a + (*A).b + (A + 3)->a;", "read read read read"},
         {"asm(\"\" : \"=r\"(A[1].a));", "obstacle"},
         {"sum_all(A[0], A[1]);", "call call"},
         {"std::swap(A[0], A[1]);", "read read write write"},
         {"std::memset(n ? A : B, 0, sizeof A);", "read write"},
         {"std::memset(A, 0, sizeof A);", "overwrite"},
         {"jmp_buf j; x = setjmp(j);", "obstacle"}},
        "template <class... T> int sum_all(T&... all) { return (all.sum() + ...); }\n");
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
