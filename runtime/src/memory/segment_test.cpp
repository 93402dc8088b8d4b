// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/segment.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "memory/test_pages.hpp"
#include "platform/machine.hpp"

namespace kanor::rt {
namespace {

constexpr std::size_t unit = Segment::unit_bytes;

/// A segment in memory of its own.
struct Memory {
  Memory(Sharing sharing, std::size_t bytes)
      : mapping(sharing, Segment::bytes_for(bytes)),
        segment(*new (mapping.data()) Segment(sharing, Segment::rounded(bytes), huge_page_bytes())) {}
  Mapping mapping;
  Segment& segment;
};

TEST(Segment, GivesAlignedPiecesUntilItIsUsedUp) {
  Memory memory(Sharing::within_process, 16 * unit);
  Segment& segment = memory.segment;
  std::vector<std::byte*> pieces;
  while (std::byte* const piece = segment.allocate(1)) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % unit, 0u);
    std::memset(piece, 0x5a, unit);
    pieces.push_back(piece);
  }
  EXPECT_EQ(pieces.size(), 16u);
  EXPECT_EQ(segment.used_bytes(), 16 * unit);
  for (std::byte* const piece : pieces) segment.release(piece, 1);
  EXPECT_EQ(segment.used_bytes(), 0u);
}

TEST(Segment, AlignsLargePiecesForHugePages) {
  Memory memory(Sharing::within_process, 64 * unit);
  memory.segment.allocate(1);
  for (const std::size_t bytes : {unit, 2 * unit, 4 * unit, 8 * unit, 16 * unit}) {
    std::byte* const piece = memory.segment.allocate(bytes);
    ASSERT_NE(piece, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % std::min(bytes, Segment::alignment_bytes), 0u)
        << bytes;
  }
}

/// Bytes that are to lie in huge pages once the first `bytes` bytes of a piece have been prepared and
/// written. Threads' memory.
std::size_t huge_bytes_of(std::size_t bytes, std::size_t huge_page) {
  const std::size_t whole = 64 * unit;
  Mapping mapping(Sharing::within_process, Segment::bytes_for(whole));
  Segment& segment = *new (mapping.data()) Segment(Sharing::within_process, whole, huge_page);
  std::byte* const piece = segment.allocate(8 << 20);
  segment.prepare(piece, bytes);
  std::memset(piece, 1, bytes);
  const Resident resident = resident_memory(piece, 8 << 20);
  EXPECT_GE(resident.bytes, bytes);
  const std::size_t wanted = test::bytes_to_be_huge(piece, 8 << 20);
  EXPECT_LE(resident.in_huge_pages, wanted);
  return wanted;
}

TEST(Segment, AsksForHugePagesWhereTheyAreFilled) {
  const std::size_t huge = huge_page_bytes();
  if (huge == 0) GTEST_SKIP() << "the system knows no huge pages";
  ASSERT_EQ(huge, Segment::alignment_bytes);
  EXPECT_EQ(huge_bytes_of(3 * huge, huge), 3 * huge);
  EXPECT_EQ(huge_bytes_of(3 * huge - 1, huge), 2 * huge) << "the rest of the last one would be wasted";
  EXPECT_EQ(huge_bytes_of(huge, huge), huge);
  EXPECT_EQ(huge_bytes_of(huge / 2, huge), 0u);
  EXPECT_EQ(huge_bytes_of(3 * huge, 0), 0u) << "switched off";
  // Pages of a size that pieces are not aligned for.
  EXPECT_EQ(huge_bytes_of(3 * huge, 2 * huge), 0u);
}

/// Bytes of a piece that are in memory once its first `bytes` bytes have been prepared, and before anybody
/// has touched them.
std::size_t bytes_touched_for(std::size_t bytes) {
  const std::size_t whole = 64 * unit;
  Mapping mapping(Sharing::with_forked_processes, Segment::bytes_for(whole));
  Segment& segment = *new (mapping.data()) Segment(Sharing::with_forked_processes, whole, 0);
  std::byte* const piece = segment.allocate(8 << 20);
  const std::size_t before = resident_memory(piece, 8 << 20).bytes;
  segment.prepare(piece, bytes);
  return resident_memory(piece, 8 << 20).bytes - before;
}

TEST(Segment, TouchesPagesOfShortPiecesAtOnce) {
  const std::size_t page = page_bytes();
  const Mapping mapping(Sharing::with_forked_processes, page);
  if (::madvise(mapping.data(), page, MADV_POPULATE_WRITE) != 0)
    GTEST_SKIP() << "the system touches no pages in advance";
  EXPECT_EQ(bytes_touched_for(page), 0u) << "its fault takes no longer";
  EXPECT_EQ(bytes_touched_for(page + 1), 2 * page);
  EXPECT_EQ(bytes_touched_for(unit + 1), unit + page);
  EXPECT_EQ(bytes_touched_for(Segment::alignment_bytes - 1), Segment::alignment_bytes);
  EXPECT_EQ(bytes_touched_for(Segment::alignment_bytes), 0u) << "they may stay unused";
}

