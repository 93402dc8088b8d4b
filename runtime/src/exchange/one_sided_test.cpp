// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that only their senders, or only their receivers, know; written as kanorc emits them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "exchange/test_job.hpp"
#include "kanor/abi/cereal.hpp"

namespace kanor::rt {
namespace {

#define KNOWN_SITE \
  { __LINE__, "a statement", "i, j", 0, "", "i" }
#define PUSHING abi::block block({test_file, __LINE__, "test"}, {.knows = abi::knows::sender})
#define PULLING abi::block block({test_file, __LINE__, "test"}, {.knows = abi::knows::receiver})

/// Which ranks a rank sends to in a round, more or fewer than the team has.
std::vector<int> targets_of(int rank, int round, int size) {
  std::mt19937 random(static_cast<unsigned>(1000 * rank + round));
  std::vector<int> targets(random() % 6);
  for (int& target : targets) target = static_cast<int>(random() % static_cast<unsigned>(size));
  return targets;
}

TEST(OneSided, PushReachesWhoDoesNotKnow) {
  everywhere([] {
    const int me = world.rank(), n = world.size();
    for (int round = 0; round < 30; ++round) {
      const std::vector<int> targets = targets_of(me, round, n);
      std::map<std::pair<int, int>, std::string> got;
      const std::string text =
          "from " + std::to_string(me) + " " + std::string(static_cast<std::size_t>(40 * round), 'x');
      const int count = static_cast<int>(targets.size());
      PUSHING;
      block.push(
          KNOWN_SITE,
          [&](auto kanor_at, const auto& i, const auto& from) {
            return kanor_at(got[{from, i}]);
          },
          [&](auto& bind) {
            for (const auto i : abi::each(0, count - 1))
              if (const auto from = me; true)
                bind(targets[static_cast<std::size_t>(i)], me, SEND(text), CARRY(i, from), i, from);
          },
          [&](auto bind) {
            for (const auto i : abi::each(0, count - 1))
              if (const auto from = me; true)
                return bind(targets[static_cast<std::size_t>(i)], me, SEND(text), CARRY(i, from), i, from);
            NEVER;
          });
      block.run();
      std::map<std::pair<int, int>, std::string> expected;
      for (int rank = 0; rank < n; ++rank) {
        const auto theirs = targets_of(rank, round, n);
        for (std::size_t i = 0; i < theirs.size(); ++i)
          if (theirs[i] == me)
            expected[{rank, static_cast<int>(i)}] =
                "from " + std::to_string(rank) + " " + std::string(static_cast<std::size_t>(40 * round), 'x');
      }
      EXPECT_EQ(got, expected);
    }
  });
}

TEST(OneSided, NamesOfAnyTypeTravel) {
  everywhere([] {
    const int me = world.rank(), n = world.size();
    std::map<std::string, std::vector<int>> got;
    std::vector<int> heights;
    PUSHING;
    const auto bindings = [&](auto& bind) {
      for (const auto i : abi::each(world))
        if (const std::string key = "key " + std::to_string(me); true)
          if (const std::vector<int> where{me, i}; true)
            if (const std::map<int, std::string> words{{i, key}}; true)
              if (const double half = 0.5 * i; true)
                bind(i, me, SEND(std::vector<int>(3, me)), CARRY(key, where, words, half), i, half);
    };
    block.push(
        KNOWN_SITE,
        [&](auto kanor_at, const auto& key, const auto& where, const auto& words, const auto& half) {
          EXPECT_EQ(where[1], me);
          EXPECT_EQ(words.begin()->second, key);
          EXPECT_EQ(half, 0.5 * me);
          heights.push_back(where[0]);
          return kanor_at(got[key]);
        },
        bindings,
        [&](auto bind) {
          for (const auto i : abi::each(world))
            if (const std::string key = "key " + std::to_string(me); true)
              if (const std::vector<int> where{me, i}; true)
                if (const std::map<int, std::string> words{{i, key}}; true)
                  if (const double half = 0.5 * i; true)
                    return bind(i, me, SEND(std::vector<int>(3, me)), CARRY(key, where, words, half), i,
                                half);
          NEVER;
        });
    block.run();
    EXPECT_EQ(got.size(), static_cast<std::size_t>(n));
    for (int rank = 0; rank < n; ++rank)
      EXPECT_EQ(got["key " + std::to_string(rank)], std::vector<int>(3, rank));
    EXPECT_TRUE(std::is_sorted(heights.begin(), heights.end()));
  });
}

template <class Operation>
std::string reduce_pushed(const Operation& operation) {
  const int me = world.rank();
  std::string all = "nothing";
  PUSHING;
  block.push_reduce(
      KNOWN_SITE, operation, [&](auto kanor_at) { return kanor_at(all); },
      [&](auto& bind) {
        for (const auto k : abi::each(me, 3)) bind(0, me, SEND(std::to_string(10 * me + k)), CARRY(), k);
      },
      [&](auto bind) {
        for (const auto k : abi::each(me, 3))
          return bind(0, me, SEND(std::to_string(10 * me + k)), CARRY(), k);
        NEVER;
      });
  block.run();
  return all;
}

TEST(OneSided, ReductionsBracketBySenderRank) {
  everywhere([] {
    const std::string all =
        reduce_pushed([](const std::string& a, const std::string& b) { return "(" + a + " " + b + ")"; });
    const std::string expected[] = {"((0 1) (2 3))", "(((0 1) (2 3)) ((11 12) 13))",
                                    "((((0 1) (2 3)) ((11 12) 13)) (22 23))",
                                    "((((0 1) (2 3)) ((11 12) 13)) ((22 23) 33))"};
    EXPECT_EQ(all, world.rank() == 0 ? expected[std::min(world.size(), 4) - 1] : "nothing");
  });
}

TEST(OneSided, PlacesAreFoundBeforeTheFirstUpdate) {
  everywhere([] {
    const int me = world.rank(), n = world.size();
    // A pushed value moves `at`, by which the second statement finds its place.
    std::size_t at = 1;
    std::vector<int> v{0, 0, 0};
    PUSHING;
    const auto push = [&](auto& place, const auto& value) {
      block.push(
          KNOWN_SITE, [&](auto kanor_at) { return kanor_at(place()); },
          [&](auto& bind) { bind((me + 1) % n, me, SEND(value), CARRY()); },
          [&](auto bind) { return bind((me + 1) % n, me, SEND(value), CARRY()); });
    };
    const std::size_t two = 2;
    auto first = [&]() -> std::size_t& { return at; };
    auto second = [&]() -> int& { return v[at]; };
    push(first, two);
    push(second, me);
    block.run();
    EXPECT_EQ(at, two);
    EXPECT_EQ(v[1], (me + n - 1) % n);
    EXPECT_EQ(v[2], 0);
  });
}

TEST(OneSided, PullAsksWhoDoesNotKnow) {
  everywhere([] {
    const int me = world.rank(), n = world.size();
    std::vector<std::string> mine;
    for (int i = 0; i < 7; ++i) mine.push_back(std::to_string(100 * me + i));
    for (int round = 0; round < 30; ++round) {
      const std::vector<int> owners = targets_of(me, round, n);
      std::vector<std::string> got(owners.size());
      const int count = static_cast<int>(owners.size());
      PULLING;
      block.pull(
          KNOWN_SITE, [&](auto kanor_send, const auto& i) { return kanor_send(mine[i]); },
          [&](auto& bind) {
            for (const auto i : abi::each(0, count - 1))
              bind(me, owners[static_cast<std::size_t>(i)], AT(got[static_cast<std::size_t>(i)]),
                   CARRY(static_cast<std::size_t>(i)), i);
          },
          [&](auto bind) {
            for (const auto i : abi::each(0, count - 1))
              return bind(me, owners[static_cast<std::size_t>(i)], AT(got[static_cast<std::size_t>(i)]),
                          CARRY(static_cast<std::size_t>(i)), i);
            NEVER;
          });
      block.run();
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_EQ(got[i], std::to_string(100 * owners[i] + static_cast<int>(i)));
    }
  });
}

TEST(OneSided, PulledValuesAreThoseBeforeTheBlock) {
  everywhere([] {
    const int me = world.rank(), n = world.size();
    int a = me, b = 1000 + me;
    double sum = -1;
    PULLING;
    const auto pull = [&](int& place, int& value, int from) {
      block.pull(
          KNOWN_SITE, [&value](auto kanor_send) { return kanor_send(value); },
          [&](auto& bind) { bind(me, from, AT(place), CARRY()); },
          [&](auto bind) { return bind(me, from, AT(place), CARRY()); });
    };
    pull(a, b, (me + 1) % n);
    pull(b, a, (me + 1) % n);
    block.pull_reduce(
        KNOWN_SITE, abi::add, [&](auto kanor_send, const auto& i) { return kanor_send(0.1 * a + i); },
        [&](auto& bind) {
          for (const auto i : abi::each(world)) bind(me, i, AT(sum), CARRY(i), i);
        },
        [&](auto bind) {
          for (const auto i : abi::each(world)) return bind(me, i, AT(sum), CARRY(i), i);
          NEVER;
        });
    block.run();
    EXPECT_EQ(a, 1000 + (me + 1) % n);
    EXPECT_EQ(b, (me + 1) % n);
    EXPECT_NEAR(sum, 1.1 * n * (n - 1) / 2, 1e-9);
  });
}

TEST(OneSided, PendingOnesMeetWhenTheyEnd) {
  everywhere([] {
    const int me = world.rank(), n = world.size();
    std::vector<int> pushed(static_cast<std::size_t>(n), -1), pulled(static_cast<std::size_t>(n), -1);
    const auto start_push = [&] {
      PUSHING;
      block.push(
          KNOWN_SITE,
          [&](auto kanor_at, const auto& from) { return kanor_at(pushed[static_cast<std::size_t>(from)]); },
          [&](auto& bind) {
            for (const auto i : abi::each(world))
              if (const int from = me; true) bind(i, me, SEND(10 * me + i), CARRY(from), i);
          },
          [&](auto bind) {
            for (const auto i : abi::each(world))
              if (const int from = me; true) return bind(i, me, SEND(10 * me + i), CARRY(from), i);
            NEVER;
          });
      return block.start();
    };
    const auto start_pull = [&] {
      PULLING;
      block.pull(
          KNOWN_SITE, [&](auto kanor_send, const auto& to) { return kanor_send(100 * me + to); },
          [&](auto& bind) {
            for (const auto i : abi::each(world))
              bind(me, i, AT(pulled[static_cast<std::size_t>(i)]), CARRY(me), i);
          },
          [&](auto bind) {
            for (const auto i : abi::each(world))
              return bind(me, i, AT(pulled[static_cast<std::size_t>(i)]), CARRY(me), i);
            NEVER;
          });
      return block.start();
    };
    pending first = start_push(), second = start_pull();
    first.wait();
    second.wait();
    for (int rank = 0; rank < n; ++rank) {
      EXPECT_EQ(pushed[static_cast<std::size_t>(rank)], 10 * rank + me);
      EXPECT_EQ(pulled[static_cast<std::size_t>(rank)], 100 * rank + me);
    }
  });
}

/// More than the limit goes to and fro: a rank takes in what comes while it waits for room itself.
TEST(OneSided, LargeMessagesBothWays) {
  for (const bool shares_memory : {true, false}) {
    TestJob job(5, false, 4'000);
    job.transport.shares_memory = shares_memory;
    job.run([] {
      const int me = world.rank(), n = world.size();
      for (int round = 0; round < 20; ++round) {
        std::vector<std::vector<int>> got(static_cast<std::size_t>(n));
        const std::vector<int> big(3'000, me);
        PUSHING;
        block.push(
            KNOWN_SITE,
            [&](auto kanor_at, const auto& from) { return kanor_at(got[static_cast<std::size_t>(from)]); },
            [&](auto& bind) {
              for (const auto i : abi::each(world)) bind(i, me, SEND(big), CARRY(me), i);
            },
            [&](auto bind) {
              for (const auto i : abi::each(world)) return bind(i, me, SEND(big), CARRY(me), i);
              NEVER;
            });
        block.run();
        for (int rank = 0; rank < n; ++rank)
          EXPECT_EQ(got[static_cast<std::size_t>(rank)], std::vector<int>(3'000, rank));
      }
    });
  }
}

TEST(OneSidedFailure, NamesAreThoseThatTravelled) {
  EXPECT_EXIT(TestJob(2).run([] {
    const int me = world.rank();
    int three[3] = {};
    const std::vector<int> two(2);
    abi::block block({"f.cpp", 11, "f"}, {.knows = abi::knows::sender});
    block.push(
        {12, "three@1 <<= two@0 where i, j in world", "i, j", 0, "", "j"},
        [&](auto kanor_at, const auto&) { return kanor_at(three); },
        [&](auto& bind) {
          if (me == 0) bind(1, 0, SEND(two), CARRY(7), 3, 7);
        },
        [&](auto bind) { return bind(1, 0, SEND(two), CARRY(7), 3, 7); });
    block.run();
  }),
              testing::ExitedWithCode(1),
              "f.cpp:12: in 'three@1 .* for j = 7, the place has length 3, but the value has length 2");
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [] {
                                    int place = 0;
                                    abi::block block({"f.cpp", 11, "f"}, {.knows = abi::knows::sender});
                                    const auto bindings = [&](auto& bind) {
                                      return bind(4, 0, SEND(1), CARRY(7), 3, 7);
                                    };
                                    block.push(
                                        {12, "p@4 <<= 1@0", "i, j", 0, "", "j"},
                                        [&](auto kanor_at, const auto&) { return kanor_at(place); }, bindings,
                                        [&](auto bind) { return bind(4, 0, SEND(1), CARRY(7), 3, 7); });
                                  }),
              testing::ExitedWithCode(1), "for i = 3, j = 7, the receiver's rank is 4");
}

// The message to the peer is open already when the second statement begins.
TEST(OneSided, TypesThatStayInTheirAddressSpace) {
  const auto exchange = [](unsigned flags) {
    const int me = world.rank();
    int first = 0, second = 0;
    PUSHING;
    const auto push = [&](const abi::statement_site& site, int& place) {
      block.push(
          site, [&](auto kanor_at) { return kanor_at(place); },
          [&](auto& bind) {
            if (me == 1) bind(0, 1, SEND(7), CARRY());
          },
          [&](auto bind) { return bind(0, 1, SEND(7), CARRY()); });
    };
    push({12, "first@0 <<= 7@1", ""}, first);
    push({13, "second@0 <<= 7@1", "", flags}, second);
    block.run();
    EXPECT_EQ(second, me == 0 ? 7 : 0);
  };
  EXPECT_EXIT(TestJob(2, false).run([&] { exchange(abi::same_address_space); }), testing::ExitedWithCode(1),
              ":13: in 'second@0 <<= 7@1', the value is of a type marked .*same_address_space.* rank 0");
  TestJob(2, false).run([&] { exchange(0); });
  TestJob(2).run([&] { exchange(abi::same_address_space); });
}

}  // namespace
}  // namespace kanor::rt
