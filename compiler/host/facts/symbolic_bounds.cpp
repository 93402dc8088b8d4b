// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/facts/symbolic_bounds.hpp"

#include <clang/AST/ASTContext.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace kanor::host {
namespace {

using sema::Operation;
using sema::Symbolic;

bool is_small(std::optional<std::int64_t> number) { return number && std::abs(*number) < 1LL << 31; }

Bounds of_integer(std::int64_t number) {
  Bounds known{number, number, std::nullopt};
  if (number >= 0) known.bits = std::bit_width(static_cast<std::uint64_t>(number));
  return known;
}

Bounds of_sum(const Bounds& a, const Bounds& b) {
  Bounds sum;
  if (is_small(a.lowest) && is_small(b.lowest)) sum.lowest = *a.lowest + *b.lowest;
  if (is_small(a.highest) && is_small(b.highest)) sum.highest = *a.highest + *b.highest;
  if (sum.lowest && *sum.lowest >= 0 && a.bits && b.bits) sum.bits = std::max(*a.bits, *b.bits) + 1;
  return sum;
}

Bounds of_difference(const Bounds& a, const Bounds& b) {
  Bounds difference;
  if (is_small(a.lowest) && is_small(b.highest)) difference.lowest = *a.lowest - *b.highest;
  if (is_small(a.highest) && is_small(b.lowest)) difference.highest = *a.highest - *b.lowest;
  if (difference.lowest && *difference.lowest >= 0) difference.bits = a.bits;
  return difference;
}

}  // namespace

Bounds SymbolicBounds::of_type(clang::QualType type) const {
  // A leaf of more than 62 bits counts as unknown when the program runs.
  const int width = static_cast<int>(context_.getIntWidth(type));
  if (type->isUnsignedIntegerOrEnumerationType()) return {0, std::nullopt, std::min(width, 62)};
  return {};
}

Bounds SymbolicBounds::of(const Symbolic& expression) const {
  if (expression.is(Symbolic::Kind::integer)) return of_integer(expression.value);
  if (expression.is(Symbolic::Kind::name)) return of_names[static_cast<std::size_t>(expression.value)];
  if (expression.is(Symbolic::Kind::leaf)) return of_leaves[static_cast<std::size_t>(expression.value)];
  if (expression.is(Symbolic::Kind::grid_coordinate)) return {0, std::nullopt, 31};
  if (!expression.is(Symbolic::Kind::operation) || expression.operands.size() != 2) return {};
  const Bounds a = of(expression.operands[0]), b = of(expression.operands[1]);
  if (expression.operation == Operation::add) return of_sum(a, b);
  if (expression.operation == Operation::subtract) return of_difference(a, b);
  if (!a.bits) return {};
  if (expression.operation == Operation::remainder)
    return {0, is_small(b.highest) && *b.highest > 0 ? std::optional(*b.highest - 1) : a.highest,
            b.bits ? std::min(*a.bits, *b.bits) : *a.bits};
  if (!b.bits) return {};
  switch (expression.operation) {
    case Operation::multiply:
      return {0, std::nullopt, *a.bits + *b.bits};
    case Operation::divide:
    case Operation::shift_right:
      return {0, a.highest, a.bits};
    case Operation::bit_xor:
    case Operation::bit_or:
      return {0, std::nullopt, std::max(*a.bits, *b.bits)};
    case Operation::bit_and:
      return {0, std::nullopt, std::min(*a.bits, *b.bits)};
    case Operation::shift_left:
      if (!b.highest || *a.bits + *b.highest > 31) return {};
      return {0, std::nullopt, *a.bits + static_cast<int>(*b.highest)};
    default:
      return {};
  }
}

bool SymbolicBounds::is_exact(Operation operation, const Symbolic& left, const Symbolic& right,
                              clang::QualType type) const {
  if (!type->isUnsignedIntegerOrEnumerationType()) return true;
  const Bounds a = of(left), b = of(right);
  const int room = std::min(static_cast<int>(context_.getIntWidth(type)), 63);
  if (!a.bits || !b.bits) return false;
  switch (operation) {
    case Operation::add:
      return std::max(*a.bits, *b.bits) + 1 <= room;
    case Operation::multiply:
      return *a.bits + *b.bits <= room;
    case Operation::subtract:
      return b.highest && a.lowest && *a.lowest >= *b.highest;
    case Operation::shift_left:
      return b.highest && *a.bits + *b.highest <= room;
    default:
      return true;
  }
}

bool SymbolicBounds::keeps_value(const Symbolic& inner, clang::QualType from, clang::QualType to) const {
  const auto is_integral = [](clang::QualType type) {
    return !type.isNull() && type->isIntegralOrUnscopedEnumerationType();
  };
  if (!is_integral(from) || !is_integral(to) || to->isBooleanType()) return false;
  const int from_width = static_cast<int>(context_.getIntWidth(from));
  const int to_width = static_cast<int>(context_.getIntWidth(to));
  const bool from_signed = from->isSignedIntegerOrEnumerationType();
  const bool to_signed = to->isSignedIntegerOrEnumerationType();
  if (from_signed == to_signed && to_width >= from_width) return true;
  if (!from_signed && to_width > from_width) return true;
  const Bounds known = of(inner);
  return known.bits && *known.bits <= (to_signed ? to_width - 1 : to_width);
}

}  // namespace kanor::host
