// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere --ranks 1,2,3,5,8,9,17 %t
// The standard library's reductions, scans and searches for the least, on the world and on teams of
// teams. The bracketing is that of the language, computed by plain C++.
#include "../conformance/check.hpp"
#include "../conformance/fold.hpp"
#include "oracle.hpp"
#include "values.hpp"

#include <kanor/std/all_reduce.hpp>
#include <kanor/std/loc.hpp>
#include <kanor/std/reduce.hpp>
#include <kanor/std/scan.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using kanor::team;
using kanor::world;
using values::Affine;
using values::bits;
using values::Letters;
using values::Matrix;

/// Compares by its key alone.
struct Keyed {
  int key = 0, owner = -1;
  bool operator<(const Keyed& other) const { return key < other.key; }
  bool operator==(const Keyed& other) const { return key == other.key; }
};

/// The fold of the first `count` terms.
template <class T, class Operation>
T folded(const std::vector<T>& terms, int count, const Operation& operation) {
  return fold::bracketed(terms, 0, static_cast<std::size_t>(count), operation);
}

template <class T, class Operation>
void folds(const team& members, unsigned step, const Operation& operation) {
  const int me = members.rank(), n = members.size();
  const auto terms = values::of_ranks<T>(n, step);
  const T mine = values::at(terms, me);
  for (int root = 0; root < n; ++root) {
    const T expected = me == root ? folded(terms, n, operation) : T{};
    CHECK_EQ(bits(kanor::reduce(mine, operation, root, members)), bits(expected));
  }
  CHECK_EQ(bits(kanor::all_reduce(mine, operation, members)), bits(folded(terms, n, operation)));
  CHECK_EQ(bits(kanor::inclusive_scan(mine, operation, members)), bits(folded(terms, me + 1, operation)));
  // Each rank has an initial value of its own.
  const T initial = values::at(values::of_ranks<T>(n, step + 1), me);
  const T before = me == 0 ? initial : static_cast<T>(operation(initial, folded(terms, me, operation)));
  CHECK_EQ(bits(kanor::exclusive_scan(mine, initial, operation, members)), bits(before));
}

