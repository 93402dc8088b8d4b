// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/peer_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kanor::rt {
namespace {

struct Item {
  int peer = 0;
  int content = 0;
};

// On both sides of most_searched, and of the sizes at which the index grows.
TEST(PeerList, FindsWhatWasAdded) {
  PeerList<Item> list;
  for (const int count : {0, 1, 7, 8, 9, 10, 16, 17, 1000}) {
    for (int round = 0; round < 3; ++round) {  // the later ones with what the first has left
      for (int i = 0; i < count; ++i) {
        const int peer = (i + round) * 7919;
        EXPECT_EQ(list.find(peer), nullptr);
        Item& added = list.add(peer);
        EXPECT_EQ(added.peer, peer);
        EXPECT_EQ(added.content, 0);
        added.content = i;
        EXPECT_EQ(list.find(peer), &added);
        EXPECT_EQ(list.position_of(added), static_cast<std::size_t>(i));
      }
      ASSERT_EQ(list.size(), static_cast<std::size_t>(count));
      EXPECT_EQ(list.empty(), count == 0);
      for (int i = count - 1; i >= 0; --i) {
        Item* const found = list.find((i + round) * 7919);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->content, i);
        EXPECT_EQ(&list.all()[static_cast<std::size_t>(i)], found);
      }
      EXPECT_EQ(list.find(-1), nullptr);
      EXPECT_EQ(list.find((count + round) * 7919), nullptr);
      list.clear();
      EXPECT_TRUE(list.empty());
      EXPECT_EQ(list.find(round * 7919), nullptr);
    }
  }
}

}  // namespace
}  // namespace kanor::rt
