// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers as one rank uses them, and what blocks do to their memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <list>
#include <utility>
#include <vector>

#include "kanor/abi/buffer_block.hpp"
#include "kanor/buffer.hpp"
#include "ownership/region.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

using abi::given_memory;

struct Wide {
  alignas(64) int number = 5;
  bool operator==(const Wide&) const = default;
};

abi::gift promised_by(auto& buffer, abi::gift& gift) {
  given_memory::promise(given_memory::of(buffer), gift);
  return gift;
}
void settle(const abi::gift& gift) {
  given_memory::settle(gift, 3);
  if (gift.elements.data) let_go(Region::of(gift.elements.data));
}

TEST(Buffer, IsAContainer) {
  TestJob(1).run_rank(0, [] {
    buffer<int> none;
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(none.data(), nullptr);
    EXPECT_TRUE(none == buffer<int>(0));
    const buffer<Wide> wide(3);
    EXPECT_EQ(wide[2].number, 5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.data()) % 64, 0u);
    buffer<int> a(3, 7), b{1, 2};
    a = b.clone();
    b[0] = 9;
    EXPECT_TRUE((a == buffer<int>{1, 2}));
    swap(a, b);
    EXPECT_EQ(a.front(), 9);
    EXPECT_EQ(b.back(), 2);
    const std::list<short> list{4, 5, 6};
    a.assign(list.begin(), list.end());
    EXPECT_TRUE((a == buffer<int>{4, 5, 6}));
    const int* const before = a.data();
    a.assign(list.rbegin(), list.rend());
    EXPECT_EQ(a.data(), before);
    EXPECT_EQ(a[0], 6);
    a.resize(5);
    EXPECT_TRUE((a == buffer<int>{6, 5, 4, 0, 0}));
    a.resize(2);
    EXPECT_TRUE((a == buffer<int>{6, 5}));
    a.resize(0);
    EXPECT_TRUE(a.empty());
  });
}

TEST(Buffer, MemoryIsUsedAgain) {
  TestJob job(1);
  job.run_rank(0, [] {
    const void* first = nullptr;
    for (int round = 0; round < 1'000; ++round) {
      const auto b = buffer<double>::for_overwrite(100'000);
      if (!first) first = b.data();
      ASSERT_EQ(b.data(), first);
    }
  });
}

TEST(Buffer, IsEmptyOnceWhatItGaveIsSettled) {
  TestJob(1).run_rank(0, [] {
    buffer<int> b{1, 2, 3};
    abi::gift gift;
    EXPECT_EQ(given_memory::promised(given_memory::of(b)), nullptr);
    promised_by(b, gift);
    EXPECT_EQ(given_memory::promised(given_memory::of(b)), &gift);
    EXPECT_EQ(given_memory::number(given_memory::of(b)), 0u);
    EXPECT_EQ(b.size(), 3u);
    EXPECT_EQ(b[2], 3);
    settle(gift);
    EXPECT_TRUE(b.empty());
    EXPECT_EQ(given_memory::number(given_memory::of(b)), 3u);
    b = buffer<int>{4};
    EXPECT_EQ(given_memory::number(given_memory::of(b)), 0u);
    EXPECT_EQ(given_memory::promised(given_memory::of(b)), nullptr);
  });
}

TEST(Buffer, EmptyOnesGiveNothing) {
  TestJob(1).run_rank(0, [] {
    buffer<int> b;
    abi::gift gift;
    promised_by(b, gift);
    EXPECT_EQ(gift.elements.data, nullptr);
    EXPECT_EQ(gift.elements.count, 0u);
    settle(gift);
    EXPECT_EQ(given_memory::number(given_memory::of(b)), 0u);
  });
}

TEST(Buffer, WhatItPromisedOutlivesIt) {
  TestJob(1).run_rank(0, [] {
    abi::gift gift;
    {
      buffer<int> b{1, 2, 3};
      promised_by(b, gift);
    }
    EXPECT_EQ(gift.from, nullptr);
    EXPECT_EQ(static_cast<const int*>(gift.elements.data)[2], 3);
    settle(gift);

    buffer<int> b{1, 2, 3}, moved;
    promised_by(b, gift);
    moved = std::move(b);
    EXPECT_EQ(moved[1], 2);
    settle(gift);
    EXPECT_TRUE(moved.empty());
    EXPECT_EQ(given_memory::number(given_memory::of(b)), 0u);

    b = {7, 8};
    promised_by(b, gift);
    b = buffer<int>{9};
    settle(gift);
    EXPECT_EQ(b[0], 9);
  });
}

TEST(Buffer, AdoptsWhatNobodyElseUsesAndCopiesTheRest) {
  TestJob(1).run_rank(0, [] {
    buffer<int> b{1, 2, 3}, c, d;
    const int* const memory = b.data();
    abi::gift gift;
    promised_by(b, gift);
    given_memory::settle(gift, 3);
    share(Region::of(gift.elements.data));
    given_memory::adopt(given_memory::of(c), gift.elements.data, sizeof(int));
    EXPECT_NE(c.data(), memory);
    EXPECT_TRUE((c == buffer<int>{1, 2, 3}));
    given_memory::adopt(given_memory::of(d), gift.elements.data, sizeof(int));
    EXPECT_EQ(d.data(), memory);
    EXPECT_TRUE(c == d);
  });
}

TEST(BufferDeathTest, MoreThanThereIs) {
  EXPECT_DEATH(TestJob(1).run_rank(0, [] { buffer<double> b(std::size_t{1} << 61); }),
               "a kanor::buffer of 2305843009213693952 elements");
}

}  // namespace
}  // namespace kanor::rt
