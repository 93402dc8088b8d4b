// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ranks of a machine have in common: how much of it pools keep, and in which pages it lies.
#include "transport/local.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace kanor::rt {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

Local::Sizes sizes(int ranks, std::size_t memory_bytes) {
  return {.first = 0,
          .count = ranks,
          .ranks = ranks,
          .memory_bytes = memory_bytes,
          .inflight_bytes = 64 * mebibyte};
}

/// How many messages of so many bytes, which nobody writes, rank 0's pool keeps of ten.
std::size_t kept(Local& local, std::size_t bytes) {
  Pool& pool = local.pool(0);
  std::vector<Message*> messages;
  for (int i = 0; i < 10; ++i) messages.push_back(pool.allocate(bytes));
  for (Message* const message : messages) pool.give_back(message, &pool);
  return pool.idle_bytes() / bytes;
}

// least_idle_bytes, and more.
TEST(Local, PoolsKeepAPartOfTheMemory) {
  Local large(Sharing::within_process, sizes(16, 65'536 * mebibyte));
  if (large.sizes().memory_bytes < 65'536 * mebibyte) GTEST_SKIP() << "there are no 64 GiB of addresses";
  EXPECT_EQ(kept(large, 16 * mebibyte), 3u) << "a 64th of 64 GiB is 64 MiB for each of 16 ranks";
  Local small(Sharing::within_process, sizes(16, 1024 * mebibyte));
  EXPECT_EQ(kept(small, 5 * mebibyte), 3u) << "256 MiB at least: 16 MiB for each of 16 ranks";
  Local many(Sharing::within_process, sizes(200, 1024 * mebibyte));
  EXPECT_EQ(kept(many, mebibyte), 3u) << "4 MiB at least for each";
}

TEST(Local, SaysWhatIsInMemory) {
  Local local(Sharing::within_process, sizes(2, 64 * mebibyte));
  const Resident before = local.resident();
  EXPECT_GT(before.bytes, 0u);
  EXPECT_LT(before.bytes, mebibyte / 2);
  Message* const message = local.pool(1).allocate(8 * mebibyte);
  std::memset(message->payload(), 1, 8 * mebibyte);
  const Resident after = local.resident();
  EXPECT_GE(after.bytes - before.bytes, 8 * mebibyte);
  EXPECT_LE(after.bytes - before.bytes, 8 * mebibyte + mebibyte / 2);
  EXPECT_LE(after.in_huge_pages, after.bytes);
}

}  // namespace
}  // namespace kanor::rt
