// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of few plain values that are repeated.
#include "exchange/few_values.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exchange/test_few_values.hpp"
#include "kanor/abi/globalised.hpp"

namespace kanor::rt {
namespace {

TEST(FewValues, AreRepeatedForEachListOfLeaves) {
  for (const int ranks : {1, 2, 3, 5}) {
    TestJob(ranks).run([] {
      Usual usual;
      for (int turn = 0; turn < 40; ++turn) {
        const int root = turn / 2 % world.size(), distance = turn % 2;
        int got = -1;
        broadcast(got, 100 * turn + world.rank(), root, usual);
        EXPECT_EQ(got, 100 * turn + root);
        struct Pair {
          char tag;
          double value;
        } mine{'a', turn + 0.5 * world.rank()}, left{};
        shift(left, mine, distance, usual);
        EXPECT_EQ(left.tag, 'a');
        EXPECT_EQ(left.value, turn + 0.5 * from(distance));
        double wider = 0;
        shift(wider, turn + world.rank(), distance, usual);  // converts
        EXPECT_EQ(wider, turn + from(distance));
      }
      // A root sends to all; the shifts have plans in common, which each of them takes from the other.
      EXPECT_LE(usual.count, world.size() + 80);
      usual.count = 0;
      for (int turn = 0; turn < 9; ++turn) {
        int got = -1;
        shift(got, turn + world.rank(), 1, usual);
        EXPECT_EQ(got, turn + from(1));
      }
      EXPECT_EQ(usual.count, 1);
    });
  }
}

TEST(FewValues, OfTeams) {
  TestJob(6).run([] {
    const team half = world.split(world.rank() % 2, world.rank());
    const team side = world.split(world.rank() / 3, -world.rank());
    Usual usual;
    for (int turn = 0; turn < 9; ++turn)
      for (const team& team : {half, side, world}) {
        int got = -1;
        shift(got, 100 * turn + world.rank(), 1, usual, team);
        EXPECT_EQ(got, 100 * turn + team.world_rank(from(1, team)));
      }
    EXPECT_LE(usual.count, 3);
  });
}

/// Several messages with several values each, of several alignments, in the order of the bindings.
TEST(FewValues, SeveralOfEachRank) {
  for (const int ranks : {1, 2, 3, 4, 8}) {
    TestJob(ranks).run([] {
      const int n = world.size(), me = world.rank();
      std::vector<long double> in(static_cast<std::size_t>(n));
      std::vector<char> letters(static_cast<std::size_t>(n));
      Usual usual;
      for (int turn = 0; turn < 6; ++turn) {
        abi::block block({test_file, 51, "test"});
        block.assign({51, "a statement", "i, j", 0, pairs_form}, {n}, [&](auto& bind) {
          for (const auto i : bind.only(0, abi::each(world)))
            for (const auto j : bind.only(1, abi::each(world)))
              binding(bind, i, AT(in[static_cast<std::size_t>(j)]), j,
                      SEND(static_cast<long double>(usual(100 * turn + 10 * j + i))), i, j);
        });
        block.run();
        for (int j = 0; j < n; ++j) EXPECT_EQ(in[static_cast<std::size_t>(j)], 100 * turn + 10 * j + me);
        // Twice the same pair of ranks, one char and then the next.
        abi::block twice({test_file, 52, "test"});
        twice.assign({52, "a statement", "i, j", 0, "i: 0 .. $0 - 1; j: 0 .. 2; to (i + 1) % $0; from i"},
                     {n}, [&](auto& bind) {
                       for (const auto i : bind.only(0, abi::each(world)))
                         for (const auto j : bind.only(1, kanor::range(0, 3)))
                           binding(bind, (i + 1) % n, AT(letters[0]), i,
                                   SEND(static_cast<char>('a' + j + turn)), i, j);
                     });
        twice.run();
        EXPECT_EQ(letters[0], 'a' + 2 + turn);
      }
      EXPECT_EQ(usual.count, n);
    });
  }
}

TEST(FewValues, AreFoldedInTheOrderOfTheirRanks) {
  struct Minus {
    double operator()(double a, double b) const { return a - b; }
  };
  for (const int ranks : {1, 2, 3, 5, 8}) {
    TestJob(ranks).run([] {
      const int n = world.size();
      const Minus minus;
      Usual usual;
      double first = 0;
      for (int turn = 0; turn < 5; ++turn) {
        double folded = -1;
        abi::block block({test_file, 61, "test"});
        block.reduce({61, "a statement", "i", 0, reduce_form}, {n}, minus,
                     [&](auto& kanor_bind, auto kanor_operation) {
                       const Reducing bind(kanor_bind, kanor_operation);
                       for (const auto i : bind.only(0, abi::each(world)))
                         binding(bind, 0, AT(folded), i, SEND(usual(1.0 + i * i)), i);
                     });
        block.run();
        if (turn == 0) first = folded;
        EXPECT_EQ(folded, first) << "brackets as in the usual block";
      }
      EXPECT_EQ(usual.count, 1);
    });
  }
}

/// Each value is folded into a place of its own, or all into one, as an index says.
TEST(FewValues, PlacesOfAReductionMayDiffer) {
  TestJob(3).run([] {
    Usual usual;
    for (int turn = 0; turn < 4; ++turn) {
      int places[3] = {-1, -1, -1};
      abi::block block({test_file, 71, "test"});
      block.reduce({71, "a statement", "i", 0, reduce_form}, {3}, abi::add,
                   [&](auto& kanor_bind, auto kanor_operation) {
                     const Reducing bind(kanor_bind, kanor_operation);
                     for (const auto i : bind.only(0, abi::each(world)))
                       binding(bind, 0, AT(places[turn % 2 ? i : 0]), i, SEND(usual(i + turn)), i);
                   });
      block.run();
      if (world.rank() != 0) continue;
      EXPECT_EQ(places[0], turn % 2 ? turn : 3 + 3 * turn);
      EXPECT_EQ(places[2], turn % 2 ? 2 + turn : -1);
    }
  });
}

TEST(FewValues, PlacesThatAreNoVariables) {
  TestJob(2).run([] {
    Usual usual;
    for (int turn = 0; turn < 6; ++turn) {
      const int receiver = turn < 3 ? 1 : turn % 2;
      std::vector<bool> flags(3);
      abi::block block({test_file, 91, "test"});
      block.assign({91, "a statement", "i", 0, filtered_form}, {2}, [&](auto& bind) {
        for (const auto i : bind.only(0, abi::each(world)))
          if (i == 1 - receiver) binding(bind, receiver, AT(flags[1]), i, SEND(usual(true)), i);
      });
      block.run();
      EXPECT_EQ(flags[1], world.rank() == receiver);
    }
  });
}

/// The plan is found by the form's text and the leaves; what was noted holds for one statement.
TEST(FewValues, StatementsWithOneFormAreToldApart) {
  TestJob(3).run([] {
    Usual usual;
    for (int turn = 0; turn < 4; ++turn) {
      int number = -1;
      std::vector<int> row{-1};
      broadcast(number, turn + world.rank(), 2, usual);
      broadcast(row, std::vector<int>(5, turn + world.rank()), 2, usual);
      EXPECT_EQ(number, turn + 2);
      EXPECT_EQ(row, std::vector<int>(5, turn + 2));
      // The same statement in a block with another one.
      int second = -1;
      abi::block block({test_file, 31, "test"});
      for (int* place : {&number, &second})
        block.assign({31, "a statement", "i", 0, broadcast_form}, {3, 2}, [&](auto& bind) {
          for (const auto i : bind.only(0, abi::each(world)))
            binding(bind, i, AT(*place), 2, SEND(usual(number)), i);
        });
      block.run();
      EXPECT_EQ(second, turn + 2);
    }
  });
}

/// A plan that is used for other leaves is another one: in a larger team the values may be reduced in steps.
TEST(FewValues, PlansThatAreUsedAgain) {
  TestJob(8).run([] {
    const team pair = world.split(world.rank() / 2, world.rank());
    for (int turn = 0; turn < 40; ++turn) {
      // More lists of leaves than there are plans, on two of the ranks.
      if (turn % 10 != 9 && world.rank() > 1) continue;
      const team& members = turn % 10 == 9 ? world : pair;
      double mine = turn + members.rank(), sum = 0;
      abi::block block({test_file, 93, "test"}, {.team = members});
      block.reduce(
          {93, "a statement", "i, j", 0, "i: 0 .. $0 - 1; j: 0 .. $0 - 1; to i; from j; is all_reduce"},
          {members.size(), turn % 10}, abi::add, [&](auto& kanor_bind, auto kanor_operation) {
            const Reducing bind(kanor_bind, kanor_operation);
            for (const auto i : bind.only(0, abi::each(members)))
              for (const auto j : bind.only(1, abi::each(members)))
                binding(bind, i, AT(sum), j, SEND(mine), i, j);
          });
      block.run();
      const int n = members.size();
      EXPECT_EQ(sum, n * turn + n * (n - 1) / 2);
    }
  });
}

/// What is in a region may travel as plain values do, and its sender is asked for the region each time.
TEST(FewValues, VariablesInRegionsAreNone) {
  using abi::globalised;
  for (const bool addresses : {true, false}) {
    TestJob job(2, addresses);
    job.home.switches.sharing = false;
    job.run([] {
      globalised<double> a, b;
      for (int turn = 0; turn < 4; ++turn) {
        *a.overwrite() = turn + world.rank();
        abi::block block({test_file, 95, "test"});
        block.assign({95, "a statement", "i", 0, "i: 0 .. 0; to 1; from i"}, {}, [&](auto& bind) {
          for (const auto i : bind.only(0, kanor::range(0, 1))) binding(bind, 1, AT(b), i, SEND(a), i);
        });
        block.run();
        if (world.rank() == 1) {
          EXPECT_EQ(*b.get(), turn);
        }
      }
    });
  }
}

/// Ranks that share nothing send the same messages.
TEST(FewValues, OneRankMayGoTheUsualWay) {
  for (const bool addresses : {true, false}) {
    TestJob(3, addresses).run([] {
      Usual usual;
      for (int turn = 0; turn < 200; ++turn) {
        int got = -1;
        // It has forgotten its plan.
        std::string error;
        const abi::leaf leaves[] = {3, 1};
        if (world.rank() == 1 && turn % 5 == 0)
          Blocks::here().planner().find(shift_form, leaves, 1, 3, false, error);
        shift(got, turn + world.rank(), 1 + turn % 3 * (turn > 100), usual);
        EXPECT_EQ(got, turn + from(1 + turn % 3 * (turn > 100)));
      }
    });
  }
}

TEST(FewValues, MoreMessagesThanARingHolds) {
  for (const std::size_t inflight : {std::size_t{8} << 20, std::size_t{20'000}}) {
    TestJob(2, true, inflight).run([] {
      Usual usual;
      int got = -1;
      for (int turn = 0; turn < 5'000; ++turn) {
        broadcast(got, turn, 0, usual);
        ASSERT_EQ(got, turn);
      }
    });
  }
}

}  // namespace
}  // namespace kanor::rt
