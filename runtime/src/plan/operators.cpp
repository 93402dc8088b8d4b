// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/operators.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "plan/progressions.hpp"

namespace kanor::rt::plan {
namespace {

constexpr int most_pairs = 64;  // pairs of progressions that are combined

constexpr std::int64_t most_negative_int = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t most_positive_int = std::numeric_limits<std::int32_t>::max();

void add_sums(Domain& out, const Progression& a, const Progression& b) {
  if (a.single()) return add_shifted(out, b, a.first);
  if (b.single()) return add_shifted(out, a, b.first);
  const std::uint64_t step = std::gcd(a.step, b.step);
  const Progression& fine = a.step < b.step ? a : b;
  const Progression& coarse = a.step < b.step ? b : a;
  // Without gaps if the finer one bridges the coarser one's steps.
  const bool bridges = fine.step == step && fine.steps() + 1 >= coarse.step / fine.step;
  if (!bridges && has_few(fine)) {
    for_members(fine, [&](std::int64_t value) { add_shifted(out, coarse, value); });
  } else if (!bridges && has_few(coarse)) {
    for_members(coarse, [&](std::int64_t value) { add_shifted(out, fine, value); });
  } else {
    out.add(Wide{a.first} + b.first, Wide{a.last} + b.last, static_cast<Wide>(step));
  }
}

void add_scaled(Domain& out, const Progression& part, Wide by) {
  const Wide a = part.first * by, b = part.last * by;
  const Wide step = static_cast<Wide>(part.step) * (by < 0 ? -by : by);
  out.add(std::min(a, b), std::max(a, b), step);
}

void add_products(Domain& out, const Progression& a, const Progression& b) {
  if (a.single()) return add_scaled(out, b, a.first);
  if (b.single()) return add_scaled(out, a, b.first);
  if (has_few(a)) return for_members(a, [&](std::int64_t value) { add_scaled(out, b, value); });
  if (has_few(b)) return for_members(b, [&](std::int64_t value) { add_scaled(out, a, value); });
  const Wide corners[] = {Wide{a.first} * b.first, Wide{a.first} * b.last, Wide{a.last} * b.first,
                          Wide{a.last} * b.last};
  out.add(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4), 1);
}

// Division and remainder truncate: they are done with numbers that are not negative, and mirrored.

/// { x / c } for x >= 0 and c >= 1.
void add_quotients(Domain& out, const Progression& part, std::int64_t c) {
  const auto divisor = static_cast<std::uint64_t>(c);
  if (part.step % divisor == 0)
    return out.add(part.first / c, part.last / c, static_cast<Wide>(part.step / divisor));
  if (has_few(part)) return for_members(part, [&](std::int64_t value) { out.add(value / c); });
  out.add(part.first / c, part.last / c, 1);
}

Domain quotients(const Domain& left, const Domain& right) {
  Domain out;
  const Domain positive = from(left, 0), mirrored = negated(up_to(left, -1));
  for (const Progression& divisor : right) {
    for (const bool flip : {false, true}) {
      Domain part = Domain::interval(divisor.first, divisor.last, static_cast<Wide>(divisor.step));
      if (flip) part = negated(part);
      part.intersect(1, greatest);
      if (part.empty()) continue;
      Domain up, down;
      for (const auto& [numbers, into] : {std::pair(&positive, &up), std::pair(&mirrored, &down)})
        for (const Progression& number : *numbers) {
          if (part.single())
            add_quotients(*into, number, part.min());
          else
            into->add(number.first / part.max(), number.last / part.min(), 1);
        }
      out.add(flip ? negated(up) : up);
      out.add(flip ? down : negated(down));
    }
  }
  return out;
}

Domain remainders(const Domain& left, const Domain& right) {
  Domain out;
  const Domain positive = from(left, 0), mirrored = negated(up_to(left, -1));
  for (const Progression& divisor : right) {
    // The divisor's sign plays no part.
    Domain sizes = Domain::interval(divisor.first, divisor.last, static_cast<Wide>(divisor.step));
    sizes.add(negated(sizes));
    sizes.intersect(1, greatest);
    if (sizes.empty()) continue;
    const auto rest = [&](const Domain& numbers) {
      if (numbers.empty() || numbers.max() < sizes.min()) return numbers;
      if (sizes.single()) return residues(numbers, sizes.min());
      return Domain::interval(0, std::min(numbers.max(), sizes.max() - 1));
    };
    out.add(rest(positive));
    out.add(negated(rest(mirrored)));
  }
  return out;
}

// Bit operations: negative numbers are what two's complement makes of them.

std::uint64_t bits_of(Operator op, std::uint64_t a, std::uint64_t b) {
  return op == Operator::exclusive_or ? a ^ b : op == Operator::bit_and ? a & b : a | b;
}

/// The number of lowest bits in which all results equal a.first op b.first.
int known_low_bits(Operator op, const Progression& a, const Progression& b) {
  const int known_a = a.single() ? 64 : std::countr_zero(a.step);
  const int known_b = b.single() ? 64 : std::countr_zero(b.step);
  const std::uint64_t deciding = op == Operator::bit_or ? ~std::uint64_t{0} : 0;
  int bit = 0;
  for (; bit < 62; ++bit) {
    const auto decides = [&](int known, std::int64_t first) {
      return op != Operator::exclusive_or && bit < known &&
             ((static_cast<std::uint64_t>(first) ^ deciding) >> bit & 1) == 0;
    };
    if (!(bit < known_a && bit < known_b) && !decides(known_a, a.first) && !decides(known_b, b.first)) break;
  }
  return bit;
}

/// Adds the results of `op` for progressions that do not cross zero.
void add_bits_of_one_sign(Operator op, Domain& out, const Progression& a, const Progression& b) {
  const auto pattern = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  const std::uint64_t varying = (pattern(a.first) ^ pattern(a.last)) | (pattern(b.first) ^ pattern(b.last));
  const std::uint64_t low = varying == 0 ? 0 : ~std::uint64_t{0} >> std::countl_zero(varying);
  const std::uint64_t sample = bits_of(op, pattern(a.first), pattern(b.first));
  Wide first = static_cast<std::int64_t>(sample & ~low), last = static_cast<std::int64_t>(sample | low);
  if (a.first >= 0 && b.first >= 0) {
    if (op == Operator::bit_and) last = std::min<Wide>(last, std::min(a.last, b.last));
    if (op == Operator::bit_or) first = std::max<Wide>(first, std::max(a.first, b.first));
    if (op == Operator::exclusive_or) last = std::min(last, Wide{a.last} + b.last);
  }
  const Wide step = Wide{1} << known_low_bits(op, a, b);
  const Wide shift = (static_cast<std::int64_t>(sample) - first) % step;
  out.add(first + (shift < 0 ? shift + step : shift), last, step);
}

void add_bits(Operator op, Domain& out, const Progression& a, const Progression& b) {
  const auto single = [&](std::int64_t x, std::int64_t y) {
    out.add(
        static_cast<std::int64_t>(bits_of(op, static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y))));
  };
  if (a.single() && has_few(b)) return for_members(b, [&](std::int64_t y) { single(a.first, y); });
  if (b.single() && has_few(a)) return for_members(a, [&](std::int64_t x) { single(x, b.first); });
  const auto signs = [](const Progression& part) {
    const Domain both = Domain::interval(part.first, part.last, static_cast<Wide>(part.step));
    return std::pair(from(both, 0), up_to(both, -1));
  };
  const auto [a_up, a_down] = signs(a);
  const auto [b_up, b_down] = signs(b);
  for (const Domain* x : {&a_up, &a_down})
    for (const Domain* y : {&b_up, &b_down})
      for (const Progression& p : *x)
        for (const Progression& q : *y) add_bits_of_one_sign(op, out, p, q);
}

