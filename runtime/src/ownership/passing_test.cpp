// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that ranks give to each other, and copies that they send: whose memory it is, and what is said of
// pointers that are no buffers.
#include "ownership/passing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ownership/test_owned.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

constexpr Place here_at{"/some/folder/a.c", 12};
constexpr std::size_t any_length = ~std::size_t{0};

/// A buffer of this rank with content that follows from a number.
Region& made(Rank& rank, std::size_t bytes, int number = 1) {
  Region& buffer = allocate_owned(rank, bytes);
  std::memset(buffer.object(), number, bytes);
  return buffer;
}
bool has(const void* content, std::size_t bytes, int number = 1) {
  const auto* const first = static_cast<const std::byte*>(content);
  return std::all_of(first, first + bytes,
                     [&](std::byte one) { return one == static_cast<std::byte>(number); });
}

/// What `call` throws.
template <class Call>
PassingError thrown_by(const Call& call) {
  try {
    call();
  } catch (const PassingError& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// Two ranks, with sharing and without, and in checked mode, where more travels.
class Passing : public ::testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  Passing() {
    job_.home.switches.sharing = shares();
    job_.home.switches.check = checks();
  }
  static bool shares() { return std::get<0>(GetParam()); }
  static bool checks() { return std::get<1>(GetParam()); }
  /// Whether memory changes hands. Checked mode copies.
  static bool hands_over() { return shares() && !checks(); }
  /// Lengths that travel as content and as regions.
  static std::vector<std::size_t> lengths() {
    return {0, 1, most_copied_bytes, most_copied_bytes + 1, 1000, 200'000};
  }

  /// What rank 1 takes from rank 0.
  Region& taken(int tag, std::size_t bytes) {
    Incoming incoming(ranks_[1], {0, 0, tag}, any_length);
    receive(ranks_[1], incoming);
    incoming.check("take", here_at);
    EXPECT_EQ(incoming.received().source, 0);
    EXPECT_EQ(incoming.received().tag, tag);
    EXPECT_EQ(incoming.received().bytes, bytes);
    EXPECT_EQ(incoming.region()->bytes, bytes);
    EXPECT_TRUE(is_sole(*incoming.region()));
    EXPECT_TRUE(is_owned(ranks_[1], incoming.region()->object()));
    EXPECT_FALSE(is_owned(ranks_[0], incoming.region()->object()));
    return *incoming.region();
  }
  void free(int rank, Region& buffer) { free_owned(ranks_[rank], buffer, "free", here_at); }

  TestJob job_{2};
  Played ranks_{job_};
};

TEST_P(Passing, OfFewBytesGivesACopyAndOfMoreTheMemory) {
  for (const std::size_t bytes : lengths()) {
    Region& buffer = made(ranks_[0], bytes);
    give(ranks_[0], buffer, bytes, {0, 1, 5}, here_at);
    EXPECT_FALSE(is_owned(ranks_[0], buffer.object()));
    Region& got = taken(5, bytes);
    EXPECT_TRUE(has(got.object(), bytes));
    EXPECT_EQ(&got == &buffer, hands_over() && bytes > most_copied_bytes) << bytes;
    // The memory is of whom it is said to be.
    EXPECT_EQ(reinterpret_cast<Message*>(&got)[-1].owner, checks() ? no_pool : ranks_[1].pool.index());
    free(1, got);
    if (checks()) continue;  // nothing is used again, so that nobody else's use of it looks right
    Region& again = allocate_owned(ranks_[1], bytes);
    EXPECT_EQ(&again, &got);
    free(1, again);
    if (&got == &buffer) continue;
    Region& mine = allocate_owned(ranks_[0], bytes);
    EXPECT_EQ(&mine, &buffer) << "what was copied is the giver's again";
    free(0, mine);
  }
}

TEST_P(Passing, OfABuffersBeginning) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{80}, std::size_t{500}}) {
    give(ranks_[0], made(ranks_[0], 1000), bytes, {0, 1, 5}, here_at);
    Region& got = taken(5, bytes);
    EXPECT_TRUE(has(got.object(), bytes));
    free(1, got);
  }
}

