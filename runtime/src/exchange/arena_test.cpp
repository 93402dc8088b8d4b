// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kanor::rt {
namespace {

struct Piece {
  std::byte* at;
  std::size_t bytes;
};

/// Pieces of all sizes up to beyond a chunk, each filled with its number.
std::vector<Piece> fill(Arena& arena) {
  std::vector<Piece> pieces;
  for (std::size_t bytes = 1; bytes < 10'000; bytes += 1 + bytes / 3) {
    const std::size_t alignment = std::size_t{1} << (pieces.size() % 7);
    auto* const at = static_cast<std::byte*>(arena.allocate(bytes, alignment));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % alignment, 0u);
    EXPECT_TRUE(std::all_of(at, at + bytes, [](std::byte one) { return one == std::byte{0}; }));
    std::fill_n(at, bytes, static_cast<std::byte>(pieces.size() + 1));
    pieces.push_back({at, bytes});
  }
  return pieces;
}

void expect_whole(const std::vector<Piece>& pieces) {
  for (std::size_t i = 0; i < pieces.size(); ++i)
    EXPECT_EQ(std::count(pieces[i].at, pieces[i].at + pieces[i].bytes, static_cast<std::byte>(i + 1)),
              static_cast<std::ptrdiff_t>(pieces[i].bytes));
}

TEST(Arena, HandsOutZeroedPiecesThatStay) {
  Arena arena;
  for (int round = 0; round < 3; ++round) {
    expect_whole(fill(arena));
    arena.clear();
  }
}

TEST(Arena, UsesTheLastChunkAgain) {
  Arena arena;
  void* const first = arena.allocate(8, 8);
  arena.clear();
  EXPECT_EQ(arena.allocate(8, 8), first);
}

TEST(Arena, GivesAwayWhatIsInIt) {
  Arena arena;
  arena.clear();
  const std::vector<Piece> pieces = fill(arena);
  Arena taken = arena.take();
  const std::vector<Piece> others = fill(arena);
  expect_whole(pieces);
  expect_whole(others);
  arena = std::move(taken);
  expect_whole(pieces);
}

TEST(Arena, KeepsItsMemoryIfNothingIsInIt) {
  Arena arena;
  void* const first = arena.allocate(8, 8);
  arena.clear();
  { const Arena taken = arena.take(); }
  EXPECT_EQ(arena.allocate(8, 8), first);
}

}  // namespace
}  // namespace kanor::rt
