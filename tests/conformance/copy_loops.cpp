// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %kanorc --explain %s | grep -c 'itself what the loop' | grep -x 43
// RUN: %kanorc -Wall -Wextra -Wshadow -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 1,3 %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 1,3 %t
// RUN: env KANOR_INFLIGHT=4K %run_everywhere --keep KANOR_INFLIGHT --ranks 1,4 %t
// RUN: %kanorc --no-copy-loops %s -o %t && %run_everywhere --ranks 1,3 %t
// RUN: %kanorc -fdelta %s -o %t && %run_everywhere --ranks 1,3 %t
// Loops beside blocks that copy a buffer: each exchange is done by such loops, and checked against what an
// element has by its position.
#include <kanor/kanor.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

using kanor::world;

static long checks = 0;
static void check(bool holds, const char* what, long at) {
  ++checks;
  if (holds) return;
  std::fprintf(stderr, "rank %d: %s: element %ld is wrong\n", world.rank(), what, at);
  std::abort();
}
static double value(int rank, long at) { return 1000003.0 * rank + static_cast<double>(at); }
static int left() { return (world.rank() + world.size() - 1) % world.size(); }

// The least number of doubles with which a loop does not run.
constexpr int enough = 8192 / 8;

/// A matrix whose cells have different values on each rank.
static std::vector<double> matrix(long cells) {
  std::vector<double> made(cells);
  for (long at = 0; at < cells; ++at) made[at] = value(world.rank(), at);
  return made;
}

/// 1: a column of a flat matrix becomes another column; around the length from which on loops are left out.
static void column(int rows, int columns, int from, int to) {
  std::vector<double> a = matrix(long(rows) * columns), before = a, out(rows), in(rows);
  for (int i = 0; i < rows; ++i) out[i] = a[i * columns + from];
  @communicate { in[0 : rows]@(i + 1) % world.size() <<= out[0 : rows]@i where i in world }
  for (int i = 0; i < rows; ++i) a[i * columns + to] = in[i];
  for (int i = 0; i < rows * columns; ++i)
    check(a[i] == (i % columns == to ? value(left(), i - to + from) : before[i]), "column", i);
}

/// 2: the same of an array of arrays, in a loop around; buffers outside.
static void array_of_arrays() {
  constexpr int n = enough + 3;
  static double a[n][5];
  double out[n], in[n];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 5; ++j) a[i][j] = value(world.rank(), 5 * i + j);
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < n; i++) out[i] = a[i][3];
    @communicate { in[0 : n]@(i + 1) % world.size() <<= out[0 : n]@i where i in world }
    for (int i = 0; i < n; i++) a[i][3] = in[i];
  }
  int rank = world.rank();
  for (int turn = 0; turn < 3; ++turn) rank = (rank + world.size() - 1) % world.size();
  for (int i = 0; i < n; ++i) check(a[i][3] == value(rank, 5 * i + 3), "array of arrays", i);
}

/// 3 and 4: faces of a box, counted by a number that runs, and by the loops' counters.
static void faces(int nz, int ny, int nx) {
  std::vector<double> u = matrix(long(nz) * ny * nx);
  std::vector<double> out(std::size_t(nz) * ny), in(std::size_t(nz) * ny);
  int k = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y) out[k++] = u[(z * ny + y) * nx + nx - 2];
  @communicate { in[0 : nz * ny]@(i + 1) % world.size() <<= out[0 : k]@i where i in world }
  k = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y) {
      u[(z * ny + y) * nx] = in[k];
      ++k;
    }
  check(k == nz * ny, "running number behind the block", k);
  std::vector<double> sent(std::size_t(nz) * nx), got(std::size_t(nz) * nx);
  for (int z = 0; z < nz; ++z)
    for (int x = 0; x < nx; ++x) sent[z * nx + x] = u[(z * ny + ny - 1) * nx + x];
  @communicate { got[0 : nz * nx]@(i + 1) % world.size() <<= sent[0 : nz * nx]@i where i in world }
  for (int z = 0; z < nz; ++z)
    for (int x = 0; x < nx; ++x) u[z * ny * nx + x] = got[z * nx + x];
  const int two_left = (left() + world.size() - 1) % world.size();
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        const long at = (long(z) * ny + y) * nx + x, last = (long(z) * ny + ny - 1) * nx + x;
        double expected = value(world.rank(), at);
        if (x == 0) expected = value(left(), at + nx - 2);
        if (y == 0) expected = x == 0 ? value(two_left, last + nx - 2) : value(left(), last);
        check(u[at] == expected, "face", at);
      }
}

