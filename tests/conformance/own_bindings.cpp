// RUN: %kanorc %s -o %t && %run_everywhere --large --unchecked %t
// RUN: %run_everywhere --unchecked --modes threads --ranks 64 %t
// RUN: env KANOR_DISABLE=plan %run_everywhere --unchecked --keep KANOR_DISABLE --modes threads,mpi %t
// How many bindings a rank goes through: its own, whoever knows them; all of them where plans are switched off.
#include "check.hpp"

#include <cstdlib>
#include <string>
#include <vector>

using kanor::world;

namespace {

int looks = 0;

/// The last clause of each statement, which no form describes.
bool look(int) {
  ++looks;
  return true;
}

/// What this rank has looked at since the last time.
void check_looks(int own, int all) {
  const char* disabled = std::getenv("KANOR_DISABLE");
  CHECK_EQ(looks, disabled != nullptr && std::string(disabled) == "plan" ? all : own);
  looks = 0;
}

void both_know() {
  const int n = world.size(), me = world.rank();
  int left = -1;
  @communicate { left@(i + 1) % n <<= me@i where i in world, look(i) }
  CHECK_EQ(left, (me + n - 1) % n);
  check_looks(2, n);
  // Elements dealt out in turn, of which each rank knows where they are.
  std::vector<int> got(static_cast<std::size_t>(3 * n), -1);
  @communicate { got[k]@i <<= k@k % n where i in world, k in kanor::range(i, 3 * n, n), look(k) }
  for (int k = 0; k < 3 * n; ++k) CHECK_EQ(got[static_cast<std::size_t>(k)], k % n == me ? k : -1);
  check_looks(6, 3 * n);
}

void senders_know() {
  const int n = world.size(), me = world.rank();
  std::vector<int> got(static_cast<std::size_t>(n), -1);
  const auto check = [&](auto is_sender) {
    for (int i = 0; i < n; ++i) CHECK_EQ(got[static_cast<std::size_t>(i)], is_sender(i) ? 10 * i : -1);
    got.assign(static_cast<std::size_t>(n), -1);
  };
  @communicate (knows = sender) { got[i]@j <<= 10 * me@i where i in world, j in {0 ... i - 1}, look(i) }
  check([&](int i) { return i > me; });
  check_looks(me, n * (n - 1) / 2);
  // Whom a rank sends to is no matter.
  std::vector<int> next(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) next[static_cast<std::size_t>(i)] = (i + me) % n;
  @communicate (knows = sender) { got[i]@next[i] <<= 10 * me@i where i in world, look(i) }
  check([&](int i) { return 2 * i % n == me; });
  check_looks(1, n);
  // Leaves are each rank's own.
  @communicate (knows = sender) { got[from]@(me + k) % n <<= 10 * me@me where let from = me, k in {0 ... me}, look(k) }
  check([&](int i) { return (me - i + n) % n <= i; });
  check_looks(me + 1, me + 1);
  @communicate (knows = sender) { got[0]@i <<= 10 * me@0 where i in world, look(i) }
  check([&](int i) { return i == 0; });
  check_looks(me == 0 ? n : 0, n);
}

void receivers_know() {
  const int n = world.size(), me = world.rank();
  std::vector<int> got(3, -1);
  @communicate (knows = receiver, async = pulled) { got[k]@i <<= 10 * me + k@(i + k) % n where i in world, k in {0 ... 2}, look(i) }
  pulled.wait();
  for (int k = 0; k < 3; ++k) CHECK_EQ(got[static_cast<std::size_t>(k)], 10 * ((me + k) % n) + k);
  check_looks(3, 3 * n);
  int sum = -1;
  @communicate (knows = receiver) { sum@me << + << i + 1@i where i in world, (i ^ 1) == me, look(i) }
  CHECK_EQ(sum, (me ^ 1) < n ? (me ^ 1) + 1 : -1);
  check_looks((me ^ 1) < n ? 1 : 0, (me ^ 1) < n ? 1 : 0);
}

}  // namespace

int main() {
  // The second time plans are found again.
  for (int round = 0; round < 2; ++round) {
    both_know();
    senders_know();
    receivers_know();
  }
  return check::finish("own_bindings");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
