// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages in increments: whichever receive gets them, early or late, offered or copied.
#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "ownership/increment_sending.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

using Bytes = std::vector<std::byte>;

Bytes sent_bytes(std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte(1 + i % 241);
  return bytes;
}

constexpr std::byte untouched{0xff};

/// A message from rank 0 to rank 1, with tag 5 in channel 2.
class Delta {
 public:
  Delta(Rank& rank, const Bytes& bytes, std::int32_t tag)
      : message_(rank, {bytes.data(), bytes.size()}, {2, 1, 5}, tag, {}) {}
  ~Delta() {
    for (Offer& offer : offers_) offer.wait();
  }
  void send(std::size_t begin, std::size_t end, bool is_last = false) {
    message_.send({begin, end}, is_last, offers_);
    EXPECT_TRUE(message_.has_fitted());
  }
  bool is_behind() const { return message_.is_behind(); }

 private:
  DeltaMessage message_;
  std::deque<Offer> offers_;
};

void look(Rank& rank, const Receive& receive) { Matcher::of(rank).progress(any_source, &receive); }

/// With and without offers.
class IncrementsTest : public testing::TestWithParam<bool> {
 protected:
  IncrementsTest() : job_(2, GetParam()), ranks_(job_) {}
  TestJob job_;
  Played ranks_;
};

INSTANTIATE_TEST_SUITE_P(Addresses, IncrementsTest, testing::Bool());

TEST_P(IncrementsTest, GoInPiecesWhereNobodySeesTheReceiver) {
  constexpr std::size_t piece = DeltaMessage::piece_bytes;
  TestJob apart(2, GetParam());
  apart.transport.shares_memory = false;
  Played ranks(apart);
  const Bytes sent = sent_bytes(4 * piece);
  Bytes room(sent.size(), untouched);
  Incoming incoming(ranks[1], {2, 0, 5}, room.size(), room.data());
  Matcher::of(ranks[1]).post(incoming);
  Delta delta(ranks[0], sent, 7);
  delta.send(0, piece);
  look(ranks[1], incoming);
  EXPECT_EQ(incoming.increments(), 1u);
  delta.send(piece, 2 * piece + 1);
  look(ranks[1], incoming);
  EXPECT_EQ(incoming.increments(), 3u);
  EXPECT_TRUE(incoming.has_come(room.data(), 2 * piece + 1));
  EXPECT_FALSE(incoming.has_come(room.data(), 2 * piece + 2));
  delta.send(2 * piece + 1, 4 * piece, true);
  look(ranks[1], incoming);
  ASSERT_TRUE(incoming.done());
  EXPECT_EQ(incoming.increments(), 4u) << "nobody computes behind the last one";
  EXPECT_EQ(room, sent);
}

TEST_P(IncrementsTest, AreThereOneByOne) {
  const Bytes sent = sent_bytes(9000);
  Bytes room(9000, untouched);
  Incoming incoming(ranks_[1], {2, 0, 5}, room.size(), room.data());
  Matcher::of(ranks_[1]).post(incoming);
  Delta delta(ranks_[0], sent, 7);
  look(ranks_[1], incoming);
  EXPECT_TRUE(incoming.has_begun());
  EXPECT_FALSE(incoming.has_come(room.data(), 1));
  delta.send(4000, 8000);
  EXPECT_EQ(delta.is_behind(), shares_memory(ranks_[0], 1));
  look(ranks_[1], incoming);
  EXPECT_FALSE(delta.is_behind()) << "the receiver";
  EXPECT_TRUE(incoming.has_come(room.data() + 4000, 4000));
  EXPECT_FALSE(incoming.has_come(room.data() + 3999, 2));
  EXPECT_FALSE(incoming.has_come(room.data() + 7999, 2));
  EXPECT_TRUE(incoming.has_come(room.data() + 9000, 5)) << "what it does not have";
  EXPECT_FALSE(incoming.has_come(room.data() + 8999, 5));
  EXPECT_EQ(room[3999], untouched);
  EXPECT_EQ(room[4000], sent[4000]);
  delta.send(0, 10);
  look(ranks_[1], incoming);
  EXPECT_TRUE(incoming.has_come(room.data(), 10));
  EXPECT_FALSE(incoming.done());
  delta.send(10, 4000);
  delta.send(8000, 9000, true);
  look(ranks_[1], incoming);
  ASSERT_TRUE(incoming.done());
  EXPECT_EQ(room, sent);
  EXPECT_EQ(incoming.received().source, 0);
  EXPECT_EQ(incoming.received().tag, 5);
  EXPECT_EQ(incoming.received().bytes, 9000u);
}

