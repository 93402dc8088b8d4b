// RUN: %kanorc %s -o %t && %run_everywhere %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK %t
// What statements of every form do to a variable that was just sent. Each turn is also computed on plain variables, for every rank:
// sharing must not be noticed, whatever the statement. What kanorc proves of a statement is tested beside its source.
#include "check.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

using kanor::world;

namespace {

using V = std::vector<double>;
struct Box {
  V v;
};

void take(V&& from, V& to) { to = std::move(from); }
void fill(V& a, V& b) {
  a.clear();
  b[0] = 1;
}
template <class... T>
void add_all(T&... all) {
  ((all += 1), ...);
}

/// One rank's variables.
struct State {
  int me = 0;
  V A, B, C;
};

/// Some turns of an exchange and a statement, for all ranks at once.
class Turns {
 public:
  bool next() { return ++turn_ < 3; }
  double sent() const { return 10 * turn_ + world.rank(); }

  template <class Statement>
  void compare(const V& a, const V& b, const V& c, const Statement& statement, int line = __builtin_LINE()) {
    const int size = world.size();
    for (int rank = 0; rank < size; ++rank) {
      State& s = states_[static_cast<std::size_t>(rank)];
      s.me = rank;
      s.B.assign(1000, 10 * turn_ + rank);
      s.C.assign(1000, -1);
    }
    for (int rank = 0; rank < size; ++rank)
      states_[static_cast<std::size_t>((rank + 1) % size)].A = states_[static_cast<std::size_t>(rank)].B;
    for (State& s : states_) statement(s);
    const State& own = states_[static_cast<std::size_t>(world.rank())];
    check::equal(__FILE__, line, "A", a == own.A, true);
    check::equal(__FILE__, line, "B", b == own.B, true);
    check::equal(__FILE__, line, "C", c == own.C, true);
  }

 private:
  int turn_ = -1;
  std::vector<State> states_{static_cast<std::size_t>(world.size())};
};

void moved() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C = std::move(B);
    turns.compare(A, B, C, [](State& s) { s.C = std::move(s.B); });
  }
}

void cast_to_an_rvalue() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C = static_cast<V&&>(B);
    turns.compare(A, B, C, [](State& s) { s.C = static_cast<V&&>(s.B); });
  }
}

void forwarded() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C = std::forward<V>(B);
    turns.compare(A, B, C, [](State& s) { s.C = std::forward<V>(s.B); });
  }
}

void moved_into_a_member() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    Box box; box.v = std::move(B); C = box.v;
    turns.compare(A, B, C, [](State& s) { Box box; box.v = std::move(s.B); s.C = box.v; });
  }
}

void moved_into_an_element() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    std::vector<V> all(1); all[0] = std::move(B); C = all[0];
    turns.compare(A, B, C, [](State& s) { std::vector<V> all(1); all[0] = std::move(s.B); s.C = all[0]; });
  }
}

void moved_into_an_optional() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    std::optional<V> held(V(1)); held = std::move(B); C = *held;
    turns.compare(A, B, C, [](State& s) { std::optional<V> held(V(1)); held = std::move(s.B); s.C = *held; });
  }
}

void moved_through_a_reference() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    V& other = C; other = std::move(B);
    turns.compare(A, B, C, [](State& s) { V& other = s.C; other = std::move(s.B); });
  }
}

void moved_in_a_lambda() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    [&] { C = std::move(B); }();
    turns.compare(A, B, C, [](State& s) { [&] { s.C = std::move(s.B); }(); });
  }
}

void moved_in_a_generic_lambda() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    auto put = [&](auto x) { C = std::move(B); C[0] = x; }; put(5);
    turns.compare(A, B, C, [](State& s) { auto put = [&](auto x) { s.C = std::move(s.B); s.C[0] = x; }; put(5); });
  }
}

void moved_by_a_constructor() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    V made = static_cast<V&&>(B); C = made;
    turns.compare(A, B, C, [](State& s) { V made = static_cast<V&&>(s.B); s.C = made; });
  }
}

void moved_into_a_capture() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    [made = std::move(B), &C] { C = made; }();
    turns.compare(A, B, C, [](State& s) { [made = std::move(s.B), &s] { s.C = made; }(); });
  }
}

void moved_to_a_function() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    take(std::move(B), C);
    turns.compare(A, B, C, [](State& s) { take(std::move(s.B), s.C); });
  }
}

