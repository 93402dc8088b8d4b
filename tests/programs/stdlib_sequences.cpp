// RUN: %kanorc -O1 -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,5,8,9 %t
// The functions for distributed sequences except the sorts. Every rank makes the vectors of all ranks, and
// compares what it gets with what plain loops make of the joined vectors.
#include "../conformance/check.hpp"
#include "oracle.hpp"
#include "values.hpp"

#include <kanor/std/block_range.hpp>
#include <kanor/std/by_key.hpp>
#include <kanor/std/histogram.hpp>
#include <kanor/std/nth_element.hpp>
#include <kanor/std/reorder.hpp>
#include <kanor/std/unique.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using kanor::team;
using kanor::world;
using oracle::Numbers;
using Vector = std::vector<int>;

constexpr int length_kinds = 8, key_kinds = 7, keys_below = 1000, types = 4;
constexpr long most = std::numeric_limits<long>::max();

/// An element that knows its place in the sequence. Others with the same key are equivalent, but not equal.
struct Item {
  int key = -1, position = -1;
  bool operator==(const Item&) const = default;
  friend bool operator<(const Item& a, const Item& b) { return a.key < b.key; }
};

template <class T>
T made(int key, int position = 0) {
  const auto length = static_cast<std::size_t>(key % 40);
  if constexpr (std::is_same_v<T, Item>) {
    return {key, position};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return key == 3 ? "" : std::string(length, static_cast<char>('a' + key % 7)) + std::to_string(key);
  } else if constexpr (std::is_same_v<T, Vector>) {
    return key % 5 == 0 ? Vector() : Vector(length, key);
  } else {
    return (key - 500) * 4'000'000;
  }
}

int key_of(int kind, int at, Numbers& random) {
  const int any = random.below(keys_below);
  // Any, all equal, two, few, mostly one, runs that may be on several ranks, descending.
  const int keys[key_kinds] = {any, 7, any % 2 * 500 + 3, any % 5, any % 10 == 0 ? any / 10 : 42, at / 13 % keys_below,
                               keys_below - 1 - at % keys_below};
  return keys[kind];
}

/// How many elements each rank has: `total` together, in proportion to numbers of one kind.
std::vector<long> lengths(int kind, long total, int ranks, Numbers& random) {
  const int one = random.below(ranks), any = random.below(2), last = ranks - 1;
  std::vector<long> sums{0}, result;
  for (int rank = 0; rank < ranks; ++rank) {
    // Even, random, all on one, none on every second, more and more, less and less, none on one, all on the last.
    const long numbers[length_kinds] = {1,          random.below(100),   rank == one, rank % 2 == any,
                                        1l << rank, 1l << (last - rank), rank != one, rank == last};
    sums.push_back(sums.back() + numbers[kind]);
  }
  const long all = std::max(sums.back(), 1l);
  for (std::size_t rank = 0; rank + 1 < sums.size(); ++rank)
    result.push_back(total * sums[rank + 1] / all - total * sums[rank] / all);
  return result;
}

template <class Exception>
bool throws(const auto& call) try {
  call();
  return false;
} catch (const Exception&) {
  return true;
}

/// The vectors of all members, and what the functions make of them.
template <class T>
struct Sequence {
  const team& members;
  std::vector<std::vector<T>> parts;

  const std::vector<T>& own() const { return parts[static_cast<std::size_t>(members.rank())]; }
  std::vector<T> joined() const {
    std::vector<T> result;
    for (const auto& part : parts) result.insert(result.end(), part.begin(), part.end());
    return result;
  }

  /// Compares this rank's vector with its part of another sequence, if each vector is as long as in this one.
  void check_part(const char* what, const std::vector<T>& sequence, const std::vector<T>& values) const {
    auto begin = sequence.begin();
    for (int rank = 0; rank < members.rank(); ++rank) begin += std::ssize(parts[static_cast<std::size_t>(rank)]);
    check::equal(__FILE__, __LINE__, what, values.size(), own().size());
    check::equal(__FILE__, __LINE__, what, values, std::vector<T>(begin, begin + std::ssize(own())));
  }

