// RUN: %kanorc -O1 %s -o %t && %run_everywhere --ranks 1,2,3,4 %t
// Thousands of small blocks of all shapes, ranks far apart in time, and an endless ring of tokens.
#include "check.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;

  int token = me;
  for (int round = 0; round < 2000; ++round) {
    @communicate { token@(i + 1) % n <<= token@i where i in world }
  }
  CHECK_EQ(token, ((me - 2000) % n + n) % n);

  // One way only: the senders never wait, and nothing is mixed up.
  for (int round = 0; round < 3000; ++round) {
    int got = -1;
    @communicate { got@n - 1 <<= 3 * round@0 }
    if (me == n - 1) CHECK_EQ(got, 3 * round);
  }
  // The direction and the partners change in each block.
  long sum = 0, wanted = 0;
  for (int round = 0; round < 2000; ++round) {
    const int from = round * 7 % n, to = (round * 5 + round / 3) % n;
    long got = 0;
    std::string text;
    @communicate { got@to <<= 1L * round * from@from; text@from <<= std::to_string(round)@to }
    if (me == to) wanted += 1L * round * from;
    if (me == from) CHECK_EQ(text, std::to_string(round));
    sum += got;
  }
  CHECK_EQ(sum, wanted);
  // Ranks out of step: one dawdles, the others are many blocks ahead.
  std::vector<int> seen;
  for (int round = 0; round < 30; ++round) {
    if (me == n - 1 && round % 10 == 5) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    int got = -1;
    @communicate { got@(i + 1) % n <<= round@i where i in world, i == 0 || round % 3 == 0 }
    seen.push_back(got);
  }
  for (int round = 0; round < 30; ++round) CHECK_EQ(seen[round], left == 0 || round % 3 == 0 ? round : -1);
  // Thousands of bindings in one block.
  std::vector<int> cells(5000, -1);
  @communicate { cells[k]@(i + k) % n <<= 10 * k + i@i where i in world, k in {0 ... 4999} }
  for (int k = 0; k < 5000; ++k) CHECK_EQ(cells[k], 10 * k + ((me - k) % n + n) % n);
  // Of lengths on both sides of most_bytes of a network's short messages, 16864, which overtake each other.
  for (int round = 0; round < 100; ++round) {
    std::vector<std::string> texts(64);
    const auto length = [&](int k) { return static_cast<std::size_t>(16864 + (k * 37 + round) % 96 - 48); };
    @communicate {
      texts[k]@(i + 1) % n <<= std::string(length(k), static_cast<char>('a' + (k + i) % 26))@i
      where i in world, k in {0 ... 63}
    }
    for (int k = 0; k < 64; ++k)
      CHECK_EQ(texts[k], std::string(length(k), static_cast<char>('a' + (k + left) % 26)));
    std::string one;
    @communicate { one@(i + 1) % n <<= std::string(length(me), 'x')@i where i in world }
    CHECK_EQ(one.size(), length(left));
  }
  return check::finish("many_messages");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
