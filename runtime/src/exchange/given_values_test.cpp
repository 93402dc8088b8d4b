// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values whose variables nobody reads again, in reductions above all; written as kanorc emits them.
//
// The counts of ranks and bytes lie on both sides of most_that_fold_all and most_direct, and of the lengths
// from which values are read where they lie (least_lent_bytes) and folded in slices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"
#include "kanor/abi/globalised.hpp"

namespace kanor::rt {
namespace {

using abi::globalised;

constexpr const char* all_reduce_form = "i: 0 .. $0 - 1; j: 0 .. $0 - 1; to i; from j; is all_reduce";
constexpr int counts[] = {1, 2, 3, 8, 9, 17, 33};

template <class Place, class Value, class Operation>
void all_reduce(Place& place, globalised<Value>& value, const Operation& operation) {
  BLOCK;
  // As kanorc marks a variable that no expression of the block writes to.
  block.reduce({__LINE__, "a statement", "i, j", abi::lent_value, all_reduce_form}, {world.size()}, operation,
               [&](auto& kanor_bind, auto kanor_operation) {
                 const Reducing bind(kanor_bind, kanor_operation);
                 for (const auto i : bind.only(0, abi::each(world)))
                   for (const auto j : bind.only(1, abi::each(world)))
                     binding(bind, i, AT(place), j, SEND(value.give()), i, j);
               });
  block.run();
}

template <class T>
std::vector<T> terms(int rank, std::size_t length) {
  std::vector<T> made(length);
  for (std::size_t i = 0; i < length; ++i)
    made[i] = static_cast<T>(100 * rank + static_cast<int>(i % 89) + 1);
  return made;
}
template <class T>
T sum_at(std::size_t i) {
  T sum{};
  for (int rank = 0; rank < world.size(); ++rank)
    sum = static_cast<T>(sum + static_cast<T>(100 * rank + static_cast<int>(i % 89) + 1));
  return sum;
}
template <class T, class List>
void expect_sums(const List& list, std::size_t length) {
  ASSERT_EQ(list.size(), length);
  for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(list[i], sum_at<T>(i)) << "element " << i;
}

template <class T>
void test_sums(bool own_cores) {
  for (const int ranks : counts)
    for (const std::size_t bytes : {64, 4088, 4096, 8184, 8192, 80'000}) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks, " << bytes << " bytes");
      TestJob job(ranks);
      job.home.spare_cores = own_cores;
      job.run([&] {
        const std::size_t length = bytes / sizeof(T);
        globalised<std::vector<T>> a, other;
        std::vector<T> plain;
        for (int round = 0; round < 2; ++round) {
          *a.overwrite() = terms<T>(world.rank(), length);
          all_reduce(a, a, abi::add);
          expect_sums<T>(*a.get(), length);
          *a.overwrite() = terms<T>(world.rank(), length);
          all_reduce(other, a, [](const T& x, const T& y) { return static_cast<T>(x + y); });
          expect_sums<T>(*other.get(), length);
          *a.overwrite() = terms<T>(world.rank(), length);
          all_reduce(plain, a, abi::add);
          expect_sums<T>(plain, length);
        }
      });
    }
}

TEST(GivenValues, SumsOfLongs) { test_sums<long>(false); }
TEST(GivenValues, SumsOfDoubles) { test_sums<double>(true); }

/// Elements on both sides of most_copied_bytes.
template <std::size_t length>
void test_structures() {
  struct Structure {
    std::array<long, length> numbers;
  };
  for (const int ranks : {3, 9})
    TestJob(ranks).run([] {
      globalised<std::vector<Structure>> a;
      Structure own;
      own.numbers.fill(world.rank() + 1);
      a.overwrite()->assign(100, own);
      all_reduce(a, a, [](Structure x, const Structure& y) {
        for (std::size_t i = 0; i < length; ++i) x.numbers[i] += y.numbers[i];
        return x;
      });
      EXPECT_EQ(a.get()->at(0).numbers[0], world.size() * (world.size() + 1) / 2);
      EXPECT_EQ(a.get()->at(99).numbers[length - 1], world.size() * (world.size() + 1) / 2);
    });
}
TEST(GivenValues, SumsOfStructures) {
  test_structures<32>();
  test_structures<33>();
}

TEST(GivenValues, SumsOfArrays) {
  for (const int ranks : counts)
    TestJob(ranks).run([] {
      using Array = std::array<long, 1'500>;
      globalised<Array> a;
      for (int round = 0; round < 3; ++round) {
        const std::vector<long> own = terms<long>(world.rank(), 1'500);
        std::copy(own.begin(), own.end(), a.overwrite()->begin());
        all_reduce(a, a, abi::add);
        expect_sums<long>(*a.get(), 1'500);
      }
    });
}

// What is folded whole is found to be so only where it arrives: the value travels directly, and is let go of
// in this block, not in the next one.
TEST(GivenValues, FoldedWhole) {
  for (const int ranks : counts)
    TestJob(ranks).run([] {
      const auto longer = [](const std::vector<int>& x, const std::vector<int>& y) {
        return y.size() > x.size() ? y : x;
      };
      globalised<std::vector<int>> a;
      for (int round = 0; round < 3; ++round) {
        a.overwrite()->assign(static_cast<std::size_t>(3'000 + world.rank()), round);
        all_reduce(a, a, longer);
        const std::size_t length = static_cast<std::size_t>(3'000 + world.size() - 1);
        ASSERT_NE(a.get(), nullptr);
        EXPECT_EQ(*a.get(), std::vector<int>(length, round));
        globalised<std::vector<int>> other;
        other.overwrite()->assign(3'000, world.rank());
        all_reduce(other, other, abi::max);
        EXPECT_EQ(*other.get(), std::vector<int>(3'000, world.size() - 1));
        ASSERT_NE(a.get(), nullptr);
        EXPECT_EQ(*a.get(), std::vector<int>(length, round));
      }
    });
}

// Elements that are converted are copied before; so much memory, and no more, is read and taken.
TEST(GivenValues, PlacesOfOtherTypes) {
  constexpr std::size_t length = 500'000;
  for (const int ranks : {2, 9}) {
    TestJob job(ranks);
    job.run([] {
      globalised<std::vector<float>> a([](void* at) { ::new (at) std::vector<float>(length, 1.5f); });
      const auto sums = std::make_unique<std::array<double, length>>();
      all_reduce(*sums, a, abi::add);
      EXPECT_EQ(sums->front(), 1.5 * world.size());
      EXPECT_EQ(sums->back(), 1.5 * world.size());
    });
    EXPECT_LT(job.local.segment().used_bytes(), static_cast<std::size_t>(ranks + 1) * 8 * length);
  }
}

// What the compiler has decided is relied upon nowhere: a value that is given, or let go of, stays.
TEST(GivenValues, StayWhereNothingIsShared) {
  TestJob job(3);
  job.home.switches.sharing = false;
  job.run([] {
    using Array = std::array<double, 3'000>;
    using Vector = std::vector<int>;
    globalised<Array> flat, to_flat;
    globalised<Vector> many([](void*at) { ::new (at) Vector(5'000, 4); }), to_many;
    flat.overwrite()->fill(4);
    BLOCK;
    block.assign({__LINE__, "a statement", "i"}, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, (i + 1) % world.size(), AT(to_flat), i, SEND(flat.give()), i);
    });
    block.assign({__LINE__, "a statement", "i"}, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, (i + 1) % world.size(), AT(to_many), i, SEND(many.give()), i);
    });
    block.run();
    ASSERT_NE(flat.get(), nullptr);
    EXPECT_EQ((*flat.get())[17], 4);
    EXPECT_EQ(*many.get(), Vector(5'000, 4));
    EXPECT_EQ(*many.release(), Vector(5'000, 4));
    EXPECT_EQ(*many.overwrite(), Vector(5'000, 4));
    EXPECT_EQ(*to_many.get(), Vector(5'000, 4));
  });
}

}  // namespace
}  // namespace kanor::rt
