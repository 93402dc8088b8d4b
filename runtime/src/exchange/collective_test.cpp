// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statements that are collective operations: the same bits as the general exchange, whichever way they go.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"

namespace kanor::rt {
namespace {

constexpr const char* all_reduce_form = "r: 0 .. $0 - 1; s: 0 .. $0 - 1; to r; from s; is all_reduce";

/// Neither associative nor commutative.
double mix(double a, double b) { return a * 0.75 + b * 1.25 + 0.001 * a * b; }

/// As ranks that have a core each.
void run_with_cores(const std::function<void()>& body) {
  TestJob job(8);
  job.home.spare_cores = true;
  job.run(body);
}

/// Runs `body(results)` on every rank, by the general exchange and as a collective operation (which is
/// another one where cores are scarce), and compares what the ranks have put into `results`, bit for bit.
void compare_ways(const std::function<void(std::vector<double>&)>& body) {
  for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17}) {
    SCOPED_TRACE(testing::Message() << ranks << " ranks");
    using Results = std::vector<std::vector<double>>;
    const auto run = [&](bool patterns, bool own_cores) {
      Results results(static_cast<std::size_t>(ranks));
      TestJob job(ranks, ranks % 2 == 0);
      job.home.switches.patterns = patterns;
      job.home.spare_cores = own_cores;
      job.run([&] { body(results[static_cast<std::size_t>(world.rank())]); });
      return results;
    };
    const Results general = run(false, false);
    for (const bool own_cores : {false, true}) {
      const Results collective = run(true, own_cores);
      for (std::size_t rank = 0; rank < general.size(); ++rank) {
        ASSERT_EQ(general[rank].size(), collective[rank].size());
        for (std::size_t i = 0; i < general[rank].size(); ++i)
          EXPECT_EQ(std::memcmp(&general[rank][i], &collective[rank][i], sizeof(double)), 0)
              << "rank " << rank << ", result " << i << ": " << general[rank][i] << " and "
              << collective[rank][i];
      }
    }
  }
}

TEST(CollectiveBlock, Broadcast) {
  compare_ways([](std::vector<double>& results) {
    for (int root = 0; root < world.size(); ++root) {
      double mine = 1.5 * world.rank(), got = -1;
      BLOCK;
      block.assign(FORM("r: 0 .. $0 - 1; to r; from $1; is broadcast"), {world.size(), root},
                   [&](auto& bind) {
                     for (const auto r : bind.only(0, abi::each(world)))
                       binding(bind, r, AT(got), root, SEND(mine), r);
                   });
      mine = -2;
      block.run();
      EXPECT_EQ(got, 1.5 * root);
      results.push_back(got);
    }
  });
}

TEST(CollectiveBlock, BroadcastOfMuch) {
  compare_ways([](std::vector<double>& results) {
    using Much = std::array<double, 10'000>;
    for (int round = 0; round < 3; ++round) {
      const int root = round % world.size();
      auto much = std::make_unique<Much>();
      for (std::size_t i = 0; i < much->size(); ++i)
        (*much)[i] = world.rank() + 0.001 * static_cast<double>(i);
      BLOCK;
      block.assign(FORM("r: 0 .. $0 - 1; to r; from $1; is broadcast"), {world.size(), root},
                   [&](auto& bind) {
                     for (const auto r : bind.only(0, abi::each(world)))
                       binding(bind, r, AT(*much), root, SEND(*much), r);
                   });
      block.run();
      results.insert(results.end(), much->begin(), much->end());
    }
  });
}

