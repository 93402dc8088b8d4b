// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows: what a fence brings, against a plain simulation of all ranks' puts.
#include "kanor/window.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"

namespace kanor::rt {
namespace {

struct Put {
  int to;
  int index;
  std::uint64_t value;
};

int length_of(int rank) { return 7 * rank % 40; }

/// The puts of a rank in a round: runs of all strides, single elements, and repeated ones.
std::vector<Put> puts_of(int rank, int round, int size) {
  std::mt19937 random(static_cast<unsigned>(1000 * rank + round));
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  std::vector<Put> puts;
  for (int run = below(8); run > 0; --run) {
    const int to = below(size), length = length_of(to);
    if (length == 0) continue;
    const int stride = below(7) - 3;
    for (int count = below(12), at = below(length); count > 0 && at >= 0 && at < length;
         --count, at += stride)
      puts.push_back({to, at, std::uint64_t{random()} << 20 | static_cast<unsigned>(rank)});
  }
  return puts;
}

TEST(Window, FencesBringAllPutsInOrder) {
  everywhere([] {
    const int me = world.rank(), n = world.size();
    std::vector<std::uint64_t> memory(static_cast<std::size_t>(length_of(me)), 1), expected = memory;
    window<std::uint64_t> opened(memory);
    for (int round = 0; round < 40; ++round) {
      for (const Put& put : puts_of(me, round, n)) opened.put(put.to, put.index, put.value);
      ASSERT_EQ(memory, expected) << "a put came before its fence";
      opened.fence();
      for (int rank = 0; rank < n; ++rank)
        for (const Put& put : puts_of(rank, round, n))
          if (put.to == me) expected[static_cast<std::size_t>(put.index)] = put.value;
      ASSERT_EQ(memory, expected) << "round " << round;
    }
  });
}

template <class T>
void exchange_elements(T (*value)(int)) {
  const int me = world.rank(), n = world.size();
  constexpr int length = 50;
  std::vector<T> memory(length);
  window<T> opened(memory.data(), memory.size());
  for (int i = length; i-- > 0;) opened.put((me + 1) % n, (7 * i) % length, value(me + i));
  opened.fence();
  for (int i = 0; i < length; ++i)
    ASSERT_EQ(memory[static_cast<std::size_t>(7 * i % length)], value((me + n - 1) % n + i));
}

TEST(Window, ElementsOfAllSizes) {
  on_all_jobs([] {
    exchange_elements<char>([](int i) { return static_cast<char>(i); });
    exchange_elements<short>([](int i) { return static_cast<short>(i); });
    exchange_elements<float>([](int i) { return static_cast<float>(i); });
    exchange_elements<long double>([](int i) { return static_cast<long double>(i); });
    exchange_elements<std::array<char, 3>>([](int i) {
      return std::array<char, 3>{static_cast<char>(i), 1, static_cast<char>(i >> 1)};
    });
    exchange_elements<std::array<double, 12>>([](int i) {
      std::array<double, 12> value{};
      value[static_cast<std::size_t>(i % 12)] = i;
      return value;
    });
  });
}

struct alignas(64) Wide {
  int number = 0;
  friend bool operator==(const Wide&, const Wide&) = default;
};

TEST(Window, ElementsThatNeedAlignment) {
  on_all_jobs([] { exchange_elements<Wide>([](int i) { return Wide{i}; }); });
}

TEST(Window, OfTeamsAndAllKindsOfMemory) {
  on_all_jobs([] {
    const team part = world.split(world.rank() % 2, -world.rank());
    const int me = part.rank(), n = part.size();
    int plain[3] = {-1, -1, -1};
    std::array<int, 2> array{-1, -1};
    buffer<int> given(2, -1);
    window of_plain(plain, part);
    window of_array(array, part);
    window of_buffer(given, part);
    window of_span{std::span(plain).first(1), part};
    static_assert(std::is_same_v<decltype(of_span), window<int>>);
    of_plain.put((me + 1) % n, 2, me);
    of_array.put(me, 1, 100 + me);
    of_buffer.put(n - 1 - me, 0, 200 + me);
    of_span.put(no_rank, 12345, 5);
    of_plain.fence();
    of_array.fence();
    of_buffer.fence();
    of_span.fence();
    EXPECT_EQ(plain[2], (me + n - 1) % n);
    EXPECT_EQ(plain[0], -1);
    EXPECT_EQ(array[1], 100 + me);
    EXPECT_EQ(given[0], 200 + n - 1 - me);
  });
}

TEST(Window, CanBeMovedWithItsPuts) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    long memory = -1;
    std::optional<window<long>> kept;
    {
      window<long> opened(&memory, 1);
      opened.put((me + 1) % n, 0, me);
      kept.emplace(std::move(opened));
    }
    kept->fence();
    EXPECT_EQ(memory, (me + n - 1) % n);
  });
}

