// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a block says when it fails.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "exchange/test_job.hpp"

namespace kanor::rt {
namespace {

/// Runs one statement on the only rank of a job.
template <class Bindings>
void run_alone(const Bindings& bindings, abi::statement_site site = {12, "place@i <<= value@j", "i, j"}) {
  TestJob(1).run_rank(0, [&] {
    abi::block block({"f.cpp", 11, "f"});
    block.assign(site, bindings);
    block.run();
  });
}

template <class Operation, class Bindings>
void reduce_alone(const Operation& operation, const Bindings& bindings) {
  TestJob(1).run_rank(0, [&] {
    abi::block block({"f.cpp", 11, "f"});
    block.reduce({12, "place@0 << op << value@k", "k"}, operation,
                 [&](auto& bind, auto kanor_operation) { bindings(Reducing(bind, kanor_operation)); });
    block.run();
  });
}

int place = 0, value = 1;

TEST(BlockFailure, RankOutside) {
  EXPECT_EXIT(run_alone([&](auto& bind) { binding(bind, 1, AT(place), 0, SEND(value), 3, -4L); }),
              testing::ExitedWithCode(1),
              "f.cpp:12: in 'place@i <<= value@j' for i = 3, j = -4, the receiver's rank is 1, but the team "
              "has 1 rank");
  EXPECT_EXIT(run_alone([&](auto& bind) { binding(bind, 0, AT(place), -1, SEND(value), true, 2.5); }),
              testing::ExitedWithCode(1), "i = true, j = 2.5, the sender's rank is -1");
  EXPECT_EXIT(run_alone([&](auto& bind) { binding(bind, 0xFFFFFFFFu, AT(place), 0, SEND(value)); }),
              testing::ExitedWithCode(1), "receiver's rank is 4294967295");
  EXPECT_EXIT(run_alone([&](auto& bind) { binding(bind, 0, AT(place), 1ul << 40, SEND(value)); }),
              testing::ExitedWithCode(1), "sender's rank is 1099511627776");
  run_alone([&](auto& bind) { binding(bind, no_rank, AT(place), 99, SEND(value)); });
}

TEST(BlockFailure, Lengths) {
  int three[3] = {};
  std::vector<int> v{1, 2};
  EXPECT_EXIT(run_alone([&](auto& bind) { binding(bind, 0, AT(three), 0, SEND(v), 5, 6); }),
              testing::ExitedWithCode(1),
              "f.cpp:12: .* for i = 5, j = 6, the place has length 3, but the value has length 2");
  std::vector<std::vector<int>> vs{{1}, {1, 2}};
  std::vector<int> sum;
  EXPECT_EXIT(reduce_alone(abi::add,
                           [&](const auto& bind) {
                             for (const auto k : abi::each(0ul, 1ul))
                               binding(bind, 0, AT(sum), 0, SEND(vs[k]), k);
                           }),
              testing::ExitedWithCode(1),
              "for k = 1, the value of rank 0 has length 2, but that of rank 0 for k = 0 has length 1");
  // Elements that no other file has: those have an archive, and a type is the same in all of a program.
  std::vector<std::vector<std::wstring>> texts{{L"a"}, {L"b", L"c"}};
  std::vector<std::wstring> joined;
  EXPECT_EXIT(reduce_alone(abi::add,
                           [&](const auto& bind) {
                             for (const auto k : abi::each(0ul, 1ul))
                               binding(bind, 0, AT(joined), 0, SEND(texts[k]), k);
                           }),
              testing::ExitedWithCode(1),
              "for k = 1, the value of rank 0 has length 2, but that of rank 0 for k = 0 has length 1");
  // Terms are folded in pairs: what is named are two that differ, not the last that came.
  vs = {{1}, {1}, {1}, {1, 2}, {1}, {1}};
  EXPECT_EXIT(reduce_alone(abi::add,
                           [&](const auto& bind) {
                             for (const auto k : abi::each(0ul, 5ul))
                               binding(bind, 0, AT(sum), 0, SEND(vs[k]), k);
                           }),
              testing::ExitedWithCode(1), "for k = 3, .* has length 2, .* for k = 2 has length 1");
}

TEST(BlockFailure, SectionsThatAreNone) {
  using abi::part;
  using abi::section;
  std::vector<int> four(4);
  int table[2][3] = {};
  const auto refuses = [&](auto first, auto count, auto stride, const char* what) {
    const std::string text = "f.cpp:12: .* for i = 3, j = 4, the section ";
    EXPECT_EXIT(run_alone([&](auto& bind) {
                  binding(bind, 0, AT(section(four, part(first, count, stride))), 0,
                          SEND(section(four, part(0, 1))), 3, 4);
                }),
                testing::ExitedWithCode(1), text + what);
    EXPECT_EXIT(run_alone([&](auto& bind) {
                  binding(bind, 0, AT(four), 0, SEND(section(four, part(first, count, stride))), 3, 4);
                }),
                testing::ExitedWithCode(1), text + what);
  };
  refuses(2, 3, 1, "\\[2 : 3\\] goes beyond length 4");
  refuses(0, 3, 2, "\\[0 : 3 : 2\\] goes beyond length 4");
  refuses(0ul - 1, 1, 1, "\\[9223372036854775807 : 1\\] goes beyond length 4");
  refuses(1, 3, 0x7FFFFFFFFFFFFFFF, ".*goes beyond length 4");
  refuses(-1, 2, 1, "\\[-1 : 2\\] begins at element -1");
  refuses(1, -2, 1, "\\[1 : -2\\] has a negative count");
  refuses(1, 2, 0, "\\[1 : 2 : 0\\] has stride 0, but a stride must be at least 1");
  refuses(1, 0, -1, ".* has stride -1, but a stride must be at least 1");
  EXPECT_EXIT(run_alone([&](auto& bind) {
                binding(bind, 0, AT(section(table, part(0, 2), part(1, 3))), 0, SEND(four), 3, 4);
              }),
              testing::ExitedWithCode(1), "the section \\[1 : 3\\] in dimension 2 goes beyond length 3");
  EXPECT_EXIT(run_alone([&](auto& bind) {
                binding(bind, 0, AT(section(&four[0], abi::whole)), 0, SEND(four), 3, 4);
              }),
              testing::ExitedWithCode(1), "for i = 3, j = 4, the length of \\[:\\] is unknown for a pointer");
  EXPECT_EXIT(run_alone([&](auto& bind) {
                binding(bind, 0, AT(section(table, part(0, 2), part(1, 2))), 0,
                        SEND(section(four, part(1, 3))), 3, 4);
              }),
              testing::ExitedWithCode(1),
              "f.cpp:12: .* for i = 3, j = 4, the place has length 4, but the value has length 3");
  run_alone([&](auto& bind) {
    binding(bind, 0, AT(section(four, part(9, 0))), 0, SEND(section(four, part(-1, 0, 5))), 3, 4);
  });
}

TEST(BlockFailure, SectionThatAnUpdateCutShort) {
  std::vector<int> v(5);
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [&] {
                                    abi::block block({"f.cpp", 11, "f"});
                                    block.assign({12, "v@0 <<= w@0", ""}, [&](auto& bind) {
                                      binding(bind, 0, AT(v), 0, SEND(std::vector<int>(3)));
                                    });
                                    block.assign({13, "v[1 : 4]@0 <<= w[0 : 4]@0", ""}, [&](auto& bind) {
                                      binding(bind, 0, AT(abi::section(v, abi::part(1, 4))), 0,
                                              SEND(abi::section(v, abi::part(0, 4))));
                                    });
                                    block.run();
                                  }),
              testing::ExitedWithCode(1),
              "f.cpp:13: in 'v.1 : 4.@0 <<= .*', the section \\[1 : 4\\] goes beyond length 3");
}

