// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/place_groups.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace kanor::rt {
namespace {

TEST(PlaceGroups, AreThoseOfAMap) {
  std::mt19937 random(7);
  double places[64];
  PlaceGroups groups;
  for (const std::size_t count : {1, 2, 3, 63, 64, 65, 1000}) {
    for (const int different : {1, 2, 17, 64}) {
      std::vector<Update> updates;
      std::map<const void*, std::vector<std::size_t>> expected;
      for (std::size_t i = 0; i < count; ++i) {
        updates.push_back({&places[static_cast<int>(random()) % different & 63], 0});
        expected[updates.back().place].push_back(i);
      }
      groups.group(updates.data(), count, 0);
      std::vector<std::size_t> contributions(count, count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t position = groups.next_position(i);
        ASSERT_LT(position, count);
        ASSERT_EQ(contributions[position], count) << "taken twice";
        contributions[position] = i;
      }
      for (std::size_t i = 0; i < count; ++i) {
        const std::vector<std::size_t>& members = expected[updates[i].place];
        EXPECT_EQ(groups.is_last(i), members.back() == i);
        const auto [first, end] = groups.positions(i);
        EXPECT_EQ(std::vector<std::size_t>(contributions.begin() + static_cast<long>(first),
                                           contributions.begin() + static_cast<long>(end)),
                  members);
      }
    }
  }
}

TEST(PlaceGroups, ProxiesAreComparedByTheirBytes) {
  struct Proxy {
    long base, index;
  };
  Proxy proxies[] = {{1, 2}, {1, 3}, {1, 2}, {2, 2}};
  std::vector<Update> updates;
  for (Proxy& proxy : proxies) updates.push_back({&proxy, 0});
  PlaceGroups groups;
  groups.group(updates.data(), updates.size(), sizeof(Proxy));
  EXPECT_FALSE(groups.is_last(0));
  for (const std::size_t i : {1, 2, 3}) EXPECT_TRUE(groups.is_last(i));
  EXPECT_EQ(groups.positions(0), groups.positions(2));
  EXPECT_EQ(groups.positions(0).second - groups.positions(0).first, 2u);
}

}  // namespace
}  // namespace kanor::rt
