// RUN: %kanorc %s -o %t && %run_everywhere %t
// Sections as places and values: of every kind of base, in several dimensions, of unlike layouts, shapes and types.
#include "check.hpp"

#include <array>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Cell {
  int number = 0;
  char tag = '.';
  bool operator==(const Cell&) const = default;
};

struct Named {
  std::string name;
  std::map<int, int> values;
};

struct Grid {
  std::vector<double> cells;
  int rows, columns;
  double* row(int r) { return &cells[static_cast<std::size_t>(r * columns)]; }

  void column_from_left(int from, int to, int n) {
    @communicate { cells[to : rows : columns]@(i + 1) % n <<= this->cells[from : rows : columns]@i where i in world }
  }
};

/// Element `at` of a rank's list: no two of any rank are the same.
int mark(int rank, int at) { return 1000 * rank + at; }

template <class T>
void fill(T& list, int rank) {
  for (std::size_t at = 0; at < std::size(list); ++at) list[at] = mark(rank, static_cast<int>(at));
}

/// One exchange for any two lists, with every small first element, count and stride.
template <class Place, class Value>
void all_slices(Place& place, Value& value, int n, int left) {
  const int length = static_cast<int>(std::size(place));
  fill(value, kanor::world.rank());
  for (int first = 0; first < 3; ++first)
    for (int count = 0; count < 4; ++count)
      for (int stride = 1; stride < 3; ++stride) {
        if (first + (count - 1) * stride >= length) continue;
        for (auto&& element : place) element = -1;
        const unsigned long from = static_cast<unsigned long>(2 - first);
        @communicate { place[first : count : stride]@(i + 1) % n <<= value[from : count]@i where i in world }
        for (int at = 0; at < length; ++at) {
          const int element = (at - first) / stride;
          const bool taken = at >= first && (at - first) % stride == 0 && element < count;
          CHECK_EQ(static_cast<int>(place[static_cast<std::size_t>(at)]), taken ? mark(left, 2 - first + element) : -1);
        }
      }
}

