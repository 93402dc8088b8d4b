// RUN: %kanorc %s -o %t && %run_everywhere %t
// Sets, generators, lets and filters. A text reduction records the bindings in their order, and plain
// nested loops say what that order must be.
#include "check.hpp"

#include <array>
#include <list>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace {

template <class... Numbers>
std::string tag(Numbers... numbers) {
  std::string text = "(";
  ((text += std::to_string(numbers) + ' '), ...);
  text.back() = ')';
  return text;
}

std::vector<int> odd_ranks(int size) {
  std::vector<int> ranks;
  for (int rank = 1; rank < size; rank += 2) ranks.push_back(rank);
  return ranks;
}

bool even(int number) { return number % 2 == 0; }

const int n = kanor::world.size(), me = kanor::world.rank(), last = n - 1;
std::string log, wanted;

void compare(int line) {
  check::equal(__FILE__, line, "log", log, me == last ? wanted : std::string());
  log.clear();
  wanted.clear();
}
#define COMPARE() compare(__LINE__)

void intervals() {
  @communicate { log@last << + << tag(i)@i where i in {0 ... n - 1} }
  for (int i = 0; i < n; ++i) wanted += tag(i);
  COMPARE();

  @communicate { log@last << + << tag(i)@i % n where i in {0...9} }
  for (int i = 0; i <= 9; ++i) wanted += tag(i);
  COMPARE();

  @communicate { log@last << + << tag(i)@0 where i in {0x2...0xa} }
  for (int i = 2; i <= 10; ++i) wanted += tag(i);
  COMPARE();

  @communicate { log@last << + << tag(i)@0 where i in {-3 ... 2} }
  for (int i = -3; i <= 2; ++i) wanted += tag(i);
  COMPARE();

  const int high = 4;
  @communicate { log@last << + << tag(i)@0 where i in {high-2...high} }
  wanted = "(2)(3)(4)";
  COMPARE();

  @communicate { log@last << + << tag(i)@0 where i in { 7 ... 7 } }
  wanted = "(7)";
  COMPARE();

  @communicate { log@last << + << tag(i)@0 where i in {1 ... 0} }
  COMPARE();
  @communicate { log@last << + << tag(i)@0 where i in {5 ... -5} }
  COMPARE();

  @communicate { log@last << + << tag(static_cast<int>(i & 7))@0 where i in {UINT64_MAX - 1 ... UINT64_MAX} }
  wanted = "(6)(7)";
  COMPARE();
  @communicate { log@last << + << tag(i)@0 where i in {0, 1}, 18446744073709551615u != 0u + i }
  wanted = "(0)(1)";
  COMPARE();

  // So is the first, whose negative no 64 bits hold.
  const std::int64_t low = INT64_MIN + (n - n);
  @communicate { log@last << + << tag(static_cast<int>(i - low))@0 where i in {low ... low + 1} }
  wanted = "(0)(1)";
  COMPARE();
  @communicate { log@last << + << tag(static_cast<int>(i - low))@0 where i in {INT64_MIN ... -9223372036854775807} }
  wanted = "(0)(1)";
  COMPARE();
  @communicate { log@last << + << tag(static_cast<int>(i - low))@0 where i in {low + 1, low} }
  wanted = "(1)(0)";
  COMPARE();

  const unsigned from = 1;
  @communicate { log@last << + << tag(i)@0 where i in {from ... 3} }
  wanted = "(1)(2)(3)";
  COMPARE();

  // The last value is the largest of its type: a naive loop never ends.
  @communicate { log@last << + << tag(i)@0 where i in {2147483646 ... 2147483647} }
  wanted = "(2147483646)(2147483647)";
  COMPARE();

  @communicate { log@last << + << tag(i)@0 where i in {5000000000 ... 5000000001} }
  wanted = "(5000000000)(5000000001)";
  COMPARE();
}

void lists() {
  @communicate { log@last << + << tag(i)@0 where i in {3, 1, 2} }
  wanted = "(3)(1)(2)";
  COMPARE();

  @communicate { log@last << + << tag(i)@0 where i in {5} }
  wanted = "(5)";
  COMPARE();

  // Repeated members are kept.
  @communicate { log@last << + << tag(i)@i where i in {0, last, 0, 0} }
  wanted = tag(0) + tag(last) + tag(0) + tag(0);
  COMPARE();
}

void ranges() {
  @communicate { log@last << + << tag(i)@i where i in world }
  for (int i = 0; i < n; ++i) wanted += tag(i);
  COMPARE();
  @communicate { log@last << + << tag(i)@i where i in kanor::world }
  for (int i = 0; i < n; ++i) wanted += tag(i);
  COMPARE();

  @communicate { log@last << + << tag(i)@i where i in range(0, n) }
  for (int i = 0; i < n; ++i) wanted += tag(i);
  COMPARE();
  @communicate { log@last << + << tag(i)@0 where i in kanor::range(1, 10, 4) }
  wanted = "(1)(5)(9)";
  COMPARE();
  @communicate { log@last << + << tag(i)@0 where i in kanor::range(1, 9, 4) }
  wanted = "(1)(5)";
  COMPARE();
  @communicate { log@last << + << tag(i)@0 where i in range(3, 3) }
  COMPARE();

  const std::vector<int> chosen{0, last, 0};
  @communicate { log@last << + << tag(i)@i where i in chosen }
  wanted = tag(0) + tag(last) + tag(0);
  COMPARE();
  @communicate { log@last << + << tag(i)@i where i in odd_ranks(n) }
  for (int i = 1; i < n; i += 2) wanted += tag(i);
  COMPARE();

  const std::vector<int> none;
  @communicate { log@last << + << tag(i)@i where i in none }
  COMPARE();

  int plain[] = {4, 2};
  const std::array<unsigned char, 2> bytes{200, 3};
  const std::list<long> linked{-1, 1};
  const std::set<int> sorted{9, 7, 8};
  @communicate {
    log@last << + << tag(i)@0 where i in plain;
  }
  wanted = "(4)(2)";
  COMPARE();
  @communicate { log@last << + << tag(static_cast<int>(i))@0 where i in bytes }
  wanted = "(200)(3)";
  COMPARE();
  @communicate { log@last << + << tag(i)@0 where i in linked }
  wanted = "(-1)(1)";
  COMPARE();
  @communicate { log@last << + << tag(i)@0 where i in sorted }
  wanted = "(7)(8)(9)";
  COMPARE();
  @communicate { log@last << + << tag(i)@0 where i in std::span<int>(plain).subspan(1) }
  wanted = "(2)";
  COMPARE();
  @communicate { log@last << + << tag(i)@0 where i in std::views::iota(2, 5) | std::views::reverse }
  wanted = "(4)(3)(2)";
  COMPARE();
}

