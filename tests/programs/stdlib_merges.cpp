// RUN: %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,4,5,6,8,9 %t
// Merges. Every rank knows what all ranks have, and finds with plain loops what it must get.
#include "../conformance/check.hpp"
#include "arrays.hpp"
#include "oracle.hpp"

#include <kanor/std/block_range.hpp>
#include <kanor/std/merge.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using arrays::at;
using arrays::value;
using kanor::team;
using kanor::world;
using oracle::Numbers;
using values::Point;
using Vector = std::vector<int>;

constexpr int keys_below = 600;

/// An element that knows where it is from. Others with the same key are equivalent, but not equal.
struct Item {
  int key = -1, number = -1;
  bool operator==(const Item&) const = default;
  friend bool operator<(const Item& a, const Item& b) { return a.key < b.key; }
};

template <class T>
T made(int key, int number) {
  if constexpr (std::is_same_v<T, Item>) {
    return {key, number};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string(at(key % 40), static_cast<char>('a' + number % 26));
  } else if constexpr (std::is_same_v<T, Vector>) {
    return key % 5 == 0 ? Vector() : Vector(at(1 + key % 7), key / 7);
  } else if constexpr (std::is_same_v<T, double>) {
    return (key - 300) / 8.0;
  } else {
    return static_cast<T>(key);
  }
}

/// How many elements each rank has: `total` together.
std::vector<long> lengths(int kind, long total, int ranks, Numbers& random) {
  const int one = random.below(ranks), any = random.below(2);
  std::vector<long> sums{0}, result;
  for (int rank = 0; rank < ranks; ++rank) {
    // Even, random, all on one, none on every second, more and more, less and less, none on one.
    const bool alone = ranks == 1;
    const long numbers[] = {1,          1 + random.below(100), rank == one, alone || rank % 2 == any,
                            1l << rank, 1l << (ranks - rank),  alone || rank != one};
    sums.push_back(sums.back() + numbers[kind % 7]);
  }
  for (std::size_t rank = 0; rank + 1 < sums.size(); ++rank)
    result.push_back(total * sums[rank + 1] / sums.back() - total * sums[rank] / sums.back());
  return result;
}

/// How the keys of two sequences are distributed.
int any_key(int kind, bool second, Numbers& random) {
  const int any = random.below(keys_below), half = keys_below / 2;
  // Any, all equal, few, mostly one, all of the first before or behind those of the second, all of one equal to a
  // key in the middle of the other, even and odd.
  const int keys[] = {any,
                      7,
                      any % 5,
                      any % 10 == 0 ? any : 42,
                      any / 2 + (second ? half : 0),
                      any / 2 + (second ? 0 : half),
                      second ? half : any,
                      any / 2 * 2 + second};
  return keys[kind % 8];
}

/// A sorted sequence, and this rank's part of it.
template <class T>
struct Sequence {
  std::vector<T> all{}, own{};
  long begin = 0;
};

template <class T>
Sequence<T> sorted(const team& members, const auto& less, int total, int kind, bool second, Numbers& random) {
  Sequence<T> result;
  for (int k = 0; k < total; ++k)
    result.all.push_back(made<T>(any_key(kind, second, random), second ? 1'000'000 + k : k));
  std::stable_sort(result.all.begin(), result.all.end(), less);
  const std::vector<long> sizes = lengths(random.below(7), std::ssize(result.all), members.size(), random);
  result.begin = std::accumulate(sizes.begin(), sizes.begin() + members.rank(), 0l);
  const auto begin = result.all.begin() + result.begin;
  result.own.assign(begin, begin + sizes[at(members.rank())]);
  return result;
}

/// This rank's part of the merged sequence.
template <class T>
std::vector<T> merged(const std::vector<T>& first, const std::vector<T>& second, const auto& less,
                      const team& members) {
  std::vector<T> all;
  std::merge(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(all), less);
  const kanor::index_range own = kanor::block_range(std::ssize(all), members.rank(), members);
  return {all.begin() + own.begin, all.begin() + own.end};
}

/// What is merged: how many elements, and how they are distributed.
struct Amounts {
  int first, second, kind;
};

