// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/mailbox.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "platform/wait.hpp"
#include "transport/inflight.hpp"

namespace kanor::rt {
namespace {

std::unique_ptr<Message> make(int source, std::uint64_t context, std::uint64_t sequence) {
  auto message = std::make_unique<Message>();
  message->envelope = {source, 0, context, sequence, 0};
  return message;
}

TEST(Mailbox, GivesMessagesInTheOrderOfArrival) {
  Mailbox mailbox;
  EXPECT_EQ(mailbox.take(), nullptr);
  const auto first = make(0, 1, 1), second = make(1, 1, 1);
  mailbox.push(first.get());
  mailbox.push(second.get());
  Message* const list = mailbox.take();
  EXPECT_EQ(list, first.get());
  EXPECT_EQ(list->next.load(), second.get());
  EXPECT_EQ(second->next.load(), nullptr);
  EXPECT_EQ(mailbox.take(), nullptr);
}

TEST(Mailbox, DoesNotSleepOnArrivals) {
  Mailbox mailbox;
  const auto message = make(0, 1, 1);
  mailbox.push(message.get());
  mailbox.sleep(mailbox.signal(), -1);
  EXPECT_EQ(mailbox.take(), message.get());
}

TEST(Mailbox, SleepEndsWithItsTime) {
  Mailbox mailbox;
  const std::uint64_t before = monotonic_us();
  mailbox.sleep(mailbox.signal(), 20'000);
  EXPECT_GE(monotonic_us() - before, 15'000u);
  EXPECT_EQ(mailbox.take(), nullptr);
}

TEST(Mailbox, LosesNothingAndKeepsEachSendersOrder) {
  constexpr int senders = 3, count = 4000;
  Mailbox mailbox;
  std::vector<std::vector<Message>> messages;
  for (int s = 0; s < senders; ++s) messages.emplace_back(count);
  std::vector<std::thread> threads;
  for (int s = 0; s < senders; ++s)
    threads.emplace_back([&, s] {
      for (int i = 0; i < count; ++i) {
        Message& message = messages[static_cast<std::size_t>(s)][static_cast<std::size_t>(i)];
        message.envelope = {s, 0, 1, static_cast<std::uint64_t>(i), 0};
        mailbox.push(&message);
        if (i % 100 == 0) std::this_thread::yield();
      }
    });
  std::vector<std::uint64_t> next(senders, 0);
  for (int taken = 0; taken < senders * count;) {
    Message* message = mailbox.take();
    if (!message) mailbox.sleep(mailbox.signal(), -1);  // a lost wake-up would hang here
    for (; message; message = message->next.load(std::memory_order_relaxed), ++taken)
      EXPECT_EQ(message->envelope.sequence, next[static_cast<std::size_t>(message->envelope.source)]++);
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Mailbox, PingPongWakesEverySleep) {
  Mailbox ping, pong;
  Message ball;
  std::thread other([&] {
    for (int i = 0; i < 2000; ++i) {
      while (!ping.take()) ping.sleep(ping.signal(), -1);
      pong.push(&ball);
    }
  });
  for (int i = 0; i < 2000; ++i) {
    ping.push(&ball);
    while (!pong.take()) pong.sleep(pong.signal(), -1);
  }
  other.join();
}

TEST(Inflight, LetsOneMessageThroughAndThenKeepsTheLimit) {
  Inflight inflight;
  EXPECT_EQ(inflight.try_add(1000, 100), 1000u);
  EXPECT_EQ(inflight.try_add(1, 100), 0u);
  EXPECT_FALSE(inflight.give_back(1000));
  EXPECT_EQ(inflight.try_add(60, 100), 60u);
  EXPECT_EQ(inflight.try_add(40, 100), 100u);
  EXPECT_EQ(inflight.try_add(1, 100), 0u);
}

TEST(Inflight, AsksForAWakeUpOnlyFromWhoSleeps) {
  Inflight inflight;
  EXPECT_EQ(inflight.try_add(100, 100), 100u);
  EXPECT_TRUE(inflight.mark_sleeping(50, 100));
  EXPECT_TRUE(inflight.give_back(60));
  EXPECT_FALSE(inflight.mark_sleeping(50, 100));
  EXPECT_FALSE(inflight.give_back(40));
}

}  // namespace
}  // namespace kanor::rt