TEST_P(IncrementsTest, WaitForAReceiveThatIsPostedLater) {
  const Bytes sent = sent_bytes(3000);
  Bytes room(3000, untouched);
  Delta delta(ranks_[0], sent, 0);
  delta.send(0, 1000);
  Matcher::of(ranks_[1]).progress(any_source, nullptr);
  delta.send(1000, 2000);
  Matcher::of(ranks_[1]).progress(any_source, nullptr);
  EXPECT_NE(Matcher::of(ranks_[1]).find_kept({2, 0, 5}), nullptr);
  Incoming incoming(ranks_[1], {2, any_source, any_tag}, room.size(), room.data());
  Matcher::of(ranks_[1]).post(incoming);
  EXPECT_TRUE(incoming.has_come(room.data(), 2000));
  EXPECT_FALSE(incoming.done());
  delta.send(2000, 3000, true);
  look(ranks_[1], incoming);
  ASSERT_TRUE(incoming.done());
  EXPECT_EQ(room, sent);
  EXPECT_EQ(incoming.received().tag, 5);
  EXPECT_EQ(Matcher::of(ranks_[1]).kept(), 0u);
}

TEST_P(IncrementsTest, OfTwoMessagesDoNotMix) {
  const Bytes one = sent_bytes(2000), other(2000, std::byte{3});
  Bytes room_of_one(2000), room_of_other(2000);
  Incoming first(ranks_[1], {2, 0, 5}, 2000, room_of_one.data());
  Incoming second(ranks_[1], {2, 0, 5}, 2000, room_of_other.data());
  Matcher::of(ranks_[1]).post(first);
  Matcher::of(ranks_[1]).post(second);
  Delta delta(ranks_[0], one, 0), next(ranks_[0], other, 1);
  next.send(0, 2000, true);
  delta.send(1000, 2000);
  look(ranks_[1], second);
  EXPECT_TRUE(second.done());
  delta.send(0, 1000, true);
  look(ranks_[1], first);
  EXPECT_TRUE(first.done());
  EXPECT_EQ(room_of_one, one);
  EXPECT_EQ(room_of_other, other);
}

TEST_P(IncrementsTest, ThatAreNotSentLeaveTheMemoryAlone) {
  const Bytes sent = sent_bytes(5000);
  Bytes room(5000, untouched);
  Delta delta(ranks_[0], sent, 0);
  delta.send(1000, 2000);
  delta.send(0, 0, true);
  Incoming incoming(ranks_[1], {2, 0, 5}, room.size(), room.data());
  receive(ranks_[1], incoming);
  EXPECT_EQ(incoming.received().bytes, 2000u) << "the end of the last byte";
  EXPECT_EQ(room[999], untouched);
  EXPECT_EQ(room[1000], sent[1000]);
  EXPECT_EQ(room[2000], untouched);
}

