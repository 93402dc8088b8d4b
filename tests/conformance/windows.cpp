// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 1,3 %t
// RUN: env KANOR_INFLIGHT=4K %run_everywhere --keep KANOR_INFLIGHT --ranks 1,4 %t
// Windows: puts into the memory of other ranks, brought by fences.
#include "windows.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using kanor::world;

static_assert(!std::is_copy_constructible_v<kanor::window<int>> && !std::is_copy_assignable_v<kanor::window<int>>);
static_assert(std::is_nothrow_move_constructible_v<kanor::window<int>>);

/// Where equal elements may be put twice: checked mode calls that an error.
bool twice_allowed() { return std::getenv("KANOR_CHECK") == nullptr; }

struct Pixel {
  unsigned char red, green, blue;
  bool operator==(const Pixel&) const = default;
};
static_assert(sizeof(Pixel) == 3);

struct Particle {
  char kind;  // padding behind it
  double x;
  short cells[3];
  bool operator==(const Particle& o) const {
    return kind == o.kind && x == o.x && std::equal(cells, cells + 3, o.cells);
  }
};

struct alignas(64) Line {
  int numbers[3];
  bool operator==(const Line& o) const { return std::equal(numbers, numbers + 3, o.numbers); }
};

struct Page {
  int number;
  char bytes[5000];
  bool operator==(const Page& o) const { return number == o.number && std::memcmp(bytes, o.bytes, sizeof bytes) == 0; }
};

enum class Suit : std::int8_t { clubs, hearts, spades };

/// A different value of each type for each number, as far as there are so many.
template <class T>
T value_of(long long e) {
  if constexpr (std::is_same_v<T, Pixel>) {
    return {static_cast<unsigned char>(e), static_cast<unsigned char>(e >> 8), static_cast<unsigned char>(e * 7)};
  } else if constexpr (std::is_same_v<T, Particle>) {
    const auto small = static_cast<short>(e % 999);
    return {static_cast<char>('a' + e % 26), 0.1 * static_cast<double>(e), {small, 2, static_cast<short>(-small)}};
  } else if constexpr (std::is_same_v<T, Line>) {
    return {{static_cast<int>(e), static_cast<int>(-e), 5}};
  } else if constexpr (std::is_same_v<T, Page>) {
    Page page{static_cast<int>(e), {}};
    for (std::size_t k = 0; k < sizeof page.bytes; ++k) page.bytes[k] = static_cast<char>(at(e) * 3 + k);
    return page;
  } else if constexpr (std::is_same_v<T, Suit>) {
    return static_cast<Suit>(e % 3);
  } else if constexpr (std::is_same_v<T, bool>) {
    return e % 3 == 1;
  } else if constexpr (std::is_same_v<T, std::complex<double>>) {
    return {0.3 * static_cast<double>(e), -1.0 * static_cast<double>(e)};
  } else if constexpr (std::is_same_v<T, std::array<int, 3>>) {
    return {static_cast<int>(e), static_cast<int>(e + 1), static_cast<int>(-e)};
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(e) / 3;
  } else {
    return static_cast<T>(e);
  }
}

/// How many elements a rank opens; some ranks open none.
int length_of(int rank, int round) { return (rank * 5 + round * 3) % 4 == 2 ? 0 : 3 + (rank * 11 + round * 7) % 23; }

struct Deal {
  int from, to;
  long long index, number;
};

