// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/open_buffer.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace kanor::rt {
namespace {

TEST(OpenBuffer, SeesEveryByteThatIsWritten) {
  for (const std::size_t bytes : {1, 7, 8, 9, 100, 5000}) {
    std::vector<std::byte> memory(bytes + 1);
    OpenBuffer open(memory.data(), bytes, nullptr);
    EXPECT_EQ(open.bytes(), bytes);
    EXPECT_FALSE(open.has_changed());
    for (std::size_t at = 0; at < bytes; ++at) {
      memory[at] = std::byte{0x80};
      EXPECT_TRUE(open.has_changed()) << at;
      memory[at] = std::byte{0};
    }
    memory[bytes] = std::byte{1};
    EXPECT_FALSE(open.has_changed());
    memory[0] = std::byte{1};
    open.renew();
    EXPECT_FALSE(open.has_changed());
    memory[0] = std::byte{0};
    EXPECT_TRUE(open.has_changed());
  }
}

// Of every third byte, more than are summed at a time.
TEST(OpenBuffer, SeesNothingBetweenElements) {
  constexpr std::size_t elements = 10'000;
  const auto third = std::make_shared<const Layout>(Layout::block(1, 1).resized(0, 3));
  std::vector<std::byte> memory(3 * elements);
  const OpenBuffer open(memory.data(), elements, third);
  for (std::size_t at = 0; at < memory.size(); ++at)
    if (at % 3 != 0) memory[at] = std::byte{1};
  EXPECT_FALSE(open.has_changed());
  for (const std::size_t at : {std::size_t{0}, std::size_t{4096}, elements - 1}) {
    memory[3 * at] = std::byte{1};
    EXPECT_TRUE(open.has_changed()) << at;
    memory[3 * at] = std::byte{0};
  }
}

TEST(OpenBuffer, OfNothingDoesNotChange) {
  const OpenBuffer open(nullptr, 0, nullptr);
  EXPECT_FALSE(open.has_changed());
}

}  // namespace
}  // namespace kanor::rt
