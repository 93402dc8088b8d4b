#include "sema/symbolic.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace kanor::sema
