// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_REFERENCE=1 %run_everywhere --keep KANOR_REFERENCE --ranks 1,3 %t
// RUN: env KANOR_DISABLE=plan,patterns,sharing %run_everywhere --unchecked --keep KANOR_DISABLE --ranks 3,5 %t
// Where sections of listed elements may stand: templates, lambdas, member functions, the macro's spelling;
// blocks with modifiers; lists that the names of generators choose.
#include "check.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <list>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using kanor::world;

int mark(int rank, int at) { return 1000 * rank + at; }

template <class List>
void fill(List& list, int rank) {
  for (std::size_t at = 0; at < std::size(list); ++at) {
    list[at] = static_cast<std::remove_reference_t<decltype(list[at])>>(mark(rank, static_cast<int>(at)));
  }
}

template <class List>
std::vector<int> ints(const List& list) {
  std::vector<int> all;
  for (const auto& each : list) all.push_back(static_cast<int>(each));
  return all;
}

// Templates

/// Base and list are of any type; both sides.
template <class Place, class Value, class To, class From>
void exchange(Place& place, const Value& value, const To& to, const From& from) {
  const int n = world.size();
  @communicate { place[to]@(i + 1) % n <<= value[from]@i where i in world }
}

/// A list of any type, and a base that depends on no parameter.
template <class Index>
std::vector<int> taken(std::vector<int> list, Index first) {
  std::vector<int> got;
  @communicate { got@i <<= list[std::vector<Index>{first, 0}]@i where i in world }
  return got;
}

/// A base of any type, and a list that depends on no parameter.
template <class Base>
int outer(Base& base) {
  const std::vector<int> ends{3, 0};
  std::array<int, 2> got{};
  @communicate { got@i <<= base[ends]@i where i in world }
  return got[0] - got[1];
}

/// A base that ends with a lambda's call, and a comma in what lists the elements of rows.
std::vector<int> called_and_split(int me) {
  const std::vector<int> line{me, me + 1, me + 2}, ends{2, 0};
  int rows[2][2] = {{1, 2}, {3, 4}};
  std::vector<int> got, split;
  @communicate {
    got@i <<= [&] { return line; }()[ends]@i where i in world;
    split@i <<= rows[0 : 2][std::array<int, 2>{1, 0}]@i where i in world
  }
  got.insert(got.end(), split.begin(), split.end());
  return got;
}

/// The same brackets are a subscript in one instance and list elements in another.
template <class Index>
auto either(std::vector<std::vector<int>>& rows, const Index& index) {
  std::vector<std::vector<int>> got(1);
  if constexpr (std::is_integral_v<Index>) {
    @communicate { got[0]@i <<= rows[index]@i where i in world }
  } else {
    @communicate { got@i <<= rows[index]@i where i in world }
  }
  return got;
}

template <int count>
struct Numbers {
  std::array<double, count> numbers{};
  std::vector<int> order;
  /// The order's elements, summed over all ranks; those of a reversed order of the others.
  template <class Result>
  void summed(Result& result) {
    @communicate { result[order]@i << + << numbers[order]@s where i, s in world }
  }
  void turned() {
    @communicate { numbers[order]@i <<= this->numbers[:]@i where i in world }
  }
};

void templates(int n, int me, int left) {
  int array[5] = {0, 1, 2, 3, 4};
  std::vector<double> vector(5, -1);
  std::array<short, 5> fixed{};
  std::deque<int> deque{4, 1};
  fill(array, me);
  const int ends[] = {4, 0};
  exchange(vector, array, std::list<short>{4, 2}, std::vector<unsigned>{0, 0});
  CHECK_EQ(ints(vector), (std::vector<int>{-1, -1, mark(left, 0), -1, mark(left, 0)}));
  exchange(fixed, array, ends, deque);
  CHECK_EQ(ints(fixed), (std::vector<int>{mark(left, 1), 0, 0, 0, mark(left, 4)}));
  exchange(array, vector, kanor::range(1, 4, 2), ends);
  const int second = (left + n - 1) % n;
  CHECK_EQ(ints(array), (std::vector<int>{mark(me, 0), mark(second, 0), mark(me, 2), -1, mark(me, 4)}));
  CHECK_EQ(taken({7, 8, 9}, 2), (std::vector<int>{9, 7}));
  CHECK_EQ(taken({7, 8, 9}, std::size_t{1}), (std::vector<int>{8, 7}));
  std::vector<int> squares{0, 1, 4, 9};
  std::array<long, 4> cubes{0, 1, 8, 27};
  CHECK_EQ(outer(squares), 9);
  CHECK_EQ(outer(cubes), 27);
  std::vector<std::vector<int>> rows{{me}, {me, 1}, {}};
  CHECK_EQ(called_and_split(me), (std::vector<int>{me + 2, me, 2, 1, 4, 3}));
  CHECK_EQ(either(rows, 1), (std::vector<std::vector<int>>{{me, 1}}));
  CHECK_EQ(either(rows, std::vector<int>{2, 0}), (std::vector<std::vector<int>>{{}, {me}}));

  Numbers<3> three{{1.0 * me, 2.0, 4.0}, {2, 0}};
  std::vector<double> sums(3, -1);
  three.summed(sums);
  CHECK_EQ(sums, (std::vector<double>{n * (n - 1) / 2.0, -1, 4.0 * n}));
  Numbers<4> four{{1, 2, 3, 4}, {3, 1, 0, 2}};
  four.turned();
  CHECK_EQ(four.numbers, (std::array<double, 4>{3, 2, 4, 1}));
  float few[4] = {};
  four.summed(few);
  CHECK_EQ(few[2], 4.0f * static_cast<float>(n));
}

