// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C++'s integer operators do with sets of numbers, forwards and backwards.
#pragma once

#include "plan/domain.hpp"

namespace kanor::rt::plan {

enum class Operator : unsigned char {
  add,
  subtract,
  multiply,
  divide,
  modulo,
  exclusive_or,
  bit_and,
  bit_or,
  shift_left,
  shift_right
};

// All of these answer supersets: every pair of members for which C++ defines the result is accounted for.
// Exact, up to what a Domain can hold, where one side is a single number, and for + and - of intervals. Their
// cost is bounded, whatever the sets' sizes.

/// { x op y }.
Domain apply(Operator op, const Domain& left, const Domain& right);
/// Keeps the x of `left` for which some y of `right` has x op y in `result`.
void narrow_left(Operator op, const Domain& result, Domain& left, const Domain& right);
/// Keeps the y of `right` for which some x of `left` has x op y in `result`.
void narrow_right(Operator op, const Domain& result, const Domain& left, Domain& right);

/// { -x }.
Domain negated(const Domain& domain);
/// { x modulo m }, m >= 1, in 0 … m-1 whatever the sign of x.
Domain residues(const Domain& domain, std::int64_t modulus);
/// The x between the ends of `within` whose residues are in `rest`.
Domain with_residues(const Domain& rest, std::int64_t modulus, const Domain& within);

}  // namespace kanor::rt::plan