TEST_P(Passing, OfWhatOthersHoldGivesACopy) {
  if (checks()) return;  // nobody else holds anything
  for (const std::size_t bytes : {std::size_t{80}, std::size_t{1000}}) {
    Region& buffer = made(ranks_[0], bytes);
    share(buffer);
    give(ranks_[0], buffer, bytes, {0, 1, 5}, here_at);
    Region& got = taken(5, bytes);
    EXPECT_NE(&got, &buffer);
    std::memset(got.object(), 2, bytes);
    EXPECT_TRUE(has(buffer.object(), bytes));
    EXPECT_TRUE(is_sole(buffer));
    ranks_[0];
    let_go(buffer);
    free(1, got);
  }
}

TEST_P(Passing, ToOneself) {
  for (const std::size_t bytes : lengths()) {
    Region& buffer = made(ranks_[1], bytes);
    give(ranks_[1], buffer, bytes, {0, 1, 5}, here_at);
    Incoming incoming(ranks_[1], {0, 1, 5}, any_length);
    receive(ranks_[1], incoming);
    ASSERT_NE(incoming.region(), nullptr);
    EXPECT_TRUE(has(incoming.region()->object(), bytes));
    if (hands_over() && bytes > most_copied_bytes) {
      EXPECT_EQ(incoming.region(), &buffer);
    }
    EXPECT_TRUE(is_owned(ranks_[1], incoming.region()->object()));
    free(1, *incoming.region());
  }
}

TEST_P(Passing, AndSendingMeetTakingAndReceiving) {
  for (const std::size_t bytes : lengths()) {
    std::vector<std::byte> mine(bytes, std::byte{3}), into(bytes + 1, std::byte{9});
    send_copy(ranks_[0], {mine.data(), bytes}, {0, 1, 1}, here_at);
    give(ranks_[0], made(ranks_[0], bytes, 4), bytes, {0, 1, 2}, here_at);
    send_copy(ranks_[0], {mine.data(), bytes}, {0, 1, 3}, here_at);
    // What is sent, into memory of the receiver's; what is given too; what is sent, taken.
    for (const int tag : {1, 2}) {
      Incoming incoming(ranks_[1], {0, 0, tag}, bytes, into.data());
      receive(ranks_[1], incoming);
      incoming.check("receive", here_at);
      EXPECT_EQ(incoming.region(), nullptr);
      EXPECT_EQ(incoming.received().bytes, bytes);
      EXPECT_TRUE(has(into.data(), bytes, tag + 2));
      EXPECT_EQ(into.back(), std::byte{9});
    }
    Region& got = taken(3, bytes);
    EXPECT_TRUE(has(got.object(), bytes, 3));
    free(1, got);
  }
}

// Of elements with gaps only the elements are sent.
TEST_P(Passing, OfElementsWithALayout) {
  const auto every_other = std::make_shared<const Layout>(Layout::block(1, 1).resized(0, 2));
  for (const std::size_t bytes : lengths()) {
    std::vector<std::byte> mine(2 * bytes), expected(bytes), into(bytes);
    for (std::size_t at = 0; at < 2 * bytes; ++at) mine[at] = static_cast<std::byte>(at % 253);
    for (std::size_t at = 0; at < bytes; ++at) expected[at] = mine[2 * at];
    for (const bool waits : {true, false}) {
      const Content content{mine.data(), bytes, every_other};
      if (waits)
        send_copy(ranks_[0], content, {0, 1, 1}, here_at);
      else
        send_copy_at_once(ranks_[0], content, {0, 1, 1}, here_at);
      into.assign(bytes, std::byte{9});
      Incoming incoming(ranks_[1], {0, 0, 1}, bytes, into.data());
      receive(ranks_[1], incoming);
      EXPECT_EQ(incoming.received().bytes, bytes);
      EXPECT_EQ(into, expected);
    }
  }
}

