// RUN: %kanorc %s -o %t && %run_everywhere %t
// Flat memory with a shape, kanor::section(base, extents...), and views with strides, as places and values.
#include "check.hpp"

#include <kanor/adapt/mdspan.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

namespace {

constexpr int nz = 3, ny = 4, nx = 5;

/// What a rank's block has at an index.
double mark(int rank, int z, int y, int x) { return 10000.0 * (rank + 1) + 100 * z + 10 * y + x; }

std::vector<double> block_of(int rank) {
  std::vector<double> block;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) block.push_back(mark(rank, z, y, x));
  return block;
}

/// A view as std::mdspan is, with strides of its own.
template <class Element>
struct View {
  using element_type = Element;
  using reference = Element&;
  using data_handle_type = Element*;
  using rank_type = std::size_t;
  Element* first;
  long rows, columns, row_stride, column_stride;
  static constexpr std::size_t rank() { return 2; }
  static constexpr bool is_always_strided() { return true; }
  std::array<long, 2> extents() const { return {rows, columns}; }
  long extent(std::size_t d) const { return d == 0 ? rows : columns; }
  long stride(std::size_t d) const { return d == 0 ? row_stride : column_stride; }
  Element* data_handle() const { return first; }
};

/// The six faces of a block, each into the opposite one of the next rank, all in one block.
void faces(int n, int me) {
  const int left = (me + n - 1) % n;
  const std::vector<double> mine = block_of(me);
  std::vector<double> got(mine.size(), -1);
  const double* from = mine.data();
  @communicate {
    kanor::section(got, nz, ny, nx)[0 : 1][1 : ny - 2][1 : nx - 2]@(i + 1) % n
        <<= kanor::section(from, nz, ny, nx)[nz - 1 : 1][1 : ny - 2][1 : nx - 2]@i where i in world;
    kanor::section(got, nz, ny, nx)[1 : nz - 2][0 : 1][:]@(i + 1) % n
        <<= kanor::section(mine, nz, ny, nx)[1 : nz - 2][ny - 1 : 1][:]@i where i in world;
    kanor::section(got, nz, ny, nx)[:][1 : ny - 1][nx - 1 : 1]@(i + 1) % n
        <<= kanor::section(mine.data(), nz, ny, nx)[:][1 : ny - 1][0 : 1]@i where i in world
  }
  const auto shape = kanor::section(got, nz, ny, nx);
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        double expected = -1;
        if (z == 0 && y > 0 && y < ny - 1 && x > 0 && x < nx - 1) expected = mark(left, nz - 1, y, x);
        if (z == 1 && y == 0) expected = mark(left, z, ny - 1, x);
        if (y > 0 && x == nx - 1) expected = mark(left, z, y, 0);
        CHECK_EQ(shape(z, y, x), expected);
        CHECK_EQ(shape[z][y][x], expected);
      }
}

/// The two sides need equal counts only: other shapes, strides, types, and lists without a shape.
void unlike(int n, int me) {
  const int left = (me + n - 1) % n;
  const std::vector<double> mine = block_of(me);
  std::vector<float> rows(nx * nz, -1);
  std::vector<double> plane;
  double column[ny] = {};
  long backwards[6] = {};
  const auto shape = kanor::section(mine, nz, ny, nx);
  const View<long> turned{backwards, 2, 3, 1, 2};
  @communicate {
    kanor::section(rows, nx, nz)[:][0 : nz]@(i + 1) % n <<= shape[:][2 : 1][:]@i where i in world;
    plane@(i + 1) % n <<= shape[1 : 1][0 : 2 : 3][1 : 2 : 2]@i where i in world;
    column@(i + 1) % n <<= shape[2][0 : ny][3 : 1]@i where i in world;
    turned[:][0 : 3]@(i + 1) % n <<= shape[1][0 : 2][0 : 3]@i where i in world
  }
  for (int at = 0; at < nx * nz; ++at) CHECK_EQ(rows[static_cast<std::size_t>(at)], static_cast<float>(mark(left, at / nx, 2, at % nx)));
  CHECK_EQ(plane, (std::vector<double>{mark(left, 1, 0, 1), mark(left, 1, 0, 3), mark(left, 1, 3, 1), mark(left, 1, 3, 3)}));
  for (int y = 0; y < ny; ++y) CHECK_EQ(column[y], mark(left, 2, y, 3));
  for (int at = 0; at < 6; ++at) CHECK_EQ(backwards[at % 3 * 2 + at / 3], static_cast<long>(mark(left, 1, at / 3, at % 3)));
}

