// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow/dependence.hpp"

#include <algorithm>
#include <numeric>

#include "flow/shape.hpp"

namespace kanor::flow {
namespace {

/// Holds sums of products of three numbers of at most `limit`.
__extension__ typedef __int128 Wide;
constexpr long long limit = 1LL << 31;
bool is_small(long long number) { return -limit <= number && number <= limit; }

/// An upper bound of a loop's iterations; nothing: unbounded.
using Trips = std::optional<long long>;

Trips trips(const Loop& loop) {
  if (!loop.is_counted || !loop.first || !loop.last) return std::nullopt;
  if (!is_small(*loop.first) || !is_small(*loop.last) || !is_small(loop.step)) return std::nullopt;
  const long long way = loop.step > 0 ? *loop.last - *loop.first : *loop.first - *loop.last;
  return way < 0 ? 0 : way / std::abs(loop.step) + 1;
}

/// An interval of integers, either end of which may be missing.
struct Range {
  std::optional<Wide> least, greatest;

  bool is_empty() const { return least && greatest && *least > *greatest; }
  bool contains(Wide number) const {
    return (!least || *least <= number) && (!greatest || number <= *greatest);
  }
  void at_least(Wide number) { least = least ? std::max(*least, number) : number; }
  void at_most(Wide number) { greatest = greatest ? std::min(*greatest, number) : number; }
};

Wide floor_of(Wide over, Wide under) {
  const Wide quotient = over / under;
  return over % under != 0 && (over < 0) != (under < 0) ? quotient - 1 : quotient;
}
Wide ceiling_of(Wide over, Wide under) { return -floor_of(-over, under); }

/// Narrows `t` to where offset + factor * t >= 0.
void keep_nonnegative(Range& t, Wide offset, Wide factor) {
  if (factor > 0)
    t.at_least(ceiling_of(-offset, factor));
  else if (factor < 0)
    t.at_most(floor_of(-offset, factor));
  else if (offset < 0)
    t = {1, 0};
}

/// g = gcd(a, b) > 0 = a * x + b * y, for a, b not both 0.
struct Bezout {
  Wide g, x, y;
};
Bezout bezout(Wide a, Wide b) {
  if (b == 0) return {a < 0 ? -a : a, a < 0 ? -1 : 1, 0};
  const Bezout rest = bezout(b, a % b);
  return {rest.g, rest.y, rest.x - a / b * rest.y};
}

/// The distances d of the whole numbers i >= 0, d >= 1, i + d < trips with a * i + b * d = constant.
Range distances(Wide a, Wide b, Wide constant, const Trips& trips) {
  const Range none{1, 0};
  Range all{1, std::nullopt};
  if (trips) all.at_most(*trips - 1);
  if (a == 0 && b == 0) return constant == 0 ? all : none;
  const auto [g, x, y] = bezout(a, b);
  if (constant % g != 0) return none;
  const Wide i = constant / g * x, i_step = b / g, d = constant / g * y, d_step = -a / g;
  Range t;
  keep_nonnegative(t, i, i_step);
  keep_nonnegative(t, d - 1, d_step);
  if (trips) keep_nonnegative(t, *trips - 1 - i - d, -i_step - d_step);
  if (t.is_empty()) return none;
  if (d_step == 0) return all.contains(d) ? Range{d, d} : none;
  const auto at = [&](const std::optional<Wide>& number) -> std::optional<Wide> {
    if (!number) return std::nullopt;
    return d + d_step * *number;
  };
  Range found = d_step > 0 ? Range{at(t.least), at(t.greatest)} : Range{at(t.greatest), at(t.least)};
  if (!found.least) found.least = 1;
  return found;
}

/// A sum of numbers of iterations, each times a coefficient.
class Sum {
 public:
  /// A number within `range`, apart from all others.
  void add(Wide coefficient, const Range& range) {
    if (coefficient == 0) return;
    corner({coefficient * range.least.value_or(0), coefficient * range.greatest.value_or(0)},
           coefficient > 0 ? !range.least : !range.greatest,
           coefficient > 0 ? !range.greatest : !range.least);
    divisor({coefficient});
  }