// What comes before its receive is kept, and is the same then.
TEST_P(Passing, BeforeItIsAskedFor) {
  for (const std::size_t bytes : lengths()) {
    Region& buffer = made(ranks_[0], bytes);
    give(ranks_[0], buffer, bytes, {0, 1, 5}, here_at);
    Matcher::of(ranks_[1]).progress(any_source, nullptr);
    EXPECT_EQ(Matcher::of(ranks_[1]).kept(), 1u);
    Region& got = taken(5, bytes);
    EXPECT_EQ(&got == &buffer, hands_over() && bytes > most_copied_bytes);
    EXPECT_TRUE(has(got.object(), bytes));
    free(1, got);
  }
  EXPECT_EQ(job_.local.inflight(0, 1).bytes(), 0u);
}

TEST_P(Passing, OfTooMuchIsSaidAndTheMessageIsGone) {
  for (const std::size_t bytes : {std::size_t{80}, std::size_t{1000}})
    for (const bool gives : {true, false})
      for (const bool copies : {true, false}) {
        std::vector<std::byte> content(bytes, std::byte{1}), into(70, std::byte{9});
        if (gives)
          give(ranks_[0], made(ranks_[0], bytes), bytes, {0, 1, 5}, here_at);
        else
          send_copy(ranks_[0], {content.data(), bytes}, {0, 1, 5}, here_at);
        Incoming taking(ranks_[1], {0, 0, 5}, 60), receiving(ranks_[1], {0, 0, 5}, 60, into.data());
        Incoming& incoming = copies ? receiving : taking;
        receive(ranks_[1], incoming);
        EXPECT_EQ(incoming.region(), nullptr);
        EXPECT_EQ(incoming.received().bytes, bytes);
        if (copies) {
          EXPECT_TRUE(has(into.data(), 60));
          EXPECT_EQ(into[60], std::byte{9});
        }
        const PassingError error = thrown_by([&] { incoming.check("take", {"b.c", 7}); });
        EXPECT_EQ(error.what, PassingError::What::too_long);
        std::string expected = "take at b.c:7 on rank 1 has room for 60 bytes, but rank 0 sent " +
                               std::to_string(bytes) + " with tag 5";
        expected += checks() ? " at a.c:12" : " (with KANOR_CHECK=1 the message says by which call)";
        EXPECT_EQ(error.text, expected);
        EXPECT_EQ(Matcher::of(ranks_[1]).kept(), 0u);
      }
  EXPECT_EQ(job_.local.inflight(0, 1).bytes(), 0u);
}

TEST_P(Passing, RemembersThePlacesEnd) {
  if (!checks()) return;
  const Place far{"/folder/a_file_with_a_name_that_is_rather_long.c", 123};
  for (const std::size_t bytes : {std::size_t{80}, std::size_t{1000}}) {
    give(ranks_[0], made(ranks_[0], bytes), bytes, {0, 1, 5}, far);
    Incoming incoming(ranks_[1], {0, 0, 5}, 1);
    receive(ranks_[1], incoming);
    const std::string text = thrown_by([&] { incoming.check("take", here_at); }).text;
    EXPECT_NE(text.find(" at _name_that_is_rather_long.c:123"), std::string::npos) << text;
  }
}

