// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/operators.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace kanor::rt::plan {
namespace {

constexpr std::uint64_t least_whole_steps = 8;  // members that are worth a progression each
constexpr std::uint64_t most_selected = 64;     // operands that are worth a look each
constexpr int most_pairs = 64;                  // pairs of progressions that are combined

constexpr std::int64_t most_negative_int = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t most_positive_int = std::numeric_limits<std::int32_t>::max();

Wide floor_divide(Wide a, Wide b) {
  if (a >= least && a <= greatest && b <= greatest && b > 0) {  // the short division is much faster
    const auto x = static_cast<std::int64_t>(a), y = static_cast<std::int64_t>(b);
    return x / y - (x % y < 0 ? 1 : 0);
  }
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}
Wide ceiling_divide(Wide a, Wide b) { return -floor_divide(-a, b); }

template <class Use>
void for_members(const Progression& part, const Use& use) {
  const std::uint64_t steps = part.steps();
  for (std::uint64_t i = 0; i <= steps; ++i)
    use(static_cast<std::int64_t>(static_cast<std::uint64_t>(part.first) + i * part.step));
}

bool has_few(const Progression& part) { return part.steps() < least_whole_steps; }

Domain from(const Domain& domain, std::int64_t first) {
  Domain part = domain;
  part.intersect(first, greatest);
  return part;
}
Domain up_to(const Domain& domain, std::int64_t last) {
  Domain part = domain;
  part.intersect(least, last);
  return part;
}

/// { ~x }.
Domain complements(const Domain& domain) {
  Domain out;
  for (const Progression& part : domain)
    out.add(-1 - Wide{part.last}, -1 - Wide{part.first}, static_cast<Wide>(part.step));
  return out;
}

void add_shifted(Domain& out, const Progression& part, Wide by) {
  out.add(part.first + by, part.last + by, static_cast<Wide>(part.step));
}

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

// Backwards, for one right operand: the x with x op y in `result`, or a superset; not yet cut to the x that
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