/// 5: by pointers, transposed: the buffer has the elements in another order.
static void transposed(double* to, const double* from, int n, int m) {
  std::vector<double> out(std::size_t(n) * m), in(std::size_t(n) * m);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) out[j * n + i] = from[i * m + j];
  @communicate { in[0 : n * m]@(i + 1) % world.size() <<= out[0 : n * m]@i where i in world }
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i) *(to + j * n + i) = in[j * n + i];
}

/// 6 and 7: members, and the program's own operators.
class Grid {
 public:
  Grid(int rows, int columns) : rows_(rows), columns_(columns), cells_(matrix(long(rows) * columns)) {}
  double& operator()(int row, int column) { return cells_[at(row, column)]; }
  int at(int row, int column) const { return row * columns_ + column; }
  void shift() {
    std::vector<double> out(rows_), in(rows_);
    for (int row = 0; row < rows_; ++row) out[row] = cells_[at(row, columns_ - 2)];
    @communicate { in[0 : rows_]@(i + 1) % world.size() <<= out[0 : rows_]@i where i in world }
    for (int row = 0; row < rows_; ++row) cells_[at(row, 0)] = in[row];
  }

 private:
  int rows_, columns_;
  std::vector<double> cells_;
};
static void grids() {
  constexpr int rows = enough + 1, columns = 4;
  Grid grid(rows, columns);
  grid.shift();
  double out[rows], in[rows];
  for (int i = 0; i < rows; ++i) out[i] = grid(i, 1);
  @communicate { in[0 : rows]@(i + 1) % world.size() <<= out[0 : rows]@i where i in world }
  for (int i = 0; i < rows; ++i) grid(i, 3) = in[i];
  for (int i = 0; i < rows; ++i) {
    check(grid(i, 0) == value(left(), columns * i + 2), "member", i);
    check(grid(i, 3) == value(left(), columns * i + 1), "operator", i);
  }
}

/// 8 and 9: a macro, and members of structures.
#define CELL(i, j) ((i) * 3 + (j))
struct Particle {
  double x, y;
  int cell, kind;
};
static void structures() {
  constexpr int n = 2 * enough + 1;
  std::vector<double> a = matrix(3 * n), xs(n), got(n);
  std::vector<Particle> all(n);
  for (int i = 0; i < n; ++i) all[i] = {value(world.rank(), i), -1.0, i, world.rank()};
  for (int i = 0; i < n; ++i) xs[i] = all[i].x;
  @communicate { got[0 : n]@(i + 1) % world.size() <<= xs[0 : n]@i where i in world }
  for (int i = 0; i < n; ++i) all[i].y = got[i];
  std::vector<int> kinds(n), their(n);
  for (int i = 0; i < n; ++i) kinds[i] = all[i].kind;
  @communicate { their[0 : n]@(i + 1) % world.size() <<= kinds[0 : n]@i where i in world }
  for (int i = 0; i < n; ++i) all[i].cell = their[i];
  std::vector<double> out(n), in(n);
  for (int i = 0; i < n; ++i) out[i] = a[CELL(i, 2)];
  @communicate { in[0 : n]@(i + 1) % world.size() <<= out[0 : n]@i where i in world }
  for (int i = 0; i < n; ++i) a[CELL(i, 1)] = in[i];
  for (int i = 0; i < n; ++i) {
    check(all[i].x == value(world.rank(), i) && all[i].y == value(left(), i), "structure", i);
    check(all[i].cell == left() && all[i].kind == world.rank(), "number in a structure", i);
    check(a[3 * i + 1] == value(left(), 3 * i + 2), "macro", i);
  }
}

