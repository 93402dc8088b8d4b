// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/matching.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>

namespace kanor::rt {
namespace {

class UnexpectedTest : public testing::Test {
 protected:
  Message* put(int source, std::uint64_t context, std::uint64_t sequence) {
    Message& message = messages_.emplace_back();
    message.envelope = {source, 0, context, sequence, 0};
    unexpected_.put(&message);
    return &message;
  }

  Unexpected unexpected_;
  std::deque<Message> messages_;
};

TEST_F(UnexpectedTest, FindsEachByAllThree) {
  constexpr int sources = 20, sequences = 30;
  std::vector<Message*> all;
  for (int source = 0; source < sources; ++source)
    for (std::uint64_t context = 0; context < 2; ++context)
      for (std::uint64_t sequence = 0; sequence < sequences; ++sequence)
        all.push_back(put(source, context, sequence));
  EXPECT_EQ(unexpected_.take(sources, 0, 0), nullptr);
  EXPECT_EQ(unexpected_.take(0, 2, 0), nullptr);
  EXPECT_EQ(unexpected_.take(0, 0, sequences), nullptr);
  for (auto message = all.rbegin(); message != all.rend(); ++message) {
    const Envelope& envelope = (*message)->envelope;
    EXPECT_EQ(unexpected_.take(envelope.source, envelope.context, envelope.sequence), *message);
    EXPECT_EQ(unexpected_.take(envelope.source, envelope.context, envelope.sequence), nullptr);
  }
  EXPECT_EQ(unexpected_.size(), 0u);
}

TEST_F(UnexpectedTest, TakesFromAnySourceInTheOrderOfArrival) {
  const std::uint64_t context = any_source_context | 3;
  for (int source = 9; source >= 0; --source) {
    put(source, context, 5);
    put(source, context, 6);
    put(source, 3, 5);
  }
  for (int source = 9; source >= 0; --source)
    EXPECT_EQ(unexpected_.take(-1, context, 5)->envelope.source, source);
  EXPECT_EQ(unexpected_.take(-1, context, 5), nullptr);
  EXPECT_EQ(unexpected_.size(), 20u);
}

// From the two lists of these to more than least_lists hold.
TEST_F(UnexpectedTest, KeepsTheOrderOfMessagesThatGrowingMoves) {
  std::vector<Message*> two{put(1, 0, 0), put(1, 0, 0)};
  for (std::uint64_t sequence = 1; sequence < 200; ++sequence) put(1, 0, sequence);
  EXPECT_EQ(unexpected_.take(1, 0, 0), two[0]);
  EXPECT_EQ(unexpected_.take(1, 0, 0), two[1]);
}

TEST_F(UnexpectedTest, HandsOnAllThatAreWantedAndKeepsTheOthersInOrder) {
  const std::uint64_t context = any_source_context | 3;
  std::vector<Message*> wanted, others, found;
  for (int source = 0; source < 50; ++source) {
    wanted.push_back(put(source, context, 1));
    others.push_back(put(source, context, 2));
  }
  unexpected_.take_all([](const Message& message) { return message.envelope.sequence == 1; },
                       [&](Message* message) { found.push_back(message); });
  EXPECT_EQ(found, wanted);
  EXPECT_EQ(unexpected_.size(), others.size());
  EXPECT_EQ(unexpected_.take(0, context, 1), nullptr);
  for (Message* const other : others) EXPECT_EQ(unexpected_.take(-1, context, 2), other);
  EXPECT_EQ(unexpected_.size(), 0u);
}

TEST_F(UnexpectedTest, AListEmptiedFromItsEndTakesMore) {
  for (int round = 0; round < 50; ++round) {
    Message* const first = put(0, 0, 0);
    Message* const second = put(0, any_source_context, 0);
    EXPECT_EQ(unexpected_.take(0, any_source_context, 0), second);
    EXPECT_EQ(unexpected_.take(0, 0, 0), first);
  }
}

}  // namespace
}  // namespace kanor::rt