/// The operations of one type: a composition of functions is associative and does not commute.
struct Composed {
  Affine operator()(const Affine& f, const Affine& g) const {
    return {f.factor * g.factor, f.factor * g.offset + f.offset};
  }
  Matrix operator()(const Matrix& a, const Matrix& b) const {
    return {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
  }
};

struct Joined {
  std::string operator()(const std::string& a, const std::string& b) const { return a + b; }
  Letters operator()(const Letters& a, const Letters& b) const {
    return {b.first - a.first, b.second.substr(0, 40) + a.second};
  }
  std::vector<int> operator()(std::vector<int> a, const std::vector<int>& b) const {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
};

int common_divisor(int a, int b) { return std::gcd(a, b); }

/// Some are not associative: there the bracketing is the meaning.
void operations(const team& members, unsigned step) {
  folds<std::string>(members, step, Joined());
  folds<Letters>(members, step, Joined());
  folds<std::vector<int>>(members, step, Joined());
  folds<Affine>(members, step, Composed());
  folds<Matrix>(members, step, Composed());
  folds<double>(members, step, std::plus<>());
  folds<double>(members, step, [factor = 1.0 / (step + 1)](double a, double b) { return factor * a - b; });
  folds<int>(members, step, &common_divisor);
  folds<bool>(members, step, [](bool a, bool b) { return !a || b; });
}

/// A vector is folded element by element, if the operation takes elements.
void elements_of_vectors(const team& members, unsigned step) {
  const int me = members.rank(), n = members.size(), root = n / 2;
  const std::minus<double> minus;
  std::vector<std::vector<double>> terms, columns;
  for (int i = 0; i < n; ++i) terms.push_back(values::of_ranks<double>(3, step + static_cast<unsigned>(i)));
  for (int k = 0; k < 3; ++k) {
    columns.emplace_back();
    for (const auto& term : terms) columns.back().push_back(values::at(term, k));
  }
  const auto first = [&](int count) {
    std::vector<double> result;
    for (const auto& column : columns) result.push_back(folded(column, count, minus));
    return result;
  };
  const auto mine = values::at(terms, me);
  CHECK_EQ(kanor::reduce(mine, minus, root, members), me == root ? first(n) : std::vector<double>());
  CHECK_EQ(kanor::all_reduce(mine, minus, members), first(n));
  CHECK_EQ(kanor::inclusive_scan(mine, minus, members), first(me + 1));
}

/// The lowest rank of those with the smallest value.
template <class T, class Compare>
int lowest(const std::vector<T>& all, const Compare& less) {
  int best = 0;
  for (int i = 1; i < static_cast<int>(all.size()); ++i)
    if (less(values::at(all, i), values::at(all, best))) best = i;
  return best;
}

template <class T, class Compare>
void locations(const team& members, const std::vector<T>& all, const Compare& less) {
  const T mine = values::at(all, members.rank());
  const int smallest = lowest(all, less), largest = lowest(all, [&](const T& a, const T& b) { return less(b, a); });
  const auto low = kanor::min_loc(mine, less, members), high = kanor::max_loc(mine, less, members);
  CHECK_EQ(low.rank, smallest);
  CHECK_EQ(high.rank, largest);
  CHECK_EQ(bits(low.value), bits(values::at(all, smallest)));
  CHECK_EQ(bits(high.value), bits(values::at(all, largest)));
  const kanor::located<T> same{values::at(all, smallest), smallest}, other{values::at(all, smallest), smallest + 1};
  CHECK(low == same && !(low == other));
}

void extremes(const team& members, unsigned step) {
  const int n = members.size(), me = members.rank();
  const auto numbers = values::of_ranks<int>(n, step);
  std::vector<int> few;
  std::vector<double> zeros;
  std::vector<Keyed> keys;
  for (int i = 0; i < n; ++i) {
    few.push_back(values::at(numbers, i) % 2);
    zeros.push_back(few.back() == 0 ? 0.0 : -0.0);
    keys.push_back({few.back(), i});
  }
  // A strict weak order with a state, in which different values are equivalent.
  const auto by_digit = [modulus = 4u](int a, int b) {
    return static_cast<unsigned>(a) % modulus < static_cast<unsigned>(b) % modulus;
  };
  locations(members, numbers, by_digit);
  locations(members, few, std::greater<>());
  locations(members, zeros, std::less<>());
  locations(members, keys, std::less<>());
  locations(members, values::of_ranks<std::string>(n, step), std::less<>());
  locations(members, values::of_ranks<bool>(n, step), std::less<>());
  locations(members, values::of_ranks<std::vector<int>>(n, step), std::less<>());
  const int first_low = lowest(few, std::less<>()), first_high = lowest(few, std::greater<>());
  CHECK_EQ(kanor::min_loc(values::at(few, me), {}, members).rank, first_low);
  CHECK_EQ(kanor::max_loc(values::at(few, me), {}, members).rank, first_high);
  CHECK_EQ(kanor::min_loc(values::at(keys, me), {}, members).value.owner, first_low);

  CHECK_EQ(kanor::all_min(values::at(numbers, me), members), *std::min_element(numbers.begin(), numbers.end()));
  CHECK_EQ(kanor::all_max(values::at(numbers, me), members), *std::max_element(numbers.begin(), numbers.end()));
  CHECK_EQ(bits(kanor::all_min(values::at(zeros, me), members)), bits(zeros[0]));
  CHECK_EQ(bits(kanor::all_max(values::at(zeros, me), members)), bits(zeros[0]));
  CHECK_EQ(kanor::all_min(values::at(keys, me), members).owner, first_low);
  CHECK_EQ(kanor::all_max(values::at(keys, me), members).owner, first_high);
  unsigned sum = 0;
  for (const int number : numbers) sum += static_cast<unsigned>(number);
  CHECK_EQ(kanor::all_sum(static_cast<unsigned>(values::at(numbers, me)), members), sum);
}

void everything(const team& members, unsigned step) {
  operations(members, step);
  elements_of_vectors(members, step);
  extremes(members, step);
}

/// Every function on its default team.
void on_the_world(unsigned step) {
  const int me = world.rank(), n = world.size();
  const auto all = values::of_ranks<std::string>(n, step);
  const Joined joined;
  const std::string mine = values::at(all, me);
  CHECK_EQ(kanor::reduce(mine, joined, n - 1), me == n - 1 ? folded(all, n, joined) : "");
  CHECK_EQ(kanor::all_reduce(mine, joined), folded(all, n, joined));
  CHECK_EQ(kanor::inclusive_scan(mine, joined), folded(all, me + 1, joined));
  CHECK_EQ(kanor::exclusive_scan(mine, std::string("<"), joined), me == 0 ? "<" : "<" + folded(all, me, joined));
  CHECK_EQ(kanor::min_loc(mine).rank, lowest(all, std::less<>()));
  CHECK_EQ(kanor::max_loc(mine).rank, lowest(all, std::greater<>()));
  CHECK_EQ(kanor::min_loc(me, std::greater<>()).rank, n - 1);
  CHECK_EQ(kanor::all_min(mine), *std::min_element(all.begin(), all.end()));
  CHECK_EQ(kanor::all_max(mine), *std::max_element(all.begin(), all.end()));
  CHECK_EQ(kanor::all_sum(me), n * (n - 1) / 2);
}

template <class T, class Operation>
void one_call(const team& members, int kind, int root, unsigned step, const Operation& operation) {
  const int me = members.rank(), n = members.size();
  const auto all = values::of_ranks<T>(n, step);
  const T mine = values::at(all, me);
  if (kind == 0) CHECK_EQ(kanor::reduce(mine, operation, root, members), me == root ? folded(all, n, operation) : T{});
  if (kind == 1) CHECK_EQ(kanor::all_reduce(mine, operation, members), folded(all, n, operation));
  if (kind == 2) CHECK_EQ(kanor::inclusive_scan(mine, operation, members), folded(all, me + 1, operation));
  if (kind == 3) {
    const T expected = me == 0 ? mine : static_cast<T>(operation(mine, folded(all, me, operation)));
    CHECK_EQ(kanor::exclusive_scan(mine, mine, operation, members), expected);
  }
  if (kind == 4) CHECK_EQ(kanor::max_loc(me ^ root, std::less<>(), members).value, kanor::all_max(me ^ root, members));
}

/// Calls of several teams in any mixture.
void random_calls(const std::vector<team>& teams, unsigned seed) {
  oracle::Numbers random(seed);
  for (int call = 0; call < 150; ++call) {
    const team& members = teams[random.next() % teams.size()];
    const int kind = random.below(5), type = random.below(3), root = random.below(64) % members.size();
    const unsigned step = random.next() % 10000;
    if (type == 0) one_call<std::string>(members, kind, root, step, Joined());
    if (type == 1) one_call<Affine>(members, kind, root, step, Composed());
    if (type == 2) one_call<double>(members, kind, root, step, std::plus<>());
  }
}

}  // namespace

int main() {
  const int me = world.rank();
  const team half = world.split(me % 2, -me);
  const team quarter = half.split(half.rank() / 2 % 2, 0);
  const team shuffled = world.split(0, static_cast<int>(values::mixed(static_cast<unsigned>(me)) % 100));
  const team alone = quarter.split(quarter.rank(), 0);

  everything(world, 1);
  everything(half, 2);
  everything(quarter, 3);
  everything(alone, 4);
  on_the_world(5);
  // One half has more to do, while the other goes on.
  if (me % 2 == 0) operations(half, 6);
  random_calls({world, half, quarter, shuffled, alone}, 7);
  return check::finish("stdlib_folds");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
