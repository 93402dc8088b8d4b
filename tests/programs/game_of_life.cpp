// RUN: %kanorc -O1 %s -o %t && %run_everywhere %t
// Conway's game on a torus, cut into strips of rows; the edge rows go to both neighbours before every step.
#include "oracle.hpp"

#include <string>
#include <vector>

namespace {

constexpr int height = 61, width = 47, steps = 40;
using Row = std::vector<bool>;

bool lives(const Row& above, const Row& row, const Row& below, int x) {
  const int left = (x + width - 1) % width, right = (x + 1) % width;
  const int around = above[left] + above[x] + above[right] + row[left] + row[right] + below[left] + below[x] + below[right];
  return around == 3 || (around == 2 && row[x]);
}

std::vector<Row> start() {
  oracle::Numbers numbers(5);
  std::vector<Row> rows(height, Row(width));
  for (Row& row : rows)
    for (int x = 0; x < width; ++x) row[x] = numbers.below(3) == 0;
  return rows;
}

std::vector<Row> serial() {
  auto rows = start();
  for (int step = 0; step < steps; ++step) {
    auto next = rows;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) next[y][x] = lives(rows[(y + height - 1) % height], rows[y], rows[(y + 1) % height], x);
    rows = next;
  }
  return rows;
}

struct Strip {
  std::vector<Row> rows;
  Row above, below;

  void exchange() {
    @communicate {
      above@(i + 1) % world.size() <<= rows.back()@i where i in world;
      below@(i + world.size() - 1) % world.size() <<= rows.front()@i where i in world
    }
  }
  int step() {
    exchange();
    auto next = rows;
    int alive = 0, total = 0;
    const int last = static_cast<int>(rows.size()) - 1;
    for (int y = 0; y <= last; ++y)
      for (int x = 0; x < width; ++x) {
        next[y][x] = lives(y == 0 ? above : rows[y - 1], rows[y], y == last ? below : rows[y + 1], x);
        alive += next[y][x];
      }
    rows = next;
    @communicate { total@i << + << alive@s where i, s in world }
    return total;
  }
};

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const auto mine = oracle::part(height, n, me);
  const auto begin = start();
  Strip strip{{begin.begin() + mine.first, begin.begin() + mine.last}, {}, {}};
  int alive = 0;
  for (int step = 0; step < steps; ++step) alive = strip.step();

  const auto wanted = serial();
  bool right = true;
  int wanted_alive = 0;
  for (const Row& row : wanted)
    for (const bool cell : row) wanted_alive += cell;
  for (int y = 0; y < mine.size(); ++y) right = right && strip.rows[y] == wanted[mine.first + y];
  return oracle::verdict("game_of_life", right && alive == wanted_alive);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