TEST(BlockFailure, ElementThatAnUpdateRemoved) {
  std::vector<int> v(5);
  const std::vector<int> shorter(3);
  const auto assign_both = [&](std::size_t k) {
    TestJob(1).run_rank(0, [&] {
      abi::block block({"f.cpp", 11, "f"});
      block.assign({12, "v@0 <<= shorter@0", ""},
                   [&](auto& bind) { binding(bind, 0, AT(v), 0, SEND(shorter)); });
      block.assign({13, "v[k]@0 <<= value@0", "k"},
                   [&](auto& bind) { binding(bind, 0, AT(v[k]), 0, SEND(value), k); });
      block.run();
    });
  };
  EXPECT_EXIT(assign_both(4), testing::ExitedWithCode(1),
              "f.cpp:13: in 'v\\[k\\]@0 <<= value@0'.* element 4, .* length from 5 to 3");
  assign_both(2);
  EXPECT_EQ(v, (std::vector<int>{0, 0, 1}));
}

TEST(BlockFailure, RankThatHasEnded) {
  const auto wait_for_nobody = [&](bool ends_first) {
    TestJob job(2);
    job.run([&] {
      if (world.rank() == 1) {
        if (!ends_first)
          while (job.local.presence(0).awaits.load() != 1) std::this_thread::yield();
        rank_is_over(job.home, 1, 0);
      } else {
        while (ends_first && !job.control.page(1).ended.load()) std::this_thread::yield();
        abi::block block({"f.cpp", 11, "f"});
        block.assign({12, "place@0 <<= value@1", ""},
                     [&](auto& bind) { binding(bind, 0, AT(place), 1, SEND(value)); });
        block.run();
      }
    });
  };
  EXPECT_EXIT(wait_for_nobody(true), testing::ExitedWithCode(1),
              "waits for data from rank 1, which has ended");
  EXPECT_EXIT(wait_for_nobody(false), testing::ExitedWithCode(1),
              "waits for data from rank 1, which has ended");
}

