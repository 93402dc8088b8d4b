// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks with variables whose memory ranks share; written as kanorc emits them.
#include "kanor/abi/globalised.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "exchange/test_globalised.hpp"

namespace kanor::rt {
namespace {

TEST(GlobalisedBlock, Shift) {
  on_all_kinds_of_jobs([] {
    const int me = world.rank();
    globalised<Array> a;
    globalised<Vector> v;
    for (int round = 0; round < 5; ++round) {
      fill(*a.overwrite(), 10 * me + round);
      v.overwrite()->assign(static_cast<std::size_t>(me + round), me);
      shift(a, a);
      shift(v, v);
      expect_filled(*a.get(), 10 * left_of(me) + round);
      EXPECT_EQ(*v.get(), Vector(static_cast<std::size_t>(left_of(me) + round), left_of(me)));
      // What one rank changes is no other's.
      (*a.acquire())[0] = -1;
      v.acquire()->push_back(-1);
      shift(a, a);
      shift(v, v);
      EXPECT_EQ((*a.get())[0], -1.0);
      EXPECT_EQ((*a.get())[1], 10 * left_of(left_of(me)) + round + 1);
      EXPECT_EQ(v.get()->back(), -1);
    }
  });
}

TEST(GlobalisedBlock, PlainOnOneSide) {
  on_all_kinds_of_jobs([] {
    const int me = world.rank(), left = left_of(me);
    globalised<Array> a, other;
    auto plain = std::make_unique<std::array<double, 3'000>>();
    auto floats = std::make_unique<float[][3'000]>(1);
    fill(*a.get(), me);
    shift(*plain, a);
    EXPECT_EQ((*plain)[2'999], left + 2'999);
    shift(floats[0], a);
    EXPECT_EQ(floats[0][7], left + 7.0f);
    shift(other, *plain);
    expect_filled(*other.get(), left_of(left));
    shift(a, floats[0]);
    expect_filled(*a.get(), left_of(left));

    globalised<Vector> v, w;
    Vector list(static_cast<std::size_t>(me + 2), me);
    shift(v, list);
    EXPECT_EQ(*v.get(), Vector(static_cast<std::size_t>(left + 2), left));
    shift(list, v);
    EXPECT_EQ(list.size(), static_cast<std::size_t>(left_of(left) + 2));
    *v.overwrite() = {1, 2, 3};
    globalised<int[3]> three;
    shift(three, v);
    EXPECT_EQ((*three.get())[2], 3);
    shift(v, three);
    EXPECT_EQ(*v.get(), (Vector{1, 2, 3})) << "still held by whom it was sent to";
  });
}

TEST(GlobalisedBlock, IsASnapshot) {
  on_all_kinds_of_jobs([] {
    const int me = world.rank(), n = world.size();
    globalised<Array> a, b;
    fill(*a.get(), me);
    fill(*b.get(), 100 + me);
    {
      BLOCK;
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, (i + 1) % n, AT(a), i, SEND(b), i);
      });
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, (i + n - 1) % n, AT(b), i, SEND(a), i);
      });
      block.run();
    }
    expect_filled(*a.get(), 100 + left_of(me));
    expect_filled(*b.get(), (me + 1) % n);

    // To itself: one memory, until one of the two is written.
    globalised<Array> c;
    {
      BLOCK;
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, i, AT(c), i, SEND(a), i);
      });
      block.run();
    }
    expect_filled(*c.get(), 100 + left_of(me));
    fill(*a.acquire(), 7);
    expect_filled(*c.get(), 100 + left_of(me));
    // And onto itself.
    {
      BLOCK;
      block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(a), 0, SEND(a)); });
      block.run();
    }
    expect_filled(*a.get(), 7);
  });
}

