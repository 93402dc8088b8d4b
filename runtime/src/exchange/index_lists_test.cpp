// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/index_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace kanor::rt {
namespace {

/// Lists of one block.
struct Lists {
  IndexLists lists;
  Kept memory;
  ~Lists() { memory.clear(); }

  std::size_t write(const std::vector<long long>& list) {
    std::copy(list.begin(), list.end(), lists.room(list.size()));
    return list.size();
  }
  const long long* keep(const std::vector<long long>& list) { return lists.keep(write(list), memory); }
  long long twice(const std::vector<long long>& list) {
    const long long* const found = lists.listed_twice(write(list));
    return found ? *found : -1;
  }
};

TEST(IndexLists, EqualListsAreTheSameMemory) {
  Lists of_block;
  const long long* const first = of_block.keep({3, 1, 2});
  EXPECT_NE(of_block.keep({3, 2, 1}), first);
  EXPECT_NE(of_block.keep({3, 1}), first);
  EXPECT_NE(of_block.keep({3, 1, 2, 0}), first);
  EXPECT_EQ(of_block.keep({3, 1, 2}), first);
  EXPECT_EQ(std::vector<long long>(first, first + 3), (std::vector<long long>{3, 1, 2}));
  EXPECT_EQ(of_block.keep({}), of_block.keep({}));
}

TEST(IndexLists, ListsThatDifferInOneElementAreNotEqual) {
  Lists of_block;
  std::vector<const long long*> kept;
  for (std::size_t at = 0; at < 100; ++at) {
    std::vector<long long> list(100, 7);
    list[at] = 8;
    kept.push_back(of_block.keep(list));
    EXPECT_TRUE(std::equal(list.begin(), list.end(), kept.back()));
  }
  std::sort(kept.begin(), kept.end());
  EXPECT_EQ(std::unique(kept.begin(), kept.end()), kept.end());
}

TEST(IndexLists, AListOutlivesTheNext) {
  Lists of_block;
  std::vector<long long> many(10000);
  for (std::size_t at = 0; at < many.size(); ++at) many[at] = static_cast<long long>(at * at);
  const long long* const kept = of_block.keep(many);
  for (long long other = 0; other < 100; ++other) of_block.keep(std::vector<long long>(10000, other));
  EXPECT_TRUE(std::equal(many.begin(), many.end(), kept));
  EXPECT_EQ(of_block.keep(many), kept);
}

TEST(IndexLists, FindsWhatIsListedTwice) {
  Lists of_block;
  EXPECT_EQ(of_block.twice({}), -1);
  EXPECT_EQ(of_block.twice({5}), -1);
  EXPECT_EQ(of_block.twice({5, 0, 4}), -1);
  EXPECT_EQ(of_block.twice({5, 0, 4, 0, 5}), 0);
  // What an earlier, longer list had is not looked at.
  EXPECT_EQ(of_block.twice({5, 0, 4}), -1);
}

}  // namespace
}  // namespace kanor::rt
