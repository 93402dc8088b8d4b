// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/block_row.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "kanor/abi/section.hpp"
#include "layout/test_bytes.hpp"

namespace kanor::rt {
namespace {

/// Where each block begins, and the row of them in some memory.
struct Blocks {
  std::vector<std::ptrdiff_t> begins;
  bool at_stride;

  BlockRow row(std::byte* memory, std::size_t bytes) const {
    const auto at = reinterpret_cast<std::uintptr_t>(memory);
    if (!at_stride) return {at, 0, begins.data(), begins.size(), bytes};
    const std::ptrdiff_t stride = begins.size() > 1 ? begins[1] - begins[0] : 0;
    return {at + static_cast<std::uintptr_t>(begins[0]), stride, nullptr, begins.size(), bytes};
  }
};

Blocks at_stride(std::size_t count, std::ptrdiff_t stride) {
  Blocks made{std::vector<std::ptrdiff_t>(count), true};
  for (std::size_t i = 0; i < count; ++i) made.begins[i] = static_cast<std::ptrdiff_t>(i) * stride;
  return made;
}

/// Blocks that lie in another order than that of their addresses.
Blocks listed(std::size_t count, std::ptrdiff_t stride) {
  Blocks made = at_stride(count, stride);
  made.at_stride = false;
  for (std::size_t i = 0; i + 1 < count; i += 2) std::swap(made.begins[i], made.begins[i + 1]);
  return made;
}

void copies(const Blocks& to, const Blocks& from, std::size_t bytes) {
  const std::size_t count = to.begins.size();
  const std::size_t reach = count * (bytes + 5);
  Bytes source = counted(reach), expected(reach), target(reach);
  for (std::size_t block = 0; block < count; ++block)
    for (std::size_t at = 0; at < bytes; ++at)
      expected[static_cast<std::size_t>(to.begins[block]) + at] =
          source[static_cast<std::size_t>(from.begins[block]) + at];
  copy_blocks(to.row(target.data(), bytes), from.row(source.data(), bytes), count);
  ASSERT_EQ(target, expected) << count << " blocks of " << bytes << " bytes";
}

TEST(BlockRow, CopiesBlocksOfEachLength) {
  std::vector<std::size_t> lengths(260);  // more than are copied without a call for each
  std::iota(lengths.begin(), lengths.end(), 1);
  for (const std::size_t bytes : lengths) {
    const auto dense = static_cast<std::ptrdiff_t>(bytes);
    for (const std::size_t count : {1, 2, 7, 40}) {
      for (const auto& [to, from] : {std::pair(at_stride(count, dense), at_stride(count, dense + 5)),
                                     std::pair(at_stride(count, dense + 3), at_stride(count, dense)),
                                     std::pair(at_stride(count, dense + 1), at_stride(count, dense + 4)),
                                     std::pair(at_stride(count, dense), listed(count, dense + 2)),
                                     std::pair(listed(count, dense + 2), at_stride(count, dense)),
                                     std::pair(listed(count, dense), listed(count, dense + 1)),
                                     std::pair(at_stride(count, dense), at_stride(count, dense))})
        ASSERT_NO_FATAL_FAILURE(copies(to, from, bytes));
    }
  }
}

// Around least_detour_bytes and most_detour_block.
TEST(BlockRow, CopiesToMessages) {
  for (const std::size_t bytes : {8, 511, 512, 513})
    for (const std::size_t all : {abi::least_detour_bytes - 1, abi::least_detour_bytes, std::size_t{50000}}) {
      const std::size_t count = (all + bytes - 1) / bytes;
      const auto dense = static_cast<std::ptrdiff_t>(bytes);
      for (int turn = 0; turn < 10; ++turn) {
        ASSERT_NO_FATAL_FAILURE(copies(at_stride(count, dense), at_stride(count, dense + 5), bytes));
        ASSERT_NO_FATAL_FAILURE(copies(listed(count, dense + 2), at_stride(count, dense), bytes));
      }
    }
}

TEST(BlockRow, CopiesBackwards) {
  Bytes source = counted(4096), target(4096);
  const std::size_t count = 300;
  abi::copy_blocks(target.data(), 8, source.data() + 12 * (count - 1), -12, 8, count);
  for (std::size_t i = 0; i < count * 8; ++i)
    ASSERT_EQ(target[i], source[12 * (count - 1 - i / 8) + i % 8]) << i;
}

}  // namespace
}  // namespace kanor::rt
