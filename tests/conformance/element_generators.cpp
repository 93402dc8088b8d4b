// RUN: %kanorc %s -o %t && %run_everywhere --large --unchecked %t > %t.sections
// RUN: %kanorc --no-sections %s -o %t.single && %run_everywhere --large --unchecked %t.single > %t.elements
// RUN: diff %t.sections %t.elements
// Element generators mean the same, whether all elements go as one section or each by itself.
#include "check.hpp"
#include "fold.hpp"

#include <array>
#include <functional>
#include <vector>

namespace {

double term(int rank, int at) { return 1.0 / (3 + rank + 31 * at); }

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;
  constexpr int length = 12;
  std::vector<double> from(length), to(length, -1);
  int numbers[2 * length], back[length] = {};
  for (int at = 0; at < length; ++at) from[static_cast<std::size_t>(at)] = term(me, at);
  for (int at = 0; at < 2 * length; ++at) numbers[at] = 100 * me + at;

  // Whole vectors, halves of them, every other element, and none.
  @communicate { to[k]@(i + 1) % n <<= from[k]@i where i in world, k in {0 ... length - 1} }
  for (int at = 0; at < length; ++at) CHECK_EQ(to[static_cast<std::size_t>(at)], term(left, at));
  @communicate {
    to[k + 6]@(i + 1) % n <<= from[k]@i where i in world, k in {0 ... 5};
    back[k - 2]@(i + 1) % n <<= numbers[2 * k + 1]@i where i in world, k in {2 ... i % 2 + 4};
    to[k]@n + 7 <<= from[k]@n + 9 where k in {3 ... 2}
  }
  for (int at = 0; at < length; ++at) {
    CHECK_EQ(to[static_cast<std::size_t>(at)], term(left, at % 6));
    CHECK_EQ(back[at], at < left % 2 + 3 ? 100 * left + 2 * at + 5 : 0);
  }

  // Rows, blocks of a matrix for each rank, and names in any order.
  std::vector<std::array<int, 3>> rows(4), got(4);
  for (auto& row : rows) row = {me, 7, me};
  std::vector<int> gathered(static_cast<std::size_t>(3 * n), -1);
  int table[8][8] = {};
  @communicate {
    got[k]@(i + 1) % n <<= rows[3 - 3 + k]@i where i in world, k in {0 ... 3};
    gathered[3 * i + k]@0 <<= numbers[k]@i where i, k in {0 ... 2}, i < n;
    table[i % 8][2 * k]@r <<= numbers[k]@i where r, i in world, i < 8, k in {0 ... 3}
  }
  CHECK_EQ(got[2], (std::array<int, 3>{left, 7, left}));
  for (int i = 0; i < n && me == 0; ++i)
    for (int k = 0; k < 3; ++k) CHECK_EQ(gathered[static_cast<std::size_t>(3 * i + k)], i < 3 ? 100 * i + k : -1);
  for (int i = 0; i < n && i < 8; ++i)
    for (int k = 0; k < 8; ++k) CHECK_EQ(table[i][k], k % 2 == 0 ? 100 * i + k / 2 : 0);

  // Updates that meet: the last binding wins, whichever of its elements it is.
  int overlapping[40] = {};
  int* const last = overlapping;
  @communicate { last[i + k]@0 <<= numbers[k]@i where i in world, k in {0 ... 5} }
  for (int at = 0; me == 0 && at < n + 5; ++at) {
    const int winner = at < n ? at : n - 1;
    CHECK_EQ(overlapping[at], 100 * winner + at - winner);
  }

  // Reductions: each element has the contributions of the other names, in their order.
  std::vector<double> sums(length, -1);
  std::vector<bool> any(4), flags{me == 0, me == n - 1, false, true};
  std::array<long, 4> most{};
  double meeting[length + 32] = {};
  @communicate {
    sums[k]@t << + << from[k]@s where t, s, twice in world, k in {0 ... length - 2}, twice < 2;
    any[k]@0 << || << flags[k]@s where s in world, k in {1 ... 3};
    most[k]@n - 1 << [](int a, int b) { return a > b ? a : b; } << numbers[2 * k]@s where s in world, k in {0 ... 3};
    meeting[s + k]@0 << + << from[k]@s where s in world, k in {0 ... 4}
  }
  for (int k = 0; k < length; ++k) {
    std::vector<fold::Contribution<double>> arrived;
    for (int s = 0; s < n; ++s)
      for (int twice = 0; twice < n && twice < 2; ++twice) arrived.push_back({s, term(s, k)});
    CHECK_EQ(sums[static_cast<std::size_t>(k)], k < length - 1 ? fold::reduced(arrived, std::plus<double>()) : -1.0);
  }
  if (me == 0) CHECK_EQ(any, (std::vector<bool>{false, true, false, true}));
  if (me == n - 1) CHECK_EQ(most, (std::array<long, 4>{100 * (n - 1), 100 * (n - 1) + 2, 100 * (n - 1) + 4, 100 * (n - 1) + 6}));
  for (int at = 0; me == 0 && at < n + 4; ++at) {
    std::vector<fold::Contribution<double>> arrived;
    for (int s = 0; s < n; ++s)
      if (at - s >= 0 && at - s <= 4) arrived.push_back({s, term(s, at - s)});
    CHECK_EQ(meeting[at], fold::reduced(arrived, std::plus<double>()));
  }
  return check::finish("element_generators");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