/// Every kind of base, elements that are no numbers, and elements counted by a name.
void bases(int n, int me) {
  const int left = (me + n - 1) % n;
  std::string words[6];
  for (int at = 0; at < 6; ++at) words[at] = std::to_string(me) + std::string(static_cast<std::size_t>(at) * 10, 'w');
  std::array<std::string, 4> taken;
  std::array<int, 6> numbers{};
  for (int at = 0; at < 6; ++at) numbers[static_cast<std::size_t>(at)] = 10 * me + at;
  int counted[8] = {};
  const std::span<const int> view(numbers);
  std::string none[2] = {"7", "7"};
  @communicate {
    kanor::section(taken, 2, 2)[:][:]@(i + 1) % n <<= kanor::section(words, 3, 2)[0 : 2 : 2][:]@i where i in world;
    kanor::section(counted, 2, 4)[1][k]@(i + 1) % n <<= kanor::section(view, 3, 2)[k][1]@i where i in world, k in {0 ... 2};
    kanor::section(none, 1, 0)[:][:]@(i + 1) % n <<= kanor::section(words, 0, 6)[:][0 : 3]@i where i in world, i < 0
  }
  for (int at = 0; at < 4; ++at)
    CHECK_EQ(taken[static_cast<std::size_t>(at)], std::to_string(left) + std::string(static_cast<std::size_t>(at < 2 ? at : at + 2) * 10, 'w'));
  for (int k = 0; k < 3; ++k) CHECK_EQ(counted[4 + k], 10 * left + 2 * k + 1);
  CHECK_EQ(counted[0], 0);
  CHECK_EQ(none[0], "7");
}

/// Values are those before the block; faces are reduced element by element; and a vector with a shape stays
/// what it is, though it is sent whole besides.
void meaning(int n, int me) {
  std::vector<int> pair{me, me + 1, me + 2, me + 3};
  @communicate {
    kanor::section(pair, 2, 2)[0 : 1][:]@i <<= kanor::section(pair, 2, 2)[1 : 1][:]@i where i in world;
    kanor::section(pair, 2, 2)[1 : 1][:]@i <<= kanor::section(pair, 2, 2)[0 : 1][:]@i where i in world
  }
  CHECK_EQ(pair, (std::vector<int>{me + 2, me + 3, me, me + 1}));

  std::vector<long> sums(6), ones{me, 2 * me, 3 * me, 4};
  @communicate {
    kanor::section(sums, 3, 2)[0 : 2][1 : 1]@0 << + << kanor::section(ones, 2, 2)[:][0 : 1]@i where i in world;
    kanor::section(sums, 3, 2)[0 : 2][0 : 1]@i << max << kanor::section(ones, 4, 1)[1 : 2][:]@j where i, j in world
  }
  const long all = n * (n - 1) / 2, last = n - 1;
  CHECK_EQ(sums, (std::vector<long>{2 * last, me == 0 ? all : 0, 3 * last, me == 0 ? 3 * all : 0, 0, 0}));
}

void beside_sharing(int n, int me) {
  const int left = (me + n - 1) % n;
  std::vector<int> whole(4000), other(4000);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t at = 0; at < whole.size(); ++at) whole[at] = 1000 * me + round;
    @communicate { other@(i + 1) % n <<= whole@i where i in world }
    @communicate { kanor::section(whole, 40, 100)[:][5 : 1]@(i + 1) % n <<= kanor::section(other, 40, 100)[:][7 : 1]@i where i in world }
    CHECK_EQ(other[7], 1000 * left + round);
    CHECK_EQ(whole[105], 1000 * ((left + n - 1) % n) + round);
    CHECK_EQ(whole[106], 1000 * me + round);
  }
  @communicate (async = face) { kanor::section(whole, 40, 100)[1 : 1][:]@(i + 1) % n <<= kanor::section(other, 40, 100)[0 : 1][:]@i where i in world }
  face.wait();
  CHECK_EQ(whole[199], 1000 * ((left + n - 1) % n) + 2);
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  faces(n, me);
  unlike(n, me);
  bases(n, me);
  meaning(n, me);
  beside_sharing(n, me);
  return check::finish("shapes");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