  /// a * i + b * d, where i >= 0, d >= 1, i + d < trips: the extremes are at the triangle's corners.
  void add_carried(Wide a, Wide b, const Trips& trips) {
    if (trips) {
      const Wide n = *trips;
      corner({b, b * (n - 1), a * (n - 2) + b}, false, false);
    } else {
      corner({b}, a < 0 || b<0, a> 0 || b > 0);
    }
    divisor({a, b});
  }

  bool may_be(Wide constant) const {
    return range_.contains(constant) && (divisor_ == 0 ? constant == 0 : constant % divisor_ == 0);
  }

 private:
  void corner(std::initializer_list<Wide> corners, bool no_least, bool no_greatest) {
    if (no_least)
      range_.least.reset();
    else if (range_.least)
      *range_.least += std::min(corners);
    if (no_greatest)
      range_.greatest.reset();
    else if (range_.greatest)
      *range_.greatest += std::max(corners);
  }
  void divisor(std::initializer_list<Wide> coefficients) {
    for (const Wide coefficient : coefficients)
      if (coefficient != 0) divisor_ = bezout(divisor_, coefficient).g;
  }

  Range range_{0, 0};
  Wide divisor_ = 0;
};

/// Two accesses, and a level at which one may depend on the other.
class Pair {
 public:
  Pair(const Function& function, const std::vector<int>& source_loops, const std::vector<int>& sink_loops)
      : function_(function), source_loops_(source_loops), sink_loops_(sink_loops) {
    const auto [end, other] =
        std::mismatch(source_loops.begin(), source_loops.end(), sink_loops.begin(), sink_loops.end());
    common_ = static_cast<std::size_t>(end - source_loops.begin());
  }

  std::size_t common() const { return common_; }
  bool is_executed() const {
    const auto is_entered = [&](int loop) { return trips(this->loop(loop)).value_or(1) > 0; };
    return std::all_of(source_loops_.begin(), source_loops_.end(), is_entered) &&
           std::all_of(sink_loops_.begin(), sink_loops_.end(), is_entered);
  }
  /// The range of distances between two iterations of the loop at a level, whichever elements they touch.
  Range carried(std::size_t level) const {
    Range range{1, std::nullopt};
    if (const Trips count = trips(loop(source_loops_[level - 1]))) range.at_most(*count - 1);
    return range;
  }

  /// Narrows `distance` to what one dimension leaves of it; level 0 and distance 0: the same iteration of all
  /// common loops.
  void narrow(Range& distance, const Affine& source, const Affine& sink, std::size_t level) const {
    const Wide constant = static_cast<Wide>(sink.constant) - source.constant;
    Wide known = 0;  ///< the part that the counters' first values contribute
    Sum sum;
    std::size_t variables = 0;
    Wide carried_a = 0, carried_b = 0;
    const auto note = [&](Wide coefficient, const Range& range) {
      if (coefficient == 0) return;
      ++variables;
      sum.add(coefficient, range);
    };
    const std::size_t same = level == 0 ? common_ : level;  ///< so many loops are entered once for both
    for (std::size_t at = 0; at < same; ++at) {
      const int index = source_loops_[at];
      const Loop& loop = this->loop(index);
      const Wide a = coefficient(source, index), b = coefficient(sink, index);
      if (const auto first = this->first(loop))
        known += (a - b) * *first;
      else
        note(a - b, {});
      if (at + 1 == level) {
        carried_a = (a - b) * loop.step, carried_b = -b * loop.step;
        if (carried_a != 0 || carried_b != 0) ++variables;
        sum.add_carried(carried_a, carried_b, trips(loop));
      } else {
        note((a - b) * loop.step, iterations(loop));
      }
    }
    const auto apart = [&](const std::vector<int>& loops, const Affine& affine, int sign) {
      for (std::size_t at = same; at < loops.size(); ++at) {
        const Loop& loop = this->loop(loops[at]);
        const Wide factor = sign * coefficient(affine, loops[at]);
        if (const auto first = this->first(loop)) {
          known += factor * *first;
          note(factor * loop.step, iterations(loop));
        } else {
          note(factor, {});
        }
      }
    };
    apart(source_loops_, source, 1);
    apart(sink_loops_, sink, -1);
    const Wide rest = constant - known;
    if (!sum.may_be(rest))
      distance = {1, 0};
    else if (level > 0 && (carried_a != 0 || carried_b != 0) && variables == 1) {
      const Range found = distances(carried_a, carried_b, rest, trips(loop(source_loops_[level - 1])));
      if (found.least) distance.at_least(*found.least);
      if (found.greatest) distance.at_most(*found.greatest);
    }
  }