TEST_P(IncrementsTest, BehindTheRoomAreDroppedAndReported) {
  const Bytes sent = sent_bytes(5000);
  for (const bool fits : {true, false}) {
    Bytes room(2500, untouched);
    Delta delta(ranks_[0], sent, 0);
    delta.send(2000, fits ? 2400 : 3000);
    delta.send(0, 2000);
    delta.send(fits ? 2400 : 3000, fits ? 2500 : 5000, true);
    Incoming incoming(ranks_[1], {2, 0, 5}, 2400, room.data());
    receive(ranks_[1], incoming);
    EXPECT_EQ(incoming.received().bytes, fits ? 2500u : 5000u);
    EXPECT_THROW(incoming.check("receive", {}), PassingError);
    EXPECT_EQ(room[2399], sent[2399]);
    EXPECT_EQ(room[2400], untouched);
  }
  Delta within(ranks_[0], sent, 0);
  within.send(0, 100, true);
  Bytes room(100);
  Incoming incoming(ranks_[1], {2, 0, 5}, room.size(), room.data());
  receive(ranks_[1], incoming);
  EXPECT_NO_THROW(incoming.check("receive", {})) << "the message is shorter than it might have been";
}

TEST_P(IncrementsTest, GoToPlacesWithGaps) {
  // Ten elements of 100 bytes, 150 apart.
  const auto layout = std::make_shared<const Layout>(Layout::block(100, 1).resized(0, 150));
  const Bytes sent = sent_bytes(1000);
  Bytes room(1500, untouched);
  Delta delta(ranks_[0], sent, 0);
  delta.send(450, 1000);
  delta.send(0, 450, true);
  Incoming incoming(ranks_[1], {2, 0, 5}, 1000, room.data(), layout);
  receive(ranks_[1], incoming);
  for (std::size_t i = 0; i < 1500; ++i)
    ASSERT_EQ(room[i], i % 150 < 100 ? sent[i / 150 * 100 + i % 150] : untouched) << i;
}

