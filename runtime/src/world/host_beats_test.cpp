// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/host_beats.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>

#include "world/host_watch.hpp"

namespace kanor::rt {
namespace {

using Names = std::vector<std::string>;

constexpr std::int64_t limit = 60'000'000, interval = limit / 4;

/// Hosts a, b, c, … of two processes each, at this machine's loopback. Time passes when a test says so.
class Beats : public ::testing::Test {
 protected:
  static constexpr int processes = 6;

  Beats() {
    plan_.token = 12345;
    plan_.limit_us = limit;
    plan_.processes = processes;
    plan_.processes_here = 2;
    plan_.address_count = 1;
    // 127.0.0.1 as IPv6 has it.
    plan_.addresses[0].s6_addr[10] = plan_.addresses[0].s6_addr[11] = 0xff;
    plan_.addresses[0].s6_addr[12] = 127;
    plan_.addresses[0].s6_addr[15] = 1;
  }

  std::unique_ptr<HostBeats> host(int number, std::uint64_t token = 12345) {
    const int socket = open_beat_socket(number == 0);
    if (number == 0) plan_.port = port_of(socket);
    BeatPlan plan = plan_;
    plan.token = token;
    plan.host = 2 * number;
    plan.name = short_name(std::string(1, static_cast<char>('a' + number)));
    return std::make_unique<HostBeats>(socket, plan, now_);
  }

  /// Time passes, and these look in time. Their answers are there at the end.
  void pass(std::int64_t time_us, std::initializer_list<HostBeats*> hosts) {
    const std::int64_t end = now_ + time_us;
    for (;;) {
      for (int round = 0; round < 2; ++round)
        for (HostBeats* const one : hosts) one->look(now_);
      std::int64_t wait = end - now_;
      for (HostBeats* const one : hosts) wait = std::min(wait, std::max<std::int64_t>(1, one->wait_us(now_)));
      if (now_ == end) return;
      now_ += wait;
    }
  }