TEST(Window, LongListsGrow) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    constexpr int length = 30'000;
    std::vector<int> memory(length, -1);
    window<int> opened(memory);
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < length; ++i) {
        const int index = static_cast<int>(static_cast<long long>(i) * 7919 % length);
        if (index % n == me) opened.put(round == 0 ? 0 : n - 1, index, index * 3 + round);
      }
      opened.fence();
      if (me == (round == 0 ? 0 : n - 1)) {
        for (int i = 0; i < length; ++i) ASSERT_EQ(memory[static_cast<std::size_t>(i)], 3 * i + round);
      }
    }
  });
}

TEST(Window, FencesStandBetweenBlocks) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    int memory = 0;
    window<int> opened(&memory, 1);
    for (int round = 1; round < 20; ++round) {
      if (me == round % n) opened.put((me + 1) % n, 0, round);
      opened.fence();
      int left = -1;
      BLOCK;
      block.assign(SITE, [&](auto& bind) {
        for (const auto i : abi::each(world)) binding(bind, (i + 1) % n, AT(left), i, SEND(memory), i);
      });
      block.run();
      if (me == (round + 2) % n) {
        ASSERT_EQ(left, round);
      }
    }
  });
}

void fails_with(const char* message, const std::function<void()>& body, bool checked = false) {
  const auto run = [&] {
    TestJob job(3);
    job.home.switches.check = checked;
    job.run([&] {
      body();
      finish_checks();
    });
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(1), message);
}

TEST(WindowErrorsDeathTest, PutsOutsideAreNamedAtTheirLines) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fails_with(
      "put at w.cpp:7 into the memory of rank 1, element 3, but that rank has opened 2 elements: 0 to 1", [] {
        std::vector<int> memory(static_cast<std::size_t>(world.rank() + 1));
        window<int> opened(memory);
        opened.put(1, 3, 5, "w.cpp", 7);
      });
  fails_with("into the memory of rank 0, element -1, but that rank has opened no elements", [] {
    window<int> opened(nullptr, 0);
    opened.put(0, -1, 5, "w.cpp", 7);
  });
  fails_with("into the memory of rank 3, but the window's team has 3 ranks: 0 to 2", [] {
    int memory = 0;
    window<int> opened(&memory, 1);
    opened.put(3, 0, 5, "w.cpp", 7);
  });
}

TEST(WindowErrorsDeathTest, PutsWithoutAFenceAreNotLostSilently) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fails_with("the kanor::window of w.cpp:4 is closed with puts that no fence has brought", [] {
    int memory = 0;
    window<int> opened(&memory, 1, world, "w.cpp", 4);
    opened.put(0, 0, 5);
  });
}

TEST(WindowErrorsDeathTest, WindowsThatDoNotMatch) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fails_with(
      "opens a window of elements of 8 bytes, and this rank one of 4 at w.cpp:4|"
      "opens a window of elements of 4 bytes, and this rank one of 8 at w.cpp:5",
      [] {
        int few = 0;
        long more = 0;
        if (world.rank() == 1)
          window<int>(&few, 1, world, "w.cpp", 4);
        else
          window<long>(&more, 1, world, "w.cpp", 5);
      });
  fails_with(
      "has called fence of another window than this rank, which has called that of the window of w.cpp:[45]: "
      "all",
      [] {
        int memory[2] = {};
        window<int> first(&memory[0], 1, world, "w.cpp", 4), second(&memory[1], 1, world, "w.cpp", 5);
        window<int>& own = world.rank() == 1 ? second : first;
        own.put((world.rank() + 1) % 3, 0, 1);
        own.fence();
      });
}

