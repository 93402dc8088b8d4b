// RUN: %kanorc %s -o %t && %run_everywhere --large %t
// Reductions of sections: element by element, each with the bracketing that a number by itself would have.
#include "check.hpp"
#include "fold.hpp"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace {

double term(int rank, int row, int at) { return 1.0 / (3 + rank + 7 * row + 31 * at); }

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  const auto difference = [](double a, double b) { return a - b; };

  double table[3][5], sums[2][4];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 5; ++c) table[r][c] = term(me, r, c);
  for (auto& row : sums)
    for (double& cell : row) cell = -1;
  std::vector<double> list(9, -1);
  @communicate {
    sums[:][1 : 2]@t << + << table[k : 2][0 : 2 : 3]@s where t, s in world, k in {0, 1, 0};
    list@t << difference << table[2][:]@s where t, s in world
  }
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 4; ++c) {
      std::vector<fold::Contribution<double>> arrived;
      for (int s = 0; s < n; ++s)
        for (const int k : {0, 1, 0}) arrived.push_back({s, term(s, k + r, 3 * (c - 1))});
      CHECK_EQ(sums[r][c], c == 1 || c == 2 ? fold::reduced(arrived, std::plus<double>()) : -1.0);
    }
  CHECK_EQ(list.size(), 5u);
  for (int c = 0; c < 5; ++c) {
    std::vector<fold::Contribution<double>> arrived;
    for (int s = 0; s < n; ++s) arrived.push_back({s, term(s, 2, c)});
    CHECK_EQ(list.at(static_cast<std::size_t>(c)), fold::reduced(arrived, difference));
  }

  // One identical place whatever the way to it; another count or stride is another place.
  int cells[6] = {}, ones[3] = {1, 2, 3};
  int* const p = cells;
  @communicate { (p + k)[1 - k : 2]@0 << + << ones[k : 2]@s where s in world, k in {0 ... 1} }
  if (me == 0) CHECK_EQ(std::vector<int>(cells, cells + 6), (std::vector<int>{0, 3 * n, 5 * n, 0, 0, 0}));

  // Whole vectors into a section, a section into an array, other types of numbers, and elements that fold whole.
  std::vector<int> votes{me % 2, 1, me};
  std::array<long, 2> most{};
  std::vector<std::string> words{"<" + std::to_string(me), ">"};
  std::string joined[4];
  std::vector<bool> flags{me == 0, me == n - 1, false}, any(4);
  double real[3] = {};
  @communicate {
    real[:]@0 << + << votes@s where s in world;
    most@0 << max << votes[1 : 2]@s where s in world;
    joined[1 : 2]@0 << + << words[0 : 2]@s where s in world;
    any[0 : 3]@0 << || << flags[:]@s where s in world
  }
  if (me == 0) {
    CHECK_EQ(real[0], 1.0 * (n / 2));
    CHECK_EQ(real[2], n * (n - 1) / 2.0);
    CHECK_EQ(most, (std::array<long, 2>{1, n - 1}));
    std::string text;
    for (int s = 0; s < n; ++s) text += "<" + std::to_string(s);
    CHECK_EQ(joined[1], text);
    CHECK_EQ(joined[2], std::string(static_cast<std::size_t>(n), '>'));
    CHECK_EQ(joined[0], "");
    CHECK_EQ(any, (std::vector<bool>{true, true, false, false}));
  }

  // A place at which nothing arrives keeps its value.
  int kept[2] = {5, me};
  @communicate { kept[0 : 2]@n - 1 << + << ones[0 : 2]@s where s in world, s < 0 }
  CHECK_EQ(kept[0], 5);
  return check::finish("section_reductions");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
