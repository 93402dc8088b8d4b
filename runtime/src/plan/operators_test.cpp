// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/operators.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "plan/test_members.hpp"

namespace kanor::rt::plan {
namespace {

constexpr Operator operators[] = {Operator::add,        Operator::subtract, Operator::multiply,
                                  Operator::divide,     Operator::modulo,   Operator::exclusive_or,
                                  Operator::bit_and,    Operator::bit_or,   Operator::shift_left,
                                  Operator::shift_right};

/// What C++ says; nothing where it says nothing.
std::optional<Wide> result_of(Operator op, Wide x, Wide y) {
  switch (op) {
    case Operator::add:
      return x + y;
    case Operator::subtract:
      return x - y;
    case Operator::multiply:
      return x * y;
    case Operator::divide:
      return y == 0 ? std::nullopt : std::optional<Wide>(x / y);
    case Operator::modulo:
      return y == 0 ? std::nullopt : std::optional<Wide>(x % y);
    case Operator::exclusive_or:
      return x ^ y;
    case Operator::bit_and:
      return x & y;
    case Operator::bit_or:
      return x | y;
    case Operator::shift_left:
      return y < 0 || y > 30 ? std::nullopt : std::optional<Wide>(x << y);
    case Operator::shift_right:
      return y < 0 || y > 63 ? std::nullopt : std::optional<Wide>(x >> y);
  }
  return {};
}

struct Random {
  std::mt19937 bits{7};
  int operator()(int low, int high) { return std::uniform_int_distribution(low, high)(bits); }
  Domain domain(int reach, int most_parts) {
    Domain domain;
    for (int i = (*this)(1, most_parts); i > 0; --i) {
      const int first = (*this)(-reach, reach), step = (*this)(1, 4) == 4 ? (*this)(2, 9) : 1;
      const int steps = (*this)(0, 2) ? (*this)(0, 2 * reach / step) : 0;
      domain.add(first, first + steps * step, step);
    }
    return domain;
  }
};

std::string text(const Domain& domain) {
  std::string text;
  for (const Progression& part : domain)
    text +=
        " " + std::to_string(part.first) + ".." + std::to_string(part.last) + "/" + std::to_string(part.step);
  return text;
}

bool is_in(const Domain& domain, const std::optional<Wide>& value) {
  return value && *value >= least && *value <= greatest && domain.contains(static_cast<std::int64_t>(*value));
}

TEST(Operators, LoseNoResultAndNoOperand) {
  Random random;
  for (int round = 0; round < 25000; ++round) {
    const Operator op = operators[random(0, 9)];
    // Less and more than least_whole_steps and most_selected members, and than most_pairs pairs of parts.
    const int reach = random(0, 3) ? 12 : 90, parts = round % 50 ? 3 : 20;
    const Domain left = random.domain(reach, parts), right = random.domain(random(0, 1) ? reach : 5, parts);
    const Domain result = random.domain(reach, 3);
    SCOPED_TRACE(testing::Message() << "operator " << static_cast<int>(op) << " of" << text(left) << " and"
                                    << text(right) << " in" << text(result));
    const Domain results = apply(op, left, right);
    Domain lefts = left, rights = right;
    narrow_left(op, result, lefts, right);
    narrow_right(op, result, left, rights);
    for (const std::int64_t x : members(left))
      for (const std::int64_t y : members(right)) {
        const std::optional<Wide> z = result_of(op, x, y);
        if (!z) continue;
        ASSERT_TRUE(is_in(results, z)) << x << " " << y;
        if (!is_in(result, z)) continue;
        ASSERT_TRUE(lefts.contains(x)) << x << " " << y;
        ASSERT_TRUE(rights.contains(y)) << x << " " << y;
      }
    for (const Progression& part : lefts) ASSERT_TRUE(left.contains(part.first) && left.contains(part.last));
    for (const Progression& part : rights) ASSERT_TRUE(right.contains(part.first));
  }
}

/// How often an operation with one single number answered more than there is.
struct Excess {
  long answered = 0, needed = 0;
};

TEST(Operators, AreInvertedExactlyForOneResultAndOneOperand) {
  Random random;
  for (const Operator op : operators) {
    Excess excess;
    for (int round = 0; round < 4000; ++round) {
      const Domain left = Domain::interval(random(-20, 0), random(0, 60));
      const std::int64_t y = random(-9, 20), z = random(-9, 40);
      Domain lefts = left;
      narrow_left(op, Domain::of(z), lefts, Domain::of(y));
      std::set<std::int64_t> exact;
      bool defined = true;
      for (const std::int64_t x : members(left)) {
        const std::optional<Wide> result = result_of(op, x, y);
        if (result && *result == z) exact.insert(x);
        defined = defined && result;
      }
      if (!defined) continue;
      excess.answered += static_cast<long>(members(lefts).size());
      excess.needed += static_cast<long>(exact.size());
    }
    const bool by_mask = op == Operator::bit_and || op == Operator::bit_or;
    EXPECT_LE(excess.answered, excess.needed * (by_mask ? 3 : 1)) << static_cast<int>(op);
    EXPECT_GT(excess.needed, 0);
  }
}

TEST(Operators, InvertMasksOfLowAndOfHighBitsExactly) {
  for (int bits = 0; bits < 6; ++bits)
    for (std::int64_t z = 0; z < 64; ++z) {
      for (const std::int64_t mask :
           {(std::int64_t{1} << bits) - 1, -(std::int64_t{1} << bits), std::int64_t{6}, std::int64_t{56}}) {
        Domain and_left = Domain::interval(-100, 100), or_left = and_left;
        narrow_left(Operator::bit_and, Domain::of(z), and_left, Domain::of(mask));
        narrow_left(Operator::bit_or, Domain::of(z), or_left, Domain::of(mask));
        for (std::int64_t x = -100; x <= 100; ++x) {
          ASSERT_EQ(and_left.contains(x), (x & mask) == z) << x << " & " << mask << " == " << z;
          ASSERT_EQ(or_left.contains(x), (x | mask) == z) << x << " | " << mask << " == " << z;
        }
      }
    }
}

TEST(Operators, WrapAMillionInBoundedSteps) {
  const std::int64_t ranks = 1000000;
  Domain left = Domain::interval(0, ranks - 1);
  // (7919 * i + 12345) % ranks == 4: one i.
  const Domain sum =
      apply(Operator::add, apply(Operator::multiply, left, Domain::of(7919)), Domain::of(12345));
  Domain wrapped = sum;
  narrow_left(Operator::modulo, Domain::of(4), wrapped, Domain::of(ranks));
  Domain product = apply(Operator::subtract, wrapped, Domain::of(12345));
  narrow_left(Operator::multiply, product, left, Domain::of(7919));
  ASSERT_TRUE(left.single());
  EXPECT_EQ((7919 * left.min() + 12345) % ranks, 4);
  EXPECT_EQ(residues(sum, ranks), Domain::interval(0, ranks - 1));
}

TEST(Operators, StayWithin64Bits) {
  const Domain all = Domain::all(), one = Domain::of(1), minus = Domain::of(-1), none = {};
  EXPECT_EQ(apply(Operator::add, all, all), all);
  EXPECT_EQ(apply(Operator::multiply, all, all), all);
  EXPECT_EQ(apply(Operator::subtract, all, one).max(), greatest - 1);
  EXPECT_TRUE(apply(Operator::add, Domain::of(greatest), one).empty());
  EXPECT_TRUE(apply(Operator::divide, one, Domain::of(0)).empty());
  EXPECT_TRUE(apply(Operator::modulo, all, Domain::of(0)).empty());
  EXPECT_EQ(apply(Operator::modulo, all, Domain::of(10)), Domain::interval(-9, 9));
  EXPECT_TRUE(apply(Operator::divide, all, minus).contains(greatest));
  EXPECT_EQ(apply(Operator::divide, all, Domain::of(2)),
            Domain::interval(1 - (Wide{1} << 62), (Wide{1} << 62) - 1));
  EXPECT_EQ(apply(Operator::shift_right, all, Domain::of(63)), Domain::interval(-1, 0));
  EXPECT_EQ(apply(Operator::exclusive_or, all, minus), all);
  for (const Operator op : operators)
    for (const Domain& a : {all, one, minus, none, Domain::of(0), Domain::of(least), Domain::of(greatest)})
      for (const Domain& b :
           {all, one, minus, none, Domain::of(0), Domain::of(least), Domain::of(greatest)}) {
        Domain left = all, right = all;
        narrow_left(op, a, left, b);
        narrow_right(op, a, b, right);
        if (a.empty()) {
          EXPECT_TRUE(left.empty() || op == Operator::shift_left) << static_cast<int>(op);
        }
      }
}

// What falls off an int's end is no number: C++ defines 1 << 31 of an int.
TEST(Operators, ShiftsThatMayLoseBitsSayNothing) {
  const Domain amounts = Domain::interval(0, 40);
  EXPECT_EQ(apply(Operator::shift_left, Domain::of(1), amounts), Domain::all());
  Domain right = amounts;
  narrow_right(Operator::shift_left, Domain::of(0), Domain::of(1), right);
  EXPECT_EQ(right, amounts);
  right = Domain::interval(0, 20);
  narrow_right(Operator::shift_left, Domain::of(1024), Domain::of(1), right);
  EXPECT_EQ(right, Domain::of(10));
}

}  // namespace
}  // namespace kanor::rt::plan
