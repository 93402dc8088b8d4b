// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables in regions on one thread, and regions between threads.
#include "ownership/region.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

using abi::globalised;

Region& region_of(const auto& variable) { return Region::of(variable.get()); }
std::uint32_t references_to(const auto& variable) { return region_of(variable).references.load(); }

/// What a message does: another reference to the variable's region.
template <class T>
T* share_with_message(const globalised<T>& variable) {
  share(region_of(variable));
  return variable.get();
}

TEST(Globalised, IsAVariable) {
  TestJob(1).run_rank(0, [] {
    globalised<double[3][2]> a({"a.cpp", 1, "a"});
    (*a.get())[2][1] = 5;
    EXPECT_EQ((*a.acquire())[2][1], 5.0);
    EXPECT_EQ(a.overwrite(), a.get());
    EXPECT_EQ(a.release(), nullptr);
    EXPECT_EQ(a.get(), nullptr);
    (*a.acquire())[0][0] = 1;
    EXPECT_NE(a.get(), nullptr);

    globalised<std::array<int, 4>> b([](void* at) { ::new (at) std::array<int, 4>{1, 2, 3, 4}; });
    EXPECT_EQ((*b.get())[3], 4);
    globalised<std::vector<int>> c({"a.cpp", 2, "c"}, [](void* at) { ::new (at) std::vector<int>(5, 7); });
    EXPECT_EQ(*c.get(), std::vector<int>(5, 7));
    c.release();
    EXPECT_TRUE(c.overwrite()->empty());
    globalised<std::vector<int>> d;
    EXPECT_TRUE(d.get()->empty());
  });
}

struct Counted {
  int number = 42;
};
struct alignas(64) Wide {
  double numbers[8];
};
struct alignas(32) Half {
  int numbers[8];
};

TEST(Globalised, MakesAndAlignsItsObject) {
  TestJob(1).run_rank(0, [] {
    globalised<Counted[2][3]> a;
    for (const auto& row : *a.get())
      for (const Counted& one : row) EXPECT_EQ(one.number, 42);
    for (int i = 0; i < 20; ++i) {
      globalised<Wide[3]> wide;
      globalised<Half> half;
      globalised<char[3]> few;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.get()) % 64, 0u);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(half.get()) % 32, 0u);
      share_with_message(wide);
      const void* const old = wide.get();
      EXPECT_NE(wide.acquire(), old);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.get()) % 64, 0u);
      let_go(Region::of(const_cast<void*>(old)));
    }
  });
}

TEST(Globalised, OfWhatCannotBeMade) {
  TestJob job(1);
  job.run_rank(0, [&] {
    const auto fails = [](void*) { throw std::runtime_error("no"); };
    const auto make = [&] { globalised<std::vector<int>> a(fails); };
    for (int i = 0; i < 5000; ++i) EXPECT_THROW(make(), std::runtime_error);
  });
  EXPECT_LE(job.local.segment().used_bytes(), Segment::unit_bytes);
}

TEST(Globalised, EndsOutsideOfRanks) {
  TestJob job(1);
  std::unique_ptr<globalised<std::vector<int>>> survivor;
  job.run_rank(0, [&] { survivor = std::make_unique<globalised<std::vector<int>>>(); });
  survivor.reset();
}

