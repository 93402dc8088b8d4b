// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/checks.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/test_job.hpp"

namespace kanor::rt {
namespace {

BlockRecord record_of(int line, std::vector<std::pair<int, int>> ranks = {}) {
  BlockRecord record;
  record.context = 7;
  record.position = 3;
  record.file = "a.cpp";
  record.line = line;
  StatementRecord& statement = record.statements.emplace_back();
  statement.line = line + 1;
  statement.text = "a@i <<= b@j";
  statement.names = "i, x";
  for (const auto& [to, from] : ranks) {
    const abi::named_value names[] = {abi::named_value(to), abi::named_value(0.5)};
    statement.add(to, from, names, 2);
  }
  return record;
}

std::string difference(const BlockRecord& a, const BlockRecord& b) { return difference(a, "A", b, "B"); }

TEST(BlockRecord, SurvivesItsEncoding) {
  const BlockRecord record = record_of(4, {{0, 1}, {no_rank, 2}});
  const std::vector<std::byte> bytes = record.encode();
  const BlockRecord copy = BlockRecord::decode(bytes.data(), bytes.size());
  EXPECT_EQ(copy.encode(), bytes);
  EXPECT_EQ(difference(record, copy), "");
  EXPECT_EQ(copy.statements[0].binding_text(1), "i = -2147483648, x = 0.5 (from rank 2 to no rank)");
}

TEST(BlockRecord, DiffersInItsPlaceAndKind) {
  BlockRecord split = record_of(4), elsewhere = record_of(4);
  split.step = Step::split;
  EXPECT_EQ(
      difference(record_of(4), record_of(5)),
      "A executes the block at a.cpp:4 where B executes the block at a.cpp:5: all members of a team must "
      "execute the same sequence of blocks and splits (position 3, counted from 0)");
  EXPECT_NE(difference(record_of(4), split).find("B calls kanor::team::split at a.cpp:4"), std::string::npos);
  BlockRecord beside = record_of(4);
  beside.statements[0].text = "b@i <<= a@j";
  EXPECT_EQ(difference(record_of(4), beside),
            "A executes the block at a.cpp:4 where B executes another block on that line: all members of a "
            "team must "
            "execute the same sequence of blocks and splits (position 3, counted from 0)");
  elsewhere.line = 9;
  elsewhere.step = Step::split;
  EXPECT_EQ(difference(split, elsewhere), "") << "the same split may be called at two places";
  split.step = Step::end;
  EXPECT_NE(difference(split, record_of(4)).find("A has released the team where B"), std::string::npos);
}

TEST(BlockRecord, DiffersInTheTypesOfItsValues) {
  BlockRecord numbers = record_of(4), texts = record_of(4);
  numbers.statements[0].type = abi::value_text<std::vector<int>>();
  texts.statements[0].type = abi::value_text<std::string>();
  EXPECT_EQ(difference(numbers, record_of(4)), "") << "a member without bindings knows no type";
  EXPECT_EQ(difference(numbers, texts),
            "a.cpp:5: in 'a@i <<= b@j', A has values of type int, but B of type char");
  numbers.call = "kanor::gather at m.cpp:7";
  EXPECT_EQ(
      difference(numbers, texts),
      "kanor::gather at m.cpp:7: A has values of type int, but B of type char (in its block at a.cpp:5)");
}

TEST(BlockRecord, NamesTheCallOfTheLibrary) {
  BlockRecord called = record_of(4), otherwise = record_of(4, {{0, 1}});
  called.call = "kanor::gather at m.cpp:7";
  EXPECT_EQ(difference(called, record_of(5))
                .find("A executes kanor::gather at m.cpp:7 (the block at a.cpp:4) where B"),
            0u);
  EXPECT_EQ(
      difference(called, otherwise)
          .find("kanor::gather at m.cpp:7: A and B give it different arguments (in its block at a.cpp:5)"),
      0u);
  const std::vector<std::byte> bytes = called.encode();
  EXPECT_EQ(BlockRecord::decode(bytes.data(), bytes.size()).call, called.call);
}

TEST(BlockRecord, NamesTheFirstBindingThatDiffers) {
  EXPECT_NE(
      difference(record_of(4, {{0, 1}, {1, 2}}), record_of(4, {{0, 1}, {1, 3}}))
          .find(
              "a.cpp:5: in 'a@i <<= b@j', A and B do not agree on the bindings: binding 2 is i = 1, x = 0.5 "
              "(from rank 2 to rank 1) on A, but i = 1, x = 0.5 (from rank 3 to rank 1) on B"),
      std::string::npos);
  EXPECT_NE(difference(record_of(4, {{0, 1}}), record_of(4, {{0, 1}, {1, 3}}))
                .find("(A has 1, B has 2): binding 2 is missing on A, but i = 1"),
            std::string::npos);
  EXPECT_NE(difference(record_of(4), record_of(4, {{5, 6}})).find("binding 1 is missing on A, but i = 5"),
            std::string::npos);
  // In another order they are others.
  EXPECT_NE(difference(record_of(4, {{0, 1}, {1, 2}}), record_of(4, {{1, 2}, {0, 1}})), "");
}

TEST(BlockRecord, NoticesWhatWasNotKept) {
  std::vector<std::pair<int, int>> many;
  for (int i = 0; i < 10'000; ++i) many.emplace_back(i % 5, i % 7);
  const BlockRecord a = record_of(4, many);
  EXPECT_LE(a.statements[0].words.size(), StatementRecord::most_words);
  EXPECT_EQ(difference(a, record_of(4, many)), "");
  many.back().first += 1;
  EXPECT_EQ(
      difference(a, record_of(4, many)),
      "a.cpp:5: in 'a@i <<= b@j', A and B do not agree on the bindings; clauses and ranks must have the same "
      "values on all members");
  BlockRecord short_record = record_of(4, {{0, 1}});
  short_record.shorten();
  EXPECT_EQ(difference(record_of(4, {{0, 1}}), short_record), "");
  EXPECT_NE(difference(record_of(4, {{0, 2}}), short_record), "");
}

TEST(BlockRecord, NeedNotAgreeWhereOneSideKnows) {
  BlockRecord a = record_of(4, {{0, 1}}), b = record_of(4);
  a.statements[0].uniform = b.statements[0].uniform = false;
  EXPECT_EQ(difference(a, b), "");
}

/// A block in which every rank of the team sends its number to rank `to`.
void send_to(int to, int line, const team& members = world) {
  int places[8] = {};
  abi::block block({"c.cpp", line, "send_to"}, {.team = members});
  block.assign({line, "place@to <<= i@i", "i"}, [&](auto& bind) {
    for (const auto i : members) binding(bind, to, AT(places[i]), i, SEND(i), i);
  });
  block.run();
}

void checked(int ranks, const std::function<void()>& body) {
  for (const bool shares_addresses : {true, false}) {
    TestJob job(ranks, shares_addresses);
    job.home.switches.check = true;
    job.run([&] {
      body();
      finish_checks();
    });
  }
}

// Ranks are ahead of others by less and by more than most_whole_records.
TEST(Checks, LetGoodProgramsBe) {
  for (const int ranks : {1, 2, 3, 8})
    checked(ranks, [] {
      const int self = world.rank();
      for (int round = 0; round < 100; ++round) {
        send_to(round % world.size(), 10);
        if (round % 10 != 0) continue;
        const team part = world.split(self % (round / 10 + 1), -self);
        for (int more = 0; more < self % (round / 10 + 1); ++more) send_to(0, 20, part);
      }
      const team left = world.split(self < 2, self), never_used = world.split(0, 0);
      if (self < 2) send_to(0, 30, left);
    });
}

// Two ranks may have blocks of two teams to execute, in either order, where none needs the other's.
TEST(Checks, WaitForNobody) {
  checked(2, [] {
    const team one = world.split(0, 0), other = world.split(0, 0);
    const bool first = world.rank() == 0;
    for (int round = 0; round < 3; ++round) {
      send_to(no_rank, first ? 10 : 20, first ? one : other);
      send_to(no_rank, first ? 20 : 10, first ? other : one);
    }
  });
}

void fails(int ranks, const std::function<void()>& body, const char* message) {
  EXPECT_EXIT(checked(ranks, body), testing::ExitedWithCode(1), message);
}

TEST(ChecksDeathTest, FindTwoSequences) {
  fails(
      4,
      [] {
        send_to(0, 10);
        send_to(0, world.rank() == 2 ? 12 : 11);
      },
      "checked mode: rank (1 executes the block at c.cpp:11 where rank 2 executes the block at c.cpp:12"
      "|2 executes the block at c.cpp:12 where rank 3 executes the block at c.cpp:11)");
  // Though nobody receives anything there.
  fails(
      3, [] { send_to(no_rank, 10 + world.rank() / 2); },
      "checked mode: rank [0-2] executes the block at c.cpp:1[01] where rank [0-2] executes the block at");
  fails(
      2,
      [] {
        send_to(no_rank, 10);
        if (world.rank() == 0) send_to(no_rank, 10);
      },
      "rank 0 executes the block at c.cpp:10 where rank 1 has ended|"
      "rank 1 has ended where rank 0 executes the block at c.cpp:10");
  fails(
      4,
      [] {
        const team part = world.split(world.rank() % 2, 0);
        if (world.rank() != 3) send_to(no_rank, 10, part);
        if (part.rank() == 0) send_to(no_rank, 11, part);
      },
      "rank [01] of the team \\([0-3] of the world\\) (executes|has)");
}

TEST(ChecksDeathTest, FindRanksThatDisagree) {
  fails(
      4, [] { send_to(world.rank() == 3 ? no_rank : 0, 10); },
      "c.cpp:10: in 'place@to <<= i@i', rank (2 and rank 3|3 and rank 0|0 and rank 3|3 and rank 2) do not "
      "agree on the bindings: "
      "binding 1 is "
      "i = 0 \\(from rank 0 to");
}

/// Rank 0 sends a value of this type to rank 2.
template <class Value>
void send_over_rank_1() {
  Value mine{}, place{};
  abi::block block({"c.cpp", 10, "test"});
  block.assign({10, "place@2 <<= mine@0", ""},
               [&](auto& bind) { binding(bind, 2, AT(place), 0, SEND(mine)); });
  block.run();
}

// The members between the two neither send nor receive: they tell the type nevertheless.
TEST(ChecksDeathTest, FindTwoTypes) {
  fails(
      4, [] { world.rank() < 2 ? send_over_rank_1<int>() : send_over_rank_1<unsigned>(); },
      "in 'place@2 <<= mine@0', rank [0-3] has values of type (unsigned )?int, but rank [0-3] of type");
}

}  // namespace
}  // namespace kanor::rt
