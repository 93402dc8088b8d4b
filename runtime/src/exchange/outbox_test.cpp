// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/outbox.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "exchange/test_job.hpp"
#include "exchange/update_list.hpp"

namespace kanor::rt {
namespace {

constexpr std::size_t head_bytes = 8;

/// Runs `test` on one rank, with an empty outbox.
template <class Test>
void on_a_rank(const Test& test) {
  TestJob(1).run([&] {
    ShortMessages rooms;
    Outbox outbox(here(), rooms);
    test(outbox);
    outbox.clear();
  });
}

template <class T>
T value_at(const Outbox::Outgoing& message, std::size_t at) {
  T value;
  std::memcpy(&value, message.message.data() + at, sizeof value);
  return value;
}

TEST(Outbox, ValuesLieAsTheReceiverLooksForThem) {
  on_a_rank([](Outbox& outbox) {
    outbox.open(3, head_bytes);
    const char letter = 'a';
    const double number = 2.5;
    outbox.put_flat(&letter, 1, 1);
    EXPECT_TRUE(outbox.end().put(3, &number, sizeof number, alignof(decltype(number))));
    EXPECT_TRUE(outbox.end().put(3, &letter, sizeof letter, alignof(decltype(letter))));
    EXPECT_FALSE(outbox.end().put(2, &letter, sizeof letter, alignof(decltype(letter))))
        << "another receiver's";
    const auto messages = outbox.messages();
    ASSERT_EQ(messages.size(), 1u);
    EXPECT_EQ(messages[0].peer, 3);
    EXPECT_EQ(messages[0].values, 3u);
    EXPECT_EQ(messages[0].used, 25u);
    EXPECT_EQ(value_at<char>(messages[0], 8), 'a');
    EXPECT_EQ(value_at<double>(messages[0], 16), 2.5);
    EXPECT_EQ(value_at<char>(messages[0], 24), 'a');
    for (std::size_t gap = 9; gap < 16; ++gap) EXPECT_EQ(value_at<char>(messages[0], gap), 0);
    EXPECT_FALSE(outbox.end().put(3, &letter, sizeof letter, alignof(decltype(letter)))) << "none is open";
  });
}

TEST(Outbox, EmittedCodeStopsWhereTheMemoryEnds) {
  on_a_rank([](Outbox& outbox) {
    outbox.open(0, head_bytes);
    std::uint32_t put = 0;
    while (outbox.end().put(0, &put, sizeof put, alignof(decltype(put)))) ++put;
    EXPECT_EQ(put, (ShortMessage::most_bytes - head_bytes) / sizeof put);
    for (; put < 10'000; ++put)
      if (!outbox.end().put(0, &put, sizeof put, alignof(decltype(put))))
        outbox.put_flat(&put, sizeof put, alignof(std::uint32_t));
    const auto messages = outbox.messages();
    ASSERT_EQ(messages[0].used, head_bytes + put * sizeof put);
    for (std::uint32_t i = 0; i < put; ++i)
      ASSERT_EQ(value_at<std::uint32_t>(messages[0], head_bytes + i * sizeof put), i);
  });
}

// On both sides of PeerList's most_searched, and of the number of short messages.
TEST(Outbox, ManyReceiversInTurnAndBack) {
  for (const int receivers : {1, 2, 7, 8, 9, 10, 63, 64, 65, 200}) {
    on_a_rank([&](Outbox& outbox) {
      for (int round = 0; round < 2; ++round) {  // the second with what the first has left
        for (int turn = 0; turn < 3; ++turn)
          for (int i = 0; i < receivers; ++i) {
            const int to = turn == 1 ? receivers - 1 - i : i;
            const long value = to * 10 + turn;
            outbox.open(to, head_bytes);
            outbox.put_flat(&value, sizeof value, alignof(long));
          }
        const auto messages = outbox.messages();
        ASSERT_EQ(messages.size(), static_cast<std::size_t>(receivers));
        for (int i = 0; i < receivers; ++i) {
          const Outbox::Outgoing& message = messages[static_cast<std::size_t>(i)];
          EXPECT_EQ(message.peer, i);
          EXPECT_EQ(message.values, 3u);
          for (int turn = 0; turn < 3; ++turn)
            EXPECT_EQ(value_at<long>(message, head_bytes + sizeof(long) * static_cast<std::size_t>(turn)),
                      i * 10 + turn);
        }
        outbox.clear();
      }
    });
  }
}

TEST(Outbox, TellsPlainValuesFromOthers) {
  on_a_rank([](Outbox& outbox) {
    const long value = 1;
    outbox.open(0, head_bytes);
    outbox.put_flat(&value, sizeof value, alignof(long));
    EXPECT_TRUE(outbox.is_plain());
    outbox.put_sequence(0, 1, 1);
    EXPECT_FALSE(outbox.is_plain());
    outbox.clear();
    EXPECT_TRUE(outbox.is_plain());
    outbox.open(0, head_bytes);
    outbox.put_pointer(nullptr, 0);
    EXPECT_FALSE(outbox.is_plain());
    outbox.clear();
    outbox.open(0, head_bytes);
    std::size_t capacity = 0;
    outbox.begin_archive(&capacity);
    outbox.end_archive();
    EXPECT_FALSE(outbox.is_plain());
  });
}

TEST(UpdateList, GrowsAndIsUsedAgain) {
  UpdateList list;
  const abi::receiving* const how = reinterpret_cast<const abi::receiving*>(&list);
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(list.empty());
    int places[100];
    for (int i = 0; i < 100; ++i) {
      if (!list.end_of_list().add(i, &places[i], *how)) {
        list.push_back({&places[i], i});
        list.end_of_list().how = how;
      }
    }
    ASSERT_EQ(list.size(), 100u);
    for (std::size_t i = 0; i < 100; ++i) {
      EXPECT_EQ(list[i].sender, static_cast<int>(i));
      EXPECT_EQ(list[i].place, &places[i]);
    }
    UpdateList copy;
    copy.append(list.all());
    EXPECT_EQ(copy.size(), 100u);
    EXPECT_EQ(copy[99].place, &places[99]);
    list.clear();
  }
}

}  // namespace
}  // namespace kanor::rt