// Members and lambdas

struct Mesh {
  std::vector<double> cells;
  std::vector<std::vector<int>> own, ghosts;  // for each rank: the cells that it needs, and where its own go
  static inline std::vector<int> corners{0, 3};

  void halo() {
    KANOR_COMMUNICATE(cells[ghosts[from]]@to <<= cells[own[to]]@from where from, to in world, from != to);
  }
  std::vector<double> of_corners(int root) const {
    std::vector<double> got;
    @communicate { got@i <<= cells[corners]@root where i in world }
    return got;
  }
};

void members(int n, int me) {
  // Each rank has a cell for each other one, and a ghost for it.
  Mesh mesh{std::vector<double>(static_cast<std::size_t>(2 * n + 4), -1), {}, {}};
  for (int r = 0; r < n; ++r) {
    mesh.cells[static_cast<std::size_t>(4 + r)] = mark(me, r);
    mesh.own.push_back(r % 3 == 2 ? std::vector<int>{} : std::vector<int>{4 + r});
    mesh.ghosts.push_back(me % 3 == 2 ? std::vector<int>{} : std::vector<int>{4 + n + r});
  }
  mesh.halo();
  for (int r = 0; r < n; ++r) {
    CHECK_EQ(mesh.cells[static_cast<std::size_t>(4 + n + r)], r == me || me % 3 == 2 ? -1.0 : mark(r, me));
  }
  mesh.cells[3] = me;
  CHECK_EQ(mesh.of_corners(n - 1), (std::vector<double>{-1.0, n - 1.0}));

  std::vector<int> values{me, 10 + me, 20 + me}, got(3, -1);
  int last = 2;
  const auto captured = [&, indices = std::vector<int>{2, 1}] {
    @communicate { got[indices]@i <<= values[indices]@0 where i in world }
  };
  captured();
  CHECK_EQ(got, (std::vector<int>{-1, 10, 20}));
  const auto generic = [&](auto& place, const auto& list) {
    @communicate { place[list]@i <<= values[(std::array{last, 0})]@0 where i in world }
  };
  std::array<double, 3> reals{};
  generic(reals, std::vector<char>{1, 2});
  CHECK_EQ(reals, (std::array<double, 3>{0, 20, 0}));
  generic(got, std::array<unsigned, 2>{0, 1});
  CHECK_EQ(got, (std::vector<int>{20, 0, 20}));
  KANOR_COMMUNICATE((copy), got[std::vector<int>{0, 2}]@i <<= values[(std::array<long, 2>{1, 2})]@n - 1
                    where i in world;
                    last@i <<= values[2]@0 where i in world);
  CHECK_EQ(got, (std::vector<int>{10 + n - 1, 0, 20 + n - 1}));
  CHECK_EQ(last, 20);
}

// Names and modifiers

void names(int n, int me) {
  // x of rank 0 is dealt out by lists: rank j gets x[need[j]]; its own need[j] says where it puts that.
  std::vector<std::vector<int>> need(static_cast<std::size_t>(n));
  for (int k = 0; k < 3 * n; ++k) need[static_cast<std::size_t>((k * k + k / 3) % n)].push_back(k);
  std::vector<int> x(static_cast<std::size_t>(3 * n)), y(x.size(), -1), z(x.size(), -1), short_one;
  fill(x, me);
  @communicate {
    y[need[j]]@j <<= x[need[j]]@0 where j in world;
    z[need[j]]@0 <<= x[need[j]]@j where j in world;
    short_one@j <<= x[need[j]]@n - 1 where j in world
  }
  std::vector<int> y_right(x.size(), -1), short_right;
  for (const int k : need[static_cast<std::size_t>(me)]) {
    y_right[static_cast<std::size_t>(k)] = mark(0, k);
    short_right.push_back(mark(n - 1, k));
  }
  CHECK_EQ(y, y_right);
  CHECK_EQ(short_one, short_right);
  for (int j = 0; j < n && me == 0; ++j)
    for (const int k : need.at(static_cast<std::size_t>(j))) {
      CHECK_EQ(z.at(static_cast<std::size_t>(k)), mark(j, k));
    }

  // Names that are numbers in the list, bindings, and names of a list's own elements.
  std::vector<int> w(x.size(), -1), few;
  @communicate {
    w[std::vector<int>{i, 2 * n - 1 - i, last}]@0 <<= x[std::array{k, 0, 1}]@i
        where i in world, let last = 2 * n + i, k in {2};
    few@k <<= x[range(k, 3 * n, n)]@0 where k in world
  }
  for (int i = 0; i < n && me == 0; ++i) {
    CHECK_EQ(w[static_cast<std::size_t>(i)], mark(i, 2));
    CHECK_EQ(w[static_cast<std::size_t>(2 * n - 1 - i)], mark(i, 0));
    CHECK_EQ(w[static_cast<std::size_t>(2 * n + i)], mark(i, 1));
  }
  CHECK_EQ(few, (std::vector<int>{me, n + me, 2 * n + me}));
}