/// 10 and 11: backwards, with steps, and counters that live on.
static void backwards() {
  constexpr int n = enough + 7;
  std::vector<float> a(3 * n), out(2 * n), in(2 * n);
  for (int i = 0; i < 3 * n; ++i) a[i] = static_cast<float>(value(world.rank() % 8, i));
  std::vector<float> b(4 * n, -1);
  int i, k = 0;
  for (i = 2 * n - 1; i >= 0; --i) out[i] = a[i + n];
  @communicate { in[0 : 2 * n]@(r + 1) % world.size() <<= out[0 : 2 * n]@r where r in world }
  check(i == -1, "counter that counts down", i);
  k = 0;
  for (i = 0; i <= 4 * n - 2; i += 2) b[i] = in[k++];
  check(i == 4 * n && k == 2 * n, "counter with steps", i);
  std::vector<float> last(2 * n), theirs(2 * n);
  k = 0;
  for (i = 4; i < 4 + 2 * n; i++) last[k++] = b[2 * (2 * n + 3 - i)];
  @communicate { theirs[0 : 2 * n]@(r + 1) % world.size() <<= last[0 : k]@r where r in world }
  check(i == 4 + 2 * n && k == 2 * n, "counter behind its loop", i);
  for (i = 2 * n - 1; i > -1; i -= 1) a[i] = theirs[i];
  check(i == -1, "counter that counts down behind the block", i);
  const int l = left() % 8, ll = (left() + world.size() - 1) % world.size() % 8;
  for (int at = 0; at < 2 * n; ++at) {
    check(b[2 * at] == static_cast<float>(value(l, at + n)) && b[2 * at + 1] == -1, "backwards", at);
    check(a[at] == static_cast<float>(value(ll, 3 * n - 1 - at)), "turned around", at);
  }
}

/// 12: only some ranks send and receive; the others keep what they have.
static void chain() {
  constexpr int n = enough;
  const int me = world.rank(), size = world.size();
  std::vector<double> a = matrix(2 * n);
  for (int turn = 0; turn < 2; ++turn) {
    double out[n], in[n];
    for (int i = 0; i < n; ++i) in[i] = -5;
    if (me + 1 < size)
      for (int i = 0; i < n; ++i) out[i] = a[2 * i + turn];
    @communicate { in[0 : n]@i + 1 <<= out[0 : n]@i where i in {0 ... size - 2} }
    if (me > 0) {
      for (int i = 0; i < n; ++i) a[2 * i + 1] = in[i];
    }
  }
  std::vector<double> b(n, -1), got(n, 7), sent(n, 3);
  for (int i = 0; i < n; ++i) sent[i] = a[i];
  @communicate { got[0 : n]@i + 1 <<= sent[0 : n]@i where i in {0 ... size - 2} }
  for (int i = 0; i < n; ++i) b[n - 1 - i] = got[i];
  for (int i = 0; i < n; ++i) {
    const int first = me > 1 ? me - 2 : -1;
    double expected = value(me, 2 * i + 1);
    if (me == 1) expected = value(0, 2 * i + 1);
    if (me > 1) expected = value(first, 2 * i);
    check(a[2 * i + 1] == expected, "chain", i);
    if (me == 0) check(b[i] == 7, "rank that receives nothing", i);
  }
}

/// 13: arrays of the library, spans, owners of memory, and buffers of two dimensions.
static void library() {
  constexpr int n = enough + 2;
  std::array<double, 2 * n> a;
  for (int i = 0; i < 2 * n; ++i) a[i] = value(world.rank(), i);
  std::array<double, n> out, in;
  const std::span<double> view(a);
  for (std::size_t i = 0; i < n; ++i) out[i] = view[2 * i + 1];
  @communicate { in[0 : n]@(i + 1) % world.size() <<= out[0 : n]@i where i in world }
  for (std::size_t i = 0; i < n; ++i) a[2 * i] = in[i];
  const auto owner = std::make_unique<double[]>(4 * n);
  for (int i = 0; i < 4 * n; ++i) owner[i] = value(world.rank(), i);
  std::vector<double> part(n), theirs(n);
  for (unsigned i = 0; i < n; ++i) part[i] = owner[4UL * i];
  @communicate { theirs[0 : n]@(i + 1) % world.size() <<= part[:]@i where i in world }
  for (unsigned i = 0; i < n; ++i) owner[4UL * i + 1] = theirs[i];
  for (int i = 0; i < n; ++i) {
    check(a[2 * i] == value(left(), 2 * i + 1) && a[2 * i + 1] == value(world.rank(), 2 * i + 1), "array", i);
    check(owner[4 * i + 1] == value(left(), 4 * i), "owned memory", i);
  }
}

