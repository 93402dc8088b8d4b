// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long messages that are offered: who copies them, and when the sender may go on.
#include "ownership/rendezvous.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <vector>

#include "transport/test_job.hpp"

namespace kanor::rt {
namespace {

using Bytes = std::vector<std::byte>;

Bytes numbered(std::size_t count, int first) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte((static_cast<std::size_t>(first) + i) % 251);
  return bytes;
}

Content block(const Bytes& bytes) { return {bytes.data(), bytes.size()}; }

/// What is left in `room` once the rank has received a message with this tag from the other rank of two.
Received receive_into(Rank& rank, Bytes& room, int tag = 0) {
  Incoming incoming(rank, {0, 1 - rank_number(rank), tag}, room.size(), room.data());
  receive(rank, incoming);
  return incoming.received();
}

/// Lengths of one piece (65,536 bytes), of one and a byte, and of several.
constexpr std::size_t lengths[] = {1, 65536, 65537, 200'000, 1'000'000};

TEST(Rendezvous, IsOfferedToOthersWithTheSameAddresses) {
  TestJob job(2), apart(2, false);
  Played ranks(job), others(apart);
  EXPECT_TRUE(can_offer(ranks[0], 1));
  EXPECT_FALSE(can_offer(ranks[0], 0));
  EXPECT_FALSE(can_offer(others[0], 1));
  job.home.switches.check = true;
  EXPECT_FALSE(can_offer(ranks[0], 1));
  job.home.switches.check = false;
  job.home.switches.sharing = false;
  EXPECT_FALSE(can_offer(ranks[0], 1));
}

TEST(Rendezvous, AReceiverCopiesWhileTheSenderOffers) {
  TestJob job(2);
  Played ranks(job);
  for (const std::size_t bytes : lengths) {
    const Bytes sent = numbered(bytes, 3);
    Bytes room(bytes);
    Offer offer(ranks[0], block(sent), {0, 1, 0}, false);
    EXPECT_FALSE(offer.is_over());
    EXPECT_EQ(offer.bytes(), bytes);
    EXPECT_EQ(receive_into(ranks[1], room).bytes, bytes);
    ranks[0];
    EXPECT_TRUE(offer.is_over());
    EXPECT_EQ(offer.bytes(), 0u);
    EXPECT_EQ(room, sent);
  }
}

TEST(Rendezvous, ASenderGoesOnWithACopyIfNobodyReceives) {
  TestJob job(2);
  Played ranks(job);
  for (const std::size_t bytes : lengths) {
    Bytes sent = numbered(bytes, 3), room(bytes);
    const Bytes before = sent;
    Offer offer(ranks[0], block(sent), {0, 1, 0}, false);
    offer.wait();
    EXPECT_TRUE(offer.is_over());
    sent.assign(bytes, std::byte(0));
    const Inflight& in_flight = job.local.inflight(0, 1);
    EXPECT_EQ(in_flight.bytes(), sizeof(Message) + bytes);
    EXPECT_EQ(receive_into(ranks[1], room).bytes, bytes);
    EXPECT_EQ(room, before);
    EXPECT_EQ(in_flight.bytes(), 0u);
    ranks[0];
  }
}

TEST(Rendezvous, ACopyIsMadeWhereTheSendEndsOtherwise) {
  TestJob job(2);
  Played ranks(job);
  Bytes room(5000);
  {
    const Bytes sent = numbered(5000, 9);
    const Offer offer(ranks[0], block(sent), {0, 1, 0}, false);
  }
  receive_into(ranks[1], room);
  EXPECT_EQ(room, numbered(5000, 9));
  ranks[0];
}

// On both sides of most_vain_looks.
TEST(Rendezvous, ARankThatOnlyTestsStopsOfferingAfterSomeLooks) {
  TestJob job(2);
  Played ranks(job);
  const Bytes sent = numbered(5000, 9);
  Offer offer(ranks[0], block(sent), {0, 1, 0}, false);
  for (int look = 1; look < 1000; ++look) offer.rest();
  EXPECT_FALSE(offer.is_over());
  offer.rest();
  EXPECT_TRUE(offer.is_over());
}

TEST(Rendezvous, ASynchronousSendEndsOnlyWithAReceive) {
  TestJob job(2);
  Played ranks(job);
  const Bytes sent = numbered(5000, 9);
  Bytes room(5000);
  Offer offer(ranks[0], block(sent), {0, 1, 0}, true);
  offer.stop_offering();
  for (int look = 0; look < 2000; ++look) offer.rest();
  EXPECT_FALSE(offer.is_over());
  receive_into(ranks[1], room);
  ranks[0];
  EXPECT_TRUE(offer.is_over());
  EXPECT_EQ(room, sent);
}

// A receiver without room for all of it takes what fits, and the sender goes on.
TEST(Rendezvous, IsCutToTheRoomThatThereIs) {
  TestJob job(2);
  Played ranks(job);
  for (const std::size_t bytes : lengths) {
    for (const bool copied : {false, true}) {
      const Bytes sent = numbered(bytes, 3);
      Offer offer(ranks[0], block(sent), {0, 1, 0}, false);
      if (copied) offer.stop_offering();
      Bytes room(bytes / 2), expected(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(bytes / 2));
      Incoming incoming(ranks[1], {0, 0, 0}, room.size(), room.data());
      receive(ranks[1], incoming);
      EXPECT_THROW(incoming.check("receive", {}), PassingError);
      EXPECT_EQ(room, expected);
      ranks[0];
      EXPECT_TRUE(offer.is_over());
    }
  }
}

TEST(Rendezvous, IsTakenAsABufferToo) {
  TestJob job(2);
  Played ranks(job);
  const Bytes sent = numbered(100'000, 3);
  Offer offer(ranks[0], block(sent), {0, 1, 0}, false);
  Incoming incoming(ranks[1], {0, 0, 0}, sent.size());
  receive(ranks[1], incoming);
  const auto* const first = static_cast<const std::byte*>(incoming.region()->object());
  EXPECT_EQ(Bytes(first, first + incoming.region()->bytes), sent);
  free_owned(ranks[1], *incoming.region(), "free", {});
  ranks[0];
  EXPECT_TRUE(offer.is_over());
}

TEST(Rendezvous, GoesFromOneLayoutToAnother) {
  TestJob job(2);
  Played ranks(job);
  const auto gaps = [](std::size_t bytes, std::ptrdiff_t extent) {
    return std::make_shared<const Layout>(Layout::block(bytes, 1).resized(0, extent));
  };
  // 60,000 elements of 2 bytes out of 3; 40,000 of 3 out of 5.
  const Bytes sent = numbered(180'000, 3);
  Bytes room(200'000), expected(200'000);
  for (std::size_t i = 0; i < 120'000; ++i) expected[i / 3 * 5 + i % 3] = sent[i / 2 * 3 + i % 2];
  for (const bool copied : {false, true}) {
    room.assign(room.size(), std::byte(0));
    Offer offer(ranks[0], {sent.data(), 120'000, gaps(2, 3)}, {0, 1, 0}, false);
    if (copied) offer.stop_offering();
    Incoming incoming(ranks[1], {0, 0, 0}, 120'000, room.data(), gaps(3, 5));
    receive(ranks[1], incoming);
    EXPECT_EQ(incoming.received().bytes, 120'000u);
    EXPECT_EQ(room, expected);
    ranks[0];
    EXPECT_TRUE(offer.is_over());
  }
}

/// Each of two threads sends its messages and receives the other's, with and without cores of their own.
class Both : public ::testing::TestWithParam<bool> {};

TEST_P(Both, SendersAndReceiversMeetInAnyOrder) {
  TestJob job(2, true, std::size_t{1} << 20);
  job.home.spare_cores = GetParam();
  job.run([] {
    Rank& rank = here();
    const int self = rank_number(rank), other = 1 - self;
    for (int turn = 0; turn < 300; ++turn) {
      const std::size_t bytes = lengths[static_cast<std::size_t>(turn) % std::size(lengths)] / 3 + 1;
      Bytes sent = numbered(bytes, turn + 100 * self), room(bytes);
      // Who receives first changes; at times neither does.
      const bool waits_first = turn % 3 == 0 || turn % 3 == self + 1;
      std::optional<Offer> offer;
      offer.emplace(rank, block(sent), Destination{0, other, turn}, false);
      if (waits_first) offer->wait();
      if (waits_first) sent.assign(bytes, std::byte(255));
      EXPECT_EQ(receive_into(rank, room, turn).bytes, bytes);
      EXPECT_EQ(room, numbered(bytes, turn + 100 * other)) << turn;
      offer->wait();
    }
  });
}

// More than the limit of bytes in flight: the sender waits for the receiver, which comes.
TEST_P(Both, CopiesNoMoreThanTheLimit) {
  TestJob job(2, true, std::size_t{1} << 20);
  job.home.spare_cores = GetParam();
  job.run([] {
    Rank& rank = here();
    constexpr int messages = 10;
    constexpr std::size_t bytes = 300'000;
    if (rank_number(rank) == 0) {
      for (int tag = 0; tag < messages; ++tag) {
        const Bytes sent = numbered(bytes, tag);
        Offer(rank, block(sent), {0, 1, tag}, false).wait();
        EXPECT_LE(inflight_peak_bytes(rank, 1), std::size_t{1} << 20);
      }
    } else {
      Bytes room(bytes);
      for (int tag = 0; tag < messages; ++tag) {
        receive_into(rank, room, tag);
        EXPECT_EQ(room, numbered(bytes, tag));
      }
    }
  });
}

// More than that in both directions before either receives: neither waits for ever.
TEST_P(Both, SendersThatWaitForEachOtherCopyMore) {
  TestJob job(2, true, std::size_t{1} << 20);
  job.home.spare_cores = GetParam();
  job.run([] {
    Rank& rank = here();
    const int self = rank_number(rank), other = 1 - self;
    constexpr int messages = 10;
    constexpr std::size_t bytes = 300'000;
    for (int tag = 0; tag < messages; ++tag) {
      const Bytes sent = numbered(bytes, tag + 50 * self);
      Offer(rank, block(sent), {0, other, tag}, false).wait();
    }
    Bytes room(bytes);
    for (int tag = 0; tag < messages; ++tag) {
      receive_into(rank, room, tag);
      EXPECT_EQ(room, numbered(bytes, tag + 50 * other));
    }
  });
}

// A piece of memory for a copy would be larger than all of it: the sender waits for the receiver.
TEST(Rendezvous, WithoutMemoryForACopyWaitsForTheReceiver) {
  TestJob job(2);
  job.home.spare_cores = false;
  std::atomic<bool> was_offered{false};
  job.run([&] {
    Rank& rank = here();
    constexpr std::size_t bytes = std::size_t{140} << 20;
    if (rank_number(rank) == 0) {
      const Bytes sent(bytes, std::byte{5});
      Offer offer(rank, block(sent), {0, 1, 0}, false);
      offer.stop_offering();
      EXPECT_FALSE(offer.is_over());
      was_offered = true;
      offer.wait();
    } else {
      Bytes room(bytes);
      while (!was_offered) ::usleep(1000);
      ::usleep(50'000);
      receive_into(rank, room);
      EXPECT_EQ(room.front(), std::byte{5});
      EXPECT_EQ(room.back(), std::byte{5});
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Cores, Both, ::testing::Bool());

}  // namespace
}  // namespace kanor::rt