  void rebalance() const {
    const std::vector<T> sequence = joined();
    const auto range = kanor::block_range(std::ssize(sequence), members.rank(), members);
    std::vector<T> values = own();
    kanor::rebalance(values, members);
    CHECK_EQ(std::ssize(values), range.size());
    CHECK_EQ(values, std::vector<T>(sequence.begin() + range.begin, sequence.begin() + range.end));
  }

  /// shift, rotate and reverse.
  void move(long by, const T& fill) const {
    const std::vector<T> sequence = joined();
    const long n = std::ssize(sequence);
    std::vector<T> shifted(sequence.size(), fill), rotated(sequence.size()), values = own();
    for (long from = 0; from < n; ++from) {
      const T& element = sequence[static_cast<std::size_t>(from)];
      if (-from <= by && by < n - from) shifted[static_cast<std::size_t>(from + by)] = element;
      rotated[static_cast<std::size_t>((from + by % n + n) % n)] = element;
    }
    kanor::shift(values, by, fill, members);
    check_part("shift", shifted, values);
    kanor::rotate(values = own(), by, members);
    check_part("rotate", rotated, values);
    kanor::reverse(values = own(), members);
    check_part("reverse", {sequence.rbegin(), sequence.rend()}, values);
  }

  void partition(const auto& predicate) const {
    std::vector<T> values = own(), expected, others;
    for (const T& element : joined()) (predicate(element) ? expected : others).push_back(element);
    const long satisfied = std::ssize(expected);
    expected.insert(expected.end(), others.begin(), others.end());
    long calls = 0;
    const auto counting = [&](const T& element) { return ++calls, predicate(element); };
    CHECK_EQ(kanor::partition(values, counting, members), satisfied);
    check_part("partition", expected, values);
    @communicate (team = members) { calls@i << + << calls@j where i, j in members }
    CHECK_EQ(calls, std::ssize(expected));
  }

  void unique(const auto& equal) const {
    Sequence left{members, {}};
    const T* before = nullptr;
    for (const auto& part : parts) {
      left.parts.emplace_back();
      for (const T& element : part) {
        if (before == nullptr || !equal(*before, element)) left.parts.back().push_back(element);
        before = &element;
      }
    }
    std::vector<T> values = own();
    kanor::unique(values, equal, members);
    left.check_part("unique", left.joined(), values);
    left.rebalance();
  }

  void nth_element(const auto& less, Numbers& random) const {
    std::vector<T> sorted = joined();
    std::stable_sort(sorted.begin(), sorted.end(), less);
    const long count = std::ssize(sorted), some = random.below(static_cast<int>(count) + 1);
    for (const long n : {0l, count / 2, count - 1, some}) {
      if (n < 0 || n >= count) continue;
      const T element = kanor::nth_element(own(), n, less, members), &expected = sorted[static_cast<std::size_t>(n)];
      CHECK(!less(element, expected) && !less(expected, element));
      CHECK(std::find(sorted.begin(), sorted.end(), element) != sorted.end());
      T of_first;
      @communicate (team = members) { of_first@i <<= element@0 where i in members }
      CHECK(of_first == element);
    }
    for (const long n : {-1l, count, count + 1, most})
      CHECK(throws<std::out_of_range>([&] { kanor::nth_element(own(), n, less, members); }));
  }

  void histogram(const auto& less, Numbers& random) const {
    std::vector<T> edges;  // some may be equal
    for (int k = 2 + random.below(7); k > 0; --k) edges.push_back(made<T>(random.below(20) * keys_below / 20));
    std::stable_sort(edges.begin(), edges.end(), less);
    std::vector<long> expected(edges.size() - 1);
    for (const T& element : joined())
      for (std::size_t k = 0; k < expected.size(); ++k)
        if (!less(element, edges[k]) && less(element, edges[k + 1])) ++expected[k];
    CHECK_EQ(kanor::histogram(own(), edges, less, members), expected);

    const T &first = edges.front(), &last = edges.back();
    for (const auto& wrong : {std::vector<T>{}, {first}, {last, first}, {first, last, first}})
      if (wrong.size() < 2 || less(first, last))
        CHECK(throws<std::invalid_argument>([&] { kanor::histogram(own(), wrong, less, members); }));
  }

