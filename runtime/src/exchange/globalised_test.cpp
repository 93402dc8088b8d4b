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

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"
#include "ownership/region.hpp"

namespace kanor::rt {
namespace {

using abi::globalised;

/// At one address: the places of counts are found by it.
constexpr char this_file[] = "globalised_test.cpp";

#define AT(place) [&](auto kanor_at) { return kanor_at(place); }
#define SEND(value) [&](auto kanor_send) { return kanor_send(value); }
#define BLOCK abi::block block({this_file, __LINE__, "test"})
#define SITE \
  { __LINE__, "a statement", "i, j" }
#define FORM(form) \
  { __LINE__, "a statement", "i, j", 0, form }

constexpr const char* broadcast_form = "i: 0 .. $0 - 1; to i; from $1; is broadcast";
constexpr const char* all_reduce_form = "i: 0 .. $0 - 1; j: 0 .. $0 - 1; to i; from j; is all_reduce";
constexpr const char* all_gather_form = "i: 0 .. $0 - 1; j: 0 .. $0 - 1; to i; from j; is all_gather";

/// Everything that decides how values in regions travel.
void on_all_kinds_of_jobs(const std::function<void()>& body) {
  on_all_jobs(body);
  for (const int ranks : {2, 3, 9}) {
    SCOPED_TRACE(testing::Message() << ranks << " ranks with switches");
    TestJob apart(ranks, false);
    apart.transport.shares_memory = false;
    apart.home.switches.patterns = false;  // collectives would use memory that these claim not to have
    apart.run(body);
    TestJob copying(ranks), always(ranks), checked(ranks), direct(ranks), narrow(ranks, true, 60'000);
    copying.home.switches.sharing = false;
    copying.run(body);
    always.home.switches.learning = false;
    always.run(body);
    checked.home.switches.check = true;
    checked.home.switches.plan = checked.home.switches.cache = checked.home.switches.patterns = false;
    checked.run([&] {
      body();
      finish_checks();
    });
    direct.home.switches.patterns = false;
    direct.run(body);
    narrow.run(body);
  }
}

/// Where nothing is shared, a value that is given stays.
bool gives() { return switches(here()).sharing; }

using Array = double[3'000];
using Vector = std::vector<int>;

template <std::size_t length>
void fill(double (&array)[length], double value) {
  for (std::size_t i = 0; i < length; ++i) array[i] = value + static_cast<double>(i);
}
template <std::size_t length>
void expect_filled(const double (&array)[length], double value) {
  for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(array[i], value + static_cast<double>(i));
}

struct CountingJob : TestJob {
  explicit CountingJob(int count, bool shares_addresses = true) : TestJob(count, shares_addresses) {
    home.switches.statistics = true;
  }
};

SharingCounts block_counts() {
  SharingCounts sum;
  for (int line = 1; line < 1'000; ++line) {
    const SharingCounts& one = *SharingCounters::at(here(), this_file, line);
    sum.copied_bytes += one.copied_bytes;
    sum.shared_bytes += one.shared_bytes;
    sum.handed_over_bytes += one.handed_over_bytes;
  }
  return sum;
}

/// `place@(i + 1) % size <<= value@i` for all ranks.
template <class Place, class Value>
void shift(Place& place, const Value& value) {
  BLOCK;
  block.assign(SITE, [&](auto& bind) {
    for (const auto i : abi::each(world)) bind((i + 1) % world.size(), AT(place), i, SEND(value), i);
  });
  block.run();
}

int left_of(int rank) { return (rank + world.size() - 1) % world.size(); }

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
        for (const auto i : abi::each(world)) bind((i + 1) % n, AT(a), i, SEND(b), i);
      });
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) bind((i + n - 1) % n, AT(b), i, SEND(a), i);
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
        for (const auto i : abi::each(world)) bind(i, AT(c), i, SEND(a), i);
      });
      block.run();
    }
    expect_filled(*c.get(), 100 + left_of(me));
    fill(*a.acquire(), 7);
    expect_filled(*c.get(), 100 + left_of(me));
    // And onto itself.
    {
      BLOCK;
      block.assign(SITE, [&](auto& bind) { bind(0, AT(a), 0, SEND(a)); });
      block.run();
    }
    expect_filled(*a.get(), 7);
  });
}

template <class T>
void broadcast(globalised<T>& variable, int root, bool give) {
  BLOCK;
  if (give) {
    block.assign(FORM(broadcast_form), {world.size(), root}, [&](auto& bind) {
      for (const auto i : bind.only(0, abi::each(world)))
        bind(i, AT(variable), root, SEND(variable.give()), i);
    });
  } else {
    block.assign(FORM(broadcast_form), {world.size(), root}, [&](auto& bind) {
      for (const auto i : bind.only(0, abi::each(world))) bind(i, AT(variable), root, SEND(variable), i);
    });
  }
  block.run();
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
            bind(i, AT(got[static_cast<std::size_t>(j)]), j, SEND(few), i, j);
      });
      block.run();
      for (int rank = 0; rank < n; ++rank) EXPECT_EQ((*got[static_cast<std::size_t>(rank)].get())[3], rank);
    }
  });
}

