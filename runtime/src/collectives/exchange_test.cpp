// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "collectives/collectives.hpp"
#include "transport/test_job.hpp"

namespace kanor::rt::collectives {
namespace {

struct Unlike {
  std::uint64_t head;
  std::size_t bytes;
};

[[noreturn]] void fail_head(const Group&, int, std::uint64_t head, std::size_t bytes) {
  throw Unlike{head, bytes};
}

Group world_group(std::uint64_t sequence, std::uint64_t head = 0x1234) {
  Rank& rank = here();
  return {rank, rank_number(rank), team_size(rank), nullptr, 7, sequence, head, fail_head};
}

using Bytes = std::vector<std::byte>;

Bytes content(int from, int to, std::size_t count) {
  Bytes made(count);
  for (std::size_t i = 0; i < count; ++i)
    made[i] = static_cast<std::byte>(static_cast<std::size_t>(31 * from + 7 * to) + i % 251);
  return made;
}

/// How many bytes `from` has for `to` in a turn: none, a few, around the number from which on they are lent,
/// or many. All members know.
std::size_t length(int from, int to, unsigned turn) {
  // Around least_lent_bytes.
  constexpr std::size_t some[] = {0, 1, 88, 1000, 8191, 8192, 8193, 50'000};
  std::mt19937 random(static_cast<unsigned>(from * 1000 + to) * 97 + turn);
  return some[random() % std::size(some)];
}

/// Everybody gives to everybody, in different orders, and changes what it gave as soon as it may.
void exchange_at_random() {
  for (unsigned turn = 0; turn < 20; ++turn) {
    const Group group = world_group(turn);
    std::vector<Bytes> out, in;
    std::vector<Share> given, wanted;
    for (int other = 0; other < group.size; ++other) {
      out.push_back(content(group.rank, other, length(group.rank, other, turn)));
      in.emplace_back(length(other, group.rank, turn));
    }
    for (int other = 0; other < group.size; ++other) {
      const int to = (other + group.rank) % group.size, from = (group.size - 1 - other);
      given.push_back(
          {to, out[static_cast<std::size_t>(to)].data(), out[static_cast<std::size_t>(to)].size()});
      wanted.push_back(
          {from, in[static_cast<std::size_t>(from)].data(), in[static_cast<std::size_t>(from)].size()});
    }
    exchange(group, given, wanted);
    for (Bytes& bytes : out) std::fill(bytes.begin(), bytes.end(), std::byte{0xee});
    for (int from = 0; from < group.size; ++from)
      ASSERT_EQ(in[static_cast<std::size_t>(from)],
                content(from, group.rank, in[static_cast<std::size_t>(from)].size()))
          << "from " << from << " in turn " << turn;
  }
}

TEST(Exchange, BringsEachShareToItsMember) {
  for (const int size : {1, 2, 3, 5, 8, 16}) {
    SCOPED_TRACE(testing::Message() << size << " ranks");
    TestJob(size).run([] { exchange_at_random(); });
  }
}

TEST(Exchange, CopiesWhereAddressesAreNotShared) {
  for (const int size : {2, 5}) {
    SCOPED_TRACE(testing::Message() << size << " ranks");
    TestJob(size, false).run([] { exchange_at_random(); });
  }
}

// A short share leaves at once; one that is read where it lies waits for who reads it.
TEST(Exchange, OnlyLongSharesWait) {
  for (const std::size_t bytes : {std::size_t{8000}, std::size_t{100'000}}) {
    std::atomic<bool> through{false};
    TestJob(2).run([&] {
      const Group group = world_group(0);
      Bytes room = content(0, 1, bytes);
      const Share share{1 - group.rank, room.data(), bytes};
      if (group.rank == 0) {
        exchange(group, {&share, 1}, {});
        through = true;
      } else {
        if (bytes < 8192)
          while (!through.load()) std::this_thread::yield();
        else
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
        EXPECT_EQ(through.load(), bytes < 8192);
        std::fill(room.begin(), room.end(), std::byte{});
        exchange(group, {}, {&share, 1});
        EXPECT_EQ(room, content(0, 1, bytes));
      }
    });
  }
}

TEST(Exchange, UnlikeLengthsAndCallsAreTold) {
  const auto told = [](std::size_t given_bytes, std::size_t wanted_bytes, std::uint64_t its_head) {
    Unlike found{0, 0};
    TestJob(2).run([&] {
      Bytes room(100'000);
      if (rank_number(here()) == 0) {
        // What is lent is sent by hand: nobody will read it, and the sender would wait.
        const Group group = world_group(0, its_head | (given_bytes >= 8192 ? Group::lent_head : 0));
        std::uint64_t lent[] = {reinterpret_cast<std::uintptr_t>(room.data()), given_bytes};
        if (given_bytes >= 8192)
          group.send(1, {reinterpret_cast<std::byte*>(lent), sizeof lent, 8});
        else
          group.send(1, {room.data(), given_bytes});
      } else {
        const Share share{0, room.data(), wanted_bytes};
        EXPECT_THROW(
            {
              try {
                exchange(world_group(0), {}, {&share, 1});
              } catch (const Unlike& unlike) {
                found = unlike;
                throw;
              }
            },
            Unlike);
      }
    });
    return found;
  };
  EXPECT_EQ(told(100, 101, 0x1234).bytes, 100u);
  EXPECT_EQ(told(9000, 9001, 0x1234).bytes, 9000u);
  EXPECT_EQ(told(100, 100, 0x4321).head, 0x4321u);
  EXPECT_EQ(told(9000, 16, 0x1234).head, 0x1234u | Group::lent_head) << "16 bytes, but not a value";
  EXPECT_EQ(told(16, 9000, 0x1234).head, 0x1234u);
}

}  // namespace
}  // namespace kanor::rt::collectives
