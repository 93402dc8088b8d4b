// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "collectives/collectives.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt::collectives {
namespace {

struct Unlike {
  int from;
  std::size_t bytes;
};

[[noreturn]] void fail_head(const Group&, int from, std::uint64_t, std::size_t bytes) {
  throw Unlike{from, bytes};
}

Group world_group(std::uint64_t sequence) {
  Rank& rank = here();
  return {rank, rank_number(rank), team_size(rank), nullptr, 7, sequence, 0x1234, fail_head};
}

/// Neither associative nor commutative.
float mix(float a, float b) { return a * 0.75f + b * 1.25f + a * b * 0.001f; }

ElementOperation mixing() {
  return {[](void*, std::byte* into, const std::byte* a, const std::byte* b, std::size_t count) {
            auto* const result = reinterpret_cast<float*>(into);
            for (std::size_t i = 0; i < count; ++i)
              result[i] = mix(reinterpret_cast<const float*>(a)[i], reinterpret_cast<const float*>(b)[i]);
          },
          nullptr, sizeof(float)};
}

float term(int rank, std::size_t element) {
  return 1.0f + 0.37f * static_cast<float>(rank) + static_cast<float>(element % 97);
}

std::vector<float> terms(int rank, std::size_t length) {
  std::vector<float> made(length);
  for (std::size_t i = 0; i < length; ++i) made[i] = term(rank, i);
  return made;
}

/// F as the language defines it, of the terms of ranks begin ... end - 1.
float bracket(int begin, int end, std::size_t element) {
  if (end - begin == 1) return term(begin, element);
  int first = 1;
  while (2 * first < end - begin) first *= 2;
  return mix(bracket(begin, begin + first, element), bracket(begin + first, end, element));
}

Value value_of(std::vector<float>& floats) {
  return {reinterpret_cast<std::byte*>(floats.data()), floats.size() * sizeof(float), alignof(float)};
}

void expect_folded(const float* floats, std::size_t length, int size) {
  for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(floats[i], bracket(0, size, i)) << "element " << i;
}

/// Fewer elements than members, around a cache line's and a piece's (most_piece_bytes), and many pieces. The
/// sizes lie on both sides of each most_that_tell_all, and of most_without_room.
constexpr std::size_t lengths[] = {0, 1, 15, 16, 17, 33, 2048, 2049, 9001};
constexpr int sizes[] = {1, 2, 3, 4, 5, 8, 9, 16, 17, 33};

TEST(Slices, AllReduceKeepsTheBracketAndTheValues) {
  for (const int size : sizes) {
    SCOPED_TRACE(testing::Message() << size << " ranks");
    TestJob(size).run([&] {
      std::uint64_t sequence = 0;
      for (const std::size_t length : lengths) {
        const Group group = world_group(sequence++);
        std::vector<float> own = terms(group.rank, length);
        Value value = value_of(own);
        const Holder folded = all_reduce_slices(group, value, mixing());
        // Nobody reads it any more.
        EXPECT_EQ(own, terms(group.rank, length));
        std::fill(own.begin(), own.end(), -1.0f);
        ASSERT_EQ(value.bytes, length * sizeof(float));
        expect_folded(reinterpret_cast<const float*>(value.data), length, size);
      }
    });
  }
}

TEST(Slices, ReduceGivesItToTheRoot) {
  for (const int size : sizes) {
    SCOPED_TRACE(testing::Message() << size << " ranks");
    TestJob(size).run([&] {
      std::uint64_t sequence = 0;
      for (const std::size_t length : lengths) {
        const Group group = world_group(sequence++);
        const int root = static_cast<int>(length) % size;
        std::vector<float> own = terms(group.rank, length), result(length, -1.0f);
        reduce_slices(group, root, value_of(own), reinterpret_cast<std::byte*>(result.data()), mixing());
        EXPECT_EQ(own, terms(group.rank, length));
        std::fill(own.begin(), own.end(), -1.0f);
        if (group.rank == root)
          expect_folded(result.data(), length, size);
        else
          EXPECT_EQ(result, std::vector<float>(length, -1.0f));
      }
    });
  }
}

// The result's memory goes back when the last one has read it.
TEST(Slices, TakeNoMoreMemoryThanOneResult) {
  constexpr std::size_t length = 100'000;
  TestJob job(3);
  job.run([] {
    std::vector<float> own = terms(rank_number(here()), length);
    for (std::uint64_t i = 0; i < 200; ++i) {
      Value value = value_of(own);
      const Holder folded = all_reduce_slices(world_group(i), value, mixing());
      ASSERT_EQ(reinterpret_cast<const float*>(value.data)[length - 1], bracket(0, 3, length - 1));
    }
  });
  EXPECT_LT(job.local.segment().used_bytes(), std::size_t{16} << 20);
}

TEST(Slices, UnlikeLengthsAreToldByAllWhoSeeThem) {
  TestJob(3).run([] {
    const Group group = world_group(0);
    std::vector<float> own(group.rank == 2 ? 10 : 20);
    Value value = value_of(own);
    try {
      const Holder folded = all_reduce_slices(group, value, mixing());
      ADD_FAILURE() << "nothing was said";
    } catch (const Unlike& unlike) {
      EXPECT_EQ(unlike.from, group.rank == 2 ? 0 : 2);
      EXPECT_EQ(unlike.bytes, group.rank == 2 ? 80u : 40u);
    }
  });
}

TEST(FoldValues, KeepsTheBracketOfAnyNumberOfValues) {
  TestJob(1).run([] {
    for (int count = 1; count <= 20; ++count) {
      std::vector<std::vector<float>> values;
      std::vector<const std::byte*> where;
      for (int i = 0; i < count; ++i) values.push_back(terms(i, 5000));
      for (const auto& value : values) where.push_back(reinterpret_cast<const std::byte*>(value.data()));
      std::vector<float> result(5000);
      fold_values(here(), where, 5000 * sizeof(float), reinterpret_cast<std::byte*>(result.data()), mixing());
      expect_folded(result.data(), result.size(), count);
    }
  });
}

}  // namespace
}  // namespace kanor::rt::collectives