  /// All functions for sequences without keys.
  void check(const auto& less, Numbers& random) const {
    rebalance();
    const long n = std::ssize(joined()), some = random.below(200), one_in = random.below(20) == 0 ? 1 : 8;
    for (const long by : {0l, 1l, -1l, some, -some, n - 1, 1 - n, n, -n, n + 1, -n - 1, 3 * n, -2 * n, 997l, 1l << 40,
                          -(1l << 33), most, -most, -most - 1})
      if (random.next() % one_in == 0) move(by, random.below(2) == 0 ? T() : made<T>(77));
    partition([limit = made<T>(random.below(keys_below))](const T& element) { return element < limit; });
    for (const bool all : {true, false}) partition([&](const T&) { return all; });
    unique(std::equal_to<>());
    unique([&](const T& a, const T& b) { return !less(a, b) && !less(b, a); });
    nth_element(less, random);
    histogram(less, random);
  }
};

/// What sequences are made of.
struct Kind {
  int type, length_kind, key_kind, total;
};

template <class T>
Sequence<T> make(const team& members, const Kind& kind, Numbers& random) {
  Sequence<T> result{members, {}};
  for (int at = 0; const long length : lengths(kind.length_kind, kind.total, members.size(), random)) {
    auto& part = result.parts.emplace_back();
    for (const int end = at + static_cast<int>(length); at < end; ++at)
      part.push_back(made<T>(key_of(kind.key_kind, at, random), at));
  }
  return result;
}

template <class Key, class Value>
void check_keys(const team& members, const Kind& kind, const auto& operation, const auto& hash, Numbers& random) {
  const auto me = static_cast<std::size_t>(members.rank()), size = static_cast<std::size_t>(members.size());
  std::vector<std::pair<Key, Value>> own;
  std::map<Key, std::vector<Value>> groups;
  std::map<Key, Value> folds;
  const auto parts = make<Key>(members, kind, random).parts;
  for (const auto& part : parts)
    for (const Key& key : part) {
      const auto value = values::of<Value>(random.next());
      if (&part == &parts[me]) own.emplace_back(key, value);
      if (hash(key) % size != me) continue;
      groups[key].push_back(value);
      folds[key] = groups[key].size() == 1 ? value : operation(folds[key], value);
    }
  CHECK_EQ(kanor::group_by_key(own, hash, members), groups);
  CHECK_EQ(kanor::reduce_by_key(own, operation, hash, members), folds);
}

/// Elements and comparisons of one type, and one type of pairs.
void everything(const team& members, const Kind& kind, Numbers& random) {
  const auto append = [](auto a, const auto& b) { return a.insert(a.end(), b.begin(), b.end()), a; };
  if (kind.type == 0) {
    make<int>(members, kind, random).check(std::greater<>(), random);
    check_keys<int, std::string>(members, kind, append, std::hash<int>(), random);
  } else if (kind.type == 1) {
    const auto is_shorter = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
    make<std::string>(members, kind, random).check(is_shorter, random);
    check_keys<std::string, Vector>(members, kind, append, std::hash<std::string>(), random);
  } else if (kind.type == 2) {
    // The order of keys in a table. What is no element of the vectors is in no table.
    Vector table;
    for (int key = 0; key < keys_below; ++key) table.push_back(random.below(keys_below / 3));
    const auto place = [&](const Item& item) { return table.at(static_cast<std::size_t>(item.key)); };
    make<Item>(members, kind, random).check([&](const Item& a, const Item& b) { return place(a) < place(b); }, random);
    // All keys go to one rank.
    const auto to_one = [one = random.next()](int) { return one; };
    const auto last = [](const values::Point&, const values::Point& b) { return b; };
    check_keys<int, values::Point>(members, kind, last, to_one, random);
  } else {
    make<Vector>(members, kind, random).check(std::less<>(), random);
    check_keys<Vector, std::string>(members, kind, append, [](const Vector& key) { return key.size(); }, random);
  }
}