double mix(double a, double b) { return a * 0.75 + b * 1.25 + 0.001 * a * b; }

template <class Place, class Value, class Operation>
void reduce(Place& place, Value& value, int first, const Operation& operation, bool give) {
  BLOCK;
  if constexpr (requires { value.give(); }) {
    if (give)
      block.reduce(SITE, operation, [&](auto& bind) {
        for (const auto i : abi::each(first, world.size() - 1)) bind(0, AT(place), i, SEND(value.give()), i);
      });
  }
  if (!give)
    block.reduce(SITE, operation, [&](auto& bind) {
      for (const auto i : abi::each(first, world.size() - 1)) bind(0, AT(place), i, SEND(value), i);
    });
  block.run();
}

template <class Place, class Value, class Operation>
void all_reduce(Place& place, Value& value, const Operation& operation) {
  BLOCK;
  block.reduce(FORM(all_reduce_form), {world.size()}, operation, [&](auto& bind) {
    for (const auto i : bind.only(0, abi::each(world)))
      for (const auto j : bind.only(1, abi::each(world))) bind(i, AT(place), j, SEND(value), i, j);
  });
  block.run();
}

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
    block.reduce(SITE, abi::add, [&](auto& bind) {
      for (const auto i : abi::each(world))
        for (const auto j : abi::each(world)) bind(i, AT(sums[j % 2]), j, SEND(values), i, j);
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
        for (const auto i : abi::each(world)) bind((i + 1) % n, AT(a), i, SEND(a.give()), i);
      });
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) bind((i + 1) % n, AT(v), i, SEND(v.give()), i);
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
      for (const auto i : abi::each(1, n - 1)) bind(i, AT(got), 0, SEND(a.give()), i);
    });
    block.assign(SITE, [&](auto& bind) { bind(n - 1, AT(element), 0, SEND((*a.get())[4])); });
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
        abi::block block({this_file, __LINE__, "test"}, {.knows = abi::knows::sender});
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
        abi::block block({this_file, __LINE__, "test"}, {.knows = abi::knows::receiver});
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
        abi::block block({this_file, __LINE__, "test"});
        block.assign({__LINE__, "b <<= a", "i", abi::lasting_value}, [&](auto& bind) {
          for (const auto i : abi::each(world)) {
            if (round % 2)
              bind((i + 1) % n, AT(b), i, SEND(a.give()), i);
            else
              bind((i + 1) % n, AT(b), i, SEND(a), i);
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
    abi::block block({this_file, __LINE__, "test"}, {.team = half});
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(half)) bind((i + 1) % half.size(), AT(a), i, SEND(a), i);
    });
    block.run();
    const int left = (half.rank() + half.size() - 1) % half.size();
    // Numbered from the highest rank down.
    expect_filled(*a.get(), world.rank() % 2 + 2 * (half.size() - 1 - left));
  });
}

TEST(GlobalisedBlock, CountsWhatItSaves) {
  const auto body = [](bool shares, bool copies) {
    globalised<Array> a({"x.cpp", 1, "a"});
    fill(*a.get(), 0);
    const std::uint64_t bytes = sizeof(Array);
    abi::block block({this_file, 500, "test"}, {.copy = copies});
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) bind((i + 1) % world.size(), AT(a), i, SEND(a), i);
    });
    block.run();
    SharingCounts counts = block_counts();
    EXPECT_EQ(counts.shared_bytes, shares ? bytes : 0);
    EXPECT_EQ(counts.copied_bytes, shares ? 0 : 2 * bytes);
    abi::block next({this_file, 501, "test"}, {.copy = copies});
    next.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) bind((i + 1) % world.size(), AT(a), i, SEND(a.give()), i);
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
      for (const auto i : abi::each(world)) bind(i, AT(a), i, SEND(a), i);
    });
    block.run();
    EXPECT_EQ(block_counts().shared_bytes, sizeof(Array));
  });
}

