// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators backwards: which operands may have led to a result.
#include <algorithm>
#include <bit>
#include <numeric>

#include "plan/operators.hpp"
#include "plan/progressions.hpp"

namespace kanor::rt::plan {
namespace {

constexpr std::uint64_t most_selected = 64;  // operands that are worth a look each

/// { ~x }.
Domain complements(const Domain& domain) {
  Domain out;
  for (const Progression& part : domain)
    out.add(-1 - Wide{part.last}, -1 - Wide{part.first}, static_cast<Wide>(part.step));
  return out;
}

// For one right operand: the x with x op y in `result`, or a superset; not yet cut to the x that
// may be.

Domain factors(const Domain& products, std::int64_t by, const Domain& within) {
  if (by == 0) return products.contains(0) ? within : Domain();
  Domain out;
  const Wide size = by < 0 ? -Wide{by} : Wide{by};
  for (const Progression& part : products) {
    const Domain multiples =
        Domain::interval(ceiling_divide(part.first, size) * size, floor_divide(part.last, size) * size, size);
    Progression common;
    if (multiples.empty() || !intersect(part, *multiples.begin(), common)) continue;
    const Wide a = common.first / Wide{by}, b = common.last / Wide{by};
    out.add(std::min(a, b), std::max(a, b), static_cast<Wide>(common.step) / size);
  }
  return out;
}

/// Widens each number to an interval, for results whose intervals touch if the numbers do.
template <class First, class Last>
Domain widened(const Domain& numbers, const First& first, const Last& last) {
  Domain out;
  for (const Progression& part : numbers) {
    if (part.step != 1 && has_few(part))
      for_members(part, [&](std::int64_t value) { out.add(first(value), last(value), 1); });
    else
      out.add(first(part.first), last(part.last), 1);
  }
  return out;
}

Domain dividends(const Domain& quotients, std::int64_t divisor) {
  if (divisor == 0) return {};
  const Wide size = divisor < 0 ? -Wide{divisor} : Wide{divisor};
  return widened(
      divisor < 0 ? negated(quotients) : quotients,
      [&](Wide q) { return q * size - (q <= 0 ? size - 1 : 0); },
      [&](Wide q) { return q * size + (q >= 0 ? size - 1 : 0); });
}

Domain with_remainders(const Domain& rest, std::int64_t divisor, const Domain& within) {
  if (divisor == 0) return {};
  const std::int64_t size = divisor < 0 ? -divisor : divisor;
  Domain out;
  for (const bool mirror : {false, true}) {
    const Domain numbers = mirror ? negated(up_to(within, -1)) : from(within, 0);
    if (numbers.empty()) continue;
    Domain possible = with_residues(from(mirror ? negated(rest) : rest, 0), size, numbers);
    possible.intersect(numbers);
    out.add(mirror ? negated(possible) : possible);
  }
  return out;
}

/// The x with (x & mask) == bits, or a superset.
Domain with_bits(std::int64_t bits, std::int64_t mask, const Domain& within) {
  if (bits & ~mask) return {};
  const auto pattern = static_cast<std::uint64_t>(mask);
  const int low = std::countr_zero(pattern);
  const int run = std::countr_one(low < 64 ? pattern >> low : 0);
  if (mask == 0) return within;
  if (low + run == 64) return Domain::interval(bits, bits + (Wide{1} << low) - 1);
  if (low + run >= 63) return within;
  const std::int64_t modulus = std::int64_t{1} << (low + run);
  const std::int64_t known = bits & (modulus - 1);
  Domain out = with_residues(Domain::interval(known, known + (Wide{1} << low) - 1), modulus, within);
  const int high = std::countl_one(pattern);
  if (high > 0) {
    const auto free = high >= 64 ? 0 : ~std::uint64_t{0} >> high;
    out.intersect(static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) & ~free),
                  static_cast<std::int64_t>(static_cast<std::uint64_t>(bits) | free));
  }
  return out;
}

Domain with_masked(const Domain& results, std::int64_t mask, const Domain& within) {
  Domain out;
  for (const Progression& part : results) {
    if (part.steps() >= most_selected) return within;
    for_members(part, [&](std::int64_t bits) { out.add(with_bits(bits, mask, within)); });
  }
  return out;
}