TEST(Globalised, CopiesOnConflict) {
  TestJob job(1);
  job.home.switches.statistics = true;
  job.run_rank(0, [] {
    globalised<int[100'000]> a({"a.cpp", 1, "a"});
    std::iota(std::begin(*a.get()), std::end(*a.get()), 0);
    auto* const other = share_with_message(a);
    auto* const mine = a.acquire();
    EXPECT_NE(mine, other);
    for (int i = 0; i < 100'000; ++i) ASSERT_EQ((*mine)[i], i);
    (*mine)[7] = -1;
    EXPECT_EQ((*other)[7], 7);
    EXPECT_EQ(a.acquire(), mine);
    let_go(Region::of(other));

    globalised<std::vector<double>> v({"a.cpp", 2, "v"},
                                      [](void* at) { ::new (at) std::vector<double>(50'000, 1.5); });
    auto* const old = share_with_message(v);
    EXPECT_NE(v.acquire(), old);
    EXPECT_EQ(*v.get(), std::vector<double>(50'000, 1.5));
    let_go(Region::of(old));
    auto* const shared = share_with_message(v);
    EXPECT_TRUE(v.overwrite()->empty());
    EXPECT_EQ(shared->size(), 50'000u);
    let_go(Region::of(shared));

    const auto lines = SharingCounters::of(here()).lines();
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0],
              "a.cpp:1 (a): copied 0, shared 0, handed over 0, renamed 0, copied on conflict 400000 bytes; 0 "
              "copies abandoned (0 bytes), 0 waits");
    EXPECT_EQ(lines[1],
              "a.cpp:2 (v): copied 0, shared 0, handed over 0, renamed 400000, copied on conflict 400000 "
              "bytes; 0 copies abandoned (0 bytes), 0 waits");
  });
}

/// The other holder of a region that is being copied, and after how many pieces it lets go.
struct Other {
  Region* region;
  int pieces;
};
Other other;

std::size_t copy_until_other_lets_go(void* to, const void* from, std::size_t copied, std::size_t most) {
  const std::size_t bytes = std::min(most, std::size_t{300'000} - copied);
  std::memcpy(static_cast<char*>(to) + copied, static_cast<const char*>(from) + copied, bytes);
  if (other.pieces-- == 1) let_go(*other.region);
  return bytes;
}

class Variable : public globalised<std::uint32_t[20'000]> {
 public:
  using region_handle::adopt;
  using region_handle::is_sole;
  using region_handle::refer;
};

// Two that send and receive one value again and again do not fetch the counter's cache line from each other.
// A variable keeps most_kept references: here it gets fewer, and more.
TEST(Globalised, SeldomCountsAnew) {
  TestJob(1).run_rank(0, [] {
    Variable from, to;
    int steps = 0;
    std::uint32_t before = references_to(from);
    for (int i = 0; i < 6'400; ++i) {
      from.refer(false);
      to.adopt(from.get());
      steps += references_to(from) != before;
      before = references_to(from);
    }
    EXPECT_LE(steps, 110);
    EXPECT_EQ(from.get(), to.get());
    EXPECT_LE(references_to(from), 1'200u) << "what a variable keeps is bounded";
    to.release();
    EXPECT_TRUE(from.is_sole());
    auto* const own = from.get();
    EXPECT_EQ(from.acquire(), own);
  });
}

class Borrower : public globalised<std::vector<int>> {
 public:
  explicit Borrower(int value) : globalised([value](void* at) { ::new (at) std::vector<int>(100, value); }) {}
  using region_handle::borrow;
};

TEST(Globalised, GivesBackWhatItBorrowed) {
  TestJob(1).run_rank(0, [] {
    Borrower b(2);
    {
      Borrower a(1), c(3);
      const auto* const memory = a.get();
      b.borrow(a);
      EXPECT_EQ(b.get(), memory);
      const std::uint32_t counted = references_to(a);
      for (int turn = 0; turn < 1'000; ++turn) {
        b.release();
        EXPECT_EQ(a.acquire(), memory);  // nobody else has it
        b.borrow(a);
      }
      EXPECT_EQ(references_to(a), counted);  // the counter was not written
      EXPECT_NE(a.acquire(), memory);        // b has it still
      EXPECT_EQ(b.acquire(), memory);

      // Another borrower, and another lender.
      c.borrow(a);
      b.borrow(a);
      b.borrow(c);
      c.release();
      EXPECT_EQ(b.get(), a.get());
      b.release();
      const auto* const now = a.get();
      EXPECT_EQ(a.acquire(), now);

      b.borrow(a);
      a.overwrite()->assign(3, 4);
      EXPECT_EQ(*b.get(), std::vector<int>(100, 1));
      b.release();
      const auto* const renewed = a.get();
      EXPECT_EQ(a.acquire(), renewed);  // what b had was of another region
      b.borrow(a);
    }
    // The lender is gone.
    EXPECT_EQ(*b.get(), std::vector<int>(3, 4));
    const auto* const last = b.get();
    EXPECT_EQ(b.acquire(), last);
    Borrower d(5);
    {
      Borrower e(6);
      e.borrow(d);
    }
    const auto* const own = d.get();
    EXPECT_EQ(d.acquire(), own);
  });
}

TEST(Globalised, BorrowsFromOneAtATime) {
  TestJob(1).run_rank(0, [] {
    Borrower a(1), b(2), c(3), d(4);
    b.borrow(a);
    b.borrow(c);
    const std::uint32_t counted = references_to(c);
    d.borrow(a);
    b.release();
    EXPECT_EQ(references_to(c), counted);  // b's lender is c still
  });
}

TEST(AcquireOrCopy, StopsWhenTheOthersLetGo) {
  TestJob job(1);
  job.run_rank(0, [&] {
    const abi::region_kind kind{300'000, true, nullptr, nullptr, &copy_until_other_lets_go, nullptr};
    Rank& rank = here();
    Region& region = make_region(rank, kind.bytes);
    std::memset(region.object(), 5, 300'000);
    for (int pieces = 1; pieces <= 5; ++pieces) {
      share(region);
      other = {&region, pieces};
      SharingCounts counts;
      Region& mine = acquire_or_copy(rank, region, 1, kind, &counts);
      EXPECT_EQ(&mine, &region) << "after " << pieces;
      EXPECT_EQ(region.references.load(), 1u);
      EXPECT_EQ(counts.abandoned_copies, 1u);
      EXPECT_EQ(counts.abandoned_bytes, std::min<std::size_t>(pieces * piece_bytes, 300'000));
      EXPECT_EQ(counts.conflict_bytes, 0u);
    }
    share(region);
    other = {&region, 0};  // never
    SharingCounts counts;
    Region& copy = acquire_or_copy(rank, region, 1, kind, &counts);
    EXPECT_NE(&copy, &region);
    EXPECT_EQ(counts.conflict_bytes, 300'000u);
    EXPECT_EQ(counts.abandoned_copies, 0u);
    EXPECT_EQ(std::memcmp(copy.object(), region.object(), 300'000), 0);
    EXPECT_EQ(region.references.load(), 1u);
    let_go(region);
    let_go(copy);
  });
}

/// A vector whose copy is abandoned is destroyed, and its memory comes back.
TEST(AcquireOrCopy, GivesVectorsUpToo) {
  TestJob(1).run_rank(0, [] {
    using Vector = std::vector<int>;
    static int copies;
    abi::region_kind kind = abi::kind_of_region<Vector>;
    kind.copy_piece = [](void* to, const void* from, std::size_t copied, std::size_t most) {
      const std::size_t bytes = abi::copy_vector_piece<Vector>(to, from, copied, most);
      if (++copies == 2) let_go(*other.region);
      return bytes;
    };
    Region& region = make_region(here(), kind.bytes);
    ::new (region.object()) Vector(100'000, 3);
    region.destroy = kind.destroy;
    share(region);
    other.region = &region;
    SharingCounts counts;
    EXPECT_EQ(&acquire_or_copy(here(), region, 1, kind, &counts), &region);
    EXPECT_EQ(counts.abandoned_bytes, 2 * piece_bytes);
    let_go(region);
  });
}

// A table of references that the ranks hand to each other, in place of messages.
constexpr int slots = 4;
struct Slot {
  std::mutex mutex;
  void* object = nullptr;
};

/// The slot's reference, and this one in its place.
void* exchange(Slot& slot, void* object) {
  const std::lock_guard lock(slot.mutex);
  return std::exchange(slot.object, object);
}

/// All elements of a variable are one number, but for the moment in which its only holder writes them.
void expect_whole(const std::uint32_t (&array)[20'000]) {
  for (const std::uint32_t element : array) ASSERT_EQ(element, array[0]);
}

void fill(std::uint32_t (&array)[20'000], std::uint32_t value) {
  std::fill(std::begin(array), std::end(array), value);
}

TEST(Region, BetweenThreads) {
  TestJob job(4);
  Slot table[slots];
  std::atomic<std::uint64_t> waited_for{0};
  job.run([&] {
    const int me = rank_number(here());
    std::mt19937 random(static_cast<unsigned>(me));
    Variable mine;
    fill(*mine.get(), 0);
    for (std::uint32_t step = 1; step <= 400; ++step) {
      const std::uint32_t stamp = static_cast<std::uint32_t>(me) << 24 | step;
      switch (random() % 6) {
        case 0:  // change
          expect_whole(*mine.acquire());
          for (auto& element : *mine.get()) element += 1;
          break;
        case 1:
          fill(*mine.overwrite(), stamp);
          break;
        case 2:
          if (mine.get()) expect_whole(*mine.get());
          break;
        case 3:
          if (random() % 4 == 0) mine.release();
          break;
        default: {
          void* sent = nullptr;
          if (mine.get() && random() % 2) {
            const bool gives = random() % 2;
            mine.refer(gives);
            sent = mine.get();
            if (gives) mine.release();
          }
          if (void* const got = exchange(table[random() % slots], sent)) {
            mine.adopt(got);
            expect_whole(*mine.get());
          }
        }
      }
      if (!mine.get()) fill(*mine.overwrite(), stamp);
      ASSERT_GE(references_to(mine), 1u);
    }
    // The references that are left are let go of by the ranks together.
    for (Slot& slot : table)
      if (void* const left = exchange(slot, nullptr)) let_go(Region::of(left));
    ++waited_for;
    while (waited_for < 4) std::this_thread::yield();
    for (Slot& slot : table)
      if (void* const left = exchange(slot, nullptr)) let_go(Region::of(left));
  });
  // 4 variables, 4 references, 4 copies and what the pools keep: 128 KiB each.
  EXPECT_LE(job.local.segment().used_bytes(), std::size_t{16} << 20);
}

}  // namespace
}  // namespace kanor::rt