/// 14 to 16: two directions in one block, whose places overlap in the matrix: the later loop wins.
static void two_directions(int rows, int columns) {
  std::vector<double> a = matrix(long(rows) * columns);
  std::vector<double> east(rows), west(rows), from_west(rows), from_east(rows);
  for (int i = 0; i < rows; ++i) east[i] = a[i * columns + columns - 2];
  for (int i = 0; i < rows; ++i) west[i] = a[i * columns + 1];
  @communicate {
    from_west[0 : rows]@(i + 1) % world.size() <<= east[0 : rows]@i where i in world;
    from_east[0 : rows]@i <<= west[0 : rows]@(i + 1) % world.size() where i in world
  }
  for (int i = 0; i < rows; ++i) a[i * columns] = from_west[i];
  for (int i = 0; i < rows; ++i) a[i * columns + columns - 1] = from_east[i];
  std::vector<double> row(columns), column(rows), new_row(columns), new_column(rows);
  for (int j = 0; j < columns; ++j) row[j] = a[(rows - 1) * columns + j];
  for (int i = 0; i < rows; ++i) column[i] = a[i * columns + 2];
  @communicate {
    new_row[0 : columns]@(i + 1) % world.size() <<= row[0 : columns]@i where i in world;
    new_column[0 : rows]@(i + 1) % world.size() <<= column[0 : rows]@i where i in world
  }
  for (int j = 0; j < columns; ++j) a[j] = new_row[j];
  for (int i = 0; i < rows; ++i) a[i * columns] = new_column[i];
  const int right = (world.rank() + 1) % world.size(), two_left = (left() + world.size() - 1) % world.size();
  for (int i = 1; i < rows; ++i) {
    check(a[i * columns] == value(left(), i * columns + 2), "column over row", i);
    check(a[i * columns + columns - 1] == value(right, i * columns + 1), "other direction", i);
  }
  check(a[0] == value(left(), 2), "corner", 0);
  check(a[1] == value(left(), (rows - 1) * columns + 1), "row", 1);
  check(rows == 1 || a[(rows - 1) * columns + 2] == value(world.rank(), (rows - 1) * columns + 2), "row", 2);
  static_cast<void>(two_left);
}

/// 17: what the block sends is not what the loop has copied: parts of it, or more.
static void other_sections() {
  constexpr int n = 2 * enough;
  std::vector<double> a = matrix(2 * n);
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<double> out(n + 8, -3), in(n + 8, -4);
    for (int i = 0; i < n; ++i) out[i + 4] = a[2 * i];
    @communicate { in[0 : n + 8]@(i + 1) % world.size() <<= out[0 : n + 8]@i where i in world }
    for (int i = 0; i < n; ++i) a[2 * i + 1] = in[i + 2];
    for (int i = 0; i < n; ++i)
      check(a[2 * i + 1] == (i < 2 ? -3 : value(left(), 2 * i - 4)), "more than the loop copies", i);
    double few[n], got[n] = {};
    for (int i = 0; i < n; ++i) few[i] = a[2 * i];
    @communicate { got[0 : n / 2]@(i + 1) % world.size() <<= few[0 : n / 2 : 2]@i where i in world }
    for (int i = 0; i < n / 2; ++i) check(got[i] == value(left(), 4 * i), "every other element", i);
  }
}