void modifiers(int n, int me, int left) {
  const int right = (me + 1) % n;
  std::vector<int> x(4), got(static_cast<std::size_t>(4 * n), -1);
  fill(x, me);
  {  // senders alone know where their elements go; the place's list comes from names that travel
    const std::vector<int> mine{3, me % 3};
    @communicate (knows = sender) {
      got[std::vector<int>{4 * from, 4 * from + 1 + k}]@0 <<= x[mine]@me where let from = me, let k = me % 3
    }
    for (int r = 0; r < n && me == 0; ++r) {
      CHECK_EQ(got[static_cast<std::size_t>(4 * r)], mark(r, 3));
      CHECK_EQ(got[static_cast<std::size_t>(4 * r + 1 + r % 3)], mark(r, r % 3));
    }
  }
  {  // receivers alone know what they want: a pull of listed elements
    const int wanted = me % 4;
    std::vector<int> pulled(4, -1);
    const std::vector<int> places{1, 3, 0};
    @communicate (knows = receiver) {
      pulled[places]@me <<= x[std::vector<int>{a, 3 - a, 0}]@right where let a = wanted
    }
    CHECK_EQ(pulled, (std::vector<int>{mark(right, 0), mark(right, wanted), -1, mark(right, 3 - wanted)}));
  }
  {  // reductions of both kinds
    std::vector<long> sums(5, -1);
    @communicate (knows = sender) {
      sums[std::vector<int>{4, k}]@0 << + << x[std::vector<int>{0, 3}]@me where let k = 2
    }
    long all = 0;
    for (int r = 0; r < n; ++r) all += mark(r, 0);
    if (me == 0) CHECK_EQ(sums, (std::vector<long>{-1, -1, all + 3 * n, -1, all}));
    std::vector<int> best(2, -1);
    @communicate (knows = receiver) {
      best[std::vector<int>{1, 0}]@me << max << x[std::vector<int>{0, 1}]@s where s in {me ... n - 1}
    }
    CHECK_EQ(best, (std::vector<int>{mark(n - 1, 1), mark(n - 1, 0)}));
  }
  {  // the list may change before the exchange ends
    std::vector<int> list{2, 1}, places{0, 3}, late(4, -1);
    @communicate (async = pending) { late[places]@(i + 1) % n <<= x[list]@i where i in world }
    list = {7, 7, 7};
    places.clear();
    pending.wait();
    CHECK_EQ(late, (std::vector<int>{mark(left, 2), -1, -1, mark(left, 1)}));
  }
  {  // a team's ranks as the list
    const kanor::team odd_and_even = world.split(me % 2, -me);
    const int size = odd_and_even.size();
    std::vector<int> line(static_cast<std::size_t>(size)), all(line.size(), -1), sums(line.size(), -1);
    fill(line, me);
    @communicate (team = odd_and_even) {
      all[odd_and_even]@i <<= line[range(size - 1, -1, -1)]@0 where i in odd_and_even;
      sums[odd_and_even]@0 << + << line[odd_and_even]@i where i in odd_and_even
    }
    const int first = odd_and_even.world_rank(0);
    int ranks = 0;
    for (const int r : odd_and_even) ranks += 1000 * odd_and_even.world_rank(r);
    for (int k = 0; k < size; ++k) {
      CHECK_EQ(all[static_cast<std::size_t>(k)], mark(first, size - 1 - k));
      CHECK_EQ(sums[static_cast<std::size_t>(k)], odd_and_even.rank() == 0 ? ranks + size * k : -1);
    }
  }
}

}  // namespace

int main() {
  const int n = world.size(), me = world.rank(), left = (me + n - 1) % n;
  templates(n, me, left);
  members(n, me);
  names(n, me);
  modifiers(n, me, left);
  return check::finish("listed_sections_places");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
