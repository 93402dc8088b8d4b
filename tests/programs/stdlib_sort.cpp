// RUN: %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,5,8,9 %t
// kanor::sort and kanor::stable_sort, compared with std::stable_sort of all ranks' elements, which
// every rank can make.
#include "../conformance/check.hpp"
#include "oracle.hpp"
#include "values.hpp"

#include <kanor/std/sort.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using kanor::team;
using kanor::world;
using values::bits;

/// An element that knows where it was.
struct Item {
  int key = -1, rank = -1, position = -1;
  bool operator==(const Item&) const = default;
};

/// Compares by the place of keys in a table. What is no element of the vectors is in no table.
struct ByTable {
  std::vector<int> places;
  bool operator()(const Item& a, const Item& b) const {
    return places.at(static_cast<std::size_t>(a.key)) < places.at(static_cast<std::size_t>(b.key));
  }
};

/// Up or down, or by something in which different strings are alike.
enum class By { value, descending, length };

struct Order {
  By by;
  bool operator()(const std::string& a, const std::string& b) const {
    if (by == By::length) return a.size() < b.size();
    return by == By::value ? a < b : b < a;
  }
};

/// The keys of all ranks.
using Keys = std::vector<std::vector<int>>;

constexpr int length_kinds = 7, key_kinds = 9, keys_below = 1000;

/// How many elements each rank has: `total` together.
std::vector<int> lengths(int kind, int total, int ranks, oracle::Numbers& random) {
  std::vector<int> result(static_cast<std::size_t>(ranks));
  const auto add = [&](int rank, int count) { result[static_cast<std::size_t>(rank)] += count; };
  const int one = random.below(ranks);
  int left = total;
  if (kind == 0) {  // even
    for (int rank = 0; rank < ranks; ++rank) add(rank, oracle::part(total, ranks, rank).size());
    return result;
  }
  if (kind == 1) {  // random
    for (; left > 0; left -= (left + 19) / 20) add(random.below(ranks), (left + 19) / 20);
    return result;
  }
  if (kind == 4) {  // every second rank has none
    for (; left > 0; left -= (left + 9) / 10) add(2 * random.below((ranks + 1) / 2), (left + 9) / 10);
    return result;
  }
  if (kind == 5 || kind == 6) {  // half of them on one rank, half of the rest on the next
    for (int rank = 0; rank < ranks - 1; ++rank, left /= 2) add(kind == 5 ? rank : ranks - 1 - rank, left - left / 2);
    add(kind == 5 ? ranks - 1 : 0, left);
    return result;
  }
  add(kind == 2 ? one : ranks - 1, total);  // all on one
  return result;
}

int key_of(int kind, int at, int total, oracle::Numbers& random) {
  const int any = random.below(keys_below), slope = static_cast<int>(1L * at * keys_below / total);
  switch (kind) {
    case 0: return any;
    case 1: return 7;                              // all equal
    case 2: return any % 2 == 0 ? 3 : 500;         // two keys
    case 3: return slope;                          // sorted
    case 4: return keys_below - 1 - slope;         // reversed
    case 5: return any % 5;                        // few
    case 6: return any % 10 == 0 ? any / 10 : 42;  // mostly one
    case 7: return any % 30 == 0 ? 0 : slope;      // sorted but for some
    default: return at % 2 == 0 ? slope : keys_below - 1 - slope;
  }
}

Keys keys(int length_kind, int key_kind, int total, int ranks, oracle::Numbers& random) {
  Keys result;
  int at = 0;
  for (const int length : lengths(length_kind, total, ranks, random)) {
    result.emplace_back();
    for (int k = 0; k < length; ++k) result.back().push_back(key_of(key_kind, at++, total, random));
  }
  return result;
}