// How many elements there are, is known to the root alone.
TEST(CollectiveBlock, BroadcastOfSequences) {
  compare_ways([](std::vector<double>& results) {
    for (const std::size_t length : {0, 1, 5, 40'000}) {
      const int root = static_cast<int>(length) % world.size();
      std::vector<double> list(world.rank() == root ? length : 3, 0.5 + world.rank());
      std::string text(world.rank() == root ? length : 2, static_cast<char>('a' + world.rank() % 26));
      std::vector<bool> bits(world.rank() == root ? length : 1, world.rank() == root);
      const auto broadcast = [&](auto& variable) {
        BLOCK;
        block.assign(FORM("r: 0 .. $0 - 1; to r; from $1; is broadcast"), {world.size(), root},
                     [&](auto& bind) {
                       for (const auto r : bind.only(0, abi::each(world)))
                         binding(bind, r, AT(variable), root, SEND(variable), r);
                     });
        block.run();
        EXPECT_EQ(variable.size(), length);
      };
      broadcast(list);
      broadcast(text);
      broadcast(bits);
      results.insert(results.end(), list.begin(), list.end());
      results.insert(results.end(), text.begin(), text.end());
      results.insert(results.end(), bits.begin(), bits.end());
    }
  });
}

TEST(CollectiveBlock, AllReduceOfSequences) {
  compare_ways([](std::vector<double>& results) {
    for (const std::size_t length : {0, 1, 7, 5'000}) {
      std::vector<double> mine(length), all{1, 2};
      for (std::size_t i = 0; i < length; ++i)
        mine[i] = 1.1 + 0.37 * world.rank() + static_cast<double>(i % 13);
      BLOCK;
      block.reduce(FORM(all_reduce_form), {world.size()}, mix, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto r : bind.only(0, abi::each(world)))
          for (const auto s : bind.only(1, abi::each(world))) binding(bind, r, AT(all), s, SEND(mine), r, s);
      });
      block.run();
      EXPECT_EQ(all.size(), length);
      results.insert(results.end(), all.begin(), all.end());
    }
    // Callables that take whole sequences take them of any lengths.
    const std::vector<double> mine(static_cast<std::size_t>(3'000 * (world.rank() % 3)), world.rank());
    std::vector<double> longest;
    const auto longer = [](const std::vector<double>& a, const std::vector<double>& b) {
      return b.size() > a.size() ? b : a;
    };
    BLOCK;
    block.reduce(FORM(all_reduce_form), {world.size()}, longer, [&](auto& kanor_bind, auto kanor_operation) {
      const Reducing bind(kanor_bind, kanor_operation);
      for (const auto r : bind.only(0, abi::each(world)))
        for (const auto s : bind.only(1, abi::each(world)))
          binding(bind, r, AT(longest), s, SEND(mine), r, s);
    });
    block.run();
    results.insert(results.end(), longest.begin(), longest.end());
  });
}

TEST(CollectiveBlock, SequencesOfUnlikeLengthsAreTold) {
  EXPECT_EXIT(run_with_cores([] {
                const std::vector<int> mine(world.rank() == 5 ? 4 : 3, 1);
                std::vector<int> sum;
                BLOCK;
                block.reduce(FORM(all_reduce_form), {world.size()}, abi::add,
                             [&](auto& kanor_bind, auto kanor_operation) {
                               const Reducing bind(kanor_bind, kanor_operation);
                               for (const auto r : bind.only(0, abi::each(world)))
                                 for (const auto s : bind.only(1, abi::each(world)))
                                   binding(bind, r, AT(sum), s, SEND(mine), r, s);
                             });
                block.run();
              }),
              testing::ExitedWithCode(1),
              "has length [34], but that of rank [0-7] has length [34], so they cannot be reduced");
}

TEST(CollectiveBlock, PlacesConvert) {
  compare_ways([](std::vector<double>& results) {
    const double mine = 2.75 + world.rank();
    int whole = 0;
    std::vector<bool> bits(2);
    {
      BLOCK;
      block.assign(FORM("r: 0 .. $0 - 1; to r; from 0; is broadcast"), {world.size()}, [&](auto& bind) {
        for (const auto r : bind.only(0, abi::each(world))) binding(bind, r, AT(whole), 0, SEND(mine), r);
      });
      block.run();
    }
    const bool bit = true;
    {
      BLOCK;
      block.assign(FORM("r: 0 .. $0 - 1; to r; from 0; is broadcast"), {world.size()}, [&](auto& bind) {
        for (const auto r : bind.only(0, abi::each(world))) binding(bind, r, AT(bits[1]), 0, SEND(bit), r);
      });
      block.run();
    }
    EXPECT_EQ(whole, 2);
    results = {static_cast<double>(whole), static_cast<double>(bits[1])};
  });
}

TEST(CollectiveBlock, AllReduceKeepsTheBracket) {
  compare_ways([](std::vector<double>& results) {
    for (int round = 0; round < 3; ++round) {
      std::array<double, 3> mine{}, all{};
      for (std::size_t i = 0; i < 3; ++i)
        mine[i] = 1.1 + 0.37 * world.rank() + static_cast<double>(i) + round;
      BLOCK;
      block.reduce(FORM(all_reduce_form), {world.size()}, mix, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto r : bind.only(0, abi::each(world)))
          for (const auto s : bind.only(1, abi::each(world))) binding(bind, r, AT(all), s, SEND(mine), r, s);
      });
      block.run();
      results.insert(results.end(), all.begin(), all.end());
    }
  });
}