template <class T>
void merge(const team& members, const Amounts& amounts, const auto& less, Numbers& random) {
  const auto first = sorted<T>(members, less, amounts.first, amounts.kind, false, random);
  const auto second = sorted<T>(members, less, amounts.second, amounts.kind, true, random);
  CHECK_EQ(kanor::merge(first.own, second.own, less, members), merged(first.all, second.all, less, members));
  auto moved = first.own;
  CHECK_EQ(kanor::merge(second.own, std::move(moved), less, members), merged(second.all, first.all, less, members));
}

template <class Key, class Value>
void merge_by_key(const team& members, const Amounts& amounts, const auto& less, Numbers& random) {
  using Pair = std::pair<Key, Value>;
  // Each pair has a value of its own, which must not matter for the order.
  const auto parts = [&](int total, bool second) {
    const auto keys = sorted<Key>(members, less, total, amounts.kind, second, random);
    Sequence<Pair> result;
    for (const Key& key : keys.all) result.all.emplace_back(key, values::of<Value>(random.next()));
    const auto begin = result.all.begin() + keys.begin;
    result.own.assign(begin, begin + std::ssize(keys.own));
    return result;
  };
  const auto first = parts(amounts.first, false), second = parts(amounts.second, true);
  const auto by_key = [&](const Pair& a, const Pair& b) { return less(a.first, b.first); };
  CHECK_EQ(kanor::merge_by_key(first.own, second.own, less, members), merged(first.all, second.all, by_key, members));
}

void merges(const team& members, int count, Numbers& random) {
  for (int k = 0; k < count; ++k) {
    // Nothing, nothing in one of them, fewer elements than ranks, or more.
    const int most = k % 5 == 4 ? members.size() + 2 : 150;
    const bool no_first = k % 11 == 3 || k % 11 == 6, no_second = k % 11 == 6 || k % 11 == 8;
    const Amounts amounts{no_first ? 0 : 1 + random.below(most), no_second ? 0 : 1 + random.below(most), k};
    if (k % 5 == 0) {
      merge<int>(members, amounts, std::greater<>(), random);
      merge_by_key<int, std::string>(members, amounts, std::greater<>(), random);
    } else if (k % 5 == 1) {
      const auto is_shorter = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
      merge<std::string>(members, amounts, is_shorter, random);
      merge_by_key<std::string, Vector>(members, amounts, is_shorter, random);
    } else if (k % 5 == 2) {
      // The order of keys in a table. What is no element of the vectors is in no table.
      Vector table;
      for (int key = 0; key < keys_below; ++key) table.push_back(random.below(keys_below / 3));
      const auto place = [&](const Item& item) { return table.at(at(item.key)); };
      const auto is_before = [&](const Item& a, const Item& b) { return place(a) < place(b); };
      merge<Item>(members, amounts, is_before, random);
      merge_by_key<Item, bool>(members, amounts, is_before, random);
    } else if (k % 5 == 3) {
      merge<Vector>(members, amounts, std::less<>(), random);
      merge_by_key<double, Point>(members, amounts, std::less<>(), random);
    } else {
      merge<bool>(members, amounts, std::less<>(), random);
    }
  }
}

/// Without other arguments the world and `<` are meant.
void defaults() {
  const int me = world.rank();
  CHECK_EQ(kanor::merge(Vector{2 * me}, {2 * me + 1}), Vector{2 * me, 2 * me + 1});
  const std::vector<std::pair<int, char>> a{{me, 'a'}}, b{{me, 'b'}};
  CHECK_EQ(kanor::merge_by_key(a, b), std::vector<std::pair<int, char>>{{me, 'a'}, {me, 'b'}});
}

void rounds(const team& members, unsigned seed, int count) {
  Numbers random(seed);
  merges(members, count / 2, random);
}

}  // namespace

int main() {
  const int me = world.rank();
  const team half = world.split(me % 2, -me), alone = half.split(half.rank(), 0);
  const team third = world.split(me * 3 / world.size(), me);
  defaults();
  rounds(world, 1, 42);
  rounds(half, 2, 14);
  // One half has more to do, while the other goes on.
  if (me % 2 == 0) rounds(half, 3, 7);
  rounds(alone, 4, 7);
  rounds(third, 5, 7);
  Numbers random(9);
  merge<Vector>(world, {1'500, 800, 0}, std::less<>(), random);
  merge<int>(world, {20'000, 15'000, 3}, std::greater<>(), random);
  merge_by_key<double, Point>(world, {100, 9'000, 1}, std::less<>(), random);
  return check::finish("stdlib_merges");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
