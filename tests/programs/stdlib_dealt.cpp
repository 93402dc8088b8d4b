// RUN: %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,4,5,6,8,9 %t
// Arrays that are distributed over grids of ranks, and pipelines. Every rank knows all elements, and who has which:
// the indices of each dimension are dealt one by one, as cards are.
#include "../conformance/check.hpp"
#include "arrays.hpp"
#include "oracle.hpp"

#include <kanor/std/collectives.hpp>
#include <kanor/std/dealt.hpp>
#include <kanor/std/pipeline.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using arrays::at;
using arrays::throws;
using kanor::dealing;
using kanor::dealt;
using kanor::team;
using kanor::world;
using oracle::Numbers;
using values::Point;

template <std::size_t D>
using Index = std::array<long, D>;

/// Who has each index of a dimension, and how many indices before it the same part has.
struct Dealt {
  std::vector<int> owner;
  std::vector<long> position, size;
};

Dealt deal(long count, int parts, const dealing& how) {
  Dealt all;
  all.size.resize(at(parts));
  int part = 0;
  long left = how.block();
  for (long index = 0; index < count; ++index) {
    if (how.block() == 0) {
      while (index >= oracle::part(static_cast<int>(count), parts, part).last) ++part;
    } else if (left-- == 0) {
      part = (part + 1) % parts;
      left = how.block() - 1;
    }
    all.owner.push_back(part);
    all.position.push_back(all.size[at(part)]++);
  }
  return all;
}

/// One way to distribute an array.
template <std::size_t D>
struct Way {
  std::array<dealing, D> how;
  std::array<int, D> ranks;
};

template <std::size_t D>
Way<D> some_way(int size, Numbers& random) {
  Way<D> way;
  for (auto& how : way.how) how = random.below(2) == 0 ? dealing::evenly() : dealing::cyclic(1 + random.below(4));
  way.ranks.fill(1);
  while (size > 1) {
    int factor = 2;
    while (size % factor != 0) ++factor;
    way.ranks[at(random.below(static_cast<int>(D)))] *= factor;
    size /= factor;
  }
  return way;
}

template <std::size_t D>
struct Oracle {
  Index<D> extents;
  Way<D> way;
  std::array<Dealt, D> along;

  Oracle(const Index<D>& n, const Way<D>& w) : extents(n), way(w) {
    for (std::size_t d = 0; d < D; ++d) along[d] = deal(n[d], w.ranks[d], w.how[d]);
  }
  long elements() const {
    long all = 1;
    for (const long n : extents) all *= n;
    return all;
  }
  Index<D> index(long element) const {
    Index<D> found{};
    for (std::size_t d = D; d-- > 0; element /= extents[d]) found[d] = element % extents[d];
    return found;
  }
  int owner(const Index<D>& index) const {
    int rank = 0;
    for (std::size_t d = 0; d < D; ++d) rank = rank * way.ranks[d] + along[d].owner[at(index[d])];
    return rank;
  }
  long position(const Index<D>& index) const {
    long position = 0;
    for (std::size_t d = 0; d < D; ++d)
      position = position * along[d].size[at(along[d].owner[at(index[d])])] + along[d].position[at(index[d])];
    return position;
  }
};

template <class T, std::size_t D, class Array>
auto& at_index(Array& array, const Index<D>& index) {
  if constexpr (D == 1)
    return array.at(index[0]);
  else if constexpr (D == 2)
    return array.at(index[0], index[1]);
  else
    return array.at(index[0], index[1], index[2]);
}

template <class Array, std::size_t D>
int owner_of(const Array& array, const Index<D>& index) {
  if constexpr (D == 1)
    return array.owner(index[0]);
  else if constexpr (D == 2)
    return array.owner(index[0], index[1]);
  else
    return array.owner(index[0], index[1], index[2]);
}

/// Whether this rank has the elements that it must have, where it must have them.
template <class T, std::size_t D>
void check_parts(const dealt<T, D>& array, const Oracle<D>& oracle, const team& members, unsigned seed) {
  long own = 0;
  for (long element = 0; element < oracle.elements(); ++element) {
    const auto index = oracle.index(element);
    const int owner = oracle.owner(index);
    CHECK_EQ(owner_of(array, index), owner);
    const auto& read = array;
    if (owner != members.rank()) {
      CHECK(throws<std::out_of_range>([&] { (void)at_index<T>(read, index); }));
      continue;
    }
    ++own;
    const auto position = at(oracle.position(index));
    CHECK(array.part().at(position) == arrays::value<T>(seed, 0, element));
    CHECK(&at_index<T>(read, index) == &array.part()[position]);
    if constexpr (D == 1)
      CHECK_EQ(array.index_of(position), index[0]);
    else
      CHECK(array.index_of(position) == index);
  }
  CHECK_EQ(array.part().size(), at(own));
  long expected = 1;
  for (std::size_t d = 0; d < D; ++d) expected *= array.part_extent(d);
  CHECK_EQ(expected, own);
}

template <class T, std::size_t D>
dealt<T, D> made(const Oracle<D>& oracle, const team& members) {
  long extents[D];
  dealing how[D];
  for (std::size_t d = 0; d < D; ++d) extents[d] = oracle.extents[d], how[d] = oracle.way.how[d];
  return dealt<T, D>(extents, how, kanor::grid<static_cast<int>(D)>(members, oracle.way.ranks));
}