TEST(CollectiveBlock, ScansKeepTheBracket) {
  compare_ways([](std::vector<double>& results) {
    const double mine = 1.1 + 0.37 * world.rank();
    double inclusive = -1, exclusive = -1;
    {
      BLOCK;
      block.reduce(FORM("r: 0 .. $0 - 1; s: 0 .. r; to r; from s; is scan"), {world.size()}, mix,
                   [&](auto& kanor_bind, auto kanor_operation) {
                     const Reducing bind(kanor_bind, kanor_operation);
                     for (const auto r : bind.only(0, abi::each(world)))
                       for (const auto s : bind.only(1, abi::each(0, r)))
                         binding(bind, r, AT(inclusive), s, SEND(mine), r, s);
                   });
      block.run();
    }
    {
      BLOCK;
      block.reduce(FORM("r: 0 .. $0 - 1; s: 0 .. r - 1; to r; from s; is exclusive_scan"), {world.size()},
                   mix, [&](auto& kanor_bind, auto kanor_operation) {
                     const Reducing bind(kanor_bind, kanor_operation);
                     for (const auto r : bind.only(0, abi::each(world)))
                       for (const auto s : bind.only(1, abi::each(0, r - 1)))
                         binding(bind, r, AT(exclusive), s, SEND(mine), r, s);
                   });
      block.run();
    }
    EXPECT_EQ(exclusive == -1, world.rank() == 0) << "nothing arrives at rank 0";
    results = {inclusive, exclusive};
  });
}

TEST(CollectiveBlock, AllGather) {
  compare_ways([](std::vector<double>& results) {
    const double mine = 0.1 * world.rank();
    results.assign(static_cast<std::size_t>(world.size()), -1);
    BLOCK;
    block.assign(FORM("r: 0 .. $0 - 1; s: 0 .. $0 - 1; to r; from s; is all_gather"), {world.size()},
                 [&](auto& bind) {
                   for (const auto r : bind.only(0, abi::each(world)))
                     for (const auto s : bind.only(1, abi::each(world)))
                       binding(bind, r, AT(results[static_cast<std::size_t>(s)]), s, SEND(mine), r, s);
                 });
    block.run();
    for (int s = 0; s < world.size(); ++s) EXPECT_EQ(results[static_cast<std::size_t>(s)], 0.1 * s);
  });
}

// Forms without a word, and blocks that do more, take the general way.
TEST(CollectiveBlock, OtherBlocksStayAsTheyAre) {
  compare_ways([](std::vector<double>& results) {
    const std::vector<double> mine(5, 1.0 + world.rank());
    const double one = 3.0 + world.rank();
    double left = -1, sum = -1;
    for (const char* form : {all_reduce_form, "r: 0 .. $0 - 1; s: 0 .. $0 - 1; to r; from s"}) {
      BLOCK;
      block.reduce(FORM(form), {world.size()}, mix, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto r : bind.only(0, abi::each(world)))
          for (const auto s : bind.only(1, abi::each(world)))
            binding(bind, r, AT(results), s, SEND(mine), r, s);
      });
      block.run();
    }
    {
      BLOCK;
      block.reduce(FORM(all_reduce_form), {world.size()}, mix, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto r : bind.only(0, abi::each(world)))
          for (const auto s : bind.only(1, abi::each(world))) binding(bind, r, AT(sum), s, SEND(one), r, s);
      });
      block.assign(FORM("r: 0 .. $0 - 1; to (r + 1) % $0; from r; is shift"), {world.size()},
                   [&](auto& bind) {
                     for (const auto r : bind.only(0, abi::each(world)))
                       binding(bind, (r + 1) % world.size(), AT(left), r, SEND(one), r);
                   });
      block.run();
    }
    results.insert(results.end(), {left, sum});
  });
}

