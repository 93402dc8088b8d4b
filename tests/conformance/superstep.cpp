// RUN: %kanorc %s -o %t && %run_everywhere --large --unchecked %t
// Everything is evaluated in the state before the block, then everything is updated, the later
// statement or binding last; a rank without a part passes.
#include "check.hpp"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

int evaluations = 0;
template <class T>
T& counted(T& object) {
  ++evaluations;
  return object;
}

}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank(), last = n - 1;

  {  // a swap between two ranks (the same one if there is only one)
    int a = 100 + me, b = 200 + me;
    @communicate { a@0 <<= b@last; b@last <<= a@0 }
    CHECK_EQ(a, me == 0 ? 200 + last : 100 + me);
    CHECK_EQ(b, me == last ? 100 : 200 + me);
  }
  {  // a swap on each rank itself, of things with storage of their own too
    int a = me, b = -me;
    std::string text = "left " + std::to_string(me), other(5000, 'r');
    std::vector<int> v(me + 1, 7), w;
    @communicate {
      a@i <<= b@i where i in world;
      b@i <<= a@i where i in world;
      text@i <<= other@i where i in world;
      other@i <<= text@i where i in world;
      v@i <<= w@i where i in world;
      w@i <<= v@i where i in world
    }
    CHECK_EQ(a, -me);
    CHECK_EQ(b, me);
    CHECK_EQ(text, std::string(5000, 'r'));
    CHECK_EQ(other, "left " + std::to_string(me));
    CHECK(v.empty());
    CHECK_EQ(w, std::vector<int>(me + 1, 7));
  }
  {  // a shift inside an array: each value is the old one
    std::array<int, 10> row{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    @communicate { row[k + 1]@i <<= row[k]@i where i in world, k in {0 ... 8} }
    CHECK_EQ(row, (std::array<int, 10>{0, 0, 1, 2, 3, 4, 5, 6, 7, 8}));
    int grid[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    @communicate { grid[r]@0 <<= grid[(r + 1) % 3]@0 where r in {0 ... 2} }
    CHECK_EQ(grid[0][0], me == 0 ? 4 : 1);
    CHECK_EQ(grid[2][2], me == 0 ? 3 : 9);
  }
  {  // a whole variable onto itself, and a ring of whole variables
    std::vector<std::string> words{"a", std::string(100, 'b')};
    const auto before = words;
    @communicate { words@i <<= words@i where i in world }
    CHECK_EQ(words, before);
    int ring = me;
    for (int step = 1; step <= n; ++step) {
      @communicate { ring@(i + 1) % n <<= ring@i where i in world }
      CHECK_EQ(ring, (me + n - step % n) % n);
    }
  }
  {  // places, clauses and ranks are those of the state before the block
    int index = 1, count = 2, who = last;
    std::array<int, 3> cells{0, 0, 0};
    std::string log;
    @communicate {
      index@i <<= 2@0 where i in world;
      count@i <<= 9@0 where i in world;
      who@i <<= 0@0 where i in world;
      cells[index]@i <<= 5@0 where i in world;
      log@who << + << std::to_string(k)@0 where k in {1 ... count}
    }
    CHECK_EQ(index, 2);
    CHECK_EQ(count, 9);
    CHECK_EQ(who, 0);
    CHECK_EQ(cells, (std::array<int, 3>{0, 5, 0}));
    CHECK_EQ(log, me == last ? "12" : "");
  }
  {  // the place is reached through a pointer that does not change, and is evaluated where it is received alone
    std::unique_ptr<int> only_there = me == last ? std::make_unique<int>(1) : nullptr;
    int* only_at_the_sender = me == 0 ? new int(77) : nullptr;
    @communicate { *only_there@last <<= *only_at_the_sender@0 }
    if (me == last) CHECK_EQ(*only_there, 77);
    delete only_at_the_sender;
  }
  {  // a value is evaluated by its sender once a binding, a place by its receiver once a binding
    int source = 3;
    std::vector<int> sink(n);
    evaluations = 0;
    @communicate { sink[i]@i <<= counted(source)@0 where i in world }
    CHECK(evaluations <= (me == 0 ? n : 0));
    evaluations = 0;
    @communicate { counted(sink)[i]@last <<= source@i where i in world }
    CHECK(evaluations <= (me == last ? n : 0));
    if (me == last) CHECK_EQ(sink, std::vector<int>(n, 3));
  }
  {  // two updates of one place: the last binding, then the last statement wins, whoever sends
    const std::vector<int> slot(n, 0);
    std::vector<int> cell(2, -1);
    @communicate { cell[slot[i]]@0 <<= i@i where i in world }
    CHECK_EQ(cell[0], me == 0 ? last : -1);
    @communicate { cell[slot[i]]@0 <<= i@i where i in kanor::world, let unused = 0, unused == 0, i < 1 or i == last; }
    CHECK_EQ(cell[0], me == 0 ? last : -1);
    std::vector<int> backwards(n);
    for (int i = 0; i < n; ++i) backwards[i] = last - i;
    @communicate { cell[slot[i]]@0 <<= 10 + i@i where i in backwards }
    CHECK_EQ(cell[0], me == 0 ? 10 : -1);
    @communicate {
      cell[slot[0]]@0 <<= 1@last;
      cell[slot[0]]@0 <<= 2@0
    }
    CHECK_EQ(cell[0], me == 0 ? 2 : -1);
    @communicate {
      cell[slot[0]]@0 <<= 2@0;
      cell[slot[0]]@0 <<= 1@last
    }
    CHECK_EQ(cell[0], me == 0 ? 1 : -1);
    @communicate {
      cell[slot[0]]@0 << + << 100@i where i in world;
      cell[slot[0]]@0 <<= 5@last
    }
    CHECK_EQ(cell[0], me == 0 ? 5 : -1);
    @communicate {
      cell[slot[0]]@0 <<= 5@last;
      cell[slot[0]]@0 << + << 100@i where i in world
    }
    CHECK_EQ(cell[0], me == 0 ? 100 * n : -1);
  }
  {  // ranks without a part pass through, and blocks stay matched by position
    int x = 0;
    for (int round = 0; round < 20; ++round) {
      const int from = round % n, to = (3 * round + 1) % n;
      @communicate { x@to <<= 1000 * round + from@from }
      if (me == to) CHECK_EQ(x, 1000 * round + from);
    }
    @communicate { x@i <<= 1@i where i in world, false }
    CHECK(x != 1);
  }
  {  // several messages between one pair of ranks, in several statements of different types
    double half = 0;
    std::string text;
    std::map<std::string, int> table;
    std::vector<char> letters(3);
    @communicate {
      half@last <<= 0.5@0;
      text@last <<= std::string("zero")@0;
      table["one"]@last <<= 1@0;
      letters[k]@last <<= static_cast<char>('a' + k)@0 where k in {0 ... 2};
      table["two"]@last << + << 1@k % n where k in {0 ... 1}
    }
    if (me == last) {
      CHECK_EQ(half, 0.5);
      CHECK_EQ(text, "zero");
      CHECK_EQ(table, (std::map<std::string, int>{{"one", 1}, {"two", 2}}));
      CHECK_EQ(letters, (std::vector<char>{'a', 'b', 'c'}));
    } else {
      CHECK(table.empty());
    }
  }
  {  // modifiers that change nothing that a program can see
    int x = me;
    @communicate (copy) { x@i <<= x@(i + 1) % n where i in world }
    CHECK_EQ(x, (me + 1) % n);
    @communicate (knows = both, copy) { x@i <<= i@i where i in world }
    CHECK_EQ(x, me);
    KANOR_COMMUNICATE((copy), x@i <<= x@(i + 1) % n where i in world);
    CHECK_EQ(x, (me + 1) % n);
    x = me;
    @communicate (delta) { x@i <<= x@(i + 1) % n where i in world }
    CHECK_EQ(x, (me + 1) % n);
  }
  return check::finish("superstep");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
