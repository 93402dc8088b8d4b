// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks on several ranks, written as kanorc emits them.
#include "kanor/abi/block.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "exchange/test_job.hpp"
#include "kanor/abi/cereal.hpp"

namespace kanor::rt {
namespace {

TEST(Block, Shift) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    int mine = 10 * me, left = -1;
    std::vector<double> row(static_cast<std::size_t>(me), me), neighbour{7};
    std::string name = "rank " + std::to_string(me), other;
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, (i + 1) % world.size(), AT(left), i, SEND(mine), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, (i + 1) % world.size(), AT(neighbour), i, SEND(row), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, (i + 1) % world.size(), AT(other), i, SEND(name), i);
    });
    block.run();
    const int from = (me + n - 1) % n;
    EXPECT_EQ(left, 10 * from);
    EXPECT_EQ(neighbour, std::vector<double>(static_cast<std::size_t>(from), from));
    EXPECT_EQ(other, "rank " + std::to_string(from));
  });
}

TEST(Block, SwapsThroughTheSnapshot) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    std::vector<int> a{1, 2, 3}, b{4, 5};
    std::map<int, std::string> x{{1, "x"}}, y{{2, "y"}};
    int v[3] = {10, 20, 30};
    BLOCK;
    // On one rank: the old values, whole and in pieces.
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, i, AT(a), i, SEND(b), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, i, AT(b), i, SEND(a), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, (i + 1) % world.size(), AT(x), i, SEND(y), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, (i + 1) % world.size(), AT(y), i, SEND(x), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto k : abi::each(0, 2)) binding(bind, 0, AT(v[k]), 0, SEND(v[(k + 1) % 3]), k);
    });
    block.run();
    EXPECT_EQ(a, (std::vector{4, 5}));
    EXPECT_EQ(b, (std::vector{1, 2, 3}));
    EXPECT_EQ(x.begin()->second, "y");
    EXPECT_EQ(y.begin()->second, "x");
    if (me == 0) {
      EXPECT_EQ(v[0], 20);
      EXPECT_EQ(v[2], 10);
    }
    EXPECT_GT(n, 0);
  });
}

TEST(Block, TheLastUpdateWins) {
  on_all_jobs([] {
    int place = -1;
    const int me = world.rank(), n = world.size();
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world)) binding(bind, 0, AT(place), i, SEND(me), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world))
        if (i % 2 == 0) binding(bind, 0, AT(place), world.size() - 1 - i, SEND(100 + me), i);
    });
    block.run();
    const int last_even = (n - 1) / 2 * 2;
    EXPECT_EQ(place, me == 0 ? 100 + n - 1 - last_even : -1);
  });
}

template <class Sequence>
void update_whole_and_elements(const Sequence& first, const Sequence& second) {
  Sequence v = first;
  const auto one = second[0];
  BLOCK;
  block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(v), 0, SEND(second)); });
  block.assign(SITE, [&](auto& bind) {
    for (const auto k : abi::each(std::size_t{0}, first.size() - 1))
      binding(bind, 0, AT(v[k]), 0, SEND(one), k);
  });
  block.run();
  Sequence expected = second;
  for (std::size_t k = 0; k < first.size(); ++k) expected[k] = one;
  EXPECT_EQ(v, expected);
}

TEST(Block, ElementsFollowTheirSequence) {
  TestJob(1).run_rank(0, [] {
    update_whole_and_elements(std::vector<int>{1, 2, 3}, std::vector<int>(1000, 4));
    update_whole_and_elements(std::vector<int>{1, 2, 3}, std::vector<int>{5, 6, 7});
    update_whole_and_elements(std::string("abc"), std::string(1000, 'x'));
    update_whole_and_elements(std::string(100, 'a'), std::string(1000, 'x'));
    using Lists = std::vector<std::vector<int>>;
    update_whole_and_elements(Lists{{1}, {2, 3}}, Lists(50, std::vector<int>(9, 7)));
    update_whole_and_elements(Lists{{1}, {2, 3}}, Lists{{4, 5}, {6}});
    update_whole_and_elements(std::vector<std::string>{"a"},
                              std::vector<std::string>(30, "some text, not short"));
  });
}

TEST(Block, ElementsFollowAReducedSequence) {
  TestJob(1).run_rank(0, [] {
    std::vector<int> v{1}, more(500, 2);
    int one = 7;
    BLOCK;
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto k : abi::each(0, 2)) binding(bind, 0, AT(v), 0, SEND(more), k);
    });
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto k : abi::each(0, 1)) binding(bind, 0, AT(v[0]), 0, SEND(one), k);
    });
    block.run();
    EXPECT_EQ(v.size(), 500u);
    EXPECT_EQ(v[0], 14);
    EXPECT_EQ(v[499], 6);
  });
}

TEST(Block, PassesRanksWithoutAPart) {
  on_all_jobs([] {
    for (int round = 0; round < 50; ++round) {
      int token = world.rank();
      BLOCK;
      block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(token), world.size() - 1, SEND(token)); });
      block.run();
      EXPECT_EQ(token, world.rank() == 0 ? world.size() - 1 : world.rank());
    }
  });
}

TEST(Block, NobodyTakesNoPart) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    int left = -1, right = -1;
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, i + 1 < world.size() ? i + 1 : no_rank, AT(left), i, SEND(me), i);
    });
    block.assign(SITE, [&](auto& bind) {
      for (const long i : abi::each(0L, world.size() - 1))
        binding(bind, i, AT(right), i + 1 < world.size() ? i + 1 : static_cast<long>(no_rank), SEND(me), i);
    });
    block.run();
    EXPECT_EQ(left, me > 0 ? me - 1 : -1);
    EXPECT_EQ(right, me + 1 < n ? me + 1 : -1);
  });
}

