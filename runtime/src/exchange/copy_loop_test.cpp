// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands for a loop beside a block, written as kanorc emits it.
#include "kanor/abi/copy_loop.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <vector>

namespace kanor::rt {
namespace {

using abi::copy_loop;
using abi::counts;
using abi::part;
using abi::section;

/// least_replaced_bytes
constexpr int enough = 8192 / sizeof(double);

template <class Section>
std::vector<double> listed(const Section& section) {
  std::vector<double> all;
  section.visit([&](const auto& run) {
    for (long long at = 0; at < run.count; ++at) all.push_back(run[at]);
  });
  return all;
}

TEST(CopyLoop, CountsLikeItsFor) {
  const auto count = [](const abi::counter& one) { return one.count; };
  EXPECT_EQ(count(counts<int>(0, 10, 1, false)), 10);
  EXPECT_EQ(count(counts<int>(0, 10, 1, true)), 11);
  EXPECT_EQ(count(counts<int>(1, 10, 3, false)), 3);
  EXPECT_EQ(count(counts<int>(1, 10, 3, true)), 4);
  EXPECT_EQ(count(counts<int>(5, 5, 1, false)), 0);
  EXPECT_EQ(count(counts<int>(6, 5, 1, true)), 0);
  EXPECT_EQ(count(counts<int>(9, 0, -1, true)), 10);
  EXPECT_EQ(count(counts<int>(9, -1, -2, false)), 5);
  EXPECT_EQ(count(counts<long>(-3, 3u, 1, false)), 6);
  EXPECT_LT(count(counts<int>(-3, 3u, 1, false)), 0) << "-3 is compared as a great number";
  EXPECT_EQ(count(counts<unsigned>(0, UINT_MAX, 1, false)), UINT_MAX);
  EXPECT_EQ(counts<int>(1, 10, 3, false).end(), 10);
}

TEST(CopyLoop, SendsWhatTheLoopWouldCopy) {
  std::vector<double> a(3 * enough), b(enough);
  for (int i = 0; i < 3 * enough; ++i) a[i] = i;
  copy_loop<1> loop;
  loop.replaces({counts<int>(0, enough, 1, false)}, false, [&](int i) { return loop.of(b[i], a[3 * i]); });
  ASSERT_TRUE(loop.is_replaced());
  const auto sent = listed(loop.value(section(b, part(0, enough))));
  for (int i = 0; i < enough; ++i) ASSERT_EQ(sent[i], 3 * i);
  EXPECT_EQ(b[5], 0) << "nothing has been copied";
  // Of another section the copies are made, once.
  const auto half = listed(loop.value(section(b, part(0, enough / 2, 2))));
  for (int i = 0; i < enough / 2; ++i) ASSERT_EQ(half[i], 6 * i);
  EXPECT_FALSE(loop.is_replaced());
  EXPECT_EQ(b[5], 15);
}

TEST(CopyLoop, RunsIfItIsShort) {
  std::vector<double> a(enough), b(enough);
  copy_loop<1> loop;
  loop.replaces({counts<int>(0, enough - 1, 1, false)}, false, [&](int i) { return loop.of(b[i], a[i]); });
  EXPECT_FALSE(loop.is_replaced());
  loop.replaces({counts<int>(0, -5, 1, false)}, false, [&](int i) { return loop.of(b[i], a[i]); });
  EXPECT_FALSE(loop.is_replaced());
  loop.replaces({counts<int>(0, enough, 1, false)}, false, [&](int i) { return loop.of(b[i], a[i]); });
  EXPECT_TRUE(loop.is_replaced());
}

TEST(CopyLoop, NeedsNeighbours) {
  std::vector<double> a(8 * enough), b(8 * enough);
  const auto is_replaced = [&](int step, int outer) {
    copy_loop<2> loop;
    loop.replaces({counts<int>(0, enough, 1, false), counts<int>(0, 2, 1, false)}, false,
                  [&](int i, int j) { return loop.of(b[step * i + outer * j], a[i + j * enough]); });
    return loop.is_replaced();
  };
  EXPECT_TRUE(is_replaced(2, 1));
  EXPECT_TRUE(is_replaced(1, enough)) << "in another order";
  EXPECT_FALSE(is_replaced(2, 2));
  EXPECT_FALSE(is_replaced(3, 1));
  EXPECT_FALSE(is_replaced(1, enough + 1));
  EXPECT_FALSE(is_replaced(1, 1)) << "elements are overwritten";
}

TEST(CopyLoop, KeepsTheOrderOfTheBuffer) {
  std::vector<double> a(4 * enough), b(2 * enough);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i);
  copy_loop<2> loop;  // transposed, and backwards
  loop.replaces({counts<int>(enough - 1, 0, -1, true), counts<int>(0, 2, 1, false)}, false,
                [&](int i, int j) { return loop.of(b[j * enough + i], a[4 * i + j]); });
  ASSERT_TRUE(loop.is_replaced());
  const auto sent = listed(loop.value(section(b, part(0, 2 * enough))));
  for (int i = 0; i < enough; ++i)
    for (int j = 0; j < 2; ++j) ASSERT_EQ(sent[j * enough + i], 4 * i + j);
}

TEST(CopyLoop, UpdatesDistinctElements) {
  std::vector<double> a(8 * enough), b(2 * enough);
  const auto updates = [&](int step, int outer) {
    copy_loop<2> loop;
    loop.replaces_updates({counts<int>(0, enough, 1, false), counts<int>(0, 2, 1, false)}, false,
                          [&](int i, int j) { return loop.of(b[2 * i + j], a[step * i + outer * j]); });
    static_cast<void>(loop.place(section(b, part(0, 2 * enough))));
    return loop.is_done();
  };
  EXPECT_TRUE(updates(2, 1));
  EXPECT_TRUE(updates(1, enough));
  EXPECT_TRUE(updates(3, 1));
  EXPECT_FALSE(updates(1, 1));
  EXPECT_FALSE(updates(1, enough - 1));
  EXPECT_FALSE(updates(0, 1));
}

/// Two loops behind a block, each over the elements of a matrix from `first` on, `step` apart.
bool are_replaced(int first, int step, int other_first, int other_step) {
  std::vector<double> a(4 * enough * 8), b(enough), c(enough);
  copy_loop<1> one, other;
  one.replaces_updates({counts<int>(0, enough, 1, false)}, false,
                       [&](int i) { return one.of(b[i], a[first + step * i]); });
  other.replaces_updates(
      {counts<int>(0, enough, 1, false)}, false,
      [&](int i) { return other.of(c[i], a[other_first + other_step * i]); }, one);
  EXPECT_TRUE(one.is_replaced());
  return other.is_replaced();
}

TEST(CopyLoop, LeavesOverlapsToTheLoops) {
  EXPECT_TRUE(are_replaced(0, 8, 7, 8)) << "two columns";
  EXPECT_FALSE(are_replaced(3, 8, 3, 8)) << "the same column";
  EXPECT_FALSE(are_replaced(0, 8, 16, 8)) << "the same column, later";
  EXPECT_TRUE(are_replaced(0, 1, enough, 1)) << "two rows";
  EXPECT_FALSE(are_replaced(0, 1, enough - 1, 1)) << "rows that meet";
  EXPECT_FALSE(are_replaced(0, 1, 0, 8)) << "a row and a column";
  EXPECT_TRUE(are_replaced(0, 1, enough + 3, 8)) << "a row before a column";
  EXPECT_FALSE(are_replaced(0, 6, 3, 8)) << "kanorc does not look closer";
}

}  // namespace
}  // namespace kanor::rt
