// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections as places and values, written as kanorc emits them: shapes, kinds of rows, conversions,
// reductions.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "exchange/test_shift.hpp"
#include "kanor/abi/block.hpp"
#include "kanor/abi/cereal.hpp"

namespace kanor::rt {
namespace {

using abi::part;
using abi::section;
using abi::whole;

template <class Section>
std::vector<long> listed(const Section& section) {
  std::vector<long> all;
  section.visit([&](const auto& run) {
    for (long long at = 0; at < run.count; ++at) all.push_back(run[at]);
  });
  EXPECT_EQ(all.size(), section.size());
  return all;
}

/// How many runs, and of how many elements, a section is copied in.
template <class Section>
std::vector<long long> runs(const Section& section) {
  std::vector<long long> counts;
  section.visit([&](const auto& run) { counts.push_back(run.stride == 1 ? run.count : -run.count); });
  return counts;
}

TEST(Section, RowMajorOrder) {
  int grid[3][4];
  std::iota(&grid[0][0], &grid[0][0] + 12, 0);
  using List = std::vector<long>;
  EXPECT_EQ(listed(section(grid[1], part(1, 2))), (List{5, 6}));
  EXPECT_EQ(listed(section(grid[1], part(0, 2, 3))), (List{4, 7}));
  EXPECT_EQ(listed(section(grid, part(1, 2), part(2, 2))), (List{6, 7, 10, 11}));
  EXPECT_EQ(listed(section(grid, part(0, 2, 2), part(1u, 2ul, 2))), (List{1, 3, 9, 11}));
  EXPECT_EQ(listed(section(grid, whole, part(3, 1))), (List{3, 7, 11}));
  EXPECT_EQ(listed(section(grid[2], part(4, 0))), List{});
  EXPECT_EQ(listed(section(&grid[1][0], part(-2, 3, 2))), (List{2, 4, 6}));
  EXPECT_EQ(listed(section(std::span(grid[2]), whole)), (List{8, 9, 10, 11}));
  std::vector<std::vector<int>> ragged{{1}, {2, 3}, {}, {4, 5, 6}};
  EXPECT_EQ(listed(section(ragged, whole, whole)), (List{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(listed(section(ragged, part(1, 2, 2), part(0, 2))), (List{2, 3, 4, 5}));
  const std::vector<std::array<short, 3>> rows{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(listed(section(rows, part(0, 2), part(0, 2, 2))), (List{1, 3, 4, 6}));
  const std::vector<bool> bits{true, false, true};
  EXPECT_EQ(listed(section(bits, part(0, 2, 2))), (List{1, 1}));
  int* pointers[] = {grid[2], grid[0]};
  EXPECT_EQ(listed(section(pointers, whole, part(1, 2))), (List{9, 10, 1, 2}));
  const std::array<std::vector<std::array<int, 2>>, 2> deep{{{{1, 2}, {3, 4}}, {{5, 6}}}};
  EXPECT_EQ(listed(section(deep, whole, part(0, 1), whole)), (List{1, 2, 5, 6}));
}

TEST(Section, NeighboursAreOneRun) {
  double cube[4][3][5] = {};
  using List = std::vector<long long>;
  EXPECT_EQ(runs(section(cube, whole, whole, whole)), List{60});
  EXPECT_EQ(runs(section(cube, part(1, 2), whole, whole)), List{30});
  EXPECT_EQ(runs(section(cube, part(0, 2), part(1, 2), whole)), (List{10, 10}));
  EXPECT_EQ(runs(section(cube, part(0, 1), part(1, 2), part(0, 4))), (List{4, 4}));
  EXPECT_EQ(runs(section(cube, part(0, 2, 2), whole, part(0, 5))), (List{15, 15}));
  EXPECT_EQ(runs(section(cube[0][0], part(0, 3, 2))), List{-3});
  std::vector<std::array<std::array<int, 2>, 3>> nested(4);
  EXPECT_EQ(runs(section(nested, whole, whole, part(0, 2))), List{24});
}

TEST(Section, SamePlacesAreTheSameBytes) {
  int grid[3][4] = {};
  const auto same = [](const auto& a, const auto& b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  EXPECT_TRUE(same(section(grid[1], part(1, 2)), section(&grid[1][0], part(1, 2, 1))));
  EXPECT_TRUE(same(section(grid[1], part(1, 1, 3)), section(grid[1], part(1, 1))));
  EXPECT_TRUE(same(section(&grid[1][1], part(0, 2)), section(std::span(grid[1]), part(1, 2))));
  EXPECT_FALSE(same(section(grid[1], part(1, 2)), section(grid[1], part(1, 2, 2))));
  EXPECT_FALSE(same(section(grid[1], part(1, 2)), section(grid[1], part(1, 3))));
  EXPECT_FALSE(same(section(grid[1], part(1, 2)), section(grid[2], part(1, 2))));
}

TEST(Section, UnlikeShapes) {
  on_all_jobs([] {
    const int me = world.rank();
    double grid[4][5] = {};
    std::vector<int> line(20);
    std::iota(line.begin(), line.end(), 100 * me);
    shift(AT(section(grid, part(1, 2), part(0, 3, 2))), SEND(section(line, part(2, 6, 3))));
    EXPECT_EQ(grid[1][0], 100 * left() + 2);
    EXPECT_EQ(grid[1][4], 100 * left() + 8);
    EXPECT_EQ(grid[2][2], 100 * left() + 14);
    EXPECT_EQ(grid[1][1], 0);
    shift(AT(section(line, whole)), SEND(section(grid, whole, whole)));
    EXPECT_EQ(line[5], 100 * ((left() + world.size() - 1) % world.size()) + 2);
    EXPECT_EQ(line[6], 0);
  });
}

/// A rank's rows of `width` elements reach the next rank's, however short they are, and nothing else.
template <class Element, int columns>
void rows_travel(int rows, int width) {
  using Row = std::array<Element, columns>;
  const auto value = [](int rank, int row, int column) {
    return static_cast<Element>(31 * rank + 7 * row + 3 * column);
  };
  const int me = world.rank();
  std::vector<Row> mine(static_cast<std::size_t>(rows)), got(mine.size());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) mine[row][column] = value(me, row, column);
  shift(AT(section(got, whole, part(columns - width, width))), SEND(section(mine, whole, part(1, width))));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      ASSERT_EQ(got[row][column],
                column < columns - width ? Element{} : value(left(), row, column - columns + width + 1));
  // The same by a shape, in another order, between other rows.
  std::fill(got.begin(), got.end(), Row{});
  const auto from = kanor::section(mine.data()->data(), rows, columns);
  const auto to = kanor::section(got.data()->data(), rows, columns);
  shift(AT(section(to, whole, part(0, width, 2))), SEND(section(from, whole, part(1, width))));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      ASSERT_EQ(got[row][column],
                column % 2 || column >= 2 * width ? Element{} : value(left(), row, column / 2 + 1));
}

TEST(Section, ShortRows) {
  on_all_jobs([] {
    for (const int rows : {1, 2, 9, 200, 1500})
      for (const int width : {1, 2, 3, 5, 8}) {
        ASSERT_NO_FATAL_FAILURE((rows_travel<double, 17>(rows, width)));
        ASSERT_NO_FATAL_FAILURE((rows_travel<signed char, 17>(rows, width)));
        ASSERT_NO_FATAL_FAILURE((rows_travel<float, 19>(rows, width)));
      }
  });
}

TEST(Section, ArraysAndVectorsOnTheOtherSide) {
  on_all_jobs([] {
    const int me = world.rank();
    int cells[6] = {me, 1, 2, 3, 4, 5}, table[2][3] = {};
    std::vector<int> list;
    std::vector<double> reals{9};
    std::array<long, 3> three{};
    shift(AT(list), SEND(section(cells, part(0, 2, 2))));
    EXPECT_EQ(list, (std::vector{left(), 2}));
    shift(AT(reals), SEND(section(cells, part(3, 3))));
    EXPECT_EQ(reals, (std::vector{3.0, 4.0, 5.0}));
    shift(AT(three), SEND(section(cells, part(0, 3))));
    EXPECT_EQ(three, (std::array<long, 3>{left(), 1, 2}));
    shift(AT(table), SEND(section(cells, whole)));  // taken apart to its numbers
    EXPECT_EQ(table[0][0], left());
    EXPECT_EQ(table[1][2], 5);
    shift(AT(section(cells, part(0, 3))), SEND(three));
    EXPECT_EQ(cells[2], 2);
    shift(AT(section(cells, part(4, 2))), SEND((std::vector<double>{me + 0.5, 7.5})));
    EXPECT_EQ(cells[4], left());
    EXPECT_EQ(cells[5], 7);
    shift(AT(section(list, whole)), SEND((std::vector<std::array<int, 1>>{{8}, {9}})));
    EXPECT_EQ(list, (std::vector{8, 9}));
    shift(AT(section(table, whole)), SEND(section(table, part(0, 2))));  // of rows
    EXPECT_EQ(table[1][2], 5);
    std::vector<bool> bits(4), copy;
    shift(AT(section(bits, part(1, 2, 2))), SEND(section(cells, part(1, 2))));
    EXPECT_EQ(bits, (std::vector<bool>{false, true, false, true}));
    shift(AT(copy), SEND(section(bits, part(1, 3))));
    EXPECT_EQ(copy, (std::vector<bool>{true, false, true}));
    std::string text = "abcdef";
    shift(AT(section(text, part(0, 3, 2))), SEND(std::string("XYZ")));
    EXPECT_EQ(text, "XbYdZf");
  });
}

struct Named {
  std::string name;
  int number;
};

TEST(Section, ElementsThatAreNotFlat) {
  on_all_jobs([] {
    const std::string me = std::to_string(world.rank()), from = std::to_string(left());
    std::vector<std::string> words{"a" + me, "b" + me, "c" + me, std::string(100, 'x')};
    std::string array[2][2];
    shift(AT(section(array, whole, part(1, 1))), SEND(section(words, part(0, 2, 3))));
    EXPECT_EQ(array[0][1], "a" + from);
    EXPECT_EQ(array[1][1], std::string(100, 'x'));
    EXPECT_EQ(array[0][0], "");
    shift(AT(words), SEND(section(array, whole, whole)));
    EXPECT_EQ(words.size(), 4u);
    std::vector<std::vector<int>> lists{{1, 2}, {}, {3}}, got(2);
    shift(AT(section(got, whole)), SEND(section(lists, part(0, 2, 2))));
    EXPECT_EQ(got, (std::vector<std::vector<int>>{{1, 2}, {3}}));
    Named named[2] = {{"n" + me, 1}, {"m" + me, 2}}, one[1];
    shift(AT(section(one, whole)), SEND(section(named, part(1, 1))));
    EXPECT_EQ(one[0].name, "m" + from);
    std::string rows[2][2] = {{"p", "q"}, {me, "s"}};
    shift(AT(section(array, part(0, 1))), SEND(section(rows, part(1, 1))));
    EXPECT_EQ(array[0][0], from);
    std::vector<std::string> none;
    shift(AT(words), SEND(section(none, whole)));
    EXPECT_TRUE(words.empty());
  });
}

TEST(Section, ReducesElementByElement) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    std::vector<std::vector<int>> rows{{me, 1, 2}, {3, me, 5}};
    int sums[2][2] = {{-1, -1}, {-1, -1}}, every[4] = {};
    std::vector<std::string> words{"w" + std::to_string(me), "."}, joined(3);
    std::vector<double> longest;
    {
      BLOCK;
      block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto i : abi::each(world))
          binding(bind, 0, AT(section(sums, whole, part(1, 1))), i,
                  SEND(section(rows, part(1, 1), part(0, 2))), i);
      });
      // One place for each k, met by every rank.
      block.reduce(SITE, abi::max, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto i : abi::each(world))
          for (const auto k : abi::each(0, 1))
            binding(bind, 0, AT(section(every, part(2 * k, 2))), i, SEND(section(rows[k], part(0, 2))), i);
      });
      block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto i : abi::each(world))
          binding(bind, 0, AT(section(joined, part(0, 2))), i, SEND(section(words, whole)), i);
      });
      const auto longer = [](double a, double b) { return a > b ? a : b; };
      block.reduce(SITE, longer, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto i : abi::each(world))
          binding(bind, 0, AT(longest), i, SEND(section(rows[0], whole)), i);
      });
      block.run();
    }
    if (me != 0) {
      EXPECT_EQ(sums[0][1], -1);
      EXPECT_TRUE(longest.empty());
      return;
    }
    EXPECT_EQ(sums[0][0], -1);
    EXPECT_EQ(sums[0][1], 3 * n);
    EXPECT_EQ(sums[1][1], n * (n - 1) / 2);
    EXPECT_EQ(every[0], n - 1);
    EXPECT_EQ(every[1], 1);
    EXPECT_EQ(every[2], 3);
    EXPECT_EQ(every[3], n - 1);
    EXPECT_EQ(joined[0].substr(0, 2), "w0");
    EXPECT_EQ(joined[0].size(), static_cast<std::size_t>(2 * n));
    EXPECT_EQ(joined[1], std::string(static_cast<std::size_t>(n), '.'));
    EXPECT_EQ(longest, (std::vector<double>{n - 1.0, 1, 2}));
  });
}

TEST(Section, TheStateBeforeTheBlock) {
  on_all_jobs([] {
    int ring[5] = {0, 1, 2, 3, 4};
    std::vector<std::vector<int>> moving(2, std::vector<int>(2));
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, i, AT(section(ring, part(1, 4))), i, SEND(section(ring, part(0, 4))), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, i, AT(ring[0]), i, SEND(ring[4]), i);
    });
    // The first update moves the rows that the second one is in.
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, i, AT(moving), i, SEND(std::vector<std::vector<int>>(50, std::vector<int>(3))), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, i, AT(section(moving[1], part(0, 2))), i, SEND(section(ring, part(3, 2))), i);
    });
    block.run();
    EXPECT_EQ(std::vector<int>(ring, ring + 5), (std::vector{4, 0, 1, 2, 3}));
    EXPECT_EQ(moving[1], (std::vector{3, 4, 0}));
  });
}

}  // namespace
}  // namespace kanor::rt