TEST_P(Passing, OfWhatIsNoBufferIsSaid) {
  int variable = 0;
  Region& plain = make_region(ranks_[0], 100);
  Region& freed = made(ranks_[0], 100);
  Region& given = made(ranks_[0], 1000);
  Region& few = made(ranks_[0], 10);
  Region& others = made(ranks_[1], 100);
  free(0, freed);
  give(ranks_[0], given, 1000, {0, 1, 5}, {"/f/b.c", 20});
  give(ranks_[0], few, 10, {0, 1, 5}, {"/f/b.c", 21});

  const std::string none = "it does not point to a buffer of OPI_Alloc or OPI_Take";
  const std::string not_now =
      "it does not point to a buffer of this rank, or no longer does (KANOR_CHECK=1 reports what became of "
      "it)";
  const auto expect = [&](const void* pointer, const std::string& why) {
    Rank& rank = ranks_[0];
    EXPECT_FALSE(is_owned(rank, pointer));
    const PassingError error = thrown_by([&] { owned(rank, pointer, "give", here_at); });
    EXPECT_EQ(error.what, PassingError::What::not_owned);
    EXPECT_EQ(error.text, "give of a pointer at /some/folder/a.c:12 on rank 0: " + why);
  };
  expect(nullptr, "it is NULL, as after OPI_Give and OPI_Free");
  expect(&variable, none);
  expect(static_cast<const char*>(freed.object()) + 1,
         checks() ? "it points to byte 1 of a buffer: the buffer was freed by free at /some/folder/a.c:12"
                  : not_now);
  expect(plain.object(), checks() ? none : not_now);
  expect(others.object(), checks() ? none : not_now);
  expect(freed.object(), checks() ? "the buffer was freed by free at /some/folder/a.c:12" : not_now);
  expect(given.object(), checks() ? "the buffer was given to rank 1 at /f/b.c:20" : not_now);
  expect(few.object(), checks() ? "the buffer was given to rank 1 at /f/b.c:21" : not_now);

  // Memory that is a buffer once more is none that was lost.
  Region& again = allocate_owned(ranks_[0], 100, "make", {"m.c", 3});
  EXPECT_EQ(&owned(ranks_[0], again.object(), "give", here_at), &again);
  expect(static_cast<const char*>(again.object()) + 40,
         checks() ? "it points to byte 40 of a buffer of 100 bytes that make at m.c:3 returned, and must "
                    "point to its beginning"
                  : not_now);
}

TEST_P(Passing, OneWayUsesBoundedMemory) {
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{3000}, std::size_t{150'000}}) {
    const std::size_t before = job_.local.segment().used_bytes();
    std::set<const void*> used;
    // Pages are slow, and more so under ThreadSanitizer.
    const int rounds = checks() ? 200 : 3000;
    for (int round = 0; round < rounds; ++round) {
      Region& buffer = allocate_owned(ranks_[0], bytes);
      used.insert(&buffer);
      give(ranks_[0], buffer, bytes, {0, 1, 5}, here_at);
      Region& got = taken(5, bytes);
      used.insert(&got);
      free(1, got);
    }
    if (!checks()) {
      EXPECT_LE(used.size(), Pool::kept_of(bytes) + 2);
    }
    EXPECT_LE(job_.local.segment().used_bytes(),
              before + (Pool::kept_of(bytes) + 2) * 2 * (bytes + 128) + 2 * Segment::unit_bytes);
  }
}

// One buffer goes to and fro, and nothing else is needed for it.
TEST_P(Passing, BothWaysUsesOneBuffersMemory) {
  if (!hands_over()) return;
  for (const std::size_t bytes : {most_copied_bytes + 1, std::size_t{1} << 20}) {
    Region* buffer = &made(ranks_[0], bytes);
    const Region* const first = buffer;
    const std::size_t used = job_.local.segment().used_bytes();
    for (int round = 0; round < 1000; ++round) {
      give(ranks_[0], *buffer, bytes, {0, 1, 5}, here_at);
      give(ranks_[1], taken(5, bytes), bytes, {0, 0, 6}, here_at);
      Incoming incoming(ranks_[0], {0, 1, 6}, any_length);
      receive(ranks_[0], incoming);
      buffer = incoming.region();
      ASSERT_EQ(buffer, first);
    }
    EXPECT_EQ(job_.local.segment().used_bytes(), used);
    EXPECT_TRUE(has(buffer->object(), bytes));
    free(0, *buffer);
  }
}