TEST(GlobalisedBlock, OneForAll) {
  on_all_kinds_of_jobs([] {
    const int me = world.rank(), n = world.size();
    for (int round = 0; round < 6; ++round) {
      const int root = round % n;
      globalised<Array> a;
      globalised<Vector> v;
      fill(*a.get(), me);
      if (me == root) *v.overwrite() = Vector(20'000, me);
      broadcast(a, root, round > 3);
      broadcast(v, root, round > 3);
      expect_filled(*a.get(), root);
      EXPECT_EQ(*v.get(), Vector(20'000, root));
      if (me % 2 == 0) fill(*a.acquire(), 50 + me);
      if (me % 2 == 1) v.overwrite()->clear();
      expect_filled(*a.get(), me % 2 == 0 ? 50 + me : root);

      globalised<int[4]> few, all[2];
      std::fill(std::begin(*few.get()), std::end(*few.get()), me);
      std::vector<globalised<int[4]>> got(static_cast<std::size_t>(n));
      BLOCK;
      block.assign(FORM(all_gather_form), {n}, [&](auto& bind) {
        for (const auto i : bind.only(0, abi::each(world)))
          for (const auto j : bind.only(1, abi::each(world)))
            binding(bind, i, AT(got[static_cast<std::size_t>(j)]), j, SEND(few), i, j);
      });
      block.run();
      for (int rank = 0; rank < n; ++rank) EXPECT_EQ((*got[static_cast<std::size_t>(rank)].get())[3], rank);
    }
  });
}

double mix(double a, double b) { return a * 0.75 + b * 1.25 + 0.001 * a * b; }

// The same bits as of plain variables.
template <std::size_t length>
void test_reductions() {
  on_all_kinds_of_jobs([] {
    const int me = world.rank();
    globalised<double[length]> a, b;
    auto plain = std::make_unique<double[][length]>(2);
    Vector list(2 * length, me), sum;
    globalised<Vector> v([&](void*at) { ::new (at) Vector(list); }), w;
    const auto start = [&] {
      fill(*a.overwrite(), 0.37 * me);
      fill(plain[0], 0.37 * me);
    };
    for (const bool give : {false, true}) {
      for (const int first : {0, world.size() - 1}) {
        start();
        reduce(b, a, first, mix, give);
        reduce(plain[1], plain[0], first, mix, false);
        if (me == 0) {
          EXPECT_TRUE(std::equal(std::begin(*b.get()), std::end(*b.get()), std::begin(plain[1])));
        }
        if (!give) expect_filled(*a.get(), 0.37 * me);
        EXPECT_EQ(a.get() == nullptr, give && me >= first && gives());
        start();
        fill(plain[1], 0);
        reduce(plain[1], a, first, abi::add, give);
        fill(*b.overwrite(), 0);
        reduce(b, plain[0], first, abi::add, false);
        EXPECT_TRUE(std::equal(std::begin(*b.get()), std::end(*b.get()), std::begin(plain[1])));
      }
      reduce(w, v, 0, abi::add, give);
      reduce(sum, list, 0, abi::add, false);
      if (me == 0) {
        EXPECT_EQ(*w.get(), sum);
      }
      *v.overwrite() = list;
    }
    start();
    all_reduce(b, a, mix);
    all_reduce(plain[1], plain[0], mix);
    EXPECT_TRUE(std::equal(std::begin(*b.get()), std::end(*b.get()), std::begin(plain[1])));
    all_reduce(a, a, mix);
    EXPECT_TRUE(std::equal(std::begin(*a.get()), std::end(*a.get()), std::begin(plain[1])));
    all_reduce(w, v, abi::max);
    EXPECT_EQ(*w.get(), Vector(2 * length, world.size() - 1));
    EXPECT_EQ(*v.get(), list) << "the others only read it";

    // Callables that take whole values, of which they may spoil the second.
    using Four = std::array<int, 4>;
    globalised<Four> four([&](void*at) { ::new (at) Four{me, 1, 2, 3}; }), result;
    const auto whole = [](Four x, Four&& y) {
      x[0] += y[0];
      y = {};
      return x;
    };
    all_reduce(result, four, whole);
    EXPECT_EQ((*result.get())[0], world.size() * (world.size() - 1) / 2);
    EXPECT_EQ(*four.get(), (Four{me, 1, 2, 3}));
    const auto longer = [](const Vector& x, const Vector& y) { return y.size() > x.size() ? y : x; };
    v.overwrite()->assign(static_cast<std::size_t>(3 * me), me);
    all_reduce(w, v, longer);
    EXPECT_EQ(w.get()->size(), static_cast<std::size_t>(3 * (world.size() - 1)));
    EXPECT_EQ(v.get()->size(), static_cast<std::size_t>(3 * me));
  });
}

// In messages, and in regions: around least_folded_bytes.
TEST(GlobalisedBlock, ReductionsOfFewBytes) { test_reductions<4'095>(); }
TEST(GlobalisedBlock, ReductionsOfManyBytes) { test_reductions<4'096>(); }

// Several places of one reduction, found in binding order.
TEST(GlobalisedBlock, ReductionsOfSeveralPlaces) {
  on_all_kinds_of_jobs([] {
    const int me = world.rank(), n = world.size();
    globalised<Array> values, sums[2];
    fill(*values.get(), me);
    BLOCK;
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world))
        for (const auto j : abi::each(world)) binding(bind, i, AT(sums[j % 2]), j, SEND(values), i, j);
    });
    block.run();
    for (int odd = 0; odd < std::min(n, 2); ++odd) {
      double sum = 0, count = 0;
      for (int rank = odd; rank < n; rank += 2, ++count) sum += rank;
      EXPECT_EQ((*sums[odd].get())[10], sum + 10 * count);
    }
    expect_filled(*values.get(), me);
  });
}

TEST(GlobalisedBlock, Given) {
  on_all_kinds_of_jobs([] {
    const int me = world.rank(), n = world.size();
    globalised<Array> a;
    globalised<Vector> v;
    fill(*a.get(), me);
    for (int round = 0; round < n + 1; ++round) {
      v.overwrite()->assign(3, me);
      BLOCK;
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, (i + 1) % n, AT(a), i, SEND(a.give()), i);
      });
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, (i + 1) % n, AT(v), i, SEND(v.give()), i);
      });
      block.run();
      EXPECT_EQ(*v.get(), Vector(3, left_of(me)));
    }
    expect_filled(*a.get(), (left_of(me)));

    // One value, given in several bindings and read by an expression beside them; not all ranks receive.
    fill(*a.overwrite(), me);
    double element = -1;
    globalised<Array> got;
    fill(*got.get(), -5);
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(1, n - 1)) binding(bind, i, AT(got), 0, SEND(a.give()), i);
    });
    block.assign(SITE, [&](auto& bind) { binding(bind, n - 1, AT(element), 0, SEND((*a.get())[4])); });
    block.run();
    expect_filled(*got.get(), me == 0 ? -5 : 0);
    EXPECT_EQ(element, me == n - 1 ? 4.0 : -1.0);
    EXPECT_EQ(a.get() == nullptr, me == 0 && n > 1 && gives());
  });
}