void several_names() {
  @communicate { log@last << + << tag(i, j)@i where i, j in world }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) wanted += tag(i, j);
  COMPARE();

  @communicate { log@last << + << tag(a, b, c)@0 where a, b, c in {0 ... 1} }
  wanted = "(0 0 0)(0 0 1)(0 1 0)(0 1 1)(1 0 0)(1 0 1)(1 1 0)(1 1 1)";
  COMPARE();

  @communicate { log@last << + << tag(j, i)@j where i in {1, 0}, j in world }
  for (const int i : {1, 0})
    for (int j = 0; j < n; ++j) wanted += tag(j, i);
  COMPARE();

  // A set that depends on an earlier name; empty for some.
  @communicate { log@last << + << tag(i, j)@j where i in world, j in {i + 1 ... n - 1} }
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) wanted += tag(i, j);
  COMPARE();

  const std::vector<std::vector<int>> neighbours{{1, 2}, {}, {0}};
  @communicate { log@last << + << tag(i, j)@0 where i in {0 ... 2}, j in neighbours[i] }
  wanted = "(0 1)(0 2)(2 0)";
  COMPARE();
}

void lets_and_filters() {
  @communicate { log@last << + << tag(i, k)@i where i in world, let k = i * i }
  for (int i = 0; i < n; ++i) wanted += tag(i, i * i);
  COMPARE();

  @communicate { log@last << + << (name + tag(i))@0 where let name = std::string("let"), i in {0 ... 1} }
  wanted = "let(0)let(1)";
  COMPARE();

  @communicate { log@last << + << tag(i, k, j)@0 where i in {0 ... 4}, let k = 2 * i, even(i), j in {0 ... k}, j > 2 && j < 7, let unused = 0 }
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; even(i) && j <= 2 * i; ++j)
      if (j > 2 && j < 7) wanted += tag(i, 2 * i, j);
  COMPARE();

  bool active = n > 0;
  @communicate { log@last << + << tag(i)@i where (active), i in world, not (i == 1) }
  for (int i = 0; i < n; ++i)
    if (i != 1) wanted += tag(i);
  COMPARE();

  active = false;
  @communicate { log@last << + << tag(i)@i, where i in world, (active) }
  COMPARE();

  // `<` is not a bracket.
  @communicate { log@last << + << tag(i, j)@0 where i, j in {0 ... 2}, i < j, j > 1 }
  wanted = "(0 2)(1 2)";
  COMPARE();

  // The clause's expressions see the program's names where no clause has bound them yet.
  int i = 2, k = 10;
  @communicate { log@last << + << tag(i)@0 where i in {i ... i + 1} }
  wanted = "(2)(3)";
  COMPARE();
  @communicate { log@last << + << tag(k)@0 where let k = k + 1 }
  wanted = "(11)";
  COMPARE();
  CHECK_EQ(i, 2);
  CHECK_EQ(k, 10);
}

/// A fold's parentheses are part of it.
template <class... Numbers>
void filters_that_fold(Numbers... numbers) {
  @communicate { log@last << + << tag(i)@i where i in world, ((numbers > i) && ...), (... || (numbers != i)) }
  for (int i = 0; i < n; ++i)
    if (((numbers > i) && ...)) wanted += tag(i);
  COMPARE();
}

void without_where() {
  int got = -1;
  @communicate { got@last <<= me + 40@0 }
  CHECK_EQ(got, me == last ? 40 : -1);
  @communicate { log@last << + << tag(me)@0; }
  wanted = "(0)";
  COMPARE();
  @communicate { log@last << + << std::string("x")@0, where n > 0 }
  wanted = "x";
  COMPARE();
  @communicate { log@last << + << std::string("x")@0 where n < 0 }
  COMPARE();
}

/// Every statement has its own names and clauses.
void several_statements() {
  std::vector<int> first(n, -1), second(n, -1);
  @communicate {
    first[i]@i <<= 10 * i@last where i in world;
    second[i]@j <<= i + j@i where j in world, i in {0 ... j};
    log@last << + << tag(i)@0 where i in {8 ... 9}
  }
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(first[i], i == me ? 10 * i : -1);
    CHECK_EQ(second[i], i <= me ? i + me : -1);
  }
  wanted = "(8)(9)";
  COMPARE();
}

}  // namespace

int main() {
  intervals();
  lists();
  ranges();
  several_names();
  lets_and_filters();
  filters_that_fold(2, 3);
  without_where();
  several_statements();
  return check::finish("clauses");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
