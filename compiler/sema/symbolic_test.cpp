// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sema/symbolic.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace kanor::sema {
namespace {

Symbolic team_size() {
  Symbolic size;
  size.kind = Symbolic::Kind::team_size;
  return size;
}

SymbolicSet interval(Symbolic first, Symbolic last) {
  return {SymbolicSet::Form::interval, {std::move(first), std::move(last)}, {}};
}

/// `x@i <<= y@0 where i in world, k in {0 ... 3}`
SymbolicStatement broadcast() {
  SymbolicStatement statement;
  statement.leaves.push_back({"world.size()", false, false, {team_size()}});
  statement.names.push_back({"i", interval(integer(0), operation(Operation::subtract, leaf(0), integer(1)))});
  statement.names.push_back({"k", interval(integer(0), integer(3))});
  statement.receiver = name(0);
  statement.sender = integer(0);
  return statement;
}

TEST(Reach, ABroadcastReachesEveryone) {
  EXPECT_TRUE(reach(broadcast()).everyone);
  EXPECT_TRUE(reach(broadcast()).certain);
}

TEST(Reach, ALeafMayMeanTheLastRank) {
  SymbolicStatement statement = broadcast();
  statement.leaves.push_back(
      {"last", false, false, {operation(Operation::subtract, team_size(), integer(1))}});
  statement.names[0].set = interval(integer(0), leaf(1));
  EXPECT_TRUE(reach(statement).everyone);
  statement.leaves[1].meaning.clear();
  EXPECT_FALSE(reach(statement).everyone);
}

TEST(Reach, SomeReceiversAreNotEveryone) {
  SymbolicStatement statement = broadcast();
  statement.names[0].set.members[0] = integer(1);
  EXPECT_FALSE(reach(statement).everyone);
  statement = broadcast();
  statement.receiver = integer(0);
  EXPECT_FALSE(reach(statement).everyone);
  statement = broadcast();
  statement.filters.push_back({name(0), Relation::not_equal, integer(0), {}});
  EXPECT_FALSE(reach(statement).everyone);
}

/// `x@(i + by) % world.size() <<= y@i where i in world, k in {0 ... 3}`
SymbolicStatement shift(Symbolic by) {
  SymbolicStatement statement = broadcast();
  statement.receiver =
      operation(Operation::remainder, operation(Operation::add, name(0), std::move(by)), leaf(0));
  statement.sender = name(0);
  return statement;
}

TEST(EveryoneReceives, WhatGoesAroundTheTeamReachesEachRank) {
  EXPECT_TRUE(everyone_receives(broadcast()));
  EXPECT_TRUE(everyone_receives(shift(integer(1))));
  EXPECT_TRUE(everyone_receives(shift(leaf(0))));
  EXPECT_FALSE(everyone_receives(shift(name(0))));
  EXPECT_FALSE(everyone_receives(shift(name(1))));
  EXPECT_FALSE(everyone_receives(shift(opaque(Obscurity::call, {}, {}))));
  SymbolicStatement statement = shift(integer(1));
  statement.receiver = statement.receiver.operands[0];
  EXPECT_FALSE(everyone_receives(statement));
}

TEST(EveryoneReceives, ConditionsAndEmptySetsLeaveRanksOut) {
  SymbolicStatement statement = broadcast();
  statement.filters.push_back({name(1), Relation::not_equal, integer(0), {}});
  EXPECT_FALSE(everyone_receives(statement));
  statement = broadcast();
  statement.names[1].set.members[1] = integer(-1);
  EXPECT_FALSE(everyone_receives(statement));
  statement = broadcast();
  statement.names[0].set.members[0] = integer(1);
  EXPECT_FALSE(everyone_receives(statement));
}

TEST(EveryoneReceives, ASenderThatMayBeNobodySendsNothing) {
  SymbolicStatement statement = broadcast();
  statement.sender = leaf(0);
  EXPECT_TRUE(everyone_receives(statement));
  statement.leaves.push_back({"root", false, false, {}});
  statement.sender = leaf(1);
  EXPECT_FALSE(everyone_receives(statement));
  statement.sender = integer(-2147483648LL);
  EXPECT_FALSE(everyone_receives(statement));
}

TEST(Reach, EachMustGetTheSameInTheSamePlace) {
  SymbolicStatement statement = broadcast();
  statement.sender = name(0);
  EXPECT_FALSE(reach(statement).everyone);
  statement.sender = opaque(Obscurity::call, {}, {0});
  EXPECT_FALSE(reach(statement).everyone);
  statement.sender = opaque(Obscurity::call, {}, {1});
  EXPECT_TRUE(reach(statement).everyone);
  statement.value_names = {0};
  EXPECT_FALSE(reach(statement).everyone);
  statement.value_names = {1};
  statement.place_names = {0};
  EXPECT_FALSE(reach(statement).everyone);
  statement = broadcast();
  statement.names[1].set = interval(integer(0), name(0));
  EXPECT_FALSE(reach(statement).everyone);
}

TEST(Reach, NothingMayArrive) {
  SymbolicStatement statement = broadcast();
  statement.filters.push_back({name(1), Relation::less, integer(2), {}});
  EXPECT_TRUE(reach(statement).everyone);
  EXPECT_FALSE(reach(statement).certain);
  statement = broadcast();
  statement.names[1].set = interval(integer(0), operation(Operation::subtract, leaf(0), integer(2)));
  EXPECT_FALSE(reach(statement).certain);
  statement.names[1].set = {SymbolicSet::Form::list, {leaf(0)}, {}};
  EXPECT_TRUE(reach(statement).certain);
  statement.names[1].set = {SymbolicSet::Form::unknown, {opaque(Obscurity::set_of_values, {}, {})}, {}};
  EXPECT_TRUE(reach(statement).everyone);
  EXPECT_FALSE(reach(statement).certain);
}

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> value(Operation operation, std::int64_t left, std::int64_t right) {
  const std::int64_t operands[] = {left, right};
  return evaluate(operation, operands);
}

std::optional<std::int64_t> negative_of(std::int64_t number) {
  return evaluate(Operation::negate, std::span(&number, 1));
}

TEST(Evaluate, ComputesAsCppDoes) {
  EXPECT_EQ(value(Operation::add, 3, -5), -2);
  EXPECT_EQ(value(Operation::subtract, 3, -5), 8);
  EXPECT_EQ(value(Operation::multiply, 3, -5), -15);
  EXPECT_EQ(value(Operation::divide, -7, 2), -3);
  EXPECT_EQ(value(Operation::divide, 7, -1), -7);
  EXPECT_EQ(value(Operation::remainder, -7, 2), -1);
  EXPECT_EQ(value(Operation::remainder, 7, -1), 0);
  EXPECT_EQ(value(Operation::bit_xor, 6, -1), -7);
  EXPECT_EQ(value(Operation::bit_and, 6, 3), 2);
  EXPECT_EQ(value(Operation::bit_or, 6, 3), 7);
  EXPECT_EQ(value(Operation::shift_left, -3, 4), -48);
  EXPECT_EQ(value(Operation::shift_right, -48, 4), -3);
  EXPECT_EQ(negative_of(7), -7);
}

TEST(Evaluate, DivisionByZeroHasNoValue) {
  EXPECT_FALSE(value(Operation::divide, 1, 0));
  EXPECT_FALSE(value(Operation::remainder, 1, 0));
}

TEST(Evaluate, WhatOverflowsHasNoValue) {
  EXPECT_EQ(value(Operation::add, most, least), -1);
  EXPECT_FALSE(value(Operation::add, most, 1));
  EXPECT_EQ(value(Operation::subtract, -1, least), most);
  EXPECT_FALSE(value(Operation::subtract, 0, least));
  EXPECT_FALSE(value(Operation::multiply, least, -1));
  EXPECT_FALSE(value(Operation::divide, least, -1));
  EXPECT_FALSE(value(Operation::remainder, least, -1));
  EXPECT_EQ(value(Operation::divide, least, 1), least);
  EXPECT_FALSE(negative_of(least));
}

// What an int loses, a long keeps, and an int shifts by less: the symbols do not say which it is.
TEST(Evaluate, ShiftsThatDependOnTheTypeHaveNoValue) {
  EXPECT_EQ(value(Operation::shift_left, 1, 30), 1 << 30);
  EXPECT_EQ(value(Operation::shift_left, -1, 31), INT32_MIN);
  EXPECT_FALSE(value(Operation::shift_left, 1, 31));
  EXPECT_FALSE(value(Operation::shift_left, most, 1));
  EXPECT_FALSE(value(Operation::shift_left, 0, 32));
  EXPECT_FALSE(value(Operation::shift_left, 1, -1));
  EXPECT_FALSE(value(Operation::shift_right, 1, -1));
  EXPECT_EQ(value(Operation::shift_right, -1, 31), -1);
  EXPECT_FALSE(value(Operation::shift_right, 1, 32));
}

std::vector<std::int64_t> listed(SymbolicSet::Form form, const std::vector<std::int64_t>& numbers) {
  const auto members = members_of(form, numbers);
  std::vector<std::int64_t> all;
  for (std::uint64_t at = 0; members && at < members->count; ++at)
    all.push_back(members->first + members->step * static_cast<std::int64_t>(at));
  return all;
}

TEST(MembersOf, AreThoseOfCppRanges) {
  using List = std::vector<std::int64_t>;
  constexpr auto interval = SymbolicSet::Form::interval, progression = SymbolicSet::Form::progression;
  EXPECT_EQ(listed(interval, {-1, 1}), (List{-1, 0, 1}));
  EXPECT_EQ(listed(interval, {4, 4}), (List{4}));
  EXPECT_EQ(listed(interval, {4, 3}), List());
  EXPECT_EQ(listed(progression, {0, 6, 3}), (List{0, 3}));
  EXPECT_EQ(listed(progression, {0, 7, 3}), (List{0, 3, 6}));
  EXPECT_EQ(listed(progression, {5, -1, -2}), (List{5, 3, 1}));
  EXPECT_EQ(listed(progression, {5, 0, -5}), (List{5}));
  EXPECT_EQ(listed(progression, {2, 2, 1}), List());
  EXPECT_EQ(listed(progression, {2, 9, -1}), List());
  EXPECT_EQ(listed(progression, {most, most - 1, least}), (List{most}));
}

TEST(MembersOf, SomeSetsCannotBeCounted) {
  const std::int64_t all[] = {least, most}, none[] = {0, 9, 0};
  EXPECT_FALSE(members_of(SymbolicSet::Form::interval, all));
  EXPECT_FALSE(members_of(SymbolicSet::Form::progression, none));
  EXPECT_FALSE(members_of(SymbolicSet::Form::list, all));
  const std::int64_t all_but_one[] = {least, most, 1};
  EXPECT_EQ(members_of(SymbolicSet::Form::progression, all_but_one)->count, ~std::uint64_t{0});
}

}  // namespace
}  // namespace kanor::sema