TEST(GlobalisedBlock, OneSideKnows) {
  on_all_kinds_of_jobs([] {
    const int me = world.rank(), n = world.size();
    globalised<Array> a;
    std::vector<globalised<Array>> from(static_cast<std::size_t>(n));
    for (const bool give : {false, true}) {
      fill(*a.overwrite(), me);
      {
        abi::block block({test_file, __LINE__, "test"}, {.knows = abi::knows::sender});
        const auto place = [&](auto kanor_at, const auto& s) {
          return kanor_at(from[static_cast<std::size_t>(s)]);
        };
        const auto carry = [&](auto kanor_carry) { return kanor_carry(me); };
        const auto bindings = [&](auto& bind) {
          for (const auto i : abi::each(world)) {
            if (give)
              bind(i, me, SEND(a.give()), carry, i);
            else
              bind(i, me, SEND(a), carry, i);
          }
        };
        block.push(SITE, place, bindings, [&](auto bind) {
          for (const auto i : abi::each(world)) return bind(i, me, SEND(a), carry, i);
          __builtin_unreachable();
        });
        block.run();
      }
      for (int rank = 0; rank < n; ++rank) expect_filled(*from[static_cast<std::size_t>(rank)].get(), rank);
      EXPECT_EQ(a.get() == nullptr, give && gives());

      fill(*a.overwrite(), me);
      for (auto& one : from) fill(*one.overwrite(), -1);
      {
        const int target = (me + 1) % n;
        abi::block block({test_file, __LINE__, "test"}, {.knows = abi::knows::receiver});
        const auto carry = [&](auto kanor_carry) { return kanor_carry(me); };
        const auto bindings = [&](auto& bind) {
          for (const auto i : abi::each(world))
            if (i == 0 || i == target) bind(me, i, AT(from[static_cast<std::size_t>(i)]), carry, i);
        };
        const auto types = [&](auto bind) {
          for (const auto i : abi::each(world))
            return bind(me, i, AT(from[static_cast<std::size_t>(i)]), carry, i);
          __builtin_unreachable();
        };
        if (give)
          block.pull(
              SITE, [&](auto kanor_send, const auto&) { return kanor_send(a.give()); }, bindings, types);
        else
          block.pull(
              SITE, [&](auto kanor_send, const auto&) { return kanor_send(a); }, bindings, types);
        block.run();
        expect_filled(*from[0].get(), 0);
        expect_filled(*from[static_cast<std::size_t>(target)].get(), target);
      }
      EXPECT_EQ(a.get() == nullptr, give && gives());
    }
  });
}