TEST(Block, Conversions) {
  on_all_jobs([] {
    double d = 0;
    float matrix[2][2] = {{1, 2}, {3, 4}};
    double wide[2][2] = {};
    std::vector<double> v;
    std::optional<long> o;
    std::string s;
    std::vector<bool> bits(4), all;
    std::vector<bool> flags{true, false, true};
    int x = 0;
    std::string y;
    std::array<long, 3> fixed{};
    const int last = world.size() - 1;
    BLOCK;
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(d), last, SEND(world.rank())); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0u, AT(wide), last, SEND(matrix)); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(v), last, SEND((std::array<int, 2>{1, 2}))); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(o), last, SEND(short{5})); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(s), last, SEND("text")); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(bits[2]), last, SEND(flags[0])); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(all), last, SEND(flags)); });
    block.assign(SITE, [&](auto& bind) {
      binding(bind, 0, AT(std::tie(x, y)), last, SEND(std::tuple(4, std::string("t"))));
    });
    block.assign(SITE, [&](auto& bind) {
      binding(bind, 0, AT(fixed), last, SEND((std::vector<short>{7, 8, 9})));
    });
    block.run();
    if (world.rank() != 0) return;
    EXPECT_EQ(d, last);
    EXPECT_EQ(wide[1][0], 3.0);
    EXPECT_EQ(v, (std::vector<double>{1, 2}));
    EXPECT_EQ(o, 5);
    EXPECT_EQ(s, "text");
    EXPECT_EQ(bits, (std::vector<bool>{false, false, true, false}));
    EXPECT_EQ(all, flags);
    EXPECT_EQ(x, 4);
    EXPECT_EQ(y, "t");
    EXPECT_EQ(fixed[2], 9);
  });
}

// More than most_alignment.
struct alignas(256) Aligned {
  int value = 0;
};

TEST(Block, AlignsWhatIsSent) {
  on_all_jobs([] {
    char c = 'c', c2 = 0;
    Aligned a{.value = 7}, a2;
    std::vector<Aligned> many{a, a}, many2;
    long double l = 1.5L, l2 = 0;
    const int last = world.size() - 1;
    BLOCK;
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(c2), last, SEND(c)); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(a2), last, SEND(a)); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(c2), last, SEND(c)); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(l2), last, SEND(l)); });
    block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(many2), last, SEND(many)); });
    block.run();
    if (world.rank() != 0) return;
    EXPECT_EQ(c2, 'c');
    EXPECT_EQ(a2.value, 7);
    EXPECT_EQ(l2, 1.5L);
    ASSERT_EQ(many2.size(), 2u);
    EXPECT_EQ(many2[1].value, 7);
  });
}

// Messages grow from ShortMessage::most_bytes on.
TEST(Block, ManyElementsInOneMessage) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size(), count = 5000;
    std::vector<int> from(count, me), to(count, -1);
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      for (const auto k : abi::each(0, count - 1))
        binding(bind, (k + 1) % world.size(), AT(to[static_cast<std::size_t>(k)]), k % world.size(),
                SEND(from[static_cast<std::size_t>(k)] + k), k);
    });
    block.run();
    for (int k = 0; k < count; ++k)
      EXPECT_EQ(to[static_cast<std::size_t>(k)], (k + 1) % n == me ? k % n + k : -1);
  });
}

/// Counts the copies that are alive.
struct Counted {
  static inline std::atomic<int> alive = 0;
  std::string text;
  explicit Counted(std::string t = {}) : text(std::move(t)) { ++alive; }
  Counted(const Counted& other) : text(other.text) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
  friend Counted operator+(const Counted& a, const Counted& b) { return Counted(a.text + b.text); }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(text);
  }
};

TEST(Block, DestroysWhatTravels) {
  on_all_jobs([] {
    Counted mine(std::to_string(world.rank())), place, folded[2];
    BLOCK;
    block.assign(SITE, [&](auto& bind) {
      for (const auto i : abi::each(world))
        binding(bind, (i + 1) % world.size(), AT(place), i, SEND(mine), i);
    });
    block.reduce(SITE, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto i : abi::each(world))
        for (const auto k : abi::each(0, 1)) binding(bind, 0, AT(folded[k]), i, SEND(mine), i, k);
    });
    block.run();
    EXPECT_EQ(place.text, std::to_string((world.rank() + world.size() - 1) % world.size()));
    EXPECT_EQ(folded[1].text.size(), world.rank() == 0 ? static_cast<std::size_t>(world.size()) : 0u);
  });
  EXPECT_EQ(Counted::alive, 0);
}

TEST(Block, CountsObjectsAsInFlight) {
  TestJob(2, true, 100000).run([] {
    std::map<int, std::string> value{{1, std::string(30000, 'x')}}, place;
    for (int round = 0; round < 40; ++round) {
      BLOCK;
      block.assign(SITE, [&](auto& bind) { binding(bind, 0, AT(place), 1, SEND(value)); });
      block.run();
    }
    if (world.rank() == 1) {
      EXPECT_GT(inflight_peak_bytes(here(), 0), 30000u);
      EXPECT_LE(inflight_peak_bytes(here(), 0), 100000u);
    }
  });
}

}  // namespace
}  // namespace kanor::rt
