// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where blocks of few plain values are not repeated: limits, switches, errors.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "exchange/few_values.hpp"
#include "exchange/test_few_values.hpp"

namespace kanor::rt {
namespace {

/// Who sends to whom, and how much, may change from turn to turn where no leaf says it.
TEST(FewValues, ThatBecomeManyTravelAsUsual) {
  for (const int ranks : {2, 3, 12}) {
    TestJob(ranks).run([] {
      const int n = world.size(), me = world.rank();
      Usual usual;
      int before = 0;
      for (const int count : {1, 1, 7, 1, 100, 1, 0, 0, 40, 30, 1, 1}) {
        std::vector<double> got(100, -1);
        abi::block block({test_file, 81, "test"});
        block.assign({81, "a statement", "i, k", 0, "i: 0 .. $0 - 1; k: 0 .. 99; to (i + 1) % $0; from i"},
                     {n}, [&](auto& bind) {
                       for (const auto i : bind.only(0, abi::each(world)))
                         for (const auto k : bind.only(1, kanor::range(0, 100)))
                           if (k < count)
                             binding(bind, (i + 1) % n, AT(got[static_cast<std::size_t>(k)]), i,
                                     SEND(usual(1000.0 * k + i)), i, k);
                     });
        block.run();
        for (int k = 0; k < 100; ++k)
          EXPECT_EQ(got[static_cast<std::size_t>(k)], k < count ? 1000.0 * k + from(1) : -1);
        if (count >= 40) {
          EXPECT_GT(usual.count, before) << count;
        }
        before = usual.count;
      }
      // Many for two ranks, from one that gets none.
      std::vector<int> few(100, -1);
      for (const int count : {1, 90, 1, 60}) {
        abi::block block({test_file, 83, "test"});
        block.assign({83, "a statement", "k", 0, "k: 0 .. 99; to ?; from 0"}, {}, [&](auto& bind) {
          for (const auto k : bind.only(0, kanor::range(0, 100)))
            if (k < count)
              binding(bind, 1 + k % (n - 1), AT(few[static_cast<std::size_t>(k)]), 0, SEND(count + k), k);
        });
        block.run();
        for (int k = 0; k < count; ++k)
          EXPECT_EQ(few[static_cast<std::size_t>(k)] == count + k, me == 1 + k % (n - 1)) << k;
        few.assign(100, -1);
      }
      // One value for each of many ranks.
      std::vector<int> all(static_cast<std::size_t>(n));
      for (int turn = 0; turn < 3; ++turn) {
        abi::block block({test_file, 82, "test"});
        block.assign({82, "a statement", "i, j", 0, pairs_form}, {n}, [&](auto& bind) {
          for (const auto i : bind.only(0, abi::each(world)))
            for (const auto j : bind.only(1, abi::each(world)))
              binding(bind, i, AT(all[static_cast<std::size_t>(j)]), j, SEND(turn + j), i, j);
        });
        block.run();
        for (int j = 0; j < n; ++j) EXPECT_EQ(all[static_cast<std::size_t>(j)], turn + j) << me;
      }
    });
  }
}

// most_places, most_peers and most_bytes: the most that are repeated, and one more.
TEST(FewValues, HaveTheirLimits) {
  TestJob(33).run([] {
    const int me = world.rank();
    // Values of `bytes` bytes from the first ranks to the first ranks, so many for each pair.
    const auto repeats = [&]<std::size_t bytes>(std::integral_constant<std::size_t, bytes>, int line,
                                                int receivers, int senders, int each) {
      using Value = std::array<char, bytes>;
      bool asked_again = false;
      for (int turn = 0; turn < 3; ++turn) {
        Usual usual;
        std::vector<Value> got(static_cast<std::size_t>(senders * each));
        abi::block block({test_file, line, "test"});
        block.assign({line, "a statement", "i, j, k", 0,
                      "i: 0 .. $0 - 1; j: 0 .. $1 - 1; k: 0 .. $2 - 1; to i; from j"},
                     {receivers, senders, each}, [&](auto& bind) {
                       for (const auto i : bind.only(0, kanor::range(0, receivers)))
                         for (const auto j : bind.only(1, kanor::range(0, senders)))
                           for (const auto k : bind.only(2, kanor::range(0, each))) {
                             Value value{};
                             value.fill(static_cast<char>(7 * j + k + turn));
                             binding(bind, i, AT(got[static_cast<std::size_t>(each * j + k)]), j,
                                     SEND(usual(value)), i, j, k);
                           }
                     });
        block.run();
        for (int at = 0; me < receivers && at < senders * each; ++at)
          EXPECT_EQ(got[static_cast<std::size_t>(at)].back(),
                    static_cast<char>(7 * (at / each) + at % each + turn));
        asked_again |= turn == 2 && usual.count > 0;
      }
      return !asked_again;
    };
    using One = std::integral_constant<std::size_t, 1>;
    EXPECT_TRUE(repeats(One{}, 900, 1, 32, 1));
    EXPECT_EQ(repeats(One{}, 901, 1, 33, 1), me != 0) << "33 places";
    EXPECT_TRUE(repeats(One{}, 902, 8, 1, 1));
    EXPECT_EQ(repeats(One{}, 903, 9, 1, 1), me != 0) << "9 receivers";
    EXPECT_TRUE(repeats(std::integral_constant<std::size_t, 248>{}, 905, 8, 1, 1));
    EXPECT_EQ(repeats(std::integral_constant<std::size_t, 249>{}, 906, 8, 1, 1), me != 0) << "257 bytes";
  });
}

/// A rank that has only sent learns what kind of place there is when it receives.
// What is beyond a limit the first time is not evaluated as few values, in vain, the next time.
TEST(FewValues, ManyAreEvaluatedOnceInEachExecution) {
  for (const long count : {FewValues::most_places, FewValues::most_places + 1}) {
    TestJob(1).run_rank(0, [&] {
      std::vector<char> places(static_cast<std::size_t>(count));
      long evaluated = 0;
      for (long execution = 1; execution <= 3; ++execution) {
        abi::block block({test_file, 51, "test"});
        block.assign({51, "a statement", "i", 0, "i: 0 .. $0 - 1; to 0; from 0"}, {count}, [&](auto& bind) {
          for (const auto i : bind.only(0, abi::each(0L, count - 1)))
            binding(bind, 0, AT(places[static_cast<std::size_t>(i)]), 0, SEND((++evaluated, 'a')), i);
        });
        block.run();
        EXPECT_EQ(evaluated, execution * count);
      }
    });
  }
}

TEST(FewValues, NotWhereItWouldNotBeTheSame) {
  const auto is_usual = [](TestJob& job) {
    job.run([] {
      Usual usual;
      for (int turn = 0; turn < 7; ++turn) {
        int got = -1;
        shift(got, turn + world.rank(), 1, usual);
        EXPECT_EQ(got, turn + from(1));
      }
      EXPECT_EQ(usual.count, 7);
      if (switches(here()).check) finish_checks();
    });
  };
  for (bool Switches::*off : {&Switches::repeat, &Switches::plan, &Switches::cache}) {
    TestJob job(2);
    job.home.switches.*off = false;
    is_usual(job);
  }
  TestJob counts(2), checked(2);
  counts.home.switches.statistics = true;
  checked.home.switches.check = true;
  checked.home.switches.plan = checked.home.switches.cache = checked.home.switches.patterns = false;
  is_usual(counts);
  is_usual(checked);
}

void fails(int ranks, const std::function<void()>& body, const char* message) {
  EXPECT_EXIT(TestJob(ranks).run([&] { body(); }), testing::ExitedWithCode(1), message);
}

TEST(FewValues, ErrorsAreThoseOfUsualBlocks) {
  fails(
      2,
      [] {
        Usual usual;
        for (int turn = 0, got = 0; turn < 3; ++turn)
          shift(got, turn, 1, usual, world, turn == 2 && world.rank() == 1 ? 99 : 41);
      },
      "is in the block at test.cpp:(41|99) while this rank is in the block at test.cpp:(41|99)");
  // At last the ranks do not agree on how many bindings there are.
  for (const bool sends_more : {true, false})
    fails(
        2,
        [sends_more] {
          for (int turn = 0, got[2] = {}; turn < 3; ++turn) {
            const int count = turn == 2 && sends_more == (world.rank() == 0) ? 2 : 1;
            abi::block block({test_file, 101, "test"});
            block.assign({101, "a statement", "i, k", 0, "i: 0 .. 0; k: 0 .. 1; to 1; from i"}, {},
                         [&](auto& bind) {
                           for (const auto i : bind.only(0, kanor::range(0, 1)))
                             for (const auto k : bind.only(1, kanor::range(0, 2)))
                               if (k < count) binding(bind, 1, AT(got[k]), i, SEND(turn), i, k);
                         });
            block.run();
          }
        },
        sends_more ? "rank 0 sent 2 values, but rank 1 expects 1 of it: the ranks do not agree"
                   : "rank 0 sent fewer values than this rank expects of it");
  fails(
      1,
      [] {
        for (int turn = 0, got = 0; turn < 3; ++turn) {
          abi::block block({test_file, 111, "test"});
          block.assign({112, "a statement", "i", 0, "i: 0 .. 0; to ?; from i"}, {}, [&](auto& bind) {
            for (const auto i : bind.only(0, kanor::range(0, 1)))
              binding(bind, turn < 2 ? 0 : 7, AT(got), i, SEND(turn), i);
          });
          block.run();
        }
      },
      "test.cpp:112: in 'a statement' for i = 0, the receiver's rank is 7, but the team has 1 "
      "rank");
  fails(
      1,
      [] {
        for (int turn = 0, got = 0; turn < 3; ++turn) {
          abi::block block({test_file, 121, "test"});
          block.assign({121, "a statement", "i", 0, "i: 0 .. 0; to i; from i"}, {}, [&](auto& bind) {
            for (const auto i : bind.only(0, kanor::range(0, 1)))
              binding(bind, i, AT(got), i, SEND(turn < 2 ? turn : throw std::runtime_error("odd")), i);
          });
          block.run();
        }
      },
      "an exception left an expression of the block: std::runtime_error: odd");
  fails(
      1,
      [] {
        Usual usual;
        for (int turn = 0, got = 0, inner = 0; turn < 3; ++turn) {
          const auto value = [&] {
            if (turn == 2) broadcast(inner, 1, 0, usual);
            return turn;
          };
          abi::block block({test_file, 131, "test"});
          block.assign({131, "a statement", "i", 0, "i: 0 .. 0; to i; from i"}, {}, [&](auto& bind) {
            for (const auto i : bind.only(0, kanor::range(0, 1)))
              binding(bind, i, AT(got), i, SEND(value()), i);
          });
          block.run();
        }
      },
      "the block at test.cpp:31 is reached while the block at test.cpp:131 is being "
      "evaluated");
}

}  // namespace
}  // namespace kanor::rt
