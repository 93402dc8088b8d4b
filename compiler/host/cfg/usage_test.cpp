// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/cfg/usage.hpp"

#include <gtest/gtest.h>

#include "host/cfg/test_flow_graph.hpp"

namespace kanor::host {
namespace {

/// One statement, and in a word what it does to A: the kinds of its accesses in their order, or nothing.
struct Form {
  const char* statement;
  const char* does;
};

class StatementForms : public FlowGraphFixture {
 protected:
  /// `declarations` declare A and what the statements use. All forms of a table are compiled at once.
  void check(const std::string& declarations, const std::vector<Form>& forms,
             const std::string& before = "") {
    const std::string included =
        "#include <algorithm>\n#include <array>\n#include <cstring>\n#include <numeric>\n#include <vector>\n"
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
    build(included, body);
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
        if (!candidate.obstacles.empty() || !candidate.text_obstacles.empty()) return "obstacle";
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
         {"x = std::max(A[0], x);", "read"},
         {"A[0] = std::clamp(A[0], x, A[1]);", "read read write"},
         {"const double& r = std::min(A[0], x); (void)r;", "escape"},
         {"kept = &std::min(A[0], x);", "escape"},
         {"const_cast<double&>(std::min(A[0], x)) = 1;", "write"},
         {"x = std::max(A[0], x, [&](const double& y, double) { kept = &y; return true; });", "escape"},
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

}  // namespace
}  // namespace kanor::host
