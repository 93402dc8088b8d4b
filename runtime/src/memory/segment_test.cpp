#include "memory/segment.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace kanor::rt {
namespace {

constexpr std::size_t unit = Segment::unit_bytes;

TEST(Segment, GivesAlignedPiecesUntilItIsUsedUp) {
  Segment segment(Sharing::within_process, 16 * unit);
  ASSERT_TRUE(segment.ok());
  std::vector<std::byte*> pieces;
  while (std::byte* const piece = segment.allocate(1)) {
    std::memset(piece, 0x5a, unit);
    pieces.push_back(piece);
  }
  EXPECT_EQ(pieces.size(), 16u);
  EXPECT_EQ(segment.used_bytes(), 16 * unit);
  for (std::byte* const piece : pieces) segment.release(piece, 1);
  EXPECT_EQ(segment.used_bytes(), 0u);
}

TEST(Segment, JoinsNeighboursAgain) {
  Segment segment(Sharing::within_process, 16 * unit);
  std::vector<std::byte*> pieces;
  for (int i = 0; i < 16; ++i) pieces.push_back(segment.allocate(unit));
  EXPECT_EQ(segment.allocate(1), nullptr);
  for (const int i : {3, 9, 0, 15, 1, 14, 2, 8, 7, 10, 6, 11, 5, 12, 4, 13})
    segment.release(pieces[static_cast<std::size_t>(i)], unit);
  std::byte* const whole = segment.allocate(16 * unit);
  EXPECT_NE(whole, nullptr);
  segment.release(whole, 16 * unit);
}

TEST(Segment, RefusesWhatIsLargerThanItself) {
  Segment segment(Sharing::within_process, 16 * unit);
  EXPECT_EQ(segment.allocate(16 * unit + 1), nullptr);
  EXPECT_EQ(segment.allocate(~std::size_t{0}), nullptr);
}

TEST(Segment, FallsBackToWhatTheSystemHas) {
  // More address space than there is.
  Segment segment(Sharing::within_process, std::size_t{1} << 62);
  ASSERT_TRUE(segment.ok());
  EXPECT_LT(segment.bytes(), std::size_t{1} << 48);
  std::byte* const piece = segment.allocate(unit);
  ASSERT_NE(piece, nullptr);
  piece[0] = std::byte{1};
  segment.release(piece, unit);
}

TEST(Segment, DropsReleasedPages) {
  for (const Sharing sharing : {Sharing::within_process, Sharing::with_forked_processes}) {
    Segment segment(sharing, 16 * unit);
    std::byte* const piece = segment.allocate(unit);
    piece[100] = std::byte{42};
    segment.release(piece, unit);
    ASSERT_EQ(segment.allocate(unit), piece);
    EXPECT_EQ(piece[100], std::byte{0});
  }
}

TEST(Segment, ServesManyThreadsWithoutOverlap) {
  Segment segment(Sharing::within_process, 64 * unit);
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
  Segment segment(Sharing::with_forked_processes, 16 * unit);
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