TEST_P(IncrementsTest, AreOfferedWhereTheyAreLong) {
  const std::size_t least_offered_block = Tuning().least_offered(false);
  const Tuning apart{.least_offered_with_gaps = 7};
  EXPECT_EQ(apart.least_offered(false), least_offered_block);
  EXPECT_EQ(apart.least_offered(true), apart.least_offered_with_gaps);
  const Bytes sent = sent_bytes(700'000);
  Bytes room(700'000, untouched);
  Incoming incoming(ranks_[1], {2, 0, 5}, room.size(), room.data());
  Matcher::of(ranks_[1]).post(incoming);
  Delta delta(ranks_[0], sent, 0);
  delta.send(500'000, 500'000 + least_offered_block);
  delta.send(0, least_offered_block - 1);
  delta.send(least_offered_block - 1, 500'000);
  delta.send(500'000 + least_offered_block, 700'000, true);
  look(ranks_[1], incoming);
  ASSERT_TRUE(incoming.done());
  EXPECT_EQ(room, sent);
}

TEST_P(IncrementsTest, MakeABufferForWhoTakesOne) {
  const Bytes sent = sent_bytes(4000);
  Delta delta(ranks_[0], sent, 0);
  delta.send(3000, 4000);
  delta.send(0, 3000, true);
  Incoming incoming(ranks_[1], {2, 0, 5}, 5000);
  receive(ranks_[1], incoming);
  ASSERT_NE(incoming.region(), nullptr);
  EXPECT_EQ(std::memcmp(incoming.region()->object(), sent.data(), sent.size()), 0);
  free_owned(ranks_[1], incoming.region()->object(), "free", {});

  Delta longer(ranks_[0], sent, 1);
  longer.send(0, 4000, true);
  Incoming room_for_less(ranks_[1], {2, 0, 5}, 3999);
  receive(ranks_[1], room_for_less);
  EXPECT_EQ(room_for_less.region(), nullptr);
  EXPECT_EQ(room_for_less.received().bytes, 4000u);
}

// least_part_bytes, most_part_bytes, least_block_in_parts
TEST(PartsOfCopies, GrowWithTheCopy) {
  constexpr std::size_t shortest = 65536 - 256, longest = 4 * 65536 - 256;
  TestJob apart(2, false), together(2, true), strange(2, false);
  strange.transport.shares_memory = false;
  Played ranks(apart), sharing(together), strangers(strange);
  const auto gaps = std::make_shared<const Layout>(Layout::block(1, 1).resized(0, 2));
  const auto to = [&](Rank& rank, int receiver) {
    return part_bytes(rank, {nullptr, 16 * 65536, gaps}, receiver);
  };
  const auto part = [&](std::size_t bytes) { return part_bytes(ranks[0], {nullptr, bytes, gaps}, 1); };
  EXPECT_EQ(part_bytes(ranks[0], {nullptr, 16 * 65536 - 1}, 1), 0u) << "one block";
  EXPECT_EQ(part_bytes(ranks[0], {nullptr, 16 * 65536}, 1), 2 * 65536 - 256u);
  EXPECT_EQ(part(0), 0u);
  EXPECT_EQ(part(2 * shortest - 1), 0u);
  EXPECT_EQ(part(2 * shortest), shortest);
  EXPECT_EQ(part(16 * 65536 - 1), shortest);
  EXPECT_EQ(part(16 * 65536), 2 * 65536 - 256u);
  EXPECT_EQ(part(32 * 65536), longest);
  EXPECT_EQ(part(1000 * 65536), longest);
  EXPECT_EQ(to(ranks[0], 0), 0u) << "to itself";
  EXPECT_EQ(to(sharing[0], 1), 2 * 65536 - 256u) << "what is not offered to a thread";
  apart.home.switches.tuning = {
      .least_block_in_parts = 400'000, .least_part_bytes = 10'000, .most_part_bytes = 32'768};
  EXPECT_EQ(part(2 * (10'000 - 256) - 1), 0u);
  EXPECT_EQ(part(2 * (10'000 - 256)), 10'000 - 256u);
  EXPECT_EQ(part(1000 * 65536), 32'768 - 256u);
  EXPECT_EQ(part_bytes(ranks[0], {nullptr, 399'999}, 1), 0u);
  EXPECT_EQ(part_bytes(ranks[0], {nullptr, 400'000}, 1), 32'768 - 256u);
  apart.home.switches.increment_bytes = 100;
  EXPECT_EQ(part(199), 0u);
  EXPECT_EQ(part(200), 100u);
  EXPECT_EQ(part_bytes(ranks[0], {nullptr, 200}, 1), 100u);
  apart.home.switches.delta = false;
  EXPECT_EQ(part(200), 0u);
  apart.home.switches.delta = apart.home.switches.check = true;
  EXPECT_EQ(part(200), 0u);
  EXPECT_EQ(to(strangers[0], 1), 0u);
}

TEST(PartsOfCopies, HaveAnyLengthAndAnyGaps) {
  TestJob job(2, false);
  Played ranks(job);
  // Ten elements of 100 bytes, 150 apart, and twenty of 50, 51 apart.
  const auto from = std::make_shared<const Layout>(Layout::block(100, 1).resized(0, 150));
  const auto to = std::make_shared<const Layout>(Layout::block(50, 1).resized(0, 51));
  const Bytes sent = sent_bytes(1500);
  std::int32_t tag = 0;
  for (const std::size_t part : {1, 7, 49, 50, 100, 101, 333, 999, 1000, 5000}) {
    Bytes copy = sent, room(1020, untouched);
    EXPECT_TRUE(send_in_parts(ranks[0], {copy.data(), 1000, from}, {2, 1, 5}, tag++, part));
    copy.assign(1500, std::byte{0});  // which it may be at once
    Incoming incoming(ranks[1], {2, 0, 5}, 1000, room.data(), to);
    receive(ranks[1], incoming);
    EXPECT_EQ(incoming.received().bytes, 1000u);
    for (std::size_t i = 0; i < 1000; ++i)
      ASSERT_EQ(room[i / 50 * 51 + i % 50], sent[i / 100 * 150 + i % 100]) << part << ' ' << i;
    for (std::size_t i = 50; i < 1020; i += 51) ASSERT_EQ(room[i], untouched) << part << ' ' << i;
  }
}

}  // namespace
}  // namespace kanor::rt