TEST(BlockFailure, WhatAnEndedRankHasSentCounts) {
  TestJob job(2);
  job.run([&] {
    int got = 0;
    while (world.rank() == 0 && !job.control.page(1).ended.load()) std::this_thread::yield();
    abi::block block({"f.cpp", 11, "f"});
    block.assign({12, "got@0 <<= value@1", ""},
                 [&](auto& bind) { binding(bind, 0, AT(got), 1, SEND(value)); });
    block.run();
    if (world.rank() == 1) rank_is_over(job.home, 1, 0);
    EXPECT_EQ(got, world.rank() == 0 ? value : 0);
  });
}

TEST(BlockFailure, Exception) {
  const auto thrower = []() -> int { throw std::runtime_error("no such thing"); };
  EXPECT_EXIT(run_alone([&](auto& bind) { binding(bind, 0, AT(place), 0, SEND(thrower())); }),
              testing::ExitedWithCode(1), "exception left .*: std::runtime_error: no such thing");
  const auto odd = []() -> int { throw 3; };
  EXPECT_EXIT(run_alone([&](auto& bind) { binding(bind, 0, AT(place), 0, SEND(odd())); }),
              testing::ExitedWithCode(1),
              "f.cpp:12: in 'place@i <<= value@j', an exception left an expression of the block: int");
}

TEST(BlockFailure, ExceptionOfAnOperation) {
  const auto thrower = [](int, int) -> int { throw std::runtime_error("no sum"); };
  EXPECT_EXIT(reduce_alone(thrower,
                           [&](const auto& bind) {
                             for (int k : {1, 2}) binding(bind, 0, AT(place), 0, SEND(k), k);
                           }),
              testing::ExitedWithCode(1),
              "f.cpp:12: in 'place@0 << op << value@k', an exception left an expression of the block: "
              "std::runtime_error: no sum");
}

int exchange_inside() {
  abi::block block({"inner.cpp", 5, "inner"});
  block.run();
  return 1;
}

TEST(BlockFailure, BlockInsideABlock) {
  EXPECT_EXIT(run_alone([&](auto& bind) { binding(bind, 0, AT(place), 0, SEND(exchange_inside())); }),
              testing::ExitedWithCode(1), "block at inner.cpp:5 .* block at f.cpp:11");
}

TEST(BlockFailure, BlockNotCompleted) {
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [] {
                                    abi::block block({"f.cpp", 11, "f"});
                                  }),
              testing::ExitedWithCode(1), "ended the block");
}

TEST(BlockFailure, OutsideARank) {
  EXPECT_EXIT(abi::block({"f.cpp", 11, "f"}), testing::ExitedWithCode(1), "outside a rank");
}

/// A process with two ranks that share no addresses.
void run_two_apart(const std::function<void()>& body) { TestJob(2, false).run(body); }

