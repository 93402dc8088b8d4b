// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/copy.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace kanor::rt {
namespace {

TEST(CopyFew, CopiesSoManyBytesAndNoOther) {
  std::vector<unsigned char> from(100);
  std::iota(from.begin(), from.end(), static_cast<unsigned char>(1));
  for (std::size_t bytes = 0; bytes <= 70; ++bytes)
    for (const std::size_t offset : {0, 1, 7}) {
      std::vector<unsigned char> to(100, 255), expected(100, 255);
      std::copy_n(from.begin() + 3, bytes, expected.begin() + static_cast<std::ptrdiff_t>(offset));
      copy_few(to.data() + offset, from.data() + 3, bytes);
      EXPECT_EQ(to, expected) << bytes << " bytes";
    }
}

TEST(CopyFew, ReadsNoByteBeyond) {
  for (std::size_t bytes = 1; bytes <= 40; ++bytes) {
    const std::vector<unsigned char> from(bytes, 9);  // exactly so many: the address sanitizer looks on
    std::vector<unsigned char> to(bytes);
    copy_few(to.data(), from.data(), bytes);
    EXPECT_EQ(to, from);
  }
}

}  // namespace
}  // namespace kanor::rt