template <class T, std::size_t D>
void check_sections(const dealt<T, D>& array, const Oracle<D>& oracle, const team& members, unsigned seed,
                    Numbers random) {
  for (int own = 0; own < members.rank(); ++own) random.next();  // each rank asks for others
  kanor::index_slice slices[D];
  for (std::size_t d = 0; d < D; ++d) {
    const int n = static_cast<int>(oracle.extents[d]);
    slices[d].first = random.below(n + 1);
    slices[d].last = slices[d].first + random.below(n + 1 - static_cast<int>(slices[d].first));
    slices[d].step = 1 + random.below(3);
  }
  const auto found = array.section(slices);
  std::vector<T> expected;
  for (long element = 0; element < oracle.elements(); ++element) {
    bool is_in = true;
    const auto index = oracle.index(element);
    for (std::size_t d = 0; d < D; ++d)
      is_in &= slices[d].first <= index[d] && index[d] < slices[d].last &&
               (index[d] - slices[d].first) % slices[d].step == 0;
    if (is_in) expected.push_back(arrays::value<T>(seed, 0, element));
  }
  CHECK(found == expected);
}

template <class T, std::size_t D>
void arrays_of(const team& members, int longest, Numbers& random) {
  for (int turn = 0; turn < 4; ++turn) {
    Index<D> extents;
    for (long& n : extents) n = turn == 0 ? 1 + random.below(2) : random.below(longest);
    const auto seed = random.next();
    const Oracle<D> before(extents, some_way<D>(members.size(), random));
    const Oracle<D> after(extents, some_way<D>(members.size(), random));
    auto array = made<T>(before, members);
    for (long element = 0; element < before.elements(); ++element)
      if (const auto index = before.index(element); before.owner(index) == members.rank())
        at_index<T>(array, index) = arrays::value<T>(seed, 0, element);
    check_parts(array, before, members, seed);
    dealing how[D];
    for (std::size_t d = 0; d < D; ++d) how[d] = after.way.how[d];
    const kanor::grid<static_cast<int>(D)> grid(members, after.way.ranks);
    const auto other = array.redistributed(how, grid);
    check_parts(other, after, members, seed);
    check_sections(array, before, members, seed, random);
    check_sections(other, after, members, seed, random);
    random.next();
    const auto all = other.all();
    CHECK_EQ(all.size(), at(before.elements()));
    for (long element = 0; element < before.elements(); ++element)
      CHECK(all[at(element)] == arrays::value<T>(seed, 0, element));
    Way<D> rows{{}, {}};
    rows.how[0] = dealing::cyclic(2);
    rows.ranks.fill(1);
    rows.ranks[0] = members.size();
    check_parts(other.redistributed(dealing::cyclic(2)), Oracle<D>(extents, rows), members, seed);
  }
}

void wrong_arrays(const team& members) {
  CHECK(throws<std::invalid_argument>([&] { dealt<int>(-1, {}, members); }));
  CHECK(throws<std::invalid_argument>([&] { (void)dealing::cyclic(0); }));
  dealt<int> ten(10, {}, members);
  CHECK_EQ(ten.owner(-1), kanor::no_rank);
  CHECK_EQ(ten.owner(10), kanor::no_rank);
  CHECK(throws<std::out_of_range>([&] { ten.at(10) = 1; }));
  CHECK(throws<std::out_of_range>([&] { ten.section({{5, 11}}); }));
  CHECK(throws<std::out_of_range>([&] { ten.section({{-1, 3}}); }));
  CHECK(throws<std::invalid_argument>([&] { ten.section({{1, 3, 0}}); }));
  CHECK_EQ(ten.section({{7, 3}}).size(), 0u);
  const dealt<int> copied = ten;
  CHECK(copied.part() == ten.part());
}

/// What each rank's stage does with an item.
int step(int rank, long item, int value) { return value * 3 + rank * 7 + static_cast<int>(item) % 11; }

void pipelines(const team& members, Numbers& random) {
  for (const long count : {0L, 1L, 2L, 3L, 5L, 40L}) {
    const int salt = random.below(100);
    long calls = 0;
    const auto found = kanor::pipeline(
        count, [&](long item) { return salt + static_cast<int>(item); },
        [&](long item, int value) {
          CHECK_EQ(item, calls++);
          return step(members.rank(), item, value % 100'000);
        },
        members);
    CHECK_EQ(calls, count);
    std::vector<int> expected;
    for (long item = 0; item < count && members.rank() + 1 == members.size(); ++item) {
      int value = salt + static_cast<int>(item);
      for (int rank = 0; rank < members.size(); ++rank) value = step(rank, item, value % 100'000);
      expected.push_back(value);
    }
    CHECK(found == expected);
  }
  // Values of any length that only move; the tallest table of binomials.
  std::string left(1, 'l');
  const auto words = kanor::pipeline(
      9, [](long item) { return std::string(at(item), 'a'); },
      [&](long, std::string above) { return left = above + left.back(); }, members);
  for (std::size_t item = 0; item < words.size(); ++item)
    CHECK(words[item] == std::string(item, 'a') + std::string(at(members.size()), 'l'));
  CHECK_EQ(words.size(), members.rank() + 1 == members.size() ? 9u : 0u);
  CHECK(throws<std::invalid_argument>([&] {
    kanor::pipeline(-1, [](long) { return 0; }, [](long, int value) { return value; }, members);
  }));
}

void all_of_team(const team& members, Numbers random) {
  arrays_of<int, 1>(members, 40, random);
  arrays_of<std::string, 1>(members, 20, random);
  arrays_of<double, 2>(members, 11, random);
  arrays_of<std::vector<int>, 2>(members, 6, random);
  arrays_of<Point, 3>(members, 7, random);
  wrong_arrays(members);
  pipelines(members, random);
}

}  // namespace

int main() {
  Numbers random(2027);
  all_of_team(world, random);
  const team half = world.split(world.rank() % 2, -world.rank());
  all_of_team(half, Numbers(random.next()));
  return check::finish("stdlib_dealt");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
