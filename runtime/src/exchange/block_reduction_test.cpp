// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions on several ranks, written as kanorc emits them.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "exchange/test_job.hpp"
#include "kanor/abi/cereal.hpp"

namespace kanor::rt {
namespace {

template <class T, class Op>
T reference_fold(const std::vector<T>& terms, Op op) {
  if (terms.size() == 1) return terms[0];
  std::size_t first = 1;
  while (first * 2 < terms.size()) first *= 2;
  const auto middle = terms.begin() + static_cast<std::ptrdiff_t>(first);
  return op(reference_fold(std::vector<T>(terms.begin(), middle), op),
            reference_fold(std::vector<T>(middle, terms.end()), op));
}

TEST(Reduction, HasTheDefinedBitsEverywhere) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size(), terms = 13;
    const auto term = [](int rank, int k) {
      return std::ldexp(1.0 / (3 + rank * 7 + k), (rank * 31 + k * 17) % 60);
    };
    double by_rank = -1, by_term = -1;
    std::vector<double> mine;
    for (int k = 0; k < terms; ++k) mine.push_back(term(me, k));
    BLOCK;
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world))
        for (const auto k : abi::each(0, terms - 1))
          binding(bind, 0, AT(by_rank), i, SEND(mine[static_cast<std::size_t>(k)]), i, k);
    });
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto k : abi::each(0, terms - 1))
        for (const auto i : abi::each(world))
          binding(bind, 0, AT(by_term), i, SEND(mine[static_cast<std::size_t>(k)]), k, i);
    });
    block.run();
    if (me != 0) {
      EXPECT_EQ(by_rank, -1);
      return;
    }
    std::vector<double> runs, single;
    for (int i = 0; i < n; ++i) {
      std::vector<double> run;
      for (int k = 0; k < terms; ++k) run.push_back(term(i, k));
      runs.push_back(reference_fold(run, std::plus<>()));
    }
    for (int k = 0; k < terms; ++k)
      for (int i = 0; i < n; ++i) single.push_back(term(i, k));
    const double expected = reference_fold(runs, std::plus<>());
    EXPECT_EQ(std::memcmp(&by_rank, &expected, sizeof expected), 0);
    const double one_by_one =
        reference_fold(single, std::plus<>());  // of one rank it is a single run: the same
    EXPECT_EQ(std::memcmp(&by_term, &one_by_one, sizeof one_by_one), 0);
  });
}

TEST(Reduction, FoldsIdenticalPlacesOnly) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    std::string words[3] = {"old", "old", "old"};
    std::vector<bool> bits(3, true);
    BLOCK;
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world))
        for (const auto k : abi::list(0, 2, 0))
          binding(bind, 0, AT(words[k]), i, SEND(std::to_string(me) + (k == 0 ? "a" : "b")), i, k);
    });
    block.reduce(SITE, abi::bit_xor, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world))
        for (const auto k : abi::each(0, 1))
          binding(bind, 0, AT(bits[static_cast<std::size_t>(k)]), i, SEND(k == 1), i, k);
    });
    block.run();
    if (me != 0) return;
    std::string first, third;
    for (int i = 0; i < n; ++i) {
      first += std::to_string(i) + "a" + std::to_string(i) + "a";
      third += std::to_string(i) + "b";
    }
    EXPECT_EQ(words[0], first);
    EXPECT_EQ(words[1], "old");
    EXPECT_EQ(words[2], third);
    EXPECT_EQ(bits, (std::vector<bool>{false, n % 2 == 1, true}));
  });
}

thread_local std::vector<int> updates;
struct Noted {
  int number;
  Noted& operator=(int) {
    updates.push_back(number);
    return *this;
  }
};