std::vector<int> made(int rank) { return {rank, rank + 1, rank + 2}; }

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), left = (me + n - 1) % n;

  {  // every kind of list with every other
    int array[7], other[6];
    std::array<long, 7> fixed{};
    std::vector<double> vector(7);
    std::vector<short> narrow(8);
    all_slices(array, other, n, left);
    all_slices(array, vector, n, left);
    all_slices(fixed, array, n, left);
    all_slices(vector, fixed, n, left);
    all_slices(vector, narrow, n, left);
    std::span<int> view(array);
    all_slices(view, narrow, n, left);
    all_slices(narrow, view, n, left);
  }
  {  // pointers, from any element and to both sides
    int numbers[10];
    fill(numbers, me);
    int* const middle = numbers + 5;
    int got[10] = {};
    int* place = got;
    @communicate {
      place[0 : 3]@(i + 1) % n <<= middle[-4 : 3 : 3]@i where i in world;
      (place + 4)[1 : 2]@(i + 1) % n <<= (&numbers[0])[8 : 2]@i where i in world
    }
    const int expected[] = {1, 4, 7, 0, 0, 8, 9, 0, 0, 0};
    for (int at = 0; at < 10; ++at) CHECK_EQ(got[at], expected[at] == 0 ? 0 : mark(left, expected[at]));
  }
  {  // several dimensions, and plain subscripts ahead of them
    int cube[3][4][5], copy[3][4][5] = {}, flat[60] = {}, plane[4][5] = {};
    std::array<std::array<std::array<int, 5>, 4>, 3> nested{};
    for (int at = 0; at < 60; ++at) (&cube[0][0][0])[at] = mark(me, at);
    @communicate {
      flat[:]@(i + 1) % n <<= cube[:][:][:]@i where i in world;
      plane[:][0 : 3 : 2]@(i + 1) % n <<= cube[1][0 : 4][0 : 3 : 2]@i where i in world;
      copy[0 : 2 : 2][1 : 2][2 : 3]@(i + 1) % n <<= cube[1 : 2][0 : 2 : 2][0 : 3]@i where i in world;
      copy[1][k][0 : k]@(i + 1) % n <<= cube[0][3 - k][5 - k : k]@i where i in world, k in {0 ... 3};
      nested[0 : 3][2 : 1][3 : 1]@(i + 1) % n <<= nested[0 : 3][2 : 1][3 : 1]@i where i in world, i < 0
    }
    for (int at = 0; at < 60; ++at) CHECK_EQ(flat[at], mark(left, at));
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x) CHECK_EQ(plane[y][x], x % 2 == 0 ? mark(left, 20 + 5 * y + x) : 0);
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x) {
        CHECK_EQ(copy[0][1 + y][2 + x], mark(left, 20 + 10 * y + x));
        CHECK_EQ(copy[2][1 + y][2 + x], mark(left, 40 + 10 * y + x));
      }
    CHECK_EQ(copy[0][0][2], 0);
    for (int k = 0; k < 4; ++k)
      for (int x = 0; x < 4; ++x) CHECK_EQ(copy[1][k][x], x < k ? mark(left, 5 * (3 - k) + 5 - k + x) : 0);
    @communicate { nested[:][0 : 4][:]@(i + 1) % n <<= flat[:]@i where i in world }
    for (int at = 0; at < 60; ++at)
      CHECK_EQ(nested[static_cast<std::size_t>(at / 20)][static_cast<std::size_t>(at / 5 % 4)][static_cast<std::size_t>(at % 5)],
               mark((left + n - 1) % n, at));
  }
  {  // rows of their own lengths
    std::vector<std::vector<int>> rows{{mark(me, 0)}, {mark(me, 1), mark(me, 2)}, {}, {mark(me, 3), mark(me, 4), mark(me, 5)}};
    std::vector<int> all;
    std::vector<std::vector<double>> targets(3, std::vector<double>(4, -1));
    int* pointers[2] = {rows[3].data(), rows[1].data()};
    int pairs[2][2] = {};
    @communicate {
      all@(i + 1) % n <<= rows[:][:]@i where i in world;
      targets[0 : 2 : 2][2 : 1]@(i + 1) % n <<= rows[0 : 2 : 3][0 : 1]@i where i in world;
      targets[1][0 : 3]@(i + 1) % n <<= rows[3][:]@i where i in world;
      pairs[:][:]@(i + 1) % n <<= pointers[0 : 2][0 : 2]@i where i in world
    }
    CHECK_EQ(all, (std::vector<int>{mark(left, 0), mark(left, 1), mark(left, 2), mark(left, 3), mark(left, 4), mark(left, 5)}));
    CHECK_EQ(targets[0], (std::vector<double>{-1, -1, 1.0 * mark(left, 0), -1}));
    CHECK_EQ(targets[2], (std::vector<double>{-1, -1, 1.0 * mark(left, 3), -1}));
    CHECK_EQ(targets[1], (std::vector<double>{1.0 * mark(left, 3), 1.0 * mark(left, 4), 1.0 * mark(left, 5), -1}));
    CHECK_EQ(pairs[0][1], mark(left, 4));
    CHECK_EQ(pairs[1][0], mark(left, 1));
  }
  {  // arrays and vectors on the other side
    int line[6], table[2][3] = {};
    fill(line, me);
    std::vector<double> taken(17, -1);
    std::array<float, 3> three{};
    std::vector<bool> bits(5), some;
    std::string text = "......";
    @communicate {
      taken@(i + 1) % n <<= line[i % 2 : 4]@i where i in world;
      three@(i + 1) % n <<= line[0 : 3 : 2]@i where i in world;
      table@(i + 1) % n <<= line[:]@i where i in world;
      bits[1 : 2 : 2]@(i + 1) % n <<= (std::vector<int>{1, i})@i where i in world;
      text[0 : 3 : 2]@(i + 1) % n <<= std::string("abc")@i where i in world
    }
    CHECK_EQ(taken, (std::vector<double>{1.0 * mark(left, left % 2), 1.0 * mark(left, left % 2 + 1),
                                         1.0 * mark(left, left % 2 + 2), 1.0 * mark(left, left % 2 + 3)}));
    CHECK_EQ(three, (std::array<float, 3>{1.0f * mark(left, 0), 1.0f * mark(left, 2), 1.0f * mark(left, 4)}));
    CHECK_EQ(table[1][0], mark(left, 3));
    CHECK_EQ(bits, (std::vector<bool>{false, true, false, left != 0, false}));
    CHECK_EQ(text, "a.b.c.");
    int whole[2][3] = {{me, 1, 2}, {3, 4, 5}};
    @communicate {
      line[0 : 6]@(i + 1) % n <<= whole@i where i in world;                       // taken apart to its numbers
      table[0 : 1]@(i + 1) % n <<= whole[1 : 1]@i where i in world;               // elements that are arrays
      some@(i + 1) % n <<= bits[1 : 3]@i where i in world;
      taken[1 : 3]@(i + 1) % n <<= made(10 * i)[:]@i where i in world
    }
    CHECK_EQ(line[0], left);
    CHECK_EQ(line[5], 5);
    CHECK_EQ(table[0][2], 5);
    CHECK_EQ(some, (std::vector<bool>{true, false, (left + n - 1) % n != 0}));
    CHECK_EQ(taken[3], 10.0 * left + 2);
  }
  {  // elements that are no plain bytes
    std::vector<std::string> words(5), got{"a", "b", "c"};
    for (int at = 0; at < 5; ++at) words[static_cast<std::size_t>(at)] = std::string(static_cast<std::size_t>(at * 20), 'x') + std::to_string(mark(me, at));
    std::string square[2][2];
    Named named[3], copies[2];
    for (int at = 0; at < 3; ++at) named[at] = {"name " + std::to_string(mark(me, at)), {{at, me}}};
    std::vector<std::vector<int>> lists{{me}, {}, {me, 1, 2}}, lists_got(3);
    std::vector<Cell> cells{{me, 'a'}, {me + 1, 'b'}}, cells_got(4);
    @communicate {
      got[0 : 2 : 2]@(i + 1) % n <<= words[1 : 2 : 3]@i where i in world;
      square[:][1 : 1]@(i + 1) % n <<= words[3 : 2]@i where i in world;
      copies[:]@(i + 1) % n <<= named[0 : 2 : 2]@i where i in world;
      lists_got[1 : 2]@(i + 1) % n <<= lists[0 : 2 : 2]@i where i in world;
      cells_got[0 : 2 : 3]@(i + 1) % n <<= cells[:]@i where i in world
    }
    CHECK_EQ(got[0], std::string(20, 'x') + std::to_string(mark(left, 1)));
    CHECK_EQ(got[1], "b");
    CHECK_EQ(got[2], std::string(80, 'x') + std::to_string(mark(left, 4)));
    CHECK_EQ(square[1][1], got[2]);
    CHECK_EQ(square[0][0], "");
    CHECK_EQ(copies[1].name, "name " + std::to_string(mark(left, 2)));
    CHECK_EQ(copies[1].values.at(2), left);
    CHECK_EQ(lists_got, (std::vector<std::vector<int>>{{}, {left}, {left, 1, 2}}));
    CHECK(cells_got == (std::vector<Cell>{{left, 'a'}, {}, {}, {left + 1, 'b'}}));
    @communicate { got@i <<= words[5 : 0]@0 where i in world }
    CHECK(got.empty());
  }
  {  // members, and what calls return
    Grid grid{std::vector<double>(12), 3, 4};
    for (int at = 0; at < 12; ++at) grid.cells[static_cast<std::size_t>(at)] = mark(me, at);
    grid.column_from_left(2, 0, n);
    for (int r = 0; r < 3; ++r) CHECK_EQ(grid.cells[static_cast<std::size_t>(4 * r)], 1.0 * mark(left, 4 * r + 2));
    @communicate { grid.row(0)[1 : 3]@(i + 1) % n <<= grid.row(2)[1 : 3]@i where i in world }
    for (int c = 1; c < 4; ++c) CHECK_EQ(grid.cells[static_cast<std::size_t>(c)], 1.0 * mark(left, 8 + c));
  }
  {  // all at once: what is sent is the state before the block, wherever the places are
    int ring[6] = {0, 1, 2, 3, 4, 5};
    std::vector<int> stack{me, 1, 2}, moved(3);
    @communicate {
      ring[1 : 5]@i <<= ring[0 : 5]@i where i in world;
      ring[0 : 1]@i <<= ring[5 : 1]@i where i in world;
      stack[0 : 2]@(i + 1) % n <<= stack[1 : 2]@i where i in world;
      moved@(i + 1) % n <<= stack[:]@i where i in world
    }
    for (int at = 0; at < 6; ++at) CHECK_EQ(ring[at], (at + 5) % 6);
    CHECK_EQ(stack, (std::vector<int>{1, 2, 2}));
    CHECK_EQ(moved, (std::vector<int>{left, 1, 2}));
  }
  {  // many ranks' parts of one array, and the macro's spelling
    std::vector<int> mine(2), gathered(static_cast<std::size_t>(2 * n), -1), back(2);
    mine = {mark(me, 0), mark(me, 1)};
    KANOR_COMMUNICATE(gathered[2 * i : 2]@0 <<= mine[:]@i where i in world);
    @communicate { back[0 : 2]@i <<= gathered[2 * i : 2]@0 where i in world }
    for (int i = 0; i < n && me == 0; ++i) {
      CHECK_EQ(gathered[static_cast<std::size_t>(2 * i)], mark(i, 0));
      CHECK_EQ(gathered[static_cast<std::size_t>(2 * i + 1)], mark(i, 1));
    }
    CHECK_EQ(back, mine);
  }
  return check::finish("sections");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