template <class T>
T made(int key, int rank, int position) {
  if constexpr (std::is_same_v<T, bool>) {
    return key % 2 == 1;
  } else if constexpr (std::is_same_v<T, Item>) {
    return {key, rank, position};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::string(static_cast<std::size_t>(key % 40), static_cast<char>('a' + key % 7)) + std::to_string(key);
  } else if constexpr (std::is_same_v<T, double>) {
    // -0 and 0 are equivalent.
    return key < 100 ? (position % 2 == 0 ? 0.0 : -0.0) : (key - 500) / 8.0;
  } else {
    return static_cast<T>((key - 500) * 12'345'678'901L);
  }
}

template <class T>
std::vector<T> elements_of(const std::vector<int>& keys, int rank) {
  std::vector<T> result;
  for (std::size_t k = 0; k < keys.size(); ++k) result.push_back(made<T>(keys[k], rank, static_cast<int>(k)));
  return result;
}

/// A number that tells most elements apart, for the comparison of sets.
template <class T>
std::uint64_t hash(const T& value) {
  std::uint64_t result = 14695981039346656037ull;
  const auto add = [&](std::uint64_t part) { result = (result ^ part ^ (part >> 29)) * 1099511628211ull; };
  if constexpr (std::is_same_v<T, Item>) {
    add(static_cast<unsigned>(value.key));
    add(static_cast<unsigned>(value.rank));
    add(static_cast<unsigned>(value.position));
  } else if constexpr (std::is_same_v<T, std::string>) {
    for (const char letter : value) add(static_cast<unsigned char>(letter));
  } else {
    add(static_cast<std::uint64_t>(bits(value)));
  }
  return result ^ (result >> 31);
}

/// The numbers from 0 to `count`, sorted without a change of the order of equivalent ones.
std::vector<int> sorted_places(std::size_t count, const std::function<bool(std::size_t, std::size_t)>& less) {
  std::vector<int> places(count);
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](int a, int b) { return less(static_cast<std::size_t>(a), static_cast<std::size_t>(b)); });
  return places;
}

std::uint64_t sum_of(std::uint64_t own, const team& members) {
  std::uint64_t all = 0;
  @communicate (team = members) { all@i << + << own@j where i, j in members }
  return all;
}

void check_result(bool is_right, const char* what, bool is_stable, std::size_t count) {
  const std::string text = what + std::string(is_stable ? " with stable_sort" : " with sort");
  if (is_right) return;
  check::failed(__FILE__, __LINE__, text.c_str(), "another sequence of " + std::to_string(count), "the sorted one");
}

/// Compares this rank's part with that of the sequence that plain C++ sorts.
template <class T, class Compare>
void check_part(const team& members, const Keys& keys, const Compare& less, const std::vector<T>& part, bool is_stable,
                const char* what) {
  const auto me = static_cast<std::size_t>(members.rank()), n = static_cast<std::size_t>(members.size());
  std::vector<T> all;
  std::uint64_t hashes = 0;
  for (std::size_t rank = 0; rank < n; ++rank)
    for (const T& element : elements_of<T>(keys[rank], static_cast<int>(rank))) {
      all.push_back(element);
      hashes += hash(element);
    }
  const auto precedes = [&](const T& a, const T& b) { return less(a, b); };
  const auto places = sorted_places(all.size(), [&](std::size_t a, std::size_t b) { return precedes(all[a], all[b]); });
  const std::size_t begin = all.size() * me / n, end = all.size() * (me + 1) / n;
  const kanor::index_range expected{static_cast<long>(begin), static_cast<long>(end)};
  CHECK(kanor::block_range(static_cast<long>(all.size()), members.rank(), members) == expected);

  bool is_right = part.size() == end - begin;
  std::uint64_t own = 0;
  for (std::size_t k = 0; k < part.size() && is_right; ++k) {
    const T &a = part[k], &b = all[static_cast<std::size_t>(places[begin + k])];
    is_right = is_stable ? bits(a) == bits(b) : !precedes(a, b) && !precedes(b, a);
    // The sequence is the same for every kind of rank.
    own += hash(a);
    check::digest = (check::digest ^ hash(a)) * 1099511628211ull;
  }
  check_result(sum_of(own, members) == hashes && is_right, what, is_stable, all.size());
}

