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
    // CHECK: [[@LINE+1]]:{{.*}}'b' is copied: exceptions are caught where it goes on to live
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

}  // namespace

int main() {
  same(until_thrown(0), 5);
  same(until_thrown(5), 5);
  same(kept_for_the_handler(true), 9);
  same(kept_for_the_handler(false), 4);
  return check::finish("shared_in_try");
}
