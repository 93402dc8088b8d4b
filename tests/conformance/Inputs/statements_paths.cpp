// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that are run on some paths only, or never.
#include "statements.hpp"

#include <typeinfo>

namespace {

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

}  // namespace

void run_paths() {
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
}
