// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/polynomial.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace kanor::plan {
namespace {

using sema::Operation;
using sema::Symbolic;

Polynomial P() { return Polynomial::atom(team_size_key); }
Polynomial atom(const std::string& key) { return Polynomial::atom(key); }

Symbolic team_size() {
  Symbolic size;
  size.kind = Symbolic::Kind::team_size;
  return size;
}

TEST(Polynomial, EqualExpressionsAreEqual) {
  const Polynomial x = atom("n0"), y = atom("n1"), one(1);
  EXPECT_EQ((x + y) * (x - y), x * x - y * y);
  EXPECT_EQ(x - x, Polynomial(0));
  EXPECT_EQ((x + one) * Polynomial(2) - Polynomial(2), x + x);
  EXPECT_NE(x * y, x + y);
}

TEST(Polynomial, CoefficientsAreOfFirstPowersOnly) {
  const Polynomial x = atom("n0"), q = atom("l0");
  EXPECT_EQ((x * q + x + q).coefficient("n0"), q + Polynomial(1));
  EXPECT_FALSE((x * x).coefficient("n0"));
  EXPECT_EQ((q - x).sign("n0"), -1);
  EXPECT_EQ((q + x * Polynomial(2)).sign("n0"), 0);
  EXPECT_EQ((x * q + q).without("n0"), q);
}

TEST(Polynomial, OverflowIsNotValid) {
  const Polynomial large(std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE((large + Polynomial(1)).valid());
  EXPECT_FALSE((large * Polynomial(2) - large).valid());
  EXPECT_FALSE(never_negative(large + Polynomial(1)));
}

TEST(Polynomial, NeverNegativeHoldsForEveryTeamAndItsRanks) {
  const Polynomial r = atom(receiver_key), s = atom(sender_key), one(1);
  EXPECT_TRUE(never_negative(P() - one));
  EXPECT_FALSE(never_negative(P() - Polynomial(2)));
  EXPECT_TRUE(never_negative(P() - one - r));
  EXPECT_TRUE(never_negative(r + s));
  EXPECT_FALSE(never_negative(r - s));
  EXPECT_TRUE(never_negative(P() - r - s + P()));
  EXPECT_FALSE(never_negative(P() - r - s));
  EXPECT_FALSE(never_negative(atom("l0")));
  EXPECT_FALSE(never_negative(r * s));
}

TEST(Algebra, WhatTheTeamsSizeDividesIsDropped) {
  const sema::SymbolicStatement none;
  Algebra algebra(none);
  const Symbolic i = sema::name(0);
  const auto wrapped = sema::operation(
      Operation::remainder, sema::operation(Operation::subtract, i, sema::integer(1)), team_size());
  const auto sum = algebra.polynomial(sema::operation(Operation::add, wrapped, team_size()));
  ASSERT_TRUE(sum);
  EXPECT_EQ(algebra.modulo_team(*sum), atom("n0") - Polynomial(1));
  EXPECT_EQ(algebra.names(*sum), std::set<int>{0});
  EXPECT_EQ(algebra.names(algebra.substitute(*sum, "n0", atom("n3"))), std::set<int>{3});
}

TEST(Algebra, OperationsOfConstantsHaveTheirValue) {
  const sema::SymbolicStatement none;
  Algebra algebra(none);
  const auto value = [&](Operation operation, std::int64_t a, std::int64_t b) {
    const auto made = algebra.polynomial(sema::operation(operation, sema::integer(a), sema::integer(b)));
    return made ? made->constant() : std::nullopt;
  };
  EXPECT_EQ(value(Operation::divide, -7, 2), -3);
  EXPECT_EQ(value(Operation::remainder, -7, 4), -3);
  EXPECT_EQ(value(Operation::bit_and, 12, 10), 8);
  EXPECT_EQ(value(Operation::bit_or, 12, 10), 14);
  EXPECT_EQ(value(Operation::bit_xor, 12, 10), 6);
  EXPECT_EQ(value(Operation::shift_right, 40, 3), 5);
  EXPECT_FALSE(value(Operation::shift_right, 40, 63));
  EXPECT_FALSE(value(Operation::remainder, 7, 0));
  EXPECT_EQ(value(Operation::shift_left, 3, 4), 48);
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_FALSE(value(Operation::divide, least, -1));
  EXPECT_FALSE(value(Operation::add, least, -1));
}

TEST(Algebra, OpaquePartsAndDivisionByZeroHaveNoValue) {
  const sema::SymbolicStatement none;
  Algebra algebra(none);
  const auto by_zero = sema::operation(Operation::divide, sema::integer(1), sema::integer(0));
  const auto kept = algebra.polynomial(by_zero);
  ASSERT_TRUE(kept);
  EXPECT_FALSE(kept->constant());
  EXPECT_FALSE(algebra.polynomial(sema::opaque(sema::Obscurity::call, {}, {0})));
}

}  // namespace
}  // namespace kanor::plan