// A block that both sides know waits for other messages than a fence: only checked mode sees that they
// differ.
// Without a put of the other window, too.
TEST(WindowErrorsDeathTest, CheckedModeSeesFencesOfDifferentWindows) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fails_with(
      "calls kanor::window::fence at w.cpp:9 for the window that was opened at position [01] where rank",
      [] {
        int memory[2] = {};
        window<int> first(&memory[0], 1, world, "w.cpp", 4), second(&memory[1], 1, world, "w.cpp", 4);
        (world.rank() == 1 ? second : first).fence("w.cpp", 9);
      },
      true);
}

TEST(WindowErrorsDeathTest, MemoryThatIsNone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fails_with("a kanor::window is opened at w.cpp:4 with 3 elements at a null pointer",
             [] { window<int>(nullptr, 3, world, "w.cpp", 4); });
  fails_with("a kanor::window is opened at w.cpp:4 at an address that is no multiple of 4", [] {
    alignas(int) char bytes[8];
    window<int>(reinterpret_cast<int*>(bytes + 1), 1, world, "w.cpp", 4);
  });
}

static_assert(!std::is_constructible_v<window<int>, std::array<int, 3>>);
static_assert(!std::is_constructible_v<window<int>, std::vector<int>>);
static_assert(std::is_constructible_v<window<int>, std::span<int>>);

TEST(Window, TakesOverAnother) {
  on_all_jobs([] {
    const int me = world.rank(), n = world.size();
    long memory = -1, other = -1;
    window<long> kept(&other, 1);
    kept = window<long>(&memory, 1);
    kept.put((me + 1) % n, 0, me);
    kept.fence();
    EXPECT_EQ(memory, (me + n - 1) % n);
    EXPECT_EQ(other, -1);
  });
}

TEST(WindowErrorsDeathTest, FencesAreStepsOfTheirTeam) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto beside = [](abi::knows knows) {
    return [knows] {
      int memory = 0;
      window<int> opened(&memory, 1);
      if (world.rank() == 1) return opened.fence("w.cpp", 9);
      abi::block({"b.cpp", 12, "test"}, {.knows = knows}).run();
    };
  };
  fails_with(
      "rank 1 calls kanor::window::fence while this rank is in the block at b.cpp:12|"
      "rank [02] is in the block at b.cpp:12 while this rank is in the fence at w.cpp:9",
      beside(abi::knows::sender));
  for (const abi::knows knows : {abi::knows::sender, abi::knows::both})
    fails_with(
        "calls kanor::window::fence at w.cpp:9 for the window that was opened at position 0 where rank|"
        "executes the block at b.cpp:12 where rank",
        beside(knows), true);
}

TEST(WindowErrorsDeathTest, CheckedModeSeesTwoPutsOfOneElement) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fails_with(
      "w.cpp:9: in 'kanor::window::fence\\(\\)', two puts write element 4 of this rank's memory, one of rank "
      "0 and one of rank 2",
      [] {
        std::vector<int> memory(8);
        window<int> opened(memory);
        for (int i = 0; i < 8; ++i)
          if (world.rank() == 0 || (world.rank() == 2 && i == 4)) opened.put(1, i, i);
        opened.fence("w.cpp", 9);
      },
      true);
  fails_with(
      "two puts write element 1 of this rank's memory, both of rank 0",
      [] {
        std::vector<int> memory(8);
        window<int> opened(memory);
        if (world.rank() == 0) {
          opened.put(0, 1, 1);
          opened.put(0, 1, 2);
        }
        opened.fence();
      },
      true);
}

TEST(Window, CheckedModeAllowsAnElementInEachFence) {
  TestJob job(3);
  job.home.switches.check = true;
  job.run([] {
    std::vector<int> memory(3, -1);
    window<int> opened(memory);
    for (int round = 0; round < 3; ++round) {
      for (int to = 0; to < 3; ++to) opened.put(to, world.rank(), round);
      opened.fence();
      EXPECT_EQ(memory, std::vector<int>(3, round));
    }
  });
}

}  // namespace
}  // namespace kanor::rt