/// Random puts of a round in the order in which the senders make them: all ranks can draw all of them.
std::vector<Deal> deals(int n, int round, bool twice) {
  std::mt19937 random(4711u * static_cast<unsigned>(round) + static_cast<unsigned>(n));
  std::vector<Deal> all;
  for (int to = 0; to < n; ++to) {
    for (int index = 0; index < length_of(to, round); ++index) {
      for (unsigned times = random() % (twice ? 4 : 2); times > 0; --times) {
        const int from = static_cast<int>(random() % static_cast<unsigned>(n));
        all.push_back({from, to, index, static_cast<long long>(random() % 100'000)});
      }
    }
  }
  // Not std::shuffle: the order is that of no library.
  for (std::size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[random() % k]);
  if (round % 3 == 0)  // long runs
    std::stable_sort(all.begin(), all.end(), [](const Deal& a, const Deal& b) { return a.index < b.index; });
  if (round % 3 == 1)
    std::stable_sort(all.begin(), all.end(), [](const Deal& a, const Deal& b) { return a.index > b.index; });
  return all;
}

/// Makes the puts of a round on all members of the team, and compares the memory with a simulation.
template <class T>
void scatter(const kanor::team& team, int round, bool twice) {
  const int n = team.size(), me = team.rank();
  const int length = length_of(me, round);
  // Not a vector: that of bool has no memory of elements.
  const std::unique_ptr<T[]> memory(new T[at(length) + 1]);
  std::deque<T> expected;
  for (int index = 0; index <= length; ++index) {
    memory[at(index)] = value_of<T>(1000 + me + index);
    expected.push_back(memory[at(index)]);
  }
  const std::deque<T> before = expected;
  const std::vector<Deal> all = deals(n, round, twice);
  for (int from = 0; from < n; ++from)
    for (const Deal& deal : all)
      if (deal.from == from && deal.to == me) expected[at(deal.index)] = value_of<T>(deal.number);

  kanor::window<T> w(memory.get(), at(length), team);
  for (const Deal& deal : all)
    if (deal.from == me) w.put(deal.to, deal.index, value_of<T>(deal.number));
  CHECK(std::equal(before.begin(), before.end(), memory.get()));
  w.fence();
  CHECK(std::equal(expected.begin(), expected.end(), memory.get()));
  w.fence();
  CHECK(std::equal(expected.begin(), expected.end(), memory.get()));
}

/// Rows 0 .. size-1 in blocks of unequal size.
int first_row(int rank, int n, int size) { return size * rank * (rank + 1) / (n * (n + 1)); }

void transposition(int size) {
  const int n = world.size(), me = world.rank();
  const int first = first_row(me, n, size), end = first_row(me + 1, n, size);
  std::vector<long> a(at((end - first) * size)), b(a.size(), -1);
  for (int row = first; row < end; ++row)
    for (int column = 0; column < size; ++column) a[at((row - first) * size + column)] = 1000L * row + column;
  kanor::window<long> w(b);
  for (int row = first; row < end; ++row) {
    for (int owner = 0; owner < n; ++owner) {
      const int begin = first_row(owner, n, size);
      for (int column = begin; column < first_row(owner + 1, n, size); ++column)
        w.put(owner, (column - begin) * size + row, a[at((row - first) * size + column)]);
    }
  }
  w.fence();
  bool right = true;
  for (int row = first; row < end; ++row)
    for (int column = 0; column < size; ++column)
      right = right && b[at((row - first) * size + column)] == 1000L * column + row;
  CHECK(right);
}

/// Steps of a stencil on a grid of tiles, each with a halo; all tiles are also computed by each rank alone.
void stencil(bool periodic) {
  constexpr int rows = 3, columns = 4, wide = columns + 2, steps = 5;
  const kanor::grid<2> shape(world);
  const int high = shape.extent(0), across = shape.extent(1);
  const kanor::grid<2> grid(world, {high, across}, {periodic, false});
  const int me = world.rank();
  const auto start = [](int y, int x) { return (y * 31 + x * 17) % 101; };
  const auto step = [](int a, int b, int c, int d, int e) { return (2 * a + b + 3 * c + 5 * d + 7 * e) % 9973; };

  const int total_rows = rows * high, total_columns = columns * across;
  std::vector<int> whole(at(total_rows * total_columns)), next = whole;
  for (int y = 0; y < total_rows; ++y)
    for (int x = 0; x < total_columns; ++x) whole[at(y * total_columns + x)] = start(y, x);
  const auto seen = [&](int y, int x) {
    if (periodic) y = (y + total_rows) % total_rows;
    return y < 0 || x < 0 || y >= total_rows || x >= total_columns ? -1 : whole[at(y * total_columns + x)];
  };

  std::vector<int> tile((rows + 2) * wide, -1), result = tile;
  const auto mine = [&](int y, int x) -> int& { return tile[at((y + 1) * wide + x + 1)]; };
  const int top = grid.coords(me)[0] * rows, left = grid.coords(me)[1] * columns;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) mine(y, x) = start(top + y, left + x);
  kanor::window w(tile);
  const int up = grid.neighbor(me, 0, -1), down = grid.neighbor(me, 0, 1);
  const int before = grid.neighbor(me, 1, -1), after = grid.neighbor(me, 1, 1);
  for (int k = 0; k < steps; ++k) {
    for (int x = 0; x < columns; ++x) {
      w.put(up, (rows + 1) * wide + x + 1, mine(0, x));
      w.put(down, x + 1, mine(rows - 1, x));
    }
    for (int y = 0; y < rows; ++y) {
      w.put(before, (y + 1) * wide + columns + 1, mine(y, 0));
      w.put(after, (y + 1) * wide, mine(y, columns - 1));
    }
    w.fence();
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        result[at((y + 1) * wide + x + 1)] =
            step(mine(y, x), mine(y - 1, x), mine(y + 1, x), mine(y, x - 1), mine(y, x + 1));
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) mine(y, x) = result[at((y + 1) * wide + x + 1)];
    for (int y = 0; y < total_rows; ++y)
      for (int x = 0; x < total_columns; ++x)
        next[at(y * total_columns + x)] =
            step(seen(y, x), seen(y - 1, x), seen(y + 1, x), seen(y, x - 1), seen(y, x + 1));
    whole.swap(next);
  }
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) CHECK_EQ(mine(y, x), seen(top + y, left + x));
}

