// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/bracket.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace kanor::rt {
namespace {

/// F as the language defines it, word for word: F(first 2^k) op F(the rest), 2^k the largest power of two
/// below m.
template <class T, class Op>
T reference_fold(const T* terms, std::size_t count, Op op) {
  if (count == 1) return terms[0];
  std::size_t first = 1;
  while (first * 2 < count) first *= 2;
  return op(reference_fold(terms, first, op), reference_fold(terms + first, count - first, op));
}

/// Each maximal run from one sender by F, then the runs' results by F.
template <class T, class Op>
T reference_reduction(const std::vector<int>& senders, const std::vector<T>& terms, Op op) {
  std::vector<T> runs;
  for (std::size_t begin = 0, end; begin < terms.size(); begin = end) {
    end = begin;
    while (end < terms.size() && senders[end] == senders[begin]) ++end;
    runs.push_back(reference_fold(terms.data() + begin, end - begin, op));
  }
  return reference_fold(runs.data(), runs.size(), op);
}

template <class T, class Op>
T bracket_reduction(const std::vector<int>& senders, const std::vector<T>& terms, Op op) {
  const auto combine = [&](T& into, T& other) { into = op(into, other); };
  RunBracket<T, decltype(combine)> bracket(combine);
  for (std::size_t i = 0; i < terms.size(); ++i) bracket.push(senders[i], terms[i]);
  return bracket.finish();
}

std::string parenthesise(const std::string& a, const std::string& b) { return "(" + a + b + ")"; }

TEST(Bracket, FoldsLikeTheDefinition) {
  const auto combine = [](std::string& into, std::string& other) { into = parenthesise(into, other); };
  for (std::size_t count = 1; count < 200; ++count) {
    std::vector<std::string> terms;
    Bracket<std::string, decltype(combine)> bracket(combine);
    for (std::size_t i = 0; i < count; ++i) {
      terms.push_back(std::to_string(i) + ".");
      bracket.push(terms.back());
    }
    EXPECT_EQ(bracket.finish(), reference_fold(terms.data(), count, parenthesise)) << count;
    EXPECT_TRUE(bracket.empty());
  }
}

TEST(Bracket, SmallCasesByHand) {
  const auto fold = [](const std::vector<int>& senders) {
    std::vector<std::string> terms;
    for (std::size_t i = 0; i < senders.size(); ++i)
      terms.push_back(std::string(1, static_cast<char>('a' + i)));
    return bracket_reduction(senders, terms, parenthesise);
  };
  EXPECT_EQ(fold({0}), "a");
  EXPECT_EQ(fold({0, 0, 0}), "((ab)c)");
  EXPECT_EQ(fold({0, 1, 2, 3, 4}), "(((ab)(cd))e)");
  EXPECT_EQ(fold({0, 0, 0, 0, 0, 0}), "(((ab)(cd))(ef))");
  EXPECT_EQ(fold({0, 0, 1, 1, 1}), "((ab)((cd)e))");
  EXPECT_EQ(fold({0, 1, 1, 0}), "((a(bc))d)");
}

TEST(Bracket, GivesTheSameBitsOnRandomData) {
  std::mt19937_64 random(20240521);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t count = 1 + random() % (round % 10 == 0 ? 3000 : 60);
    const int ranks = 1 + static_cast<int>(random() % 9);
    const bool long_runs = random() % 2;
    std::vector<int> senders(count);
    std::vector<double> terms(count);
    for (std::size_t i = 0; i < count; ++i) {
      senders[i] = long_runs && i && random() % 8 ? senders[i - 1]
                                                  : static_cast<int>(random() % static_cast<unsigned>(ranks));
      terms[i] = std::ldexp(static_cast<double>(random()) / 1e19 - 0.9, static_cast<int>(random() % 80));
    }
    const auto add = [](double a, double b) { return a + b; };
    const double expected = reference_reduction(senders, terms, add);
    const double found = bracket_reduction(senders, terms, add);
    EXPECT_EQ(std::memcmp(&expected, &found, sizeof found), 0) << count << " terms of " << ranks << " ranks";
  }
}

TEST(Bracket, IsUsedAgainAfterFinish) {
  const auto combine = [](int& into, int& other) { into -= other; };
  RunBracket<int, decltype(combine)> bracket(combine);
  for (int round = 0; round < 3; ++round) {
    bracket.push(0, 10);
    bracket.push(1, 3);
    EXPECT_EQ(bracket.finish(), 7);
  }
}

}  // namespace
}  // namespace kanor::rt
