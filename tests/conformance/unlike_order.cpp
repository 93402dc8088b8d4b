// RUN: %kanorc -O1 %s -o %t
// RUN: env KANOR_INFLIGHT=1K %run_everywhere --every-mode --modes threads,processes,mpi,mpi-threads,checked --keep KANOR_INFLIGHT --ranks 2,3,4,8 %t 200
// RUN: env KANOR_INFLIGHT=64K %run_everywhere --modes threads,processes,mpi,mpi-threads,checked --keep KANOR_INFLIGHT --ranks 2,4 %t 1200
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 2,3,4 %t 20
// Ranks take the blocks of two teams with the same members in unlike order: each team's blocks stand in the same order
// on all of them, and no block needs anything of a later one, so nobody waits for ever, however little may be on its
// way. (Between ranks that share no memory that holds below KANOR_INFLIGHT only.)
#include "check.hpp"

#include <string>
#include <utility>
#include <vector>

namespace {

int times = 0;

std::vector<int> value(int k, int length) { return std::vector<int>(static_cast<std::size_t>(length), 7 * k + 1); }

/// Both blocks send a way of their own between neighbours: those who begin with one wait for room that those make who
/// begin with the other.
void crossed(const kanor::team& one, const kanor::team& other, int length) {
  const int n = kanor::world.size(), me = kanor::world.rank();
  std::vector<int> mine, right, left;
  for (int half = 0; half < 2; ++half)
    for (int k = 0; k < times; ++k) {
      mine = value(k, length);
      if ((half == 0) == (me % 2 == 0)) {
        @communicate (team = one) { right@(i + 1) <<= mine@i where i in one, i % 2 == 0, i + 1 < n }
        if (me % 2 == 1) CHECK(right == value(k, length));
      } else {
        @communicate (team = other) { left@(i - 1) <<= mine@i where i in other, i % 2 == 1 }
        if (me % 2 == 0 && me + 1 < n) CHECK(left == value(k, length));
      }
    }
}

/// Rank 0 sends in both, and all others begin with the second one, so they wait for data while rank 0 waits for room.
void ahead(const kanor::team& one, const kanor::team& other, int length) {
  const int me = kanor::world.rank();
  std::vector<int> mine, first, second;
  for (int half = 0; half < 2; ++half)
    for (int k = 0; k < times; ++k) {
      mine = value(k, length);
      if ((half == 0) == (me == 0)) {
        @communicate (team = one) { first@i <<= mine@0 where i in one, i > 0 }
        if (me > 0) CHECK(first == value(k, length));
      } else {
        @communicate (team = other) { second@i <<= mine@0 where i in other, i > 0 }
        if (me > 0) CHECK(second == value(k, length));
      }
    }
}

/// The way back to the sender leads over every rank: each hands on what only comes after the first blocks.
void around(const kanor::team& one, const kanor::team& other, int length) {
  const int n = kanor::world.size(), me = kanor::world.rank(), last = n - 1;
  std::vector<int> mine, first, passed;
  for (int half = 0; half < 2; ++half)
    for (int k = 0; k < times; ++k) {
      if ((half == 0) == (me == 0)) {
        mine = value(k, length);
        @communicate (team = one) { first@last <<= mine@0 }
        if (me == last) CHECK(first == value(k, length));
      } else {
        if (me == 0) passed = value(k, length);
        for (int step = 1; step < n; ++step) {
          @communicate (team = other) { passed@step <<= passed@(step - 1) }
        }
        CHECK(passed == value(k, length));
      }
    }
}

/// A block that is started needs nothing of the others before it is waited for, even one round a ring.
void started(const kanor::team& one, const kanor::team& other, int length) {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const std::vector<int> mine = value(me, length), of_left = value((me + n - 1) % n, length);
  std::vector<int> first, second;
  for (int k = 0; k < times; ++k) {
    kanor::pending in_one, in_other;
    const auto start_one = [&] {
      @communicate (team = one, async = p) { first@(i + 1) % n <<= mine@i where i in one }
      in_one = std::move(p);
    };
    const auto start_other = [&] {
      @communicate (team = other, async = p) { second@(i + 1) % n <<= mine@i where i in other }
      in_other = std::move(p);
    };
    if (me % 2 == 0) start_one();
    start_other();
    if (me % 2 == 1) start_one();
    in_one.wait();
    in_other.wait();
    CHECK(first == of_left && second == of_left);
  }
}

}  // namespace

int main(int, char** argv) {
  times = std::stoi(argv[1]);
  const kanor::team one = kanor::world.split(0, kanor::world.rank()), other = kanor::world.split(0, kanor::world.rank());
  for (const int length : {4, 150, 1000}) {
    crossed(one, other, length);
    ahead(one, other, length);
    around(one, other, length);
    started(one, other, length);
  }
  return check::finish("unlike_order");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