TEST(Segment, JoinsNeighboursAgain) {
  Memory memory(Sharing::within_process, 16 * unit);
  Segment& segment = memory.segment;
  std::vector<std::byte*> pieces;
  for (int i = 0; i < 16; ++i) pieces.push_back(segment.allocate(unit));
  EXPECT_EQ(segment.allocate(1), nullptr);
  for (const int i : {3, 9, 0, 15, 1, 14, 2, 8, 7, 10, 6, 11, 5, 12, 4, 13})
    segment.release(pieces[static_cast<std::size_t>(i)], unit);
  std::byte* const whole = segment.allocate(16 * unit);
  EXPECT_NE(whole, nullptr);
  segment.release(whole, 16 * unit);
}

// 27 units are pieces of 16, 8, 2 and 1.
TEST(Segment, HandsOutAllOfASizeThatIsNoPowerOfTwo) {
  Memory memory(Sharing::within_process, 27 * unit);
  Segment& segment = memory.segment;
  EXPECT_EQ(segment.bytes(), 27 * unit);
  for (int round = 0; round < 2; ++round) {
    std::vector<std::byte*> pieces;
    while (std::byte* const piece = segment.allocate(unit)) pieces.push_back(piece);
    EXPECT_EQ(pieces.size(), 27u);
    for (std::byte* const piece : pieces) {
      EXPECT_TRUE(segment.has(piece) && segment.has(piece + unit - 1));
      *piece = std::byte{1};
    }
    EXPECT_EQ(std::set<std::byte*>(pieces.begin(), pieces.end()).size(), 27u);
    std::shuffle(pieces.begin(), pieces.end(), std::mt19937(static_cast<unsigned>(round)));
    for (std::byte* const piece : pieces) segment.release(piece, unit);
    EXPECT_EQ(segment.used_bytes(), 0u);
    std::vector<std::pair<std::byte*, std::size_t>> joined;
    for (const std::size_t units : {16, 8, 2, 1}) {
      joined.emplace_back(segment.allocate(units * unit), units * unit);
      ASSERT_NE(joined.back().first, nullptr) << units;
    }
    EXPECT_EQ(segment.allocate(1), nullptr);
    for (const auto& [piece, bytes] : joined) segment.release(piece, bytes);
  }
}

TEST(Segment, RefusesWhatIsLargerThanItself) {
  Memory memory(Sharing::within_process, 16 * unit);
  Segment& segment = memory.segment;
  EXPECT_EQ(segment.allocate(16 * unit + 1), nullptr);
  EXPECT_EQ(segment.allocate(~std::size_t{0}), nullptr);
}

// least_bytes, and more.
TEST(Segment, HandsOutWholeUnits) {
  EXPECT_EQ(Segment::rounded(1), 16 * unit);
  EXPECT_EQ(Segment::rounded(17 * unit - 1), 16 * unit);
  EXPECT_EQ(Segment::rounded(17 * unit), 17 * unit);
  EXPECT_GT(Segment::bytes_for(64 * unit), 64 * unit);
  EXPECT_LT(Segment::bytes_for(64 * unit), 64 * unit + 2 * Segment::alignment_bytes);
}

TEST(Segment, DropsReleasedPages) {
  for (const Sharing sharing : {Sharing::within_process, Sharing::with_forked_processes}) {
    Memory memory(sharing, 16 * unit);
    Segment& segment = memory.segment;
    std::byte* const piece = segment.allocate(unit);
    piece[100] = std::byte{42};
    segment.release(piece, unit);
    ASSERT_EQ(segment.allocate(unit), piece);
    EXPECT_EQ(piece[100], std::byte{0});
  }
}

TEST(Segment, ServesManyThreadsWithoutOverlap) {
  Memory memory(Sharing::within_process, 64 * unit);
  Segment& segment = memory.segment;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&segment, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int i = 0; i < 300; ++i) {
        const std::size_t bytes = unit << (random() % 3);
        std::byte* const piece = segment.allocate(bytes);
        if (!piece) continue;
        piece[0] = piece[bytes - 1] = static_cast<std::byte>(t);
        std::this_thread::yield();
        EXPECT_EQ(piece[0], static_cast<std::byte>(t));
        EXPECT_EQ(piece[bytes - 1], static_cast<std::byte>(t));
        segment.release(piece, bytes);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(segment.used_bytes(), 0u);
  EXPECT_NE(segment.allocate(64 * unit), nullptr);
}

TEST(Segment, IsSharedWithForkedProcesses) {
  Memory memory(Sharing::with_forked_processes, 16 * unit);
  Segment& segment = memory.segment;
  std::byte* const piece = segment.allocate(unit);
  const pid_t child = ::fork();
  if (child == 0) {
    piece[7] = std::byte{7};
    std::byte* const another = segment.allocate(unit);
    ::_exit(another && another != piece ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(piece[7], std::byte{7});
  EXPECT_EQ(segment.used_bytes(), 2 * unit);
}

}  // namespace
}  // namespace kanor::rt
