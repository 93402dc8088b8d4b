// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What sharing saves, as KANOR_STATS counts it, and what is learnt from conflicts.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "exchange/test_globalised.hpp"

namespace kanor::rt {
namespace {

TEST(GlobalisedCounts, CountsWhatItSaves) {
  const auto body = [](bool shares, bool copies) {
    globalised<Array> a({"x.cpp", 1, "a"});
    fill(*a.get(), 0);
    const std::uint64_t bytes = sizeof(Array);
    abi::block block({test_file, 500, "test"}, {.copy = copies});
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, (i + 1) % world.size(), AT(a), i, SEND(a), i);
    });
    block.run();
    SharingCounts counts = block_counts();
    EXPECT_EQ(counts.shared_bytes, shares ? bytes : 0);
    EXPECT_EQ(counts.copied_bytes, shares ? 0 : 2 * bytes);
    abi::block next({test_file, 501, "test"}, {.copy = copies});
    next.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, (i + 1) % world.size(), AT(a), i, SEND(a.give()), i);
    });
    next.run();
    counts = block_counts();
    EXPECT_EQ(counts.handed_over_bytes, shares ? bytes : 0);
    EXPECT_EQ(counts.copied_bytes, shares ? 0 : 4 * bytes);
    if (world.size() > 1) {
      EXPECT_EQ(inflight_peak_bytes(here(), (world.rank() + 1) % world.size()) > bytes, true)
          << "memory that a message refers to counts as in flight";
    }
  };
  CountingJob(3).run([&] { body(true, false); });
  CountingJob(3, false).run([&] { body(true, false); });
  CountingJob(3).run([&] { body(false, true); });
  CountingJob reference(3), apart(3, false);
  reference.home.switches.sharing = false;
  reference.run([&] { body(false, false); });
  apart.transport.shares_memory = false;
  apart.run([&] {
    // Only to themselves do ranks that are apart share.
    globalised<Array> a;
    fill(*a.get(), 0);
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, i, AT(a), i, SEND(a), i);
    });
    block.run();
    EXPECT_EQ(block_counts().shared_bytes, sizeof(Array));
  });
}

