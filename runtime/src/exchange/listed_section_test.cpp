// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of listed elements, as values and as places, written as kanorc emits them.
#include <gtest/gtest.h>

#include <array>
#include <list>
#include <numeric>
#include <span>
#include <vector>

#include "exchange/test_shift.hpp"
#include "kanor/abi/block.hpp"
#include "kanor/abi/cereal.hpp"

namespace kanor::rt {
namespace {

using abi::listed_elements;
using abi::part;
using abi::whole;

#define LISTED_AT(base, list, ...) \
  AT(listed_elements(base, kanor_at.place_indices(list) __VA_OPT__(, ) __VA_ARGS__))
#define LISTED_SEND(base, list, ...) \
  SEND(listed_elements(base, kanor_send.value_indices(list) __VA_OPT__(, ) __VA_ARGS__))

TEST(ListedSection, BasesAndRanges) {
  on_all_jobs([] {
    const int me = world.rank(), from = left();
    std::vector<int> line(10);
    std::iota(line.begin(), line.end(), 100 * me);
    std::vector<double> got;
    shift(AT(got), LISTED_SEND(line, (std::vector<unsigned short>{7, 0, 7})));
    EXPECT_EQ(got, (std::vector<double>{100.0 * from + 7, 100.0 * from, 100.0 * from + 7}));
    const std::list<long> odd{9, 1};
    shift(LISTED_AT(got, (std::array{2, 0})), LISTED_SEND(line.data(), odd));
    EXPECT_EQ(got, (std::vector<double>{100.0 * from + 1, 100.0 * from, 100.0 * from + 9}));
    std::vector<bool> bits(4, me % 2 == 0);
    shift(LISTED_AT(bits, abi::each(1, 2)), LISTED_SEND(bits, (std::array{3, 0})));
    EXPECT_EQ(bits, (std::vector<bool>{me % 2 == 0, from % 2 == 0, from % 2 == 0, me % 2 == 0}));
    // What gives its elements once, and does not say how many.
    struct Countdown {
      struct end_mark {};
      int next = 40;
      Countdown& begin() { return *this; }
      end_mark end() const { return {}; }
      bool operator!=(end_mark) const { return next >= 0; }
      int operator*() const { return next; }
      void operator++() { --next; }
    };
    std::vector<int> many(41);
    std::iota(many.begin(), many.end(), me);
    shift(AT(many), LISTED_SEND(many, Countdown{}));
    EXPECT_EQ(many.size(), 41u);
    EXPECT_EQ(many.front(), from + 40);
    EXPECT_EQ(many.back(), from);
    const std::vector<int> none;
    shift(LISTED_AT(std::span(line), none), LISTED_SEND(line, none));
    EXPECT_EQ(line[0], 100 * me);
  });
}

TEST(ListedSection, ManyDimensions) {
  on_all_jobs([] {
    const int me = world.rank(), from = left();
    int grid[3][4];
    std::iota(&grid[0][0], &grid[0][0] + 12, 100 * me);
    std::vector<std::vector<int>> rows(2, std::vector<int>(3, -1));
    shift(LISTED_AT(rows, (std::array{2, 0}), whole), LISTED_SEND(grid, (std::array{3, 1}), part(0, 2, 2)));
    EXPECT_EQ(rows[0], (std::vector{100 * from + 1, -1, 100 * from + 3}));
    EXPECT_EQ(rows[1], (std::vector{100 * from + 9, -1, 100 * from + 11}));
    std::vector<int> flat(12, -1);
    const auto shape = kanor::section(flat, 2, 3, 2);
    shift(LISTED_AT(shape, (std::array{1}), whole, part(1, 2)),
          LISTED_SEND(&grid[0][0], (std::array{5, 6, 7, 8})));
    EXPECT_EQ(shape(0, 1, 1), 100 * from + 5);
    EXPECT_EQ(shape(0, 2, 1), 100 * from + 6);
    EXPECT_EQ(shape(1, 1, 1), 100 * from + 7);
    EXPECT_EQ(shape(1, 2, 1), 100 * from + 8);
    EXPECT_EQ(std::accumulate(flat.begin(), flat.end(), 0), 400 * from + 26 - 8);
  });
}

TEST(ListedSection, ContributionsMeetWhereTheListsAreEqual) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    std::vector<int> sums(4, -1);
    const int own[] = {1, me};
    BLOCK;
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world))
        binding(bind, 0, LISTED_AT(sums, (std::vector<int>{3, 1})), i, SEND(own), i);
    });
    block.run();
    EXPECT_EQ(sums, me == 0 ? (std::vector{-1, n * (n - 1) / 2, -1, n}) : std::vector<int>(4, -1));
  });
}

TEST(ListedSection, TheStateBeforeTheBlock) {
  on_all_jobs([] {
    std::vector<int> order{2, 0, 1}, values{10, 11, 12};
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, i, AT(order), i, SEND(std::vector<int>{}), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, i, LISTED_AT(values, order), i, SEND(values), i);
    });
    block.run();
    EXPECT_TRUE(order.empty());
    EXPECT_EQ(values, (std::vector{11, 12, 10}));
  });
}

}  // namespace
}  // namespace kanor::rt