Domain shifted_left(const Domain& left, const Domain& right) {
  Domain out;
  for (const Progression& amount : right) {
    if (amount.first < 0 || amount.last > 62) return Domain::all();
    for_members(amount, [&](std::int64_t by) {
      for (const Progression& part : left) add_scaled(out, part, Wide{1} << by);
    });
  }
  // An int's bits fall off its end, which C++ defines and numbers don't: only what fits is known.
  if (!out.empty() && (out.min() < most_negative_int || out.max() > most_positive_int)) return Domain::all();
  return out;
}

Domain shifted_right(const Domain& left, const Domain& right) {
  Domain out;
  for (const Progression& amount : right) {
    Domain amounts = Domain::interval(amount.first, amount.last, static_cast<Wide>(amount.step));
    amounts.intersect(0, 63);
    for (const Progression& by : amounts)
      for_members(by, [&](std::int64_t bits) {
        for (const Progression& part : left) {
          const bool exact = bits < 63 && part.step % (std::uint64_t{1} << bits) == 0;
          if (!exact && has_few(part)) {
            for_members(part, [&](std::int64_t value) { out.add(value >> bits); });
          } else {
            out.add(part.first >> bits, part.last >> bits, exact ? static_cast<Wide>(part.step >> bits) : 1);
          }
        }
      });
  }
  return out;
}

}  // namespace