TEST(Reduction, PlacesAreUpdatedInTheOrderOfTheirLastContributions) {
  on_all_jobs([] {
    Noted places[] = {{0}, {1}, {2}};
    updates.clear();
    BLOCK;
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world))
        for (const auto k : abi::list(2, 0, 1, 0)) binding(bind, 0, AT(places[k]), i, SEND(1), i, k);
    });
    block.run();
    EXPECT_EQ(updates, world.rank() == 0 ? (std::vector<int>{2, 1, 0}) : std::vector<int>());
  });
}

TEST(Reduction, OfEqualValuesMinAndMaxTakeTheFirst) {
  on_all_jobs([] {
    const double positive_first = world.rank() == 0 ? 0.0 : -0.0, negative_first = -positive_first;
    double least[2] = {1, 1}, most[2] = {-1, -1};
    BLOCK;
    const auto fold = [&](const auto& operation, double* results) {
      block.reduce(SITE, operation, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto i : abi::each(world)) binding(bind, 0, AT(results[0]), i, SEND(positive_first), i);
      });
      block.reduce(SITE, operation, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto i : abi::each(world)) binding(bind, 0, AT(results[1]), i, SEND(negative_first), i);
      });
    };
    fold(abi::min, least);
    fold(abi::max, most);
    block.run();
    if (world.rank() != 0) return;
    for (const double* results : {least, most}) {
      EXPECT_EQ(results[0], 0.0);
      EXPECT_FALSE(std::signbit(results[0]));
      EXPECT_EQ(results[1], 0.0);
      EXPECT_TRUE(std::signbit(results[1]));
    }
  });
}

/// Whether the product of the largest numbers is defined: what is not is no constant.
template <class T>
concept has_largest_product = requires {
  typename std::integral_constant<T, abi::multiply(std::numeric_limits<T>::max(),
                                                   std::numeric_limits<T>::max())>;
};

TEST(Reduction, UnsignedNumbersAreNotMultipliedAsInt) {
  EXPECT_TRUE(has_largest_product<std::uint8_t>);
  EXPECT_TRUE(has_largest_product<std::uint16_t>);
  EXPECT_TRUE(has_largest_product<std::uint64_t>);
  EXPECT_FALSE(has_largest_product<int>);
}

TEST(Reduction, ListsAndCallables) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    std::vector<int> v(2, me), sum{9, 9, 9}, longest;
    std::vector<std::string> texts{std::to_string(me)}, joined;
    std::map<int, int> counts{{me, 1}}, merged;
    float largest[2] = {};
    int mine[2] = {me, -me};
    const std::vector<int> lengths(static_cast<std::size_t>(me), me);
    const auto longer = [](const std::vector<int>& a, const std::vector<int>& b) {
      return b.size() > a.size() ? b : a;
    };
    BLOCK;
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world)) binding(bind, 0, AT(sum), i, SEND(v), i);
    });
    block.reduce(SITE, longer, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world)) binding(bind, 0, AT(longest), i, SEND(lengths), i);
    });
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world)) binding(bind, 0, AT(joined), i, SEND(texts), i);
    });
    block.reduce(
        SITE,
        [](std::map<int, int> a, const std::map<int, int>& b) {
          a.insert(b.begin(), b.end());
          return a;
        },
        [&](auto& kanor_bind, auto kanor_operation) {
          const Reducing bind(kanor_bind, kanor_operation);
          for (const auto i : abi::each(world)) binding(bind, 0, AT(merged), i, SEND(counts), i);
        });
    block.reduce(SITE, abi::max, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world)) binding(bind, 0, AT(largest), i, SEND(mine), i);
    });
    block.run();
    if (me != 0) return;
    EXPECT_EQ(sum, std::vector<int>(2, n * (n - 1) / 2));
    EXPECT_EQ(longest.size(), static_cast<std::size_t>(n - 1));
    EXPECT_EQ(joined.at(0).size(), static_cast<std::size_t>(n));
    EXPECT_EQ(merged.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(largest[0], static_cast<float>(n - 1));
    EXPECT_EQ(largest[1], 0.0f);
  });
}

}  // namespace
}  // namespace kanor::rt
