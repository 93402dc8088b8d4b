// RUN: %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,4,6,8 %t
// The standard library's patterns on the world and on teams, against what one rank computes alone.
#include "oracle.hpp"

#include <kanor/std/all_reduce.hpp>
#include <kanor/std/broadcast.hpp>
#include <kanor/std/gather_vectors.hpp>
#include <kanor/std/halo.hpp>
#include <kanor/std/transpose.hpp>

#include <array>
#include <string>
#include <vector>

namespace {

using kanor::world;

bool values(const kanor::team& members) {
  const int me = members.rank(), n = members.size();
  std::string word = "from " + std::to_string(me);
  kanor::broadcast(word, n - 1, members);
  std::vector<int> numbers(static_cast<unsigned>(me), me);
  kanor::broadcast(numbers, n / 2, members);

  long sum = 0;
  std::string letters;
  for (int i = 0; i < n; ++i) {
    sum += i * i;
    letters += static_cast<char>('a' + i);
  }
  const auto joined = kanor::all_reduce(std::string(1, static_cast<char>('a' + me)),
                                        [](const std::string& a, const std::string& b) { return a + b; }, members);
  return word == "from " + std::to_string(n - 1) &&
         numbers == std::vector<int>(static_cast<unsigned>(n / 2), n / 2) &&
         kanor::all_sum(static_cast<long>(me) * me, members) == sum && kanor::all_max(-me, members) == 0 &&
         joined == letters;
}

bool vectors(const kanor::team& members) {
  const int me = members.rank(), n = members.size();
  std::vector<int> expected;
  for (int i = 0; i < n; ++i) expected.insert(expected.end(), static_cast<unsigned>(i), i);
  const std::vector<int> mine(static_cast<unsigned>(me), me);
  const auto at_last = kanor::gather_vectors(mine, n - 1, members);
  return kanor::all_gather_vectors(mine, members) == expected &&
         at_last == (me == n - 1 ? expected : std::vector<int>());
}

bool transposed(long height, long width, const kanor::team& members) {
  const kanor::index_range own = kanor::block_range(height, members.rank(), members);
  std::vector<long> rows;
  for (long y = own.begin; y < own.end; ++y)
    for (long x = 0; x < width; ++x) rows.push_back(y * width + x);
  const auto turned = kanor::transpose(rows, height, width, members);
  std::vector<long> expected;
  const kanor::index_range columns = kanor::block_range(width, members.rank(), members);
  for (long x = columns.begin; x < columns.end; ++x)
    for (long y = 0; y < height; ++y) expected.push_back(y * width + x);
  return turned == expected && kanor::transpose(turned, width, height, members) == rows;
}

/// Where the cells of coordinate `at` begin in a dimension: every second rank has one more than the others.
long first_cell(unsigned d, long at) { return at * (2 + static_cast<long>(d)) + at / 2; }

/// Cells hold a number made of their global coordinates; after the exchange the ghosts must, too.
template <int D>
bool halo(const kanor::grid<D>& ranks, long width) {
  const auto me = ranks.coords(ranks.team().rank());
  std::array<long, D> own{}, extents{};
  long cells = 1;
  for (unsigned d = 0; d < D; ++d) {
    own[d] = first_cell(d, me[d] + 1) - first_cell(d, me[d]);
    extents[d] = own[d] + 2 * width;
    cells *= extents[d];
  }
  std::vector<long> field(static_cast<unsigned>(cells), -1), expected = field;
  for (long cell = 0; cell < cells; ++cell) {
    long rest = cell, global = 0;
    bool inside = true, outside = false;
    for (unsigned d = D; d-- > 0; rest /= extents[d]) {
      const long at = rest % extents[d] - width, all = first_cell(d, ranks.extent(static_cast<int>(d)));
      inside = inside && at >= 0 && at < own[d];
      long place = first_cell(d, me[d]) + at;
      if (ranks.periodic(static_cast<int>(d))) place = (place + all) % all;
      outside = outside || place < 0 || place >= all;
      global = global * 100 + place;
    }
    const auto index = static_cast<unsigned>(cell);
    if (inside) field[index] = global;
    if (!outside) expected[index] = global;
  }
  kanor::exchange_halo(field.data(), extents, width, ranks);
  return field == expected;
}

template <int D>
bool halos(const kanor::team& members) {
  const kanor::grid<D> shape(members);
  std::array<int, D> extents;
  std::array<bool, D> around{};
  for (int d = 0; d < D; ++d) extents[static_cast<unsigned>(d)] = shape.extent(d);
  around.back() = true;
  return halo(shape, 1) && halo(shape, 2) && halo(kanor::grid<D>(members, extents, around), 2);
}

bool everything(const kanor::team& members) {
  return values(members) && vectors(members) && transposed(5, 7, members) && transposed(1, 12, members) &&
         halos<1>(members) && halos<2>(members) && halos<3>(members);
}

}  // namespace

int main() {
  const bool all = everything(world);
  const bool half = everything(world.split(world.rank() % 2, -world.rank()));
  return oracle::verdict("stdlib", all && half);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