/// 18: what stands between a block and a loop reads what the loop writes; other names of buffers.
static void other_names(int n) {
  std::vector<double> a = matrix(2 * n), out(n), in(n);
  for (int i = 0; i < n; ++i) out[i] = a[2 * i];
  @communicate { in[0 : n]@(i + 1) % world.size() <<= out[0 : n]@i where i in world }
  const double old = a[1];
  for (int i = 0; i < n; ++i) a[2 * i + 1] = in[i];
  check(old == value(world.rank(), 1) && a[1] == value(left(), 0), "read behind the block", 1);
  std::vector<double> one(n), two(n);
  double* const inside = two.data();
  @communicate {
    one[0 : n]@(i + 1) % world.size() <<= a[0 : n]@i where i in world;
    two[0 : n]@(i + 1) % world.size() <<= a[n : n]@i where i in world
  }
  for (int i = 0; i < n; ++i) inside[i] = one[i];
  check(two[2] == value(left(), 2), "another name of a place", 2);
}

static void subscripts(int n) {
  std::vector<double> a = matrix(2 * n), more(n + 4);
  int shift = 0;
  @communicate { more[0 : n]@(i + 1) % world.size() <<= a[0 : n]@i where i in world }
  shift = 4;
  for (int i = 0; i < n; ++i) a[2 * i] = more[i + shift];
  for (int i = 0; i < n - 4; ++i) check(a[2 * i] == value(left(), i + 4), "subscripts that change", i);
}

/// Two loops behind a block, of which the second one begins where the first one ends.
static void one_after_the_other(int n) {
  std::vector<double> a = matrix(2 * n), b(2 * n), one(n), two(n);
  int k = 0;
  @communicate {
    one[0 : n]@(i + 1) % world.size() <<= a[0 : n]@i where i in world;
    two[0 : n]@(i + 1) % world.size() <<= a[n : n]@i where i in world
  }
  k = 0;
  for (int i = 0; i < n; ++i) b[i] = one[k++];
  for (int i = 0; i < n; ++i) b[k + i] = two[i];
  for (int i = 0; i < 2 * n; ++i) check(b[i] == value(left(), i), "one after the other", i);
}

/// 19: a loop that runs in some turns only, and one that fills less each time.
static void turns(int n) {
  std::vector<double> a = matrix(2 * n), some(n), less(n), constant(n), in(n);
  for (int turn = 0; turn < 4; ++turn) {
    if (turn % 2 == 0)
      for (int i = 0; i < n; ++i) some[i] = a[2 * i];
    @communicate { in[0 : n]@(i + 1) % world.size() <<= some[0 : n]@i where i in world }
    for (int i = 0; i < n; ++i) check(in[i] == value(left(), 2 * i), "the turn before", i);
    for (int i = 0; i < n - turn; ++i) less[i] = a[2 * i];
    @communicate { in[0 : n]@(i + 1) % world.size() <<= less[0 : n]@i where i in world }
    for (int i = 0; i < n; ++i) check(in[i] == value(left(), 2 * i), "earlier turns", i);
    const int m = n - turn;
    for (int i = 0; i < m; ++i) constant[i] = a[2 * i];
    @communicate { in[0 : n]@(i + 1) % world.size() <<= constant[0 : n]@i where i in world }
    for (int i = 0; i < n; ++i) check(in[i] == value(left(), 2 * i), "a constant of each turn", i);
  }
}

int main() {
  for (const int rows : {0, 1, enough - 1, enough, enough + 1, 3 * enough}) column(rows, 7, 5, 0);
  array_of_arrays();
  faces(40, 30, 6);
  faces(33, 35, 32);
  faces(3, 2, 4);
  {
    constexpr int n = 60, m = 40;
    const std::vector<double> from = matrix(n * m);
    std::vector<double> to(n * m);
    transposed(to.data(), from.data(), n, m);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) check(to[j * n + i] == value(left(), i * m + j), "transposed", i * m + j);
  }
  grids();
  structures();
  backwards();
  chain();
  library();
  two_directions(enough + 5, 8);
  two_directions(enough + 5, enough + 9);
  two_directions(9, 8);
  other_sections();
  other_names(enough + 4);
  subscripts(enough + 4);
  one_after_the_other(enough + 4);
  turns(enough + 4);
  long sum = 0;
  @communicate { sum@0 << + << checks@i where i in world }
  if (world.rank() == 0) std::printf("copying loops: %ld checks\n", sum / world.size());
}