/// One run of puts with that stride to each rank, each rank's into elements of its own.
void strides() {
  const int n = world.size(), me = world.rank();
  constexpr int count = 17;
  for (const int stride : {1, 2, 3, 100, -1, -2, -50}) {
    const int each = count * std::abs(stride);
    std::vector<int> memory(at(n * each), -7), expected = memory;
    kanor::window w(memory);
    const auto first_of = [&](int rank) { return rank * each + (stride > 0 ? 0 : each - 1); };
    const int begin = first_of(me);
    for (int k = 0; k < count; ++k)  // the runs to all ranks grow together
      for (int to = 0; to < n; ++to) w.put(to, begin + k * stride, 1000 * me + 10 * k + to);
    w.fence();
    for (int from = 0; from < n; ++from)
      for (int k = 0; k < count; ++k) expected[at(first_of(from) + k * stride)] = 1000 * from + 10 * k + me;
    CHECK_EQ(memory, expected);
    // Up and down again with one element between: the stride changes its sign, and ends run into each other.
    for (int k = 0; k < count; k += 2) w.put(me, begin + k * stride, -k);
    for (int k = count - 2; k > 0; k -= 2) w.put(me, begin + k * stride, -k);
    w.fence();
    for (int k = 0; k < count; ++k) expected[at(begin + k * stride)] = -k;
    CHECK_EQ(memory, expected);
  }
}

/// All elements of all ranks in an order that jumps, each put by one rank.
void many(int count) {
  const int n = world.size(), me = world.rank();
  const long long total = static_cast<long long>(n) * count;
  long long factor = 7919, inverse = 0;
  while (std::gcd(factor, total) != 1) factor += 2;
  for (long long a = total, b = factor % total, x = 0, y = 1; b != 0;) {  // Euclid's algorithm
    const long long q = a / b;
    a = std::exchange(b, a - q * b);
    x = std::exchange(y, x - q * y);
    inverse = (x % total + total) % total;
  }
  if (total == 1) inverse = 0;
  std::vector<double> memory(at(count), -1.0);
  kanor::window<double> w(memory);
  for (int round = 0; round < 2; ++round) {
    for (long long g = static_cast<long long>(me) * count; g < static_cast<long long>(me + 1) * count; ++g) {
      // In the second round as runs: to the next rank.
      const long long element = round == 0 ? g * factor % total : (g + count) % total;
      w.put(static_cast<int>(element / count), element % count, 0.5 * static_cast<double>(g) + round);
    }
    w.fence();
    bool right = true;
    for (int k = 0; k < count; ++k) {
      const long long element = static_cast<long long>(me) * count + k;
      const long long g = round == 0 ? element * inverse % total : (element + total - count) % total;
      right = right && memory[at(k)] == 0.5 * static_cast<double>(g) + round;
    }
    CHECK(right);
  }
}

/// Conflicts: the higher rank of the team wins, then the later put. Not in checked mode.
void order(const kanor::team& team) {
  const int n = team.size(), me = team.rank();
  std::vector<int> memory(9, -1);
  kanor::window<int> w(memory.data(), memory.size(), team);
  for (int to = 0; to < n; ++to) {
    w.put(to, 0, me);
    for (int k = 0; k < 5; ++k) w.put(to, 1, 100 * me + k);  // a stride of zero
    for (int k = 8; k >= 2; --k) w.put(to, k, 10 * me);
    for (int k = 2; k <= 8; k += 2) w.put(to, k, 10 * me + 1);
    if (me == 0) w.put(to, 8, 5);  // the last put, but of the lowest rank
    if (me == n / 2) w.put(to, 5, 777);
  }
  w.fence();
  std::vector<int> expected{n - 1, 100 * (n - 1) + 4};
  for (int k = 2; k <= 8; ++k) expected.push_back(10 * (n - 1) + (k % 2 == 0));
  if (n == 1) expected[8] = 5;
  if (n / 2 == n - 1) expected[5] = 777;
  CHECK(memory == expected);
  // Puts of an earlier fence do not count, whoever made them.
  if (me == n - 1) w.put(0, 3, 1);
  w.fence();
  if (me == 0) w.put(0, 3, 2);
  w.fence();
  CHECK(me != 0 || memory[3] == 2);
}

