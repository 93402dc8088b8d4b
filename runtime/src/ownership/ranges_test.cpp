// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of bytes, against one flag for each byte.
#include "ownership/ranges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace kanor::rt {
namespace {

class Flags {
 public:
  explicit Flags(std::size_t bytes) : set_(bytes) {}

  void set(const Range& range, bool to) {
    for (std::size_t i = range.begin; i < range.end; ++i) set_[i] = to;
  }
  bool at(std::size_t byte) const { return byte < set_.size() && set_[byte]; }
  std::vector<Range> runs() const {
    std::vector<Range> found;
    for (std::size_t i = 0; i < set_.size(); ++i) {
      if (!set_[i]) continue;
      if (i == 0 || !set_[i - 1]) found.push_back({i, i});
      found.back().end = i + 1;
    }
    return found;
  }

 private:
  std::vector<bool> set_;
};

TEST(Ranges, AreThoseOfTheBytes) {
  std::mt19937 random(1);
  const auto up_to = [&](std::size_t most) { return random() % (most + 1); };
  for (int round = 0; round < 300; ++round) {
    constexpr std::size_t bytes = 60;
    Ranges ranges;
    Flags flags(bytes);
    for (int step = 0; step < 40; ++step) {
      const std::size_t begin = up_to(bytes - 1),
                        end = begin + 1 + up_to(std::min<std::size_t>(9, bytes - 1 - begin));
      const Range range{begin, end};
      std::size_t first = begin;
      while (first < end && !flags.at(first)) ++first;
      std::size_t behind = first;
      while (behind < end && flags.at(behind)) ++behind;
      const auto found = ranges.first_of(range);
      ASSERT_EQ(found.has_value(), first < end);
      if (found) {
        EXPECT_EQ(found->begin, first);
        EXPECT_EQ(found->end, behind);
      }
      EXPECT_EQ(ranges.has(range), first == begin && behind == end);
      EXPECT_TRUE(ranges.has({begin, begin})) << "no bytes";
      std::vector<Range> within = flags.runs();
      for (Range& run : within) run = {std::max(run.begin, begin), std::min(run.end, end)};
      std::erase_if(within, [](const Range& run) { return run.begin >= run.end; });
      EXPECT_EQ(ranges.within(range), within);
      EXPECT_TRUE(ranges.within({begin, begin}).empty());

      flags.set(range, true);
      const Range merged = ranges.add(range);
      const std::vector<Range> runs = flags.runs();
      const std::vector<Range> held = ranges.all();
      EXPECT_EQ(ranges.is_empty(), held.empty());
      ASSERT_EQ(held.size(), runs.size());
      for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(held[i].begin, runs[i].begin);
        EXPECT_EQ(held[i].end, runs[i].end);
        if (runs[i].begin <= begin && begin < runs[i].end) {
          EXPECT_EQ(merged.begin, runs[i].begin);
          EXPECT_EQ(merged.end, runs[i].end);
        }
      }
      EXPECT_EQ(ranges.end(), runs.back().end);
      if (up_to(3) == 0) {
        ranges.remove(merged);
        flags.set(merged, false);
        if (flags.runs().empty()) {
          EXPECT_EQ(ranges.end(), 0u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace kanor::rt
