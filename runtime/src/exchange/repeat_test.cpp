// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that are repeated; written as kanorc emits them.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"
#include "kanor/abi/globalised.hpp"

namespace kanor::rt {
namespace {

using abi::globalised;
using Array = double[1'000];
using Vector = std::vector<int>;

constexpr const char* broadcast_form = "i: 0 .. $0 - 1; to i; from $1; is broadcast";
constexpr const char* shift_form = "i: 0 .. $0 - 1; to (i + $1) % $0; from i; is shift";

/// `place@i <<= value@root where i in team`; how often the bindings were asked for is added to `asked`.
template <class Place, class Value>
void broadcast(Place& place, const Value& value, int root, int& asked, const team& team = world) {
  abi::exchange({test_file, 31, "test"}, {.team = team}, {31, "a statement", "i", 0, broadcast_form},
                {team.size(), root}, place, value, [&](auto& bind) {
                  ++asked;
                  for (const auto i : bind.only(0, abi::each(team)))
                    binding(bind, i, AT(place), root, SEND(value), i);
                });
}

/// `place@(i + distance) % n <<= value@i where i in team`.
template <class Place, class Value, class Distance>
void shift(Place& place, const Value& value, Distance distance, int& asked, const team& team = world,
           int line = 41) {
  abi::exchange({test_file, line, "test"}, {.team = team}, {line, "a statement", "i", 0, shift_form},
                {team.size(), distance}, place, value, [&](auto& bind) {
                  ++asked;
                  for (const auto i : bind.only(0, abi::each(team)))
                    binding(bind, static_cast<int>((i + distance) % static_cast<Distance>(team.size())),
                            AT(place), i, SEND(value), i);
                });
}

void fill(Array& array, double value) {
  for (int i = 0; i < 1'000; ++i) array[i] = value + i;
}
bool is_filled(const Array& array, double value) {
  for (int i = 0; i < 1'000; ++i)
    if (array[i] != value + i) return false;
  return true;
}

int from(int distance) { return (world.rank() + world.size() - distance % world.size()) % world.size(); }

TEST(Repeat, AsksOnceForEachListOfLeaves) {
  for (const int ranks : {1, 2, 3, 5}) {
    TestJob(ranks).run([] {
      globalised<Array> a, b;
      globalised<Vector> v, w;
      int asked = 0;
      for (int turn = 0; turn < 40; ++turn) {
        const int root = turn / 2 % world.size(), distance = turn % 2;
        fill(*a.overwrite(), 100 * turn + world.rank());
        broadcast(b, a, root, asked);
        EXPECT_TRUE(is_filled(*b.get(), 100 * turn + root));
        v.overwrite()->assign(static_cast<std::size_t>(turn + world.rank()), turn);
        shift(w, v.give(), distance, asked);
        EXPECT_EQ(*w.get(), Vector(static_cast<std::size_t>(turn + from(distance)), turn));
        EXPECT_EQ(v.get(), nullptr);
        shift(b, b.give(), 1, asked);  // gives, and receives
        EXPECT_TRUE(is_filled(*b.get(), 100 * turn + root));
      }
      // Once for what the rank sends, and once for what it receives, of each root and both distances.
      EXPECT_EQ(asked, 2 * (world.size() + 2));
    });
  }
}

/// Executes blocks whose value is written at once, on so many ranks. Returns how often the sender has copied
/// its vector to write it, whose bytes are one of `bytes` in each turn.
int copies_of_writes(int ranks, std::vector<std::size_t> bytes) {
  std::atomic<int> copies{0};
  TestJob(ranks).run([&] {
    globalised<Array> a, b;
    globalised<Vector> v([](void*at) { ::new (at) Vector(500); }), w;
    int asked = 0, moved = 0;
    for (int turn = 0; turn < 60; ++turn) {
      const std::size_t length = bytes[static_cast<std::size_t>(turn) % bytes.size()] / sizeof(int);
      (*a.acquire())[0] = turn;
      v.acquire()->resize(length);
      (*v.acquire())[1] = turn;
      broadcast(b, a, 1, asked);
      broadcast(w, v, 1, asked);
      const Vector* const sent = v.get();
      (*a.acquire())[0] = -1;
      (*v.acquire())[1] = -1;
      moved += v.get() != sent;
      EXPECT_EQ((*b.get())[0], turn);
      EXPECT_EQ((*w.get())[1], turn);
      EXPECT_EQ(w.get()->size(), length);
    }
    EXPECT_EQ(asked, 2);
    copies += moved;
  });
  return copies;
}

/// The same for a vector of so many bytes that a block gives to all ranks, the sender among them.
int copies_of_writes_of_given(int ranks, std::size_t bytes) {
  std::atomic<int> copies{0};
  TestJob(ranks).run([&] {
    globalised<Vector> v([=](void* at) { ::new (at) Vector(bytes / sizeof(int)); });
    int asked = 0;
    for (int turn = 0; turn < 60; ++turn) {
      if (world.rank() == 1) (*v.acquire())[1] = turn;
      broadcast(v, v.give(), 1, asked);
      EXPECT_EQ((*v.get())[1], turn);
      EXPECT_EQ(v.get()->size(), bytes / sizeof(int));
      if (world.rank() != 1) continue;
      const Vector* const sent = v.get();
      (*v.acquire())[1] = -1;
      copies += v.get() != sent;
    }
  });
  return copies;
}

// From both sides of most_copied_again_bytes.
TEST(Repeat, CopiesWhatAllAreGivenForFewReceivers) {
  constexpr int few = 6, many = 50;  // a receiver that has ended no longer uses the last
  EXPECT_LE(copies_of_writes_of_given(2, 100'000), few);
  EXPECT_LE(copies_of_writes_of_given(3, 16384), few);
  EXPECT_GE(copies_of_writes_of_given(3, 16388), many) << "one copy by the write, not one for each receiver";
}

TEST(Repeat, CopiesForFewReceiversWhereSharingEndsInCopies) {
  constexpr int few = 6;  // what was sent as a copy need not be copied when it is written
  EXPECT_LE(copies_of_writes(2, {2000, 100'000, 2004}), few);
  EXPECT_LE(copies_of_writes(3, {2000, 2004, 16384}), few);
  EXPECT_EQ(copies_of_writes(3, {16388, 20'000}), 60) << "one copy by the write, not one for each receiver";
  EXPECT_LE(copies_of_writes(5, {5460}), few);
  EXPECT_EQ(copies_of_writes(5, {5464}), 60);
}

TEST(Repeat, TeamsHaveRanksOfTheirOwn) {
  TestJob(6).run([] {
    const team half = world.split(world.rank() % 2, world.rank());
    const team side = world.split(world.rank() / 3, -world.rank());
    globalised<Array> a, b;
    int asked = 0;
    for (int turn = 0; turn < 9; ++turn) {
      for (const team& team : {half, side, world}) {
        fill(*a.overwrite(), 100 * turn + world.rank());
        shift(b, a, 1, asked, team);
        const int left = (team.rank() + team.size() - 1) % team.size();
        EXPECT_TRUE(is_filled(*b.get(), 100 * turn + team.world_rank(left)));
      }
    }
    // Members with one number in teams of one size have a plan in common.
    EXPECT_EQ(asked, 2 * (half.rank() == side.rank() ? 2 : 3));
  });
}

TEST(Repeat, NotWhereItWouldNotBeTheSame) {
  const auto asks_always = [](TestJob& job) {
    job.run([] {
      globalised<Vector> v([](void* at) { ::new (at) Vector(700, world.rank()); });
      int asked = 0;
      for (int turn = 0; turn < 7; ++turn) shift(v, v.give(), 1, asked);
      EXPECT_EQ(*v.get(), Vector(700, from(7)));
      EXPECT_GE(asked, 7);
      if (switches(here()).check) finish_checks();
    });
  };
  for (bool Switches::*off : {&Switches::repeat, &Switches::plan, &Switches::cache, &Switches::sharing}) {
    TestJob job(2);
    job.home.switches.*off = false;
    asks_always(job);
  }
  TestJob counts(2), checked(2), apart(2, false);
  counts.home.switches.statistics = true;
  checked.home.switches.check = true;
  checked.home.switches.plan = checked.home.switches.cache = checked.home.switches.patterns = false;
  asks_always(counts);
  asks_always(checked);
  asks_always(apart);
}

TEST(Repeat, BytesNeedNoCommonAddresses) {
  TestJob(3, false).run([] {
    globalised<Array> a;
    int asked = 0;
    fill(*a.get(), world.rank());
    for (int turn = 0; turn < 10; ++turn) shift(a, a.give(), 1, asked);
    EXPECT_TRUE(is_filled(*a.get(), from(10)));
    EXPECT_EQ(asked, 2);
  });
}

TEST(Repeat, ValuesOfAnotherTypeMayTravelOtherwise) {
  // The vectors are broadcast as plain values, by a collective operation; the plan is that of the arrays.
  TestJob(3, false).run([] {
    globalised<Vector> v([](void*at) { ::new (at) Vector(1'000, world.rank()); }), w;
    globalised<Array> a, b;
    fill(*a.get(), world.rank());
    int asked = 0;
    for (int turn = 0; turn < 5; ++turn) {
      broadcast(w, v, 2, asked);
      EXPECT_EQ(*w.get(), Vector(1'000, 2));
      broadcast(b, a, 2, asked);
      EXPECT_TRUE(is_filled(*b.get(), 2));
      b.release();
    }
  });
}

TEST(Repeat, MoreListsThanArePlanned) {
  TestJob(3).run([] {
    globalised<Array> a, b;
    fill(*a.get(), world.rank());
    int asked = 0;
    for (int turn = 0; turn < 60; ++turn) {
      const int distance = turn / 3 % 20;
      shift(b, a, distance, asked);
      EXPECT_TRUE(is_filled(*b.get(), from(distance)));
      b.release();
    }
    EXPECT_EQ(asked, 2 * 20);
  });
}

TEST(Repeat, NumbersThatNoPlanKnowsAreAskedAlways) {
  TestJob(2).run([] {
    globalised<Array> a, b;
    fill(*a.get(), world.rank());
    int asked = 0;
    for (unsigned long long turn = 0; turn < 6; ++turn) {
      shift(b, a, (1ull << 63) + turn, asked);
      EXPECT_TRUE(is_filled(*b.get(), from(static_cast<int>(turn))));
      b.release();
    }
    EXPECT_EQ(asked, 6);
  });
}

TEST(Repeat, MoreMessagesThanARingHolds) {
  for (const std::size_t inflight : {std::size_t{8} << 20, std::size_t{20'000}}) {
    TestJob(2, true, inflight).run([] {
      globalised<Array> a, b;
      int asked = 0;
      fill(*a.get(), world.rank());
      for (int turn = 0; turn < 2'000; ++turn) {
        broadcast(b, a, 0, asked);
        // What has come is kept for a while by the one, and not by the other.
        if (world.rank() == 0 || turn % 3 == 0) b.release();
      }
      broadcast(b, a, 0, asked);
      EXPECT_TRUE(is_filled(*b.get(), 0));
      EXPECT_EQ(asked, 2);
    });
  }
}

// `most`, and one more.
TEST(ShortMessages, AreAsManyAsABlockMayKeep) {
  ShortMessages messages;
  std::set<Message*> taken;
  while (Message* const message = messages.take()) {
    EXPECT_EQ(message->owner, no_pool);
    EXPECT_EQ(message->envelope.bytes, ShortMessage::most_bytes);
    message->envelope.bytes = 1;
    taken.insert(message);
  }
  EXPECT_EQ(taken.size(), 64u);
  messages.give_back();
  EXPECT_TRUE(taken.contains(messages.take()));
  EXPECT_EQ(messages.take(), nullptr);
  messages.give_back_all();
  Message* const again = messages.take();
  EXPECT_TRUE(taken.contains(again));
  EXPECT_EQ(again->envelope.bytes, ShortMessage::most_bytes);
}

/// More receivers than there are short messages: the rest lies in the pool.
TEST(ShortMessages, OfMoreReceivers) {
  TestJob(80).run([] {
    globalised<Array> a, b;
    fill(*a.get(), world.rank());
    int asked = 0;
    for (int turn = 0; turn < 3; ++turn) {
      broadcast(b, a, 79, asked);
      EXPECT_TRUE(is_filled(*b.get(), 79));
      b.release();
    }
  });
}

TEST(Repeat, Errors) {
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [] {
                                    globalised<Array> a({"f.cpp", 3, "a"}), b;
                                    int asked = 0;
                                    broadcast(b, a, 0, asked);
                                    broadcast(b, a, 0, asked);
                                    a.release();
                                    broadcast(b, a, 0, asked);
                                  }),
              testing::ExitedWithCode(1), "'a' is sent, but was released or given away before");
  EXPECT_EXIT(TestJob(2).run([] {
    globalised<Array> a;
    int asked = 0;
    for (int turn = 0; turn < 3; ++turn)
      shift(a, a.give(), 1, asked, world, turn == 2 && world.rank() == 1 ? 99 : 41);
  }),
              testing::ExitedWithCode(1),
              "is in the block at test.cpp:(41|99) while this rank is in the block at test.cpp:(41|99)");
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [] {
                                    globalised<Array> a, b;
                                    int asked = 0, inner = 0;
                                    broadcast(b, a, 0, asked);
                                    abi::block block({test_file, 7, "test"});
                                    block.assign({8, "a statement", ""}, [&](auto& bind) {
                                      broadcast(b, a, 0, asked);
                                      binding(bind, 0, AT(inner), 0, SEND(inner));
                                    });
                                  }),
              testing::ExitedWithCode(1), "is reached while the block at test.cpp:7 is being evaluated");
}

}  // namespace
}  // namespace kanor::rt
