// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// give() and take() of kanor::buffer.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>

#include "kanor/abi/buffer_block.hpp"
#include "kanor/buffer.hpp"
#include "kanor/error.hpp"
#include "kanor/team.hpp"
#include "ownership/test_owned.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

class PassedBuffers : public ::testing::Test {
 protected:
  TestJob job_{2};
  Played ranks_{job_};
};

/// What `call` says at a.cpp:9.
template <class Call>
std::string said_by(const Call& call) {
  try {
    call("a.cpp", 9);
  } catch (const ownership_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST_F(PassedBuffers, HandTheMemoryOver) {
  for (const std::size_t length : {1, 10, 100, 100'000}) {
    ranks_[0];
    buffer<int> mine(length, 7);
    const int* const elements = mine.data();
    kanor::give(std::move(mine), 1, 3);
    EXPECT_TRUE(mine.empty());
    EXPECT_EQ(mine.data(), nullptr);
    ranks_[1];
    giver from;
    const buffer<int> theirs = kanor::take<int>(kanor::any_rank, kanor::any_tag, &from);
    EXPECT_EQ(from.rank, 0);
    EXPECT_EQ(from.tag, 3);
    EXPECT_TRUE(theirs == buffer<int>(length, 7));
    EXPECT_EQ(theirs.data() == elements, length * sizeof(int) > most_copied_bytes);
    EXPECT_FALSE(is_owned(ranks_[1], theirs.data())) << "it is the buffer's to free";
  }
}

TEST_F(PassedBuffers, ComeInOrderAndByTag) {
  ranks_[0];
  for (const int value : {1, 2, 3, 4}) kanor::give(buffer<int>(50, value), 1, value % 2);
  ranks_[1];
  EXPECT_EQ(kanor::take<int>(0, 1)[49], 1);
  EXPECT_EQ(kanor::take<int>(0)[49], 2);
  EXPECT_EQ(kanor::take<int>(0, kanor::any_tag)[49], 3);
  EXPECT_EQ(kanor::take<int>(kanor::any_rank)[49], 4);
}

TEST_F(PassedBuffers, MayBeEmpty) {
  ranks_[0];
  kanor::give(buffer<int>(), 1, 5);
  ranks_[1];
  giver from;
  EXPECT_TRUE(kanor::take<int>(0, 5, &from).empty());
  EXPECT_EQ(from.rank, 0);
}

TEST_F(PassedBuffers, OfAndForNobody) {
  ranks_[0];
  buffer<int> mine(1000, 1);
  const int* const elements = mine.data();
  kanor::give(std::move(mine), no_rank);
  EXPECT_TRUE(mine.empty());
  EXPECT_EQ(buffer<int>(1000).data(), elements) << "the memory is the pool's again";
  giver from{5, 5};
  EXPECT_TRUE(kanor::take<int>(no_rank, 2, &from).empty());
  EXPECT_EQ(from.rank, no_rank);
  EXPECT_EQ(from.tag, 2);
}

TEST_F(PassedBuffers, StayWhereGivingThemFails) {
  ranks_[0];
  buffer<int> mine{1, 2, 3};
  const auto give_to = [&](int rank, int tag) {
    return said_by([&](const char* file, int line) { kanor::give(std::move(mine), rank, tag, file, line); });
  };
  EXPECT_EQ(give_to(2, 0), "give at a.cpp:9: there is no rank 2 among 2");
  EXPECT_EQ(give_to(kanor::any_rank, 0), "give at a.cpp:9: there is no rank -1 among 2");
  EXPECT_EQ(give_to(1, -1), "give at a.cpp:9: the tag is -1, and must be at least 0");
  EXPECT_TRUE((mine == buffer<int>{1, 2, 3}));

  abi::gift gift;
  abi::given_memory::promise(abi::given_memory::of(mine), gift);
  EXPECT_EQ(give_to(1, 0), "give at a.cpp:9: the buffer has been given to a block that has not ended");
  EXPECT_EQ(mine.size(), 3u);
  abi::given_memory::settle(gift, 1);
  let_go(Region::of(gift.elements.data));
}

TEST_F(PassedBuffers, AreSaidNotToComeFromSomewhereElse) {
  ranks_[1];
  const auto take_from = [&](int rank, int tag) {
    return said_by([&](const char* file, int line) {
      const auto got = kanor::take<int>(rank, tag, nullptr, file, line);
    });
  };
  EXPECT_EQ(take_from(2, 0), "take at a.cpp:9: there is no rank 2 among 2");
  EXPECT_EQ(take_from(-2, 0), "take at a.cpp:9: there is no rank -2 among 2");
  EXPECT_EQ(take_from(0, -2), "take at a.cpp:9: the tag is -2, and must be at least 0");
}

// What is no whole number of elements is gone, its memory too, and the next one comes.
TEST_F(PassedBuffers, OfOtherElementsAreSaid) {
  for (const std::size_t bytes : {10, 1002}) {
    ranks_[0];
    kanor::give(buffer<char>(bytes), 1, 4);
    kanor::give(buffer<int>(500, 9), 1, 4);
    ranks_[1];
    const std::string said = said_by(
        [&](const char* file, int line) { const auto got = kanor::take<int>(0, 4, nullptr, file, line); });
    EXPECT_EQ(said, "take at a.cpp:9: rank 0 gave " + std::to_string(bytes) +
                        " bytes with tag 4, which is not a whole number of elements of 4 bytes");
    EXPECT_EQ(kanor::take<int>(0, 4).back(), 9);
  }
  EXPECT_EQ(job_.local.inflight(0, 1).bytes(), 0u);
}

// A third rank gets the memory by a block, and gives it back, again and again: it keeps what a pool may keep
// of others' blocks, and the rest goes home.
TEST(PassedMemory, DoesNotPileUpWithWhoOnlyPassesItOn) {
  TestJob job(3);
  Played ranks(job);
  for (int round = 0; round < 20'000; ++round) {
    ranks[0];
    kanor::give(buffer<char>(3000), 1);
    ranks[1];
    buffer<char> passing = kanor::take<char>(0);
    abi::gift gift;
    abi::given_memory::promise(abi::given_memory::of(passing), gift);
    abi::given_memory::settle(gift, 1);
    ranks[2];
    buffer<char> last;
    abi::given_memory::adopt(abi::given_memory::of(last), gift.elements.data, 1);
  }
  EXPECT_LE(job.local.segment().used_bytes(), Pool::kept_of(4096) * 4096 + 2 * Segment::unit_bytes);
}

}  // namespace
}  // namespace kanor::rt
