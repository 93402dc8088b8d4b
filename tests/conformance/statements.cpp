// RUN: %kanorc %s %S/Inputs/statements_paths.cpp %S/Inputs/statements_kept.cpp -o %t && %run_everywhere %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK %t
// What statements of every form do to a variable that was just sent. Each turn is also computed on plain variables, for every rank:
// sharing must not be noticed, whatever the statement. What kanorc proves of a statement is tested beside its source.
#include "Inputs/statements.hpp"

#include <optional>

namespace {

struct Box {
  V v;
};

void take(V&& from, V& to) { to = std::move(from); }

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
  run_paths();
  run_kept();
  return check::finish("statements");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