TEST(GlobalisedBlock, StartedAndEndedLater) {
  on_all_kinds_of_jobs([] {
    const int me = world.rank(), n = world.size();
    globalised<Array> a, b;
    for (int round = 0; round < 4; ++round) {
      fill(*a.overwrite(), me + round);
      const auto start = [&] {
        abi::block block({test_file, __LINE__, "test"});
        block.assign({__LINE__, "b <<= a", "i", abi::lasting_value}, [&](auto& bind) {
          for (const auto i : abi::each(world)) {
            if (round % 2)
              binding(bind, (i + 1) % n, AT(b), i, SEND(a.give()), i);
            else
              binding(bind, (i + 1) % n, AT(b), i, SEND(a), i);
          }
        });
        return block.start();
      };
      pending exchange = start();
      if (round % 2)
        fill(*a.overwrite(), -1);
      else
        a.release();
      exchange.wait();
      expect_filled(*b.get(), left_of(me) + round);
    }
  });
}

TEST(GlobalisedBlock, InTeams) {
  on_all_kinds_of_jobs([] {
    const team half = world.split(world.rank() % 2, -world.rank());
    globalised<Array> a;
    fill(*a.get(), world.rank());
    abi::block block({test_file, __LINE__, "test"}, {.team = half});
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(half)) binding(bind, (i + 1) % half.size(), AT(a), i, SEND(a), i);
    });
    block.run();
    const int left = (half.rank() + half.size() - 1) % half.size();
    // Numbered from the highest rank down.
    expect_filled(*a.get(), world.rank() % 2 + 2 * (half.size() - 1 - left));
  });
}

TEST(GlobalisedBlock, GivesItsMemoryBack) {
  for (const bool addresses : {true, false}) {
    TestJob job(3, addresses);
    job.run([&] {
      globalised<double[40'000]> a, b;
      globalised<Vector> v;
      std::size_t used = 0;
      for (int round = 0; round < 300; ++round) {
        (*a.acquire())[0] = round;
        shift(b, a);
        (*b.overwrite())[1] = 2;
        reduce(b, a, 0, abi::add, round % 2);
        all_reduce(a, b, abi::add);
        v.overwrite()->assign(1'000, round);
        broadcast(v, round % 3, round % 4 == 1);
        if (!a.get()) a.overwrite();
        if (round == 100) used = job.local.segment().used_bytes();
      }
      if (world.rank() == 0) {
        EXPECT_LE(job.local.segment().used_bytes(), used + (std::size_t{8} << 20));
      }
    });
  }
}

TEST(GlobalisedBlock, ConflictsAreOfVariables) {
  const auto run_checked = [](const auto& statements) {
    TestJob job(2);
    job.home.switches.check = true;
    job.home.switches.plan = false;
    job.run([&] {
      globalised<Array> a, b;
      fill(*a.get(), 1);
      shift(b, a);
      shift(b, b);
      BLOCK;
      block.assign({10, "b@0 <<= a@1", ""}, [&](auto& bind) { binding(bind, 0, AT(b), 1, SEND(a)); });
      statements(block, a, b);
      block.run();
      finish_checks();
    });
  };
  // Both refer to one region, and are two variables.
  run_checked([](auto& block, auto& a, auto& b) {
    block.assign({11, "a@0 <<= b@1", ""}, [&](auto& bind) { binding(bind, 0, AT(a), 1, SEND(b)); });
  });
  EXPECT_EXIT(
      run_checked([](auto& block, auto& a, auto& b) {
        block.assign({11, "b@0 <<= a@0", ""}, [&](auto& bind) { binding(bind, 0, AT(b), 0, SEND(a)); });
      }),
      testing::ExitedWithCode(1), "'b@0 <<= a@1', and .* 'b@0 <<= a@0', places overlap");
}

TEST(GlobalisedBlock, ErrorsNameTheStatement) {
  EXPECT_EXIT(
      TestJob(1).run_rank(
          0,
          [] {
            globalised<Array> a({"f.cpp", 3, "a"}), b;
            a.release();
            BLOCK;
            block.assign({12, "b@0 <<= a@0", ""}, [&](auto& bind) { binding(bind, 0, AT(b), 0, SEND(a)); });
            block.run();
          }),
      testing::ExitedWithCode(1), "'a' is sent, but was released or given away before");
  EXPECT_EXIT(
      TestJob(1).run_rank(
          0,
          [] {
            globalised<int[3]> a;
            globalised<Vector> v([](void* at) { ::new (at) Vector(5); });
            BLOCK;
            block.assign({12, "a@0 <<= v@0", ""}, [&](auto& bind) { binding(bind, 0, AT(a), 0, SEND(v)); });
            block.run();
          }),
      testing::ExitedWithCode(1), "'a@0 <<= v@0', the place has length 3, but the value has length 5");
}

}  // namespace
}  // namespace kanor::rt