/// Sorts with one of the functions. What is the default is not passed.
template <bool is_stable, class T, class Compare>
void sorts(const team& members, const Keys& keys, const Compare& less, const char* what) {
  std::vector<T> values = elements_of<T>(keys[static_cast<std::size_t>(members.rank())], members.rank());
  constexpr bool is_default = std::is_same_v<Compare, std::less<>>;
  if constexpr (is_default && is_stable)
    members == world ? kanor::stable_sort(values) : kanor::stable_sort(values, {}, members);
  else if constexpr (is_default)
    members == world ? kanor::sort(values) : kanor::sort(values, {}, members);
  else if constexpr (is_stable)
    kanor::stable_sort(values, less, members);
  else
    kanor::sort(values, less, members);
  check_part(members, keys, less, values, is_stable, what);
}

ByTable table(oracle::Numbers& random) {
  ByTable result;
  for (int key = 0; key < keys_below; ++key) result.places.push_back(random.below(keys_below / 3));
  return result;
}

/// A comparison that cannot be called with elements which are about to be moved.
constexpr auto of_lvalues = [](auto& a, auto& b) { return b < a; };

constexpr int types = 7;

/// Each function of each type takes its time to compile: some types have one of them only.
void sorts_of(int type, const team& members, const Keys& keys, oracle::Numbers& random) {
  const By by = random.below(3) == 0 ? By::value : random.below(2) == 0 ? By::descending : By::length;
  if (type == 0) sorts<true, long>(members, keys, std::less<>(), "long");
  if (type == 1) sorts<false, double>(members, keys, std::less<>(), "double");
  if (type == 2) sorts<true, std::string>(members, keys, Order{by}, "string");
  if (type == 3) sorts<true, Item>(members, keys, table(random), "item by table");
  if (type == 4) sorts<false, Item>(members, keys, table(random), "item by table");
  if (type == 5) sorts<false, bool>(members, keys, std::less<>(), "bool");
  if (type == 6) sorts<true, std::string>(members, keys, of_lvalues, "string by lvalues");
}

/// All distributions of lengths and of keys in turn.
void small_sorts(const team& members, unsigned seed, int rounds) {
  oracle::Numbers random(seed);
  for (int round = 0; round < rounds; ++round) {
    const int total = random.below(150), length_kind = round % length_kinds, key_kind = round % key_kinds;
    const Keys all = keys(length_kind, key_kind, total, members.size(), random);
    sorts_of(random.below(types), members, all, random);
  }
}

/// As many elements as ranks, and some more or less.
void few_elements(const team& members) {
  oracle::Numbers random(5);
  const int n = members.size();
  int type = 0;
  for (const int total : {0, 1, 2, n - 1, n, n, n + 1, 2 * n - 1}) {
    const Keys all = keys(random.below(length_kinds), random.below(key_kinds), total, n, random);
    sorts_of(type++ % types, members, all, random);
  }
}

/// Sorts of several teams in any mixture.
void random_sorts(const std::vector<team>& teams, unsigned seed) {
  oracle::Numbers random(seed);
  for (int round = 0; round < 16; ++round) {
    const team& members = teams[random.next() % teams.size()];
    const int type = random.below(types);
    oracle::Numbers of_team(random.next());
    const int total = of_team.below(60);
    const auto all = keys(of_team.below(length_kinds), of_team.below(key_kinds), total, members.size(), of_team);
    sorts_of(type, members, all, of_team);
  }
}

void large_sorts(const team& members) {
  oracle::Numbers random(6);
  const int n = members.size();
  sorts_of(1, members, keys(1, 0, 100'000, n, random), random);
  sorts_of(0, members, keys(3, 6, 20'000, n, random), random);
  sorts_of(2, members, keys(0, 4, 10'000, n, random), random);
  for (const int type : {3, 4}) sorts_of(type, members, keys(5, 5, 20'000, n, random), random);
}

}  // namespace

int main() {
  const int me = world.rank();
  const team half = world.split(me % 2, -me);
  const team quarter = half.split(half.rank() / 2 % 2, 0);
  const team alone = quarter.split(quarter.rank(), 0);

  few_elements(world);
  small_sorts(world, 1, 30);
  small_sorts(half, 2, 8);
  // One half has more to do, while the other goes on.
  if (me % 2 == 0) few_elements(half);
  few_elements(alone);
  random_sorts({world, half, quarter, alone}, 3);
  large_sorts(world);
  return check::finish("stdlib_sort");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