Domain unapplied(Operator op, const Domain& result, const Domain& within, std::int64_t right) {
  Domain out;
  switch (op) {
    case Operator::multiply:
      out = factors(result, right, within);
      break;
    case Operator::divide:
      out = dividends(result, right);
      break;
    case Operator::modulo:
      out = with_remainders(result, right, within);
      break;
    case Operator::bit_and:
      out = with_masked(result, right, within);
      break;
    case Operator::bit_or:
      out = complements(with_masked(complements(result), ~right, complements(within)));
      break;
    case Operator::shift_left:
      if (right >= 0 && right <= 62) out = factors(result, std::int64_t{1} << right, within);
      break;
    case Operator::shift_right:
      if (right < 0 || right > 63) break;
      out = widened(
          result, [&](Wide r) { return r * (Wide{1} << right); },
          [&](Wide r) { return r * (Wide{1} << right) + ((Wide{1} << right) - 1); });
      break;
    default:
      out = apply(op == Operator::add        ? Operator::subtract
                  : op == Operator::subtract ? Operator::add
                                             : op,
                  result, Domain::of(right));
  }
  out.intersect(within);
  return out;
}

/// Keeps the x that some positive y of `right` may have taken to `result`, by their sizes alone.
void narrow_by_size(Operator op, const Domain& result, Domain& left, const Domain& right) {
  Domain positive = right;
  positive.add(negated(right));
  positive.intersect(1, greatest);
  if (result.empty()) {
    left = Domain();
    return;
  }
  const Wide most = std::max<Wide>(result.max(), -Wide{result.min()});  // the results' greatest size
  Wide bound = 0;
  if (op == Operator::multiply) {
    if (right.contains(0) && result.contains(0)) return;
    bound = most / positive.min();
  } else if (op == Operator::divide) {
    bound = std::min<Wide>(most, greatest) * positive.max() + (Wide{positive.max()} - 1);
  } else {
    return;
  }
  left.intersect(Domain::interval(-bound, bound));
}

bool has_many(const Domain& domain) { return domain.size() > most_selected; }

template <class Use>
void for_all(const Domain& domain, const Use& use) {
  for (const Progression& part : domain) for_members(part, use);
}

bool inverts(Operator op) {
  return op == Operator::add || op == Operator::subtract || op == Operator::exclusive_or;
}

/// Returns true for a shift that may lose bits, which says nothing about its operands.
bool loses_bits(Operator op, const Domain& left, const Domain& right) {
  return op == Operator::shift_left && apply(op, left, right) == Domain::all();
}

}  // namespace

Domain with_residues(const Domain& rest, std::int64_t modulus, const Domain& within) {
  constexpr Wide few_periods = 4;
  Domain out;
  if (within.empty()) return out;
  Domain possible = rest;
  possible.intersect(0, modulus - 1);
  const std::int64_t least_one = within.min(), greatest_one = within.max();
  const Wide low = floor_divide(least_one, modulus), high = floor_divide(greatest_one, modulus);
  for (const Progression& part : possible) {
    if (high - low < few_periods) {
      for (Wide period = low; period <= high; ++period) add_shifted(out, part, period * modulus);
    } else if (part.step == 1 && part.first == 0 && part.last == modulus - 1) {
      out.add(least_one, greatest_one, 1);
    } else if (part.steps() < 2 * least_whole_steps) {
      for_members(
          part, [&](std::int64_t value) { out.add(value + low * modulus, value + high * modulus, modulus); });
    } else {
      const auto step = static_cast<Wide>(std::gcd(part.step, static_cast<std::uint64_t>(modulus)));
      out.add(part.first + low * modulus, Wide{greatest_one} + step, step);
    }
  }
  return out;
}

void narrow_left(Operator op, const Domain& result, Domain& left, const Domain& right) {
  if (right.empty()) {
    left = Domain();
  } else if (inverts(op)) {
    left.intersect(apply(op == Operator::add        ? Operator::subtract
                         : op == Operator::subtract ? Operator::add
                                                    : op,
                         result, right));
  } else if (loses_bits(op, left, right)) {
    return;
  } else if (right.single()) {
    left = unapplied(op, result, left, right.min());
  } else if (!has_many(right)) {
    Domain kept;
    for_all(right, [&](std::int64_t y) { kept.add(unapplied(op, result, left, y)); });
    left = kept;
  } else {
    narrow_by_size(op, result, left, right);
  }
}

void narrow_right(Operator op, const Domain& result, const Domain& left, Domain& right) {
  switch (op) {
    case Operator::add:
    case Operator::multiply:
    case Operator::exclusive_or:
    case Operator::bit_and:
    case Operator::bit_or:
      return narrow_left(op, result, right, left);
    case Operator::subtract:
      return right.intersect(apply(Operator::subtract, left, result));
    default:
      break;
  }
  if (left.empty()) right = Domain();
  if (has_many(right) || loses_bits(op, left, right)) return;
  Domain kept;
  for_all(right, [&](std::int64_t y) {
    if (!unapplied(op, result, left, y).empty()) kept.add(y);
  });
  right = kept;
}

}  // namespace kanor::rt::plan