TEST(GlobalisedBlock, OfAReductionFewBytesAreCopied) {
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
TEST(GlobalisedBlock, ConflictsAreLearntFrom) {
  CountingJob job(2);
  job.run([] {
    globalised<Vector> a({this_file, 1, "a"}, [](void*at) { ::new (at) Vector(5'000, 1); }), b;
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
    const SharingCounts& kept = *SharingCounters::at(here(), this_file, 1, "a");
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
TEST(GlobalisedBlock, ConflictsOfManyBytesAreNone) {
  CountingJob job(2);
  job.run([] {
    for (const std::size_t bytes : {(1'536 << 10) - 4, 1'536 << 10}) {
      globalised<Vector> a([&](void*at) { ::new (at) Vector(bytes / 4, 1); }), b;
      shift(b, a);
      (*a.acquire())[0] = 2;
      const auto shared_before = block_counts().shared_bytes;
      shift(b, a);
      EXPECT_EQ(block_counts().shared_bytes - shared_before, bytes < 1'536 << 10 ? 0 : bytes);
      EXPECT_EQ((*b.get())[0], 2);
    }
  });
}

TEST(GlobalisedBlock, ABlockSharesWithAllOrNone) {
  CountingJob job(3);
  job.run([] {
    globalised<Array> a, b;
    fill(*a.get(), 0);
    for (int turn = 0; turn < 40; ++turn) {
      const auto before = block_counts().shared_bytes;
      BLOCK;
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) bind(i, AT(b), 0, SEND(a));
      });
      block.run();
      // The write finds its own `b` holding the value: 16 blocks copy, and, as that comes again at once, 32.
      const bool shares = world.rank() == 0 && (turn == 0 || turn == 17);
      EXPECT_EQ(block_counts().shared_bytes - before, shares ? 3 * sizeof(Array) : 0) << "in turn " << turn;
      (*a.acquire())[0] = turn;
    }
  });
}

TEST(GlobalisedBlock, WhatWasNotCopiedToItsEndIsNoConflict) {
  using Large = double[60'000];
  static std::atomic<int> received, writing;
  received = writing = -1;
  CountingJob job(2);
  job.run([] {
    const SharingCounts& own = *SharingCounters::at(here(), this_file, 1, "a");
    for (int round = 0; round < 50; ++round) {
      globalised<Large> a({this_file, 1, "a"}), b;
      const auto send = [&] {
        BLOCK;
        block.assign(SITE, [&](auto& bind) { bind(1, AT(b), 0, SEND(a)); });
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

TEST(GlobalisedBlock, LearningMayBeSwitchedOff) {
  CountingJob job(2);
  job.home.switches.learning = false;
  job.run([] {
    globalised<Vector> a({this_file, 1, "a"}, [](void*at) { ::new (at) Vector(5'000, 1); }), b;
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
TEST(GlobalisedBlock, VectorsAreSharedWithAddresses) {
  for (const bool addresses : {true, false}) {
    CountingJob(2, addresses).run([&] {
      globalised<Vector> v([](void* at) { ::new (at) Vector(100, 1); });
      shift(v, v);
      EXPECT_EQ(block_counts().shared_bytes, addresses ? 400u : 0u);
      EXPECT_EQ(block_counts().copied_bytes, addresses ? 0u : 800u);
    });
  }
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
      block.assign({10, "b@0 <<= a@1", ""}, [&](auto& bind) { bind(0, AT(b), 1, SEND(a)); });
      statements(block, a, b);
      block.run();
      finish_checks();
    });
  };
  // Both refer to one region, and are two variables.
  run_checked([](auto& block, auto& a, auto& b) {
    block.assign({11, "a@0 <<= b@1", ""}, [&](auto& bind) { bind(0, AT(a), 1, SEND(b)); });
  });
  EXPECT_EXIT(run_checked([](auto& block, auto& a, auto& b) {
                block.assign({11, "b@0 <<= a@0", ""}, [&](auto& bind) { bind(0, AT(b), 0, SEND(a)); });
              }),
              testing::ExitedWithCode(1), "'b@0 <<= a@1', and .* 'b@0 <<= a@0', places overlap");
}

TEST(GlobalisedBlock, ErrorsNameTheStatement) {
  EXPECT_EXIT(TestJob(1).run_rank(
                  0,
                  [] {
                    globalised<Array> a({"f.cpp", 3, "a"}), b;
                    a.release();
                    BLOCK;
                    block.assign({12, "b@0 <<= a@0", ""}, [&](auto& bind) { bind(0, AT(b), 0, SEND(a)); });
                    block.run();
                  }),
              testing::ExitedWithCode(1), "'a' is sent, but was released or given away before");
  EXPECT_EXIT(TestJob(1).run_rank(
                  0,
                  [] {
                    globalised<int[3]> a;
                    globalised<Vector> v([](void* at) { ::new (at) Vector(5); });
                    BLOCK;
                    block.assign({12, "a@0 <<= v@0", ""}, [&](auto& bind) { bind(0, AT(a), 0, SEND(v)); });
                    block.run();
                  }),
              testing::ExitedWithCode(1),
              "'a@0 <<= v@0', the place has length 3, but the value has length 5");
}

}  // namespace
}  // namespace kanor::rt