TEST(BlockFailure, TypesThatStayInTheirAddressSpace) {
  const auto pointer = std::make_shared<int>(4);
  const auto exchange = [&](unsigned flags) {
    std::shared_ptr<int> there;
    abi::block block({"f.cpp", 11, "f"});
    block.assign({12, "there@0 <<= pointer@1", "", flags},
                 [&](auto& bind) { binding(bind, 0, AT(there), 1, SEND(pointer)); });
    block.run();
    EXPECT_EQ(there, world.rank() == 0 ? pointer : nullptr);
  };
  EXPECT_EXIT(
      run_two_apart([&] { exchange(abi::same_address_space); }), testing::ExitedWithCode(1),
      "f.cpp:12: in 'there@0 <<= pointer@1', the value is of a type marked .*same_address_space.* rank 0");
  EXPECT_EXIT(run_two_apart([&] { exchange(0); }), testing::ExitedWithCode(1), "cannot reach rank 0");
  TestJob(2).run([&] { exchange(abi::same_address_space); });
  EXPECT_EQ(pointer.use_count(), 1);
}

TEST(BlockFailure, RanksThatDisagree) {
  const auto exchange = [](int senders_terms, int receivers_terms) {
    int v[3] = {};
    const int terms = world.rank() == 1 ? senders_terms : receivers_terms;
    abi::block block({"f.cpp", 11, "f"});
    block.assign({12, "v[k]@0 <<= v[k]@1", "k"}, [&](auto& bind) {
      for (const auto k : abi::each(0, terms - 1)) binding(bind, 0, AT(v[k]), 1, SEND(v[k]), k);
    });
    block.run();
  };
  EXPECT_EXIT(TestJob(2).run([&] { exchange(2, 3); }), testing::ExitedWithCode(1), "fewer values");
  EXPECT_EXIT(TestJob(2).run([&] { exchange(3, 2); }), testing::ExitedWithCode(1),
              "sent 3 values, but rank 0 expects 2");
  EXPECT_EXIT(TestJob(2).run([&] {
    int v = 0;
    abi::block block({"f.cpp", world.rank() == 0 ? 20 : 30, "f"});
    block.assign({20, "v@0 <<= v@1", ""}, [&](auto& bind) { binding(bind, 0, AT(v), 1, SEND(v)); });
    block.run();
  }),
              testing::ExitedWithCode(1), "f.cpp:30 .* f.cpp:20");
}

// A set that holds less for what the rank sends than for what it receives.
TEST(BlockFailure, OwnValueThatWasNotSent) {
  const auto exchange = [] {
    int first = 0, second = 0, visits = 0;
    abi::block block({"f.cpp", 11, "f"});
    block.assign({12, "first@0 <<= value@0", ""},
                 [&](auto& bind) { binding(bind, 0, AT(first), 0, SEND(value)); });
    block.assign({13, "second@i <<= value@i", "i", 0, "i: 0 .. $0 - 1; to i; from i"}, {1}, [&](auto& bind) {
      if (++visits == 2)
        for (const auto i : bind.only(0, abi::each(0, 0)))
          for (int twice = 0; twice < 2; ++twice) binding(bind, i, AT(second), i, SEND(value), i);
    });
    block.run();
  };
  EXPECT_EXIT(TestJob(1).run_rank(0, exchange), testing::ExitedWithCode(1),
              "f.cpp:13: in 'second@i <<= value@i', rank 0 sent fewer values than this rank expects");
  EXPECT_EXIT(TestJob(1).run_rank(0,
                                  [] {
                                    int alone = 0, visits = 0;
                                    abi::block block({"f.cpp", 11, "f"});
                                    block.assign(
                                        {13, "alone@i <<= value@i", "i", 0, "i: 0 .. $0 - 1; to i; from i"},
                                        {1}, [&](auto& bind) {
                                          if (++visits == 2)
                                            for (const auto i : bind.only(0, abi::each(0, 0)))
                                              binding(bind, i, AT(alone), i, SEND(value), i);
                                        });
                                    block.run();
                                  }),
              testing::ExitedWithCode(1), "'alone@i <<= value@i', this rank expects a value of itself");
}

}  // namespace
}  // namespace kanor::rt
