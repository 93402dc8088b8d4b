// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the statements of statements.cpp have in common.
#pragma once

#include "../check.hpp"

#include <utility>
#include <vector>

using kanor::world;

using V = std::vector<double>;

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
  void compare(const V& a, const V& b, const V& c, const Statement& statement, int line = __builtin_LINE(),
               const char* file = __builtin_FILE()) {
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
    check::equal(file, line, "A", a == own.A, true);
    check::equal(file, line, "B", b == own.B, true);
    check::equal(file, line, "C", c == own.C, true);
  }

 private:
  int turn_ = -1;
  std::vector<State> states_{static_cast<std::size_t>(world.size())};
};

/// Statements that are run on some paths only, or never.
void run_paths();
/// Statements that keep an address, or change elements in other ways.
void run_kept();
