// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "collectives/collectives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "transport/test_job.hpp"

namespace kanor::rt::collectives {
namespace {

constexpr std::uint64_t context = 7, head = 0x1234;

void fail_head(const Group&, int from, std::uint64_t its_head, std::size_t) {
  ADD_FAILURE() << "from " << from << ": head " << its_head;
  std::abort();
}

/// The calling rank's view of its world, in collective number `sequence`.
Group world_group(std::uint64_t sequence) {
  Rank& rank = here();
  return {rank, rank_number(rank), team_size(rank), nullptr, context, sequence, head, fail_head};
}

/// Runs `body(group)` on every rank of jobs of 1 to 17 and of 33 ranks.
template <class Body>
void on_all_sizes(Body body) {
  for (int size = 1; size <= 33; size = size == 17 ? 33 : size + 1) {
    SCOPED_TRACE(testing::Message() << size << " ranks");
    TestJob(size).run([&] { body(); });
  }
}

/// Neither associative nor commutative, so that the bits tell who was folded with whom, and in which order.
float mix(float a, float b) { return a * 0.75f + b * 1.25f + a * b * 0.001f; }

template <std::size_t length>
void apply_mix(void*, std::byte* into, std::byte* other) {
  auto* a = reinterpret_cast<float*>(into);
  auto* b = reinterpret_cast<float*>(other);
  for (std::size_t i = 0; i < length; ++i) {
    a[i] = mix(a[i], b[i]);
    b[i] = -1;  // allowed: it is not used again
  }
}

float term(int rank, std::size_t element) {
  return 1.0f + 0.37f * static_cast<float>(rank) + static_cast<float>(element);
}

/// F as the language defines it, of the terms of ranks begin ... end - 1.
float bracket(int begin, int end, std::size_t element) {
  const int count = end - begin;
  if (count == 1) return term(begin, element);
  int first = 1;
  while (2 * first < count) first *= 2;
  return mix(bracket(begin, begin + first, element), bracket(begin + first, end, element));
}

template <std::size_t length>
struct Floats {
  alignas(64) float element[length];
  explicit Floats(int rank) {
    for (std::size_t i = 0; i < length; ++i) element[i] = term(rank, i);
  }
  Value value() { return {reinterpret_cast<std::byte*>(element), sizeof element, alignof(float)}; }
  /// The root's; the others are told the alignment alone.
  /// Returns what holds the value, and where it lies.
  std::pair<Holder, const std::byte*> take(const Group& group, int root, Algorithm algorithm) {
    Value given = group.rank == root ? value() : Value{nullptr, 0, alignof(float)};
    Holder holder = broadcast(group, root, given, algorithm);
    EXPECT_EQ(given.bytes, sizeof element);
    if (group.rank != root) std::memcpy(element, given.data, given.bytes);
    return {std::move(holder), given.data};
  }
  void expect(int begin, int end) const {
    for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(element[i], bracket(begin, end, i)) << "element " << i;
  }
};

TEST(Broadcast, GivesEveryMemberTheRootsValue) {
  on_all_sizes([] {
    const int size = team_size(here());
    for (int root = 0; root < size; ++root) {
      for (const Algorithm algorithm : {Algorithm::steps, Algorithm::star}) {
        const Group group =
            world_group(static_cast<std::uint64_t>(2 * root) + (algorithm == Algorithm::star));
        Floats<3> floats(group.rank);
        floats.take(group, root, algorithm);
        floats.expect(root, root + 1);
      }
    }
  });
}

/// Broadcasts values of `length` floats from each rank in turn. Returns true if all but the root have read
/// one memory each time, and false if each has read its own.
template <std::size_t length>
bool all_read_one(int size, Algorithm algorithm) {
  std::vector<std::set<const std::byte*>> read(static_cast<std::size_t>(size));
  std::mutex lock;
  TestJob(size).run([&] {
    for (int root = 0; root < size; ++root) {
      const Group group = world_group(static_cast<std::uint64_t>(root));
      auto floats = std::make_unique<Floats<length>>(group.rank);
      const auto held = floats->take(group, root, algorithm);
      floats->expect(root, root + 1);
      if (group.rank != root) {
        const std::lock_guard guard(lock);
        read[static_cast<std::size_t>(root)].insert(held.second);
      }
      group.meet(64);  // before anybody gives memory back
    }
  });
  const auto many = [&](const auto& of_one) { return of_one.size() > 1; };
  EXPECT_TRUE(std::ranges::none_of(read, many) || std::ranges::all_of(read, many));
  return read.front().size() == 1;
}

// The `least_shared_bytes` of a broadcast, from both sides.
TEST(Broadcast, OfLongValuesIsOneMessageThatAllRead) {
  for (const int size : {3, 4, 9, 17, 33}) {
    SCOPED_TRACE(testing::Message() << size << " ranks");
    for (const Algorithm algorithm : {Algorithm::steps, Algorithm::star}) {
      EXPECT_TRUE(all_read_one<2048>(size, algorithm));
      EXPECT_TRUE(all_read_one<5000>(size, algorithm));
      EXPECT_FALSE(all_read_one<2047>(size, algorithm));
    }
  }
}

// The last reader gives the message back: what was in flight at one time is all the memory that is taken.
TEST(Broadcast, SharedMessagesAreGivenBackAndCounted) {
  constexpr std::size_t bytes = 400'000;
  TestJob job(3, true, 4 * bytes);
  job.run([] {
    std::vector<std::byte> room(bytes);
    for (std::uint64_t i = 0; i < 300; ++i) {
      const Group group = world_group(i);
      Value value{room.data(), bytes, 1};
      broadcast(group, static_cast<int>(i) % 3, value);
      EXPECT_LE(inflight_peak_bytes(group.owner, (group.rank + 1) % 3), 4 * bytes);
    }
  });
  EXPECT_LT(job.local.segment().used_bytes(), std::size_t{64} << 20);
}

TEST(AllReduce, KeepsTheBracket) {
  on_all_sizes([] {
    for (std::uint64_t i = 0; i < 5; ++i) {
      const Group group = world_group(i);
      Floats<1> floats(group.rank);
      all_reduce(group, floats.value(), {apply_mix<1>, nullptr});
      floats.expect(0, group.size);
    }
  });
}

TEST(AllReduce, OfLongValues) {
  on_all_sizes([] {
    const Group group = world_group(0);
    Floats<300> floats(group.rank);
    all_reduce(group, floats.value(), {apply_mix<300>, nullptr});
    floats.expect(0, group.size);
  });
}

TEST(Scan, InclusiveKeepsTheBracket) {
  on_all_sizes([] {
    for (std::uint64_t i = 0; i < 5; ++i) {
      const Group group = world_group(i);
      Floats<2> floats(group.rank);
      scan(group, Scan::inclusive, floats.value(), {apply_mix<2>, nullptr});
      floats.expect(0, group.rank + 1);
    }
  });
}

TEST(Scan, ExclusiveKeepsTheBracketAndMemberZero) {
  on_all_sizes([] {
    for (std::uint64_t i = 0; i < 5; ++i) {
      const Group group = world_group(i);
      Floats<2> floats(group.rank);
      scan(group, Scan::exclusive, floats.value(), {apply_mix<2>, nullptr});
      group.rank == 0 ? floats.expect(0, 1) : floats.expect(0, group.rank);
    }
  });
}

TEST(AllGather, GivesAllValuesInOrder) {
  on_all_sizes([] {
    const Group group = world_group(0);
    Floats<3> floats(group.rank);
    std::vector<float> all(static_cast<std::size_t>(3 * group.size));
    all_gather(group, floats.value(), reinterpret_cast<std::byte*>(all.data()));
    for (int member = 0; member < group.size; ++member)
      for (std::size_t i = 0; i < 3; ++i)
        ASSERT_EQ(all[static_cast<std::size_t>(member) * 3 + i], term(member, i));
  });
}

TEST(Group, MembersOfATeamHaveNumbersOfTheirOwn) {
  static constexpr int members[] = {4, 1, 3};
  TestJob(5).run([] {
    Rank& rank = here();
    for (int number = 0; number < 3; ++number) {
      if (members[number] != rank_number(rank)) continue;
      const Group group{rank, number, 3, members, context, 1, head, fail_head};
      Floats<1> floats(number);
      all_reduce(group, floats.value(), {apply_mix<1>, nullptr});
      floats.expect(0, 3);
    }
  });
}

// Alignments above a message's head are kept, for the operation.
TEST(Group, ValuesAreAligned) {
  TestJob(6).run([] {
    const Group group = world_group(0);
    Floats<1> floats(group.rank);
    all_reduce(group, {reinterpret_cast<std::byte*>(floats.element), sizeof floats.element, 64},
               {[](void*, std::byte* into, std::byte* other) {
                  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(into) % 64, 0u);
                  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(other) % 64, 0u);
                  apply_mix<1>(nullptr, into, other);
                },
                nullptr});
    floats.expect(0, group.size);
  });
}

// Nobody waits for members that have nothing to tell it: here the others enter only once the one is through.
TEST(Collectives, TheOneThatGetsNothingDoesNotWait) {
  std::atomic<bool> through{false};
  const auto first = [&](int number) {
    const bool mine = rank_number(here()) == number;
    if (!mine)
      while (!through.load()) std::this_thread::yield();
    return mine;
  };
  TestJob(9).run([&] {
    Floats<1> floats(rank_number(here()));
    const bool mine = first(4);
    floats.take(world_group(0), 4, Algorithm::steps);
    if (mine) through = true;
  });
  through = false;
  TestJob(9).run([&] {
    std::vector<std::byte> room(10'000);
    const bool mine = first(4);
    Value value{room.data(), room.size(), 1};
    broadcast(world_group(0), 4, value);
    if (mine) through = true;
  });
  for (const Scan kind : {Scan::inclusive, Scan::exclusive}) {
    through = false;
    TestJob(9).run([&] {
      Floats<1> floats(rank_number(here()));
      const bool mine = first(0);
      scan(world_group(0), kind, floats.value(), {apply_mix<1>, nullptr});
      if (mine) through = true;
    });
  }
}

}  // namespace
}  // namespace kanor::rt::collectives
