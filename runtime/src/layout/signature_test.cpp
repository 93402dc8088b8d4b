// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/signature.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace kanor::rt {
namespace {

std::vector<std::pair<int, std::size_t>> runs_of(const Signature& signature) {
  std::vector<std::pair<int, std::size_t>> runs;
  auto add = [&](unsigned char kind, std::size_t, std::size_t count) { runs.emplace_back(kind, count); };
  signature.for_each(add);
  return runs;
}

// Up to most_inlined_items items, and more.
TEST(Signature, JoinsElementsOfOneKind) {
  Signature both = Signature::basic(1, 8);
  both.append(Signature::basic(1, 8, 2));
  both.append(Signature::basic(2, 4));
  EXPECT_EQ(both.bytes(), 28u);
  EXPECT_EQ(both.elements(), 4u);
  EXPECT_EQ(runs_of(both), (std::vector<std::pair<int, std::size_t>>{{1, 3}, {2, 1}}));
  const Signature twice = both.repeated(2);
  EXPECT_EQ(twice.bytes(), 56u);
  EXPECT_EQ(runs_of(twice), (std::vector<std::pair<int, std::size_t>>{{1, 3}, {2, 1}, {1, 3}, {2, 1}}));
  EXPECT_EQ(runs_of(both.repeated(3)).size(), 6u);
  EXPECT_EQ(Signature::basic(3, 2).repeated(0).elements(), 0u);
}

TEST(Signature, CountsElementsInBytes) {
  Signature both = Signature::basic(1, 8);
  both.append(Signature::basic(2, 4, 2));
  const Signature many = both.repeated(3);
  EXPECT_EQ(many.elements_in(0), 0u);
  EXPECT_EQ(many.elements_in(8), 1u);
  EXPECT_EQ(many.elements_in(12), 2u);
  EXPECT_EQ(many.elements_in(16), 3u);
  EXPECT_EQ(many.elements_in(28), 5u);
  EXPECT_EQ(many.elements_in(48), 9u);
  EXPECT_EQ(many.elements_in(48 + 24), 13u);
  EXPECT_EQ(many.elements_in(4), std::nullopt);
  EXPECT_EQ(many.elements_in(30), std::nullopt);
  EXPECT_EQ(Signature().elements_in(4), std::nullopt);
}

}  // namespace
}  // namespace kanor::rt