void teams() {
  const int n = world.size(), me = world.rank();
  const kanor::team half = world.split(me % 2, -me);  // from high to low
  const kanor::team quarter = half.split(half.rank() / 2, 0);
  const kanor::team alone = world.split(me, 0);
  std::vector<int> a(at(n), -1), b(at(half.size()), -1), c(at(quarter.size()), -1);
  std::array<double, 1> d{};
  {
    kanor::window<int> of_world(a), of_half(b, half), of_quarter(c.data(), c.size(), quarter);
    for (int to = 0; to < n; ++to) of_world.put(to, me, me);
    for (int to = 0; to < half.size(); ++to) of_half.put(to, half.rank(), me);
    of_half.fence();
    CHECK_EQ(a, std::vector<int>(at(n), -1));
    for (int to = 0; to < quarter.size(); ++to) of_quarter.put(to, quarter.rank(), me);
    if (me % 2 == 0) {  // teams go on for themselves
      for (int k = 0; k < 3; ++k) {
        of_half.put((half.rank() + 1) % half.size(), k % half.size(), 500 + k);
        of_half.fence();
      }
    }
    of_world.fence();
    of_quarter.fence();
    for (int k = 0; k < n; ++k) CHECK_EQ(a[at(k)], k);
    for (int k = 0; k < quarter.size(); ++k) CHECK_EQ(c[at(k)], quarter.world_rank(k));
    std::vector<int> expected;
    for (int k = 0; k < half.size(); ++k) expected.push_back(half.world_rank(k));
    if (me % 2 == 0)
      for (int k = 0; k < 3; ++k) expected[at(k % half.size())] = 500 + k;
    CHECK_EQ(b, expected);
  }
  announce(d, alone, 7 * me);
  CHECK_EQ(d[0], 7.0 * me);
  {  // two windows of one memory, of different teams
    std::vector<int> memory(at(2 * n), -1);
    kanor::window<int> low(memory.data(), at(n)), high(memory.data(), memory.size(), half);
    for (int to = 0; to < n; ++to) low.put(to, me, me);
    for (int to = 0; to < half.size(); ++to) high.put(to, n + me, 10 * me);
    high.fence();
    CHECK_EQ(memory[0], -1);
    low.fence();
    for (int k = 0; k < n; ++k) {
      CHECK_EQ(memory[at(k)], k);
      CHECK_EQ(memory[at(n + k)], k % 2 == me % 2 ? 10 * k : -1);
    }
  }
  for (int round = 20; round < 24; ++round) scatter<int>(half, round, false);
  scatter<Pixel>(alone, 24, false);
  if (me % 2 == 1) scatter<double>(half, 25, false);  // by one of the teams alone
  if (twice_allowed()) {
    order(world);
    order(half);
    order(quarter);
    for (int round = 0; round < 9; ++round) scatter<long long>(round % 2 ? half : world, 30 + round, true);
  }
}

}  // namespace

int main() {
  const int n = world.size();
  for (const int size : {0, 1, 5, 40}) transposition(size);
  for (int round = 0; round < 6; ++round) scatter<double>(world, round, false);
  scatter<char>(world, 6, false);
  scatter<bool>(world, 7, false);
  scatter<long double>(world, 8, false);
  scatter<Pixel>(world, 9, false);
  scatter<Pixel>(world, 10, false);
  scatter<Particle>(world, 11, false);
  scatter<Line>(world, 12, false);
  scatter<Page>(world, 13, false);
  scatter<Suit>(world, 14, false);
  scatter<std::complex<double>>(world, 15, false);
  scatter<std::array<int, 3>>(world, 16, false);
  stencil(false);
  stencil(true);
  strides();
  many(1);
  many(n <= 5 ? 100'000 : 10'000);
  teams();
  return check::finish("windows");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