void rounds(const team& members, unsigned seed, int count) {
  Numbers random(seed);
  for (int k = 0; k < count; ++k) {
    // In the first rounds there are no elements, in some others fewer than ranks.
    const int total = k < types ? 0 : random.below(k % 3 == 0 ? members.size() + 2 : 200);
    everything(members, {k % types, k / types % length_kinds, k % key_kinds, total}, random);
  }
}

void blocks(const team& members, long count) {
  const int n = members.size();
  long end = 0;
  for (int rank = 0; rank < n; ++rank) {
    const kanor::index_range range = kanor::block_range(count, rank, members);
    CHECK_EQ(range.begin, end);
    end = range.end;
    CHECK(range.size() == count / n || (count % n != 0 && range.size() == count / n + 1));
    // All indices, or about fifty of them, and the last.
    for (long index = range.begin; index < range.end; index += count < 1000 ? 1 : range.size() / 50 + 1)
      CHECK_EQ(kanor::block_owner(count, index, members), rank);
    if (range.size() > 0) CHECK_EQ(kanor::block_owner(count, range.end - 1, members), rank);
  }
  CHECK_EQ(end, count);
  for (const long index : {-1l, -count - 1, -most - 1, count, count + 1, most})
    CHECK_EQ(kanor::block_owner(count, index, members), kanor::no_rank);
}

/// Without other arguments the world is meant.
void defaults() {
  const int me = world.rank(), n = world.size(), last = n - 1;
  Vector numbers(3, me);
  kanor::reverse(numbers);
  CHECK_EQ(numbers, Vector(3, last - me));
  CHECK_EQ(kanor::nth_element(numbers, 3 * n - 1), last);
  CHECK_EQ(kanor::histogram(numbers, {0, 1, n}), std::vector<long>{3, 3 * last});
  kanor::unique(numbers);
  CHECK_EQ(numbers, Vector{last - me});
  kanor::rotate(numbers, 1);
  CHECK_EQ(numbers, Vector{me == 0 ? 0 : n - me});
  CHECK_EQ(kanor::partition(numbers, [](int number) { return number > 0; }), last);
  CHECK_EQ(numbers, Vector{last - me});
  kanor::shift(numbers, 1);
  CHECK_EQ(numbers, Vector{me == 0 ? 0 : n - me});
  kanor::rebalance(numbers = Vector(me == 0 ? static_cast<std::size_t>(n) : 0, 5));
  CHECK_EQ(numbers, Vector{5});
  const std::vector<std::pair<int, int>> pairs{{-1, me}, {-1, 1}};
  const bool is_mine = std::hash<int>()(-1) % static_cast<unsigned>(n) == static_cast<unsigned>(me);
  CHECK_EQ(kanor::group_by_key(pairs).contains(-1), is_mine);
  CHECK_EQ(kanor::reduce_by_key(pairs, std::plus<>()).contains(-1), is_mine);
  CHECK_EQ(kanor::block_owner(n, kanor::block_range(n, me).begin), me);
}

}  // namespace

int main() {
  const int me = world.rank();
  const team half = world.split(me % 2, -me), alone = half.split(half.rank(), 0);
  const team third = world.split(me * 3 / world.size(), me);
  for (const team& members : {world, half, alone}) {
    for (int count = 0; count < 5 * members.size(); ++count) blocks(members, count);
    for (const long count : {999l, 4321l, 100'000l, (1l << 31) - 1, (1l << 32) + 5, most / 2}) blocks(members, count);
  }
  defaults();
  rounds(world, 1, 40);
  rounds(half, 2, 16);
  // One half has more to do, while the other goes on.
  if (me % 2 == 0) rounds(half, 3, 5);
  rounds(alone, 4, 16);
  rounds(third, 5, 8);
  Numbers random(6);
  for (const Kind& one : {Kind{0, 1, 0, 100'000}, {1, 3, 5, 5'000}, {2, 4, 4, 20'000}}) everything(world, one, random);
  return check::finish("stdlib_sequences");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