TEST(CollectiveBlock, StartedOnesDoNotWaitForOneAnother) {
  compare_ways([](std::vector<double>& results) {
    double mine = 1.0 + world.rank(), sum = -1, got = -1;
    const auto begin = [&] {
      BLOCK;
      block.reduce(FORM(all_reduce_form), {world.size()}, mix, [&](auto& kanor_bind, auto kanor_operation) {
        const Reducing bind(kanor_bind, kanor_operation);
        for (const auto r : bind.only(0, abi::each(world)))
          for (const auto s : bind.only(1, abi::each(world))) binding(bind, r, AT(sum), s, SEND(mine), r, s);
      });
      return block.start();
    };
    pending first = begin();
    BLOCK;
    block.assign(FORM("r: 0 .. $0 - 1; to r; from 0; is broadcast"), {world.size()}, [&](auto& bind) {
      for (const auto r : bind.only(0, abi::each(world))) binding(bind, r, AT(got), 0, SEND(mine), r);
    });
    block.run();
    first.wait();
    results = {sum, got};
  });
}

TEST(CollectiveBlock, ASenderDoesNotWait) {
  std::atomic<bool> through{false};
  TestJob(8).run([&] {
    double got = 0;
    if (world.rank() != 3)
      while (!through) std::this_thread::yield();
    BLOCK;
    block.assign(FORM("r: 0 .. $0 - 1; to r; from 3; is broadcast"), {world.size()}, [&](auto& bind) {
      for (const auto r : bind.only(0, abi::each(world))) binding(bind, r, AT(got), 3, SEND(4.5), r);
    });
    block.run();
    through = true;
    EXPECT_EQ(got, 4.5);
  });
}

TEST(CollectiveBlock, MembersInAnotherBlockAreTold) {
  EXPECT_EXIT(run_with_cores([] {
                double got = 0;
                const int line = world.rank() == 2 ? 7 : 8;
                abi::block block({"a.cpp", line, "test"});
                block.reduce(FORM(all_reduce_form), {world.size()}, mix,
                             [&](auto& kanor_bind, auto kanor_operation) {
                               const Reducing bind(kanor_bind, kanor_operation);
                               for (const auto r : bind.only(0, abi::each(world)))
                                 for (const auto s : bind.only(1, abi::each(world)))
                                   binding(bind, r, AT(got), s, SEND(1.0), r, s);
                             });
                block.run();
              }),
              testing::ExitedWithCode(1),
              "is in the block at a.cpp:[78] while this rank is in the block at a.cpp:[78]");
}

// The pattern's word promises more than the program holds: never a wrong result.
TEST(CollectiveBlock, BindingsThatAreNotTheFormsAreTold) {
  EXPECT_EXIT(run_with_cores([] {
                double got = 0;
                BLOCK;
                block.reduce(FORM(all_reduce_form), {world.size()}, mix,
                             [&](auto& kanor_bind, auto kanor_operation) {
                               const Reducing bind(kanor_bind, kanor_operation);
                               for (const auto r : bind.only(0, abi::each(world)))
                                 for (const auto s : bind.only(1, abi::each(range(world.size() - 1, -1, -1))))
                                   binding(bind, r, AT(got), s, SEND(1.0), r, s);
                             });
                block.run();
              }),
              testing::ExitedWithCode(1), "the bindings are not those of the form");
}

}  // namespace
}  // namespace kanor::rt