void swapped() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    std::swap(B, C);
    turns.compare(A, B, C, [](State& s) { std::swap(s.B, s.C); });
  }
}

void swapped_as_a_member() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C.swap(B);
    turns.compare(A, B, C, [](State& s) { s.C.swap(s.B); });
  }
}

void exchanged() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C = std::exchange(B, V(9, 3.0));
    turns.compare(A, B, C, [](State& s) { s.C = std::exchange(s.B, V(9, 3.0)); });
  }
}

void chosen() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    (world.rank() % 2 ? B : C) = V(7, 7.0);
    turns.compare(A, B, C, [](State& s) { (s.me % 2 ? s.B : s.C) = V(7, 7.0); });
  }
}

void chosen_and_assigned() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    (world.rank() % 2 ? C : B).assign(7, 7.0);
    turns.compare(A, B, C, [](State& s) { (s.me % 2 ? s.C : s.B).assign(7, 7.0); });
  }
}

void chosen_element() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    (world.rank() % 2 ? B : C)[3] = 7;
    turns.compare(A, B, C, [](State& s) { (s.me % 2 ? s.B : s.C)[3] = 7; });
  }
}

void behind_a_comma() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    (C[0] = 2, B) = V(7, 7.0);
    turns.compare(A, B, C, [](State& s) { (s.C[0] = 2, s.B) = V(7, 7.0); });
  }
}

void on_one_path() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    if (world.rank() % 2 && (B = V(7, 7.0), true)) C[1] = 2;
    turns.compare(A, B, C, [](State& s) { if (s.me % 2 && (s.B = V(7, 7.0), true)) s.C[1] = 2; });
  }
}

void on_one_path_of_a_lambda() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    [&] { if (world.rank() % 2) B = V(7, 7.0); }();
    turns.compare(A, B, C, [](State& s) { [&] { if (s.me % 2) s.B = V(7, 7.0); }(); });
  }
}

void never_in_a_loop() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    for (int i = 0; i < world.rank() % 2; ++i) B = V(7, 7.0);
    turns.compare(A, B, C, [](State& s) { for (int i = 0; i < s.me % 2; ++i) s.B = V(7, 7.0); });
  }
}

void size_of() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C[0] = sizeof(B = V(7));
    turns.compare(A, B, C, [](State& s) { s.C[0] = sizeof(s.B = V(7)); });
  }
}

void is_noexcept() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C[0] = noexcept(B = V(7));
    turns.compare(A, B, C, [](State& s) { s.C[0] = noexcept(s.B = V(7)); });
  }
}

void type_of() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    decltype(B = V(7)) other = C; other[0] = 3;
    turns.compare(A, B, C, [](State& s) { decltype(s.B = V(7)) other = s.C; other[0] = 3; });
  }
}

void required() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C[0] = requires { B = V(7); };
    turns.compare(A, B, C, [](State& s) { s.C[0] = requires { s.B = V(7); }; });
  }
}

void identified() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C[0] = typeid(B = V(7)) == typeid(V);
    turns.compare(A, B, C, [](State& s) { s.C[0] = typeid(s.B = V(7)) == typeid(V); });
  }
}

void is_constant() {
  V A, B, C;
  for (Turns turns; turns.next();) {
    B.assign(1000, turns.sent());
    C.assign(1000, -1);
    @communicate { A@(i + 1) % world.size() <<= B@i where i in world }
    C[0] = __builtin_constant_p((B = V(7), 1));
    turns.compare(A, B, C, [](State& s) { s.C[0] = __builtin_constant_p((s.B = V(7), 1)); });
  }
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

int main() {
  moved();
  cast_to_an_rvalue();
  forwarded();
  moved_into_a_member();
  moved_into_an_element();
  moved_into_an_optional();
  moved_through_a_reference();
  moved_in_a_lambda();
  moved_in_a_generic_lambda();
  moved_by_a_constructor();
  moved_into_a_capture();
  moved_to_a_function();
  swapped();
  swapped_as_a_member();
  exchanged();
  chosen();
  chosen_and_assigned();
  chosen_element();
  behind_a_comma();
  on_one_path();
  on_one_path_of_a_lambda();
  never_in_a_loop();
  size_of();
  is_noexcept();
  type_of();
  required();
  identified();
  is_constant();
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
  return check::finish("statements");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
