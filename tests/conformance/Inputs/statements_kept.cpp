// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that keep an address, or change elements in other ways.
#include "statements.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace {

void fill(V& a, V& b) {
  a.clear();
  b[0] = 1;
}
template <class... T>
void add_all(T&... all) {
  ((all += 1), ...);
}

void bound() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    auto& [first, second] = reinterpret_cast<std::array<double, 2>&>(B[0]); first = second + 1;
    turns.compare(A, B, C, [](State& s) { auto& [first, second] = reinterpret_cast<std::array<double, 2>&>(s.B[0]); first = second + 1; });
  }
}

void looped_over() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    for (auto& x : B) x += world.rank();
    turns.compare(A, B, C, [](State& s) { for (auto& x : s.B) x += s.me; });
  }
}

void looped_over_and_kept() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    double* last = nullptr; for (auto& x : B) last = &x; *last = 4;
    turns.compare(A, B, C, [](State& s) { double* last = nullptr; for (auto& x : s.B) last = &x; *last = 4; });
  }
}

void kept_by_an_algorithm() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    double* last = nullptr; std::for_each(B.begin(), B.end(), [&](double& x) { last = &x; }); *last = 4;
    turns.compare(A, B, C, [](State& s) { double* last = nullptr; std::for_each(s.B.begin(), s.B.end(), [&](double& x) { last = &x; }); *last = 4; });
  }
}

void kept_by_an_assignment() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    double& first = B[0] = 3; first = 5;
    turns.compare(A, B, C, [](State& s) { double& first = s.B[0] = 3; first = 5; });
  }
}

void kept_by_an_increment() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    double& first = ++B[0]; first += 5;
    turns.compare(A, B, C, [](State& s) { double& first = ++s.B[0]; first += 5; });
  }
}

void kept_by_emplace_back() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    double& last = B.emplace_back(3); last = 5;
    turns.compare(A, B, C, [](State& s) { double& last = s.B.emplace_back(3); last = 5; });
  }
}

void kept_by_a_span() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    std::vector<std::span<double>> all; all.emplace_back(B); all[0][2] = 5;
    turns.compare(A, B, C, [](State& s) { std::vector<std::span<double>> all; all.emplace_back(s.B); all[0][2] = 5; });
  }
}

void kept_by_copy() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    *(std::copy(C.begin(), C.begin() + 2, B.begin()) - 1) = 5;
    turns.compare(A, B, C, [](State& s) { *(std::copy(s.C.begin(), s.C.begin() + 2, s.B.begin()) - 1) = 5; });
  }
}

void a_closure_given_back() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    auto add = std::for_each(C.begin(), C.end(), [&](double) { B[0] += 1; }); add(2);
    turns.compare(A, B, C, [](State& s) { auto add = std::for_each(s.C.begin(), s.C.end(), [&](double) { s.B[0] += 1; }); add(2); });
  }
}

void a_function_of_that_name() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    fill(B, C);
    turns.compare(A, B, C, [](State& s) { fill(s.B, s.C); });
  }
}

void by_ranges() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    std::ranges::reverse(B); std::ranges::fill(C, B[0]);
    turns.compare(A, B, C, [](State& s) { std::ranges::reverse(s.B); std::ranges::fill(s.C, s.B[0]); });
  }
}

void constructed_in_place() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    ::new (&B[1]) double(7);
    turns.compare(A, B, C, [](State& s) { ::new (&s.B[1]) double(7); });
  }
}

void as_volatile() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    const_cast<volatile double&>(B[1]) = 7;
    turns.compare(A, B, C, [](State& s) { const_cast<volatile double&>(s.B[1]) = 7; });
  }
}

void in_a_union() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    union { double d; long l; } u; u.d = B[1]; B[1] = u.d + 1;
    turns.compare(A, B, C, [](State& s) { union { double d; long l; } u; u.d = s.B[1]; s.B[1] = u.d + 1; });
  }
}

void folded() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    add_all(B[0], B[1], C[2]);
    turns.compare(A, B, C, [](State& s) { add_all(s.B[0], s.B[1], s.C[2]); });
  }
}

void erased() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    B.erase(B.begin(), B.begin() + 3);
    turns.compare(A, B, C, [](State& s) { s.B.erase(s.B.begin(), s.B.begin() + 3); });
  }
}

}  // namespace

void run_kept() {
  bound();
  looped_over();
  looped_over_and_kept();
  kept_by_an_algorithm();
  kept_by_an_assignment();
  kept_by_an_increment();
  kept_by_emplace_back();
  kept_by_a_span();
  kept_by_copy();
  a_closure_given_back();
  a_function_of_that_name();
  by_ranges();
  constructed_in_place();
  as_volatile();
  in_a_union();
  folded();
  erased();
}
