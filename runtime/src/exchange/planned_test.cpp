// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements with a form: each rank goes through its own bindings, and what is computed stays the same.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "exchange/test_job.hpp"
#include "kanor/grid.hpp"

namespace kanor::rt {
namespace {

/// How often the ranks evaluated the bindings of a statement.
std::atomic<long> visits{0};
constexpr int ranks = 13;

long count(const std::function<void()>& body) {
  visits = 0;
  TestJob(ranks).run(body);
  return visits;
}

/// Runs `body` on jobs of several sizes, with plans, without them, and with plans that nothing is kept of.
void on_all_planned_jobs(const std::function<void()>& body) {
  for (const int size : {1, 2, 3, 4, 6, 8, 13})
    for (const int how : {0, 1, 2}) {
      SCOPED_TRACE(testing::Message() << size << " ranks, planning: " << how);
      TestJob job(size, size % 2 == 0);
      job.home.switches.plan = how != 1;
      job.home.switches.cache = how != 2;
      job.run(body);
    }
}

TEST(Planned, ShiftAgainAndAgain) {
  on_all_planned_jobs([] {
    const int me = world.rank(), n = world.size();
    for (int round = 0; round < 6; ++round) {
      const int by = round % 3 + 1;
      int mine = 100 * round + me, left = -1;
      BLOCK;
      block.assign(FORM("i: 0 .. $0 - 1; to (i + $1) % $0; from i; is shift"), {world.size(), by},
                   [&](auto& bind) {
                     for (const auto i : bind.only(0, abi::each(world)))
                       binding(bind, (i + by) % world.size(), AT(left), i, SEND(mine), i);
                   });
      block.run();
      EXPECT_EQ(left, 100 * round + ((me - by) % n + n) % n);
    }
  });
}

TEST(Planned, EveryRankFindsItsOwnBindingsAlone) {
  EXPECT_EQ(count([] {
              int mine = world.rank(), left = -1;
              BLOCK;
              block.assign(FORM("i: 0 .. $0 - 1; to (i + 1) % $0; from i"), {world.size()}, [&](auto& bind) {
                for (const auto i : bind.only(0, abi::each(world))) {
                  ++visits;
                  binding(bind, (i + 1) % world.size(), AT(left), i, SEND(mine), i);
                }
              });
              block.run();
            }),
            2 * ranks);
  EXPECT_EQ(count([] {
              std::vector<int> all(ranks, -1);
              int mine = world.rank();
              BLOCK;
              block.assign(FORM("i: 0 .. $0 - 1; j: 0 .. $0 - 1; if i < j; to j; from i"), {world.size()},
                           [&](auto& bind) {
                             for (const auto i : bind.only(0, abi::each(world)))
                               for (const auto j : bind.only(1, abi::each(world)))
                                 if (++visits; i < j)
                                   binding(bind, j, AT(all[static_cast<std::size_t>(i)]), i, SEND(mine), i,
                                           j);
                           });
              block.run();
              for (int i = 0; i < ranks; ++i)
                EXPECT_EQ(all[static_cast<std::size_t>(i)], i < world.rank() ? i : -1);
            }),
            ranks * (ranks - 1));
}

TEST(Planned, OrderIsThatOfTheSets) {
  on_all_planned_jobs([] {
    const int me = world.rank(), n = world.size();
    std::string word(1, static_cast<char>('a' + me)), up, down, mixed;
    const std::vector<int> listed{n - 1, 0, n / 2, 0};
    BLOCK;
    block.reduce(FORM("i: 0 .. $0 - 1; to 0; from i"), {world.size()}, abi::add,
                 [&](auto& kanor_bind, auto kanor_operation) {
                   const Reducing bind(kanor_bind, kanor_operation);
                   for (const auto i : bind.only(0, abi::each(world)))
                     binding(bind, 0, AT(up), i, SEND(word), i);
                 });
    block.reduce(FORM("i: 0 .. $0 - 1; to $0 - 1; from i"), {world.size()}, abi::add,
                 [&](auto& kanor_bind, auto kanor_operation) {
                   const Reducing bind(kanor_bind, kanor_operation);
                   for (const auto i : bind.only(0, abi::each(range(n - 1, -1, -1))))
                     binding(bind, n - 1, AT(down), i, SEND(word), i);
                 });
    block.reduce(FORM("i: ?; j: 0 .. $0 - 1; if j <= i; to 0; from j"), {world.size()}, abi::add,
                 [&](auto& kanor_bind, auto kanor_operation) {
                   const Reducing bind(kanor_bind, kanor_operation);
                   for (const auto i : bind.only(0, abi::each(listed)))
                     for (const unsigned long j : bind.only(1, abi::each(0ul, world.size() - 1)))
                       if (static_cast<int>(j) <= i) binding(bind, 0, AT(mixed), j, SEND(word), i, j);
                 });
    block.run();
    std::string ascending, descending, wanted;
    for (int i = 0; i < n; ++i) ascending += static_cast<char>('a' + i);
    descending.assign(ascending.rbegin(), ascending.rend());
    for (const int i : listed) wanted += ascending.substr(0, static_cast<std::size_t>(i) + 1);
    if (me == 0) {
      EXPECT_EQ(up, ascending);
      EXPECT_EQ(mixed, wanted);
    }
    if (me == n - 1) {
      EXPECT_EQ(down, descending);
    }
  });
}

TEST(Planned, HalosOfGrids) {
  on_all_planned_jobs([] {
    const int n = world.size(), me = world.rank();
    for (const bool periodic : {false, true}) {
      grid<2> g(world, grid<2>(world).view().extents[0] == n ? std::array{n, 1} : std::array{n / 2, 2},
                {periodic, false});
      std::array<int, 4> halo{-1, -1, -1, -1};
      int mine = 10 + me;
      const int directions[] = {-1, 1};
      BLOCK;
      block.assign(FORM("i: 0 .. $0 - 1; d: 0 .. 1; o: {-1, 1}; to $1.neighbor(i, d, o); from i"),
                   {world.size(), g}, [&](auto& bind) {
                     for (const auto i : bind.only(0, abi::each(world)))
                       for (const auto d : bind.only(1, abi::each(0, 1)))
                         for (const auto o : bind.only(2, abi::each(directions)))
                           binding(bind, g.neighbor(i, d, o),
                                   AT(halo[static_cast<std::size_t>(2 * d + (o + 1) / 2)]), i, SEND(mine), i,
                                   d, o);
                   });
      block.run();
      for (int d = 0; d < 2; ++d)
        for (const int o : directions) {
          const int from = g.neighbor(me, d, -o);
          EXPECT_EQ(halo[static_cast<std::size_t>(2 * d + (o + 1) / 2)], from == no_rank ? -1 : 10 + from);
        }
    }
  });
}

// A filter that the form does not describe may choose other bindings each time.
TEST(Planned, FiltersThatChange) {
  on_all_planned_jobs([] {
    const int n = world.size(), me = world.rank();
    for (unsigned round = 0; round < 40; ++round) {
      const auto active = [&](int i) { return (round * 2654435761u >> (i + 3) & 1) != 0; };
      std::vector<int> got(static_cast<std::size_t>(n), -1);
      BLOCK;
      block.assign(FORM("i: 0 .. $0 - 1; if ?; j: 0 .. i; to i; from j"), {world.size()}, [&](auto& bind) {
        for (const auto i : bind.only(0, abi::each(world)))
          if (active(i))
            for (const auto j : bind.only(1, abi::each(0, i)))
              binding(bind, i, AT(got[static_cast<std::size_t>(j)]), j, SEND(me), i, j);
      });
      block.run();
      for (int j = 0; j < n; ++j) EXPECT_EQ(got[static_cast<std::size_t>(j)], active(me) && j <= me ? j : -1);
    }
  });
}

#define KNOWN_SITE(form) \
  { __LINE__, "a statement", "i, j", 0, form, "i" }

TEST(Planned, WhoKnowsFindsItsOwnBindingsAlone) {
  // To the ranks before, which do not know.
  EXPECT_EQ(count([] {
              const int me = world.rank(), n = world.size();
              std::vector<int> got(ranks, -1);
              abi::block block({test_file, __LINE__, "test"}, {.knows = abi::knows::sender});
              block.push(
                  KNOWN_SITE("i: 0 .. $0 - 1; j: 0 .. i - 1; to j; from i"), {n},
                  [&](auto kanor_at, const auto& i) { return kanor_at(got[static_cast<std::size_t>(i)]); },
                  [&](auto& bind) {
                    for (const auto i : bind.only(0, abi::each(world)))
                      for (const auto j : bind.only(1, abi::each(0, i - 1)))
                        if (++visits; true) bind(j, i, SEND(10 * me + j), CARRY(i), i, j);
                  },
                  [&](auto bind) {
                    for (const auto i : bind.only(0, abi::each(world)))
                      for (const auto j : bind.only(1, abi::each(0, i - 1)))
                        return bind(j, i, SEND(10 * me + j), CARRY(i), i, j);
                    NEVER;
                  });
              block.run();
              for (int i = 0; i < n; ++i)
                EXPECT_EQ(got[static_cast<std::size_t>(i)], i > me ? 10 * i + me : -1);
            }),
            ranks * (ranks - 1) / 2);
  EXPECT_EQ(count([] {
              const int me = world.rank(), n = world.size(), mine = 5 * me;
              int got = -1;
              abi::block block({test_file, __LINE__, "test"}, {.knows = abi::knows::receiver});
              block.pull(
                  KNOWN_SITE("i: 0 .. $0 - 1; to i; from ?"), {n},
                  [&](auto kanor_send, const auto&) { return kanor_send(mine); },
                  [&](auto& bind) {
                    for (const auto i : bind.only(0, abi::each(world)))
                      if (++visits; true) bind(i, (i + me) % n, AT(got), CARRY(i), i);
                  },
                  [&](auto bind) {
                    for (const auto i : bind.only(0, abi::each(world)))
                      return bind(i, (i + me) % n, AT(got), CARRY(i), i);
                    NEVER;
                  });
              block.run();
              EXPECT_EQ(got, 5 * (2 * me % n));
            }),
            ranks);
}

int place = 0, value = 1;

TEST(Planned, RanksOutsideAreFoundAllTheSame) {
  const auto fails = [](const char* form, int receiver_by, int sender_by, const char* what) {
    EXPECT_EXIT(TestJob(3).run([&] {
      BLOCK;
      block.assign(FORM(form), {world.size()}, [&](auto& bind) {
        for (const auto i : bind.only(0, abi::each(world)))
          binding(bind, i + receiver_by, AT(place), i + sender_by, SEND(value), i);
      });
      block.run();
    }),
                testing::ExitedWithCode(1), what);
  };
  fails("i: 0 .. $0 - 1; to i + 1; from i", 1, 0, "for i = 2, the receiver's rank is 3, but the team has 3");
  fails("i: 0 .. $0 - 1; to i; from i - 1", 0, -1, "for i = 0, the sender's rank is -1");
  fails("i: 0 .. $0 - 1; to i + 7; from i + 7", 7, 7, "for i = 0, the receiver's rank is 7");
  fails("i: 0 .. $0 - 1; to ?; from ?", 0, 5, "for i = 0, the sender's rank is 5");
}

// Later executions take the answers of the first in their order.
TEST(Planned, LoopsThatAskForMoreOrLessThanTheirFormSaysAreRefused) {
  const auto fails = [](int first_questions, int later_questions) {
    EXPECT_EXIT(TestJob(2).run([&] {
      for (const int questions : {first_questions, later_questions}) {
        BLOCK;
        block.assign(FORM("i: 0 .. $0 - 1; to i; from i"), {world.size()}, [&](auto& bind) {
          for (int question = 0; question < questions; ++question)
            for (const auto i : bind.only(0, abi::each(world)))
              binding(bind, i, AT(place), i, SEND(value), i);
        });
        block.run();
      }
    }),
                testing::ExitedWithCode(1),
                "a statement of the block at test.cpp:.* does not describe its loops");
  };
  fails(1, 2);
  fails(2, 1);
}

TEST(Planned, FormsThatAreNoneAreRefused) {
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [] {
                                    BLOCK;
                                    block.assign(FORM("i: 0 .. ; to i"), {}, [&](auto&) {});
                                  }),
              testing::ExitedWithCode(1),
              "the form 'i: 0 .. ; to i' that kanorc gave it cannot be used: expected");
}

}  // namespace
}  // namespace kanor::rt