TEST(GlobalisedCounts, OfAReductionFewBytesAreCopied) {
  CountingJob job(3);
  job.run([] {
    const bool receives = world.rank() == 0;
    globalised<Array> few;
    globalised<double[9'000]> many;
    fill(*few.get(), 1);
    fill(*many.get(), 1);
    globalised<Array> sum;
    globalised<double[9'000]> sums;
    reduce(sum, few, 0, abi::add, false);
    // The result is the one copy that its receiver makes.
    EXPECT_EQ(block_counts().shared_bytes, receives ? sizeof(Array) : 0);
    EXPECT_EQ(block_counts().copied_bytes, sizeof(Array));
    reduce(sums, many, 0, abi::add, false);
    EXPECT_EQ(block_counts().shared_bytes, sizeof(double[9'000]) + (receives ? sizeof(Array) : 0));
    EXPECT_EQ(block_counts().copied_bytes, sizeof(Array));
    if (receives) {
      EXPECT_EQ((*sum.get())[2'999], 3 * 3'000);
      EXPECT_EQ((*sums.get())[8'999], 3 * 9'000);
    }
  });
}

/// least_patience, most_patience: where the sender's writes always find that the receiver still needs the
/// value, copies are sent, with a look at sharing now and then; where they no longer do, sharing comes back.
TEST(GlobalisedCounts, ConflictsAreLearntFrom) {
  CountingJob job(2);
  job.run([] {
    globalised<Vector> a({test_file, 1, "a"}, [](void*at) { ::new (at) Vector(5'000, 1); }), b;
    const auto once = [&](bool conflicts, int turn) {
      shift(b, a);
      if (!conflicts) {
        b.release();
        // Both have let go once both have come here.
        globalised<Vector> token;
        shift(token, token);
        shift(token, token);
      }
      (*a.acquire())[0] = turn;
    };
    for (int turn = 0; turn < 400; ++turn) once(true, turn);
    const SharingCounts& kept = *SharingCounters::at(here(), test_file, 1, "a");
    const auto conflicts = kept.conflict_bytes / (5'000 * sizeof(int));
    EXPECT_GE(conflicts, 2u);
    EXPECT_LE(conflicts, 12u);
    EXPECT_EQ((*b.get())[0], 398);
    for (int turn = 0; turn < 1'200; ++turn) once(false, turn);
    const auto shared_before = block_counts().shared_bytes;
    for (int turn = 0; turn < 50; ++turn) once(false, turn);
    EXPECT_GE(block_counts().shared_bytes, shared_before + 50 * 5'000 * sizeof(int));
    EXPECT_EQ(kept.conflict_bytes / (5'000 * sizeof(int)), conflicts);
  });
}

// From least_shared_bytes on a copy on conflict is no reason to send copies.
TEST(GlobalisedCounts, ConflictsOfManyBytesAreNone) {
  CountingJob job(2);
  job.run([] {
    for (const std::size_t bytes : {(1 << 20) - 4, 1 << 20}) {
      globalised<Vector> a([&](void*at) { ::new (at) Vector(bytes / 4, 1); }), b;
      shift(b, a);
      (*a.acquire())[0] = 2;
      const auto shared_before = block_counts().shared_bytes;
      shift(b, a);
      EXPECT_EQ(block_counts().shared_bytes - shared_before, bytes < 1 << 20 ? 0 : bytes);
      EXPECT_EQ((*b.get())[0], 2);
    }
  });
}

// A block copies for as many receivers as most_copied_again_bytes allows: here for one other rank and two.
TEST(GlobalisedCounts, ABlockCopiesForFewReceivers) {
  for (const std::size_t bytes : {16384, 16388}) {
    CountingJob job(3);
    job.run([&] {
      globalised<Vector> a([&](void*at) { ::new (at) Vector(bytes / 4, 1); }), b;
      for (int turn = 0; turn < 40; ++turn) {
        const auto before = block_counts().shared_bytes;
        BLOCK;
        block.assign(SITE, [&](auto& bind) {
          for (const auto i : abi::each(world)) binding(bind, i, AT(b), 0, SEND(a));
        });
        block.run();
        // The write finds its own `b` holding the value: 16 blocks copy, and, as that comes again at
        // once, 32.
        const bool shares = turn == 0 || turn == 17;
        const std::size_t sharing = world.rank() != 0 ? 0 : shares ? 3 : bytes > 16384 ? 1 : 0;
        EXPECT_EQ(block_counts().shared_bytes - before, sharing * bytes) << "in turn " << turn;
        (*a.acquire())[0] = turn;
      }
    });
  }
}

TEST(GlobalisedCounts, WhatWasNotCopiedToItsEndIsNoConflict) {
  using Large = double[60'000];
  static std::atomic<int> received, writing;
  received = writing = -1;
  CountingJob job(2);
  job.run([] {
    const SharingCounts& own = *SharingCounters::at(here(), test_file, 1, "a");
    for (int round = 0; round < 50; ++round) {
      globalised<Large> a({test_file, 1, "a"}), b;
      const auto send = [&] {
        BLOCK;
        block.assign(SITE, [&](auto& bind) { binding(bind, 1, AT(b), 0, SEND(a)); });
        block.run();
      };
      send();
      if (world.rank() == 1) {
        received = round;
        while (writing < round) continue;
        b.release();
        send();
        continue;
      }
      while (received < round) std::this_thread::yield();
      const auto copies = own.abandoned_copies, shared = block_counts().shared_bytes;
      writing = round;
      (*a.acquire())[0] = round;
      const bool was_abandoned = own.abandoned_copies > copies;
      send();
      if (was_abandoned) {
        EXPECT_EQ(block_counts().shared_bytes, shared + sizeof(Large)) << "in round " << round;
      }
    }
  });
}

TEST(GlobalisedCounts, LearningMayBeSwitchedOff) {
  CountingJob job(2);
  job.home.switches.learning = false;
  job.run([] {
    globalised<Vector> a({test_file, 1, "a"}, [](void*at) { ::new (at) Vector(5'000, 1); }), b;
    for (int turn = 0; turn < 40; ++turn) {
      shift(b, a);
      (*a.acquire())[0] = turn;
    }
    EXPECT_EQ(block_counts().shared_bytes, 40 * 5'000 * sizeof(int));
    EXPECT_EQ(block_counts().copied_bytes, 0u);
    EXPECT_EQ((*b.get())[0], 38);
  });
}

// Vectors' elements are in the sender's address space.
TEST(GlobalisedCounts, VectorsAreSharedWithAddresses) {
  for (const bool addresses : {true, false}) {
    CountingJob(2, addresses).run([&] {
      globalised<Vector> v([](void* at) { ::new (at) Vector(100, 1); });
      shift(v, v);
      EXPECT_EQ(block_counts().shared_bytes, addresses ? 400u : 0u);
      EXPECT_EQ(block_counts().copied_bytes, addresses ? 0u : 800u);
    });
  }
}

}  // namespace
}  // namespace kanor::rt