// The region's memory is the receiver's also where it wants the content elsewhere: nobody else looks for it.
TEST_P(Passing, IntoOtherMemoryLeavesTheMemoryBehind) {
  std::vector<std::byte> into(150'000);
  std::set<const void*> used;
  for (int round = 0; round < 1000; ++round) {
    Region& buffer = made(ranks_[0], into.size(), round % 100);
    used.insert(&buffer);
    give(ranks_[0], buffer, into.size(), {0, 1, 5}, here_at);
    Incoming incoming(ranks_[1], {0, 0, 5}, into.size(), into.data());
    receive(ranks_[1], incoming);
    ASSERT_EQ(into.back(), static_cast<std::byte>(round % 100));
  }
  if (!checks()) {
    EXPECT_LE(used.size(), Pool::kept_of(into.size()) + 2);
  }
  EXPECT_EQ(job_.local.inflight(0, 1).bytes(), 0u);
  if (hands_over()) {
    EXPECT_GT(job_.local.pool(1).idle_bytes(), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, Passing, ::testing::Combine(::testing::Bool(), ::testing::Bool()));

TEST(PassingDeathTest, OfMoreThanThereIs) {
  for (const std::size_t short_of : {1, 64, 100})
    EXPECT_EXIT(
        TestJob(1).run_rank(0,
                            [&] {
                              allocate_owned(here(), std::size_t{0} - short_of, "OPI_Alloc", {"a.c", 3});
                            }),
        ::testing::ExitedWithCode(1),
        "OPI_Alloc at a.c:3: there is no memory for a buffer of 1844674407370955.... bytes");
}

/// Limits of bytes in flight.
class PassingThreads : public ::testing::TestWithParam<std::size_t> {};

// Each rank passes on what it takes, and sometimes keeps the content for itself.
TEST_P(PassingThreads, PassBuffersAround) {
  constexpr int ranks = 3, rounds = 1500;
  TestJob job(ranks, true, GetParam());
  job.run([] {
    Rank& rank = here();
    const int next = (rank.number + 1) % ranks;
    std::mt19937 random(static_cast<unsigned>(rank.number));
    const auto give_new = [&] {
      const std::size_t lengths[] = {1, 80, 100, 3000, 30'000};
      const std::size_t bytes = lengths[random() % 5];
      give(rank, made(rank, bytes, static_cast<int>(bytes % 100)), bytes, {0, next, 1}, here_at);
    };
    for (int i = 0; i < 3; ++i) give_new();
    std::vector<std::byte> into(30'000);
    for (int round = 0; round < rounds; ++round) {
      const bool copies = random() % 3 == 0;
      Incoming taking(rank, {0, any_source, any_tag}, any_length);
      Incoming receiving(rank, {0, any_source, any_tag}, into.size(), into.data());
      Incoming& incoming = copies ? receiving : taking;
      receive(rank, incoming);
      const std::size_t bytes = incoming.received().bytes;
      ASSERT_TRUE(
          has(copies ? into.data() : incoming.region()->object(), bytes, static_cast<int>(bytes % 100)));
      if (round >= rounds - 3) {
        if (!copies) free_owned(rank, *incoming.region(), "free", here_at);
      } else if (!copies && random() % 4 != 0) {
        give(rank, *incoming.region(), bytes, {0, next, 1}, here_at);
      } else {
        if (!copies) free_owned(rank, *incoming.region(), "free", here_at);
        give_new();
      }
    }
    EXPECT_EQ(Matcher::of(rank).kept(), 0u);
    rank_is_over(rank.home, rank.number, 0);
  });
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to) EXPECT_EQ(job.local.inflight(from, to).bytes(), 0u);
  EXPECT_LE(job.local.segment().used_bytes(), std::size_t{8} << 20);
}

INSTANTIATE_TEST_SUITE_P(Limits, PassingThreads, ::testing::Values(1000, 65536, std::size_t{8} << 20));

}  // namespace
}  // namespace kanor::rt
