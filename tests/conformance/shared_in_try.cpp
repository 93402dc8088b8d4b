// RUN: %kanorc %s -o %t && %run_everywhere %t
// RUN: %kanorc --explain %s | %FileCheck %s
// Variables whose memory ranks share, in functions that catch exceptions: those that an exception ends are shared, those that go on
// to live where it is caught are copied.
#include "check.hpp"

#include <source_location>
#include <stdexcept>
#include <vector>

namespace {

using kanor::world;

void same(double actual, double expected, std::source_location at = std::source_location::current()) {
  check::equal(at.file_name(), static_cast<int>(at.line()), "value", actual, expected);
}

/// Leaves while others still hold what it shared.
int until_thrown(int last) {
  const int me = world.rank();
  try {
    [[kanor::globalize]] std::vector<int> a(3000, me), b;
    for (int turn = 0;; ++turn) {
      // CHECK: [[@LINE+1]]:{{.*}}'b' takes over the memory
      @communicate { b@(r + 1) % world.size() <<= a@r where r in world }
      // CHECK: [[@LINE-1]]:{{.*}}'a' shares its memory
      a[7] += 1;
      same(b[7], (me + world.size() - 1) % world.size() + turn);
      if (turn == last) throw std::runtime_error("enough");
    }
  } catch (const std::runtime_error&) {
    [[kanor::globalize]] std::vector<int> c(2000, me + 5), d;
    // CHECK: [[@LINE+1]]:{{.*}}'d' takes over the memory
    @communicate { d@r <<= c@0 where r in world }
    c[1] = -1;
    return d[1];
  }
}

/// What the handler reads must not have been let go of before.
int kept_for_the_handler(bool fails) {
  const int me = world.rank();
  std::vector<int> a(3000, me), b;
  try {
    // CHECK: [[@LINE+1]]:{{.*}}'b' is copied: exceptions are caught inside its scope
    @communicate { b@r <<= a@0 where r in world }
    a[0] = 9;
    if (fails) throw b[5] + 3;
    a = std::vector<int>(3000, 4);
  } catch (int thrown) {
    same(thrown, 3);
    same(b[6], 0);
    return a[0];
  }
  return a[1];
}

/// What is tried in a loop, with loops behind it.
double tried_before(int rounds) {
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    try {
      if (round > 1) throw round;
    } catch (int thrown) {
      sum += thrown;
    }
    [[kanor::globalize]] double a[600] = {}, b[600] = {};
    for (int k = 0; k < 600; ++k) a[k] = k;
    kanor::buffer<double> other(600, 1e6);
    for (int turn = 0; turn < 2; ++turn) {
      a[turn] = 0;
      @communicate { b@i <<= a@0 where i in world }
      for (int k = 0; k < 600; ++k) sum += b[k];
    }
    for (int turn = 0; turn < 2; ++turn) sum += other[turn] / 1e6;
    [[kanor::globalize]] double late[600] = {1};
    for (int turn = 0; turn < 2; ++turn) {
      @communicate { late@i <<= late@0 where i in world }
      late[0] += 1;
    }
    sum += late[0];
  }
  for (int k = 0; k < 2; ++k) sum += 1;
  return sum;
}

double tried_around(int rounds) {
  double sum = 0;
  for (int round = 0; round < rounds; ++round) try {
      [[kanor::globalize]] double state[600], got[600] = {};
      for (int k = 0; k < 600; ++k) state[k] = k;
      for (int turn = 0; turn < 3; ++turn) {
        if (turn == 2) {
          @communicate { got@i <<= state@0 where i in world }
        }
        sum += state[turn];
        if (turn == 2 && round == 1) throw 100;
      }
      sum += got[7];
    } catch (int thrown) {
      sum += thrown;
    }
  for (int turn = 0; turn < 2; ++turn) sum += 1;
  return sum;
}

/// Enters a loop at its head and at a label.
double entered_in_the_middle(int from) {
  [[maybe_unused]] std::vector<double> a(900, 1), b;
  double sum = 0;
  int turn = 0;
  switch (from) {
    case 0:
      do {
        // CHECK: [[@LINE+1]]:{{.*}}'b' is copied: its function has a case label in a statement of its own
        @communicate { b@i <<= a@0 where i in world }
        sum += b[3];
        [[fallthrough]];
        case 1:
          a[3] += 1;
      } while (++turn < 3);
  }
  return sum;
}

}  // namespace

int main() {
  same(tried_before(3), 3 * (2 * 179700 - 0 - 1 + 2 + 3) + 2 + 2);
  same(tried_around(3), 3 * 3 + 2 * 7 + 100 + 2);
  same(entered_in_the_middle(0), 1 + 2 + 3);
  same(entered_in_the_middle(1), 2 + 3);
  same(until_thrown(0), 5);
  same(until_thrown(5), 5);
  same(kept_for_the_handler(true), 9);
  same(kept_for_the_handler(false), 4);
  return check::finish("shared_in_try");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
