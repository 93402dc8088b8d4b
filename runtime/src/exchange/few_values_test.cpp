// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of few plain values that are repeated; written as kanorc emits them.
#include "exchange/few_values.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"
#include "kanor/abi/block.hpp"
#include "kanor/abi/globalised.hpp"

namespace kanor::rt {
namespace {

constexpr const char* broadcast_form = "i: 0 .. $0 - 1; to i; from $1; is broadcast";
constexpr const char* shift_form = "i: 0 .. $0 - 1; to (i + $1) % $0; from i; is shift";
constexpr const char* pairs_form = "i: 0 .. $0 - 1; j: 0 .. $0 - 1; to i; from j; is all_to_all";
constexpr const char* reduce_form = "i: 0 .. $0 - 1; to 0; from i; is reduce";
/// Of a statement with a filter that nobody has described.
constexpr const char* filtered_form = "i: 0 .. $0 - 1; to (i + 1) % $0; from i";

/// Counts executions of the usual kind, by what is evaluated in them.
struct Usual {
  int count = 0;
  template <class T>
  const T& operator()(const T& value) {
    count += Blocks::here().current() != nullptr;
    return value;
  }
};

template <class T>
void broadcast(T& place, const T& value, int root, Usual& usual, const team& members = world) {
  abi::block block({test_file, 31, "test"}, {.team = members});
  block.assign({31, "a statement", "i", 0, broadcast_form}, {members.size(), root}, [&](auto& bind) {
    for (const auto i : bind.only(0, abi::each(members))) bind(i, AT(place), root, SEND(usual(value)), i);
  });
  block.run();
}

template <class Place, class Value>
void shift(Place&& place, const Value& value, int distance, Usual& usual, const team& members = world,
           int line = 41) {
  abi::block block({test_file, line, "test"}, {.team = members});
  block.assign({line, "a statement", "i", 0, shift_form}, {members.size(), distance}, [&](auto& bind) {
    for (const auto i : bind.only(0, abi::each(members)))
      bind((i + distance) % members.size(), [&](auto at) { return at(static_cast<Place&&>(place)); }, i,
           SEND(usual(value)), i);
  });
  block.run();
}

int from(int distance, const team& members = world) {
  return (members.rank() + members.size() - distance % members.size()) % members.size();
}

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
              bind(i, AT(in[static_cast<std::size_t>(j)]), j,
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
                           bind((i + 1) % n, AT(letters[0]), i, SEND(static_cast<char>('a' + j + turn)), i,
                                j);
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
        block.reduce({61, "a statement", "i", 0, reduce_form}, {n}, minus, [&](auto& bind) {
          for (const auto i : bind.only(0, abi::each(world)))
            bind(0, AT(folded), i, SEND(usual(1.0 + i * i)), i);
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
      block.reduce({71, "a statement", "i", 0, reduce_form}, {3}, abi::add, [&](auto& bind) {
        for (const auto i : bind.only(0, abi::each(world)))
          bind(0, AT(places[turn % 2 ? i : 0]), i, SEND(usual(i + turn)), i);
      });
      block.run();
      if (world.rank() != 0) continue;
      EXPECT_EQ(places[0], turn % 2 ? turn : 3 + 3 * turn);
      EXPECT_EQ(places[2], turn % 2 ? 2 + turn : -1);
    }
  });
}

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
                             bind((i + 1) % n, AT(got[static_cast<std::size_t>(k)]), i,
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
            if (k < count) bind(1 + k % (n - 1), AT(few[static_cast<std::size_t>(k)]), 0, SEND(count + k), k);
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
              bind(i, AT(all[static_cast<std::size_t>(j)]), j, SEND(turn + j), i, j);
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
                             bind(i, AT(got[static_cast<std::size_t>(each * j + k)]), j, SEND(usual(value)),
                                  i, j, k);
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
            bind(0, AT(places[static_cast<std::size_t>(i)]), 0, SEND((++evaluated, 'a')), i);
        });
        block.run();
        EXPECT_EQ(evaluated, execution * count);
      }
    });
  }
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
          if (i == 1 - receiver) bind(receiver, AT(flags[1]), i, SEND(usual(true)), i);
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
          for (const auto i : bind.only(0, abi::each(world))) bind(i, AT(*place), 2, SEND(usual(number)), i);
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
          {members.size(), turn % 10}, abi::add, [&](auto& bind) {
            for (const auto i : bind.only(0, abi::each(members)))
              for (const auto j : bind.only(1, abi::each(members))) bind(i, AT(sum), j, SEND(mine), i, j);
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
          for (const auto i : bind.only(0, kanor::range(0, 1))) bind(1, AT(b), i, SEND(a), i);
        });
        block.run();
        if (world.rank() == 1) {
          EXPECT_EQ(*b.get(), turn);
        }
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
      "is in a block at line (41|99) while this rank is in the block at line (41|99)");
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
                               if (k < count) bind(1, AT(got[k]), i, SEND(turn), i, k);
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
              bind(turn < 2 ? 0 : 7, AT(got), i, SEND(turn), i);
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
              bind(i, AT(got), i, SEND(turn < 2 ? turn : throw std::runtime_error("odd")), i);
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
            for (const auto i : bind.only(0, kanor::range(0, 1))) bind(i, AT(got), i, SEND(value()), i);
          });
          block.run();
        }
      },
      "the block at test.cpp:31 is reached while the block at test.cpp:131 is being "
      "evaluated");
}

}  // namespace
}  // namespace kanor::rt