Domain negated(const Domain& domain) {
  Domain out;
  for (const Progression& part : domain)
    out.add(-Wide{part.last}, -Wide{part.first}, static_cast<Wide>(part.step));
  return out;
}

Domain residues(const Domain& domain, std::int64_t modulus) {
  constexpr Wide few_periods = 4;
  Domain out;
  for (const Progression& part : domain) {
    const Wide low = floor_divide(part.first, modulus), high = floor_divide(part.last, modulus);
    if (low == high) {
      add_shifted(out, part, -low * modulus);
    } else if (has_few(part)) {
      for_members(part, [&](std::int64_t value) {
        const std::int64_t rest = value % modulus;
        out.add(rest < 0 ? rest + modulus : rest);
      });
    } else if (high - low < few_periods) {
      const auto step = static_cast<Wide>(part.step);
      for (Wide period = low; period <= high; ++period) {
        const Wide start = period * modulus;
        const Wide first = std::max<Wide>(0, ceiling_divide(start - part.first, step)) * step + part.first;
        out.add(first - start, std::min<Wide>(part.last - start, modulus - 1), step);
      }
    } else {
      const auto step = static_cast<std::int64_t>(std::gcd(part.step, static_cast<std::uint64_t>(modulus)));
      const std::int64_t rest = part.first % step;
      out.add(rest < 0 ? rest + step : rest, modulus - 1, step);
    }
  }
  return out;
}

Domain apply(Operator op, const Domain& left, const Domain& right) {
  if (left.parts() * right.parts() > most_pairs) {
    Domain a = left, b = right;
    a.coarsen(static_cast<int>(least_whole_steps));
    b.coarsen(static_cast<int>(least_whole_steps));
    return apply(op, a, b);
  }
  switch (op) {
    case Operator::divide:
      return quotients(left, right);
    case Operator::modulo:
      return remainders(left, right);
    case Operator::shift_left:
      return shifted_left(left, right);
    case Operator::shift_right:
      return shifted_right(left, right);
    case Operator::subtract:
      return apply(Operator::add, left, negated(right));
    default:
      break;
  }
  Domain out;
  for (const Progression& a : left)
    for (const Progression& b : right) {
      if (op == Operator::add)
        add_sums(out, a, b);
      else if (op == Operator::multiply)
        add_products(out, a, b);
      else
        add_bits(op, out, a, b);
    }
  return out;
}

}  // namespace kanor::rt::plan