  std::int64_t now_ = 1'000'000;
  BeatPlan plan_;
};

TEST_F(Beats, OfHostsThatAnswerEndNothing) {
  const auto a = host(0), b = host(1), c = host(2);
  for (int i = 0; i < 40; ++i) {
    pass(interval, {a.get(), b.get(), c.get()});
    for (const auto* one : {a.get(), b.get(), c.get()}) EXPECT_EQ(one->silent(now_), Names());
  }
  EXPECT_EQ(a->unheard(now_), 0);
  EXPECT_EQ(a->unheard(now_), std::nullopt) << "it is asked once";
}

TEST_F(Beats, TellWhichHostIsSilent) {
  const auto a = host(0), b = host(1), c = host(2);
  pass(3 * interval, {a.get(), b.get(), c.get()});
  pass(limit - interval - 1, {a.get(), c.get()});
  EXPECT_EQ(a->silent(now_), Names()) << "not before its time";
  EXPECT_TRUE(a->misses(now_));
  EXPECT_FALSE(c->misses(now_));
  pass(interval + 1, {a.get(), c.get()});
  EXPECT_EQ(a->silent(now_), Names{"b"});
  EXPECT_EQ(c->silent(now_), Names());
}

TEST_F(Beats, TellOfTheFirstHostToo) {
  const auto a = host(0), b = host(1), c = host(2);
  pass(3 * interval, {a.get(), b.get(), c.get()});
  pass(limit, {b.get(), c.get()});
  EXPECT_EQ(b->silent(now_), Names{"a"});
  EXPECT_EQ(c->silent(now_), Names{"a"});
}

TEST_F(Beats, NameHostsTogetherThatFellSilentTogether) {
  const auto a = host(0), b = host(1), c = host(2);
  pass(3 * interval, {a.get(), b.get(), c.get()});
  // b has sent its last one a little earlier than c.
  pass(interval / 2, {a.get(), c.get()});
  pass(limit - interval, {a.get()});
  while (a->silent(now_).empty()) pass(interval / 8, {a.get()});
  EXPECT_EQ(a->silent(now_), (Names{"b", "c"}));
}

TEST_F(Beats, AreHeardAgainWhenALinkComesBack) {
  const auto a = host(0), b = host(1);
  pass(interval, {a.get(), b.get()});
  for (int i = 0; i < 5; ++i) {
    // Nothing comes through for most of the limit: nobody takes it, and then it is gone.
    pass(limit - interval - interval / 2, {a.get()});
    pass(interval, {a.get(), b.get()});
    EXPECT_EQ(a->silent(now_), Names());
    EXPECT_EQ(b->silent(now_), Names());
  }
}

TEST_F(Beats, OfStrangersAreDropped) {
  const auto a = host(0), b = host(1);
  const auto stranger = host(2, 54321);
  const int rude = open_beat_socket(false);
  sockaddr_in6 to{};
  to.sin6_family = AF_INET6;
  to.sin6_port = plan_.port;
  to.sin6_addr = plan_.addresses[0];
  const char words[] = "hello";
  EXPECT_EQ(::sendto(rude, words, sizeof words, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to),
            static_cast<ssize_t>(sizeof words));
  ::close(rude);
  pass(limit, {a.get(), b.get(), stranger.get()});
  pass(limit, {a.get(), b.get()});
  EXPECT_EQ(a->silent(now_), Names()) << "what was never heard of cannot fall silent";
  EXPECT_EQ(a->unheard(now_), 2) << "the processes of c, in whose name the stranger spoke";
  EXPECT_EQ(stranger->silent(now_), Names());
}

TEST_F(Beats, WaitForAnObserverThatWasStoppedItself) {
  const auto a = host(0), b = host(1);
  pass(interval, {a.get(), b.get()});
  // a looks at nothing for a long time, and nothing of b's has reached it meanwhile.
  now_ += 10 * limit;
  a->look(now_);
  EXPECT_EQ(a->silent(now_), Names());
  // b was stopped, too, and both go on.
  pass(limit, {a.get(), b.get()});
  EXPECT_EQ(a->silent(now_), Names());
  EXPECT_EQ(b->silent(now_), Names());
  now_ += 10 * limit;
  pass(limit, {a.get()});
  EXPECT_EQ(a->silent(now_), Names{"b"}) << "but not for ever";
}

TEST_F(Beats, OfAHostThatHasLeftAreNotMissed) {
  const auto a = host(0), b = host(1), c = host(2);
  pass(interval, {a.get(), b.get(), c.get()});
  b->leave();
  pass(2 * limit, {a.get(), c.get()});
  EXPECT_EQ(a->silent(now_), Names());
  a->leave();
  pass(2 * limit, {c.get()});
  EXPECT_EQ(c->silent(now_), Names());
}

TEST_F(Beats, CanBeMissingFromTheStart) {
  const auto a = host(0);
  plan_.port = static_cast<std::uint16_t>(plan_.port ^ 0x100);  // as if it could not be reached
  const auto b = host(1);
  pass(limit - 1, {a.get(), b.get()});
  EXPECT_EQ(a->unheard(now_), std::nullopt);
  pass(limit, {a.get(), b.get()});
  EXPECT_EQ(a->unheard(now_), processes - 2);
  EXPECT_EQ(a->silent(now_), Names());
  EXPECT_EQ(b->silent(now_), Names());
}

TEST_F(Beats, HaveAPlanThatCrossesAConnectionWithItsSocket) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
  plan_.name = short_name(std::string(100, 'x'));
  const int socket = open_beat_socket(true);
  ASSERT_TRUE(give_plan(ends[1], plan_, socket));
  BeatPlan taken;
  const int other = take_plan(ends[0], taken);
  EXPECT_EQ(port_of(other), port_of(socket));
  EXPECT_EQ(taken.token, plan_.token);
  EXPECT_STREQ(taken.name.data(), std::string(63, 'x').c_str());
  ::close(ends[1]);
  EXPECT_EQ(take_plan(ends[0], taken), -1) << "who gives has gone";
  for (const int one : {ends[0], socket, other}) ::close(one);
}

}  // namespace
}  // namespace kanor::rt