 private:
  const Loop& loop(int index) const { return function_.loops[static_cast<std::size_t>(index)]; }
  static Wide coefficient(const Affine& affine, int loop) {
    for (const auto& [counter, coefficient] : affine.terms)
      if (counter == loop) return coefficient;
    return 0;
  }
  static std::optional<long long> first(const Loop& loop) {
    return loop.first && is_small(*loop.first) ? loop.first : std::nullopt;
  }
  static Range iterations(const Loop& loop) {
    Range range{0, std::nullopt};
    if (const Trips count = trips(loop)) range.at_most(*count - 1);
    return range;
  }

  const Function& function_;
  const std::vector<int>&source_loops_, &sink_loops_;
  std::size_t common_ = 0;
};

bool is_followed(const Function& function, const std::optional<Affine>& subscript,
                 const std::vector<int>& loops) {
  return subscript && is_small(subscript->constant) &&
         std::all_of(subscript->terms.begin(), subscript->terms.end(), [&](const auto& term) {
           const Loop& loop = function.loops[static_cast<std::size_t>(term.first)];
           return loop.is_counted && is_small(loop.step) && is_small(term.second) &&
                  std::find(loops.begin(), loops.end(), term.first) != loops.end();
         });
}

}  // namespace

std::vector<std::vector<int>> loops_around(const Function& function) {
  std::vector<std::vector<int>> around(function.nodes.size());
  for (const auto& [header, inside] : natural_loops(function)) {
    const auto loop = std::find_if(function.loops.begin(), function.loops.end(),
                                   [&, head = header](const Loop& one) { return one.header == head; });
    if (loop == function.loops.end()) continue;
    for (std::size_t node = 0; node < around.size(); ++node)
      if (inside[node]) around[node].push_back(static_cast<int>(loop - function.loops.begin()));
  }
  return around;
}

std::vector<Dependence> dependences(const Function& function, const Access& source,
                                    const std::vector<int>& source_loops, const Access& sink,
                                    const std::vector<int>& sink_loops) {
  const Pair pair(function, source_loops, sink_loops);
  if (!pair.is_executed()) return {};
  const auto narrow = [&](Range& distance, std::size_t level) {
    const std::size_t dimensions = std::min(source.subscripts.size(), sink.subscripts.size());
    for (std::size_t at = 0; at < dimensions && !distance.is_empty(); ++at)
      if (is_followed(function, source.subscripts[at], source_loops) &&
          is_followed(function, sink.subscripts[at], sink_loops))
        pair.narrow(distance, *source.subscripts[at], *sink.subscripts[at], level);
  };
  std::vector<Dependence> found;
  Range same{0, 0};
  narrow(same, 0);
  if (!same.is_empty()) found.push_back({static_cast<int>(pair.common()), Distance::zero});
  for (std::size_t level = 1; level <= pair.common(); ++level) {
    Range distance = pair.carried(level);
    narrow(distance, level);
    if (!distance.is_empty())
      found.push_back({static_cast<int>(level),
                       distance.contains(2) || *distance.least > 1 ? Distance::more : Distance::one});
  }
  return found;
}

}  // namespace kanor::flow
