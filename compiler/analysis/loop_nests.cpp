// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/loop_nests.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "flow/shape.hpp"

namespace kanor::analysis {
namespace {

/// An upper bound of extents, bounds and coefficients; no array has larger ones.
constexpr long long limit = 1LL << 30;
bool is_small(long long number) { return -limit <= number && number <= limit; }

class LoopNests {
 public:
  LoopNests(const flow::Function& function, const flow::Candidate& candidate,
            const std::vector<std::vector<int>>& around)
      : function_(function),
        candidate_(candidate),
        around_(around),
        edges_(flow::successors(function)),
        dominators_(flow::immediate_dominators(edges_, function.entry)) {}

  /// The outermost loop of the write's nest, or -1.
  int of(int node, const flow::Access& write) const {
    const auto used = covers_all(write);
    if (!used) return -1;
    const auto& loops = around_[static_cast<std::size_t>(node)];
    const auto outermost =
        std::find_if(loops.begin(), loops.end(), [&](int loop) { return used->count(loop) > 0; });
    if (outermost == loops.end()) return -1;
    if (static_cast<std::size_t>(std::count_if(
            outermost, loops.end(), [&](int loop) { return used->count(loop) > 0; })) != used->size())
      return -1;  // a counter outside of its loop
    for (auto loop = outermost; loop != loops.end(); ++loop) {
      const int must_pass = loop + 1 == loops.end() ? node : at(*(loop + 1)).header;
      if (!is_executed(at(*loop)) || !always_passes(*loop, must_pass)) return -1;
    }
    return is_touched_otherwise(*outermost) ? -1 : *outermost;
  }

 private:
  const flow::Loop& at(int loop) const { return function_.loops[static_cast<std::size_t>(loop)]; }
  bool is_inside(int node, int loop) const {
    const auto& loops = around_[static_cast<std::size_t>(node)];
    return std::find(loops.begin(), loops.end(), loop) != loops.end();
  }

  /// The counter's last value; if the bound is the candidate's own length, from its extent.
  std::optional<long long> last(const flow::Loop& loop) const {
    if (loop.last) return loop.last;
    if (loop.length_of == candidate_.variable && candidate_.extents[0] > 0) return candidate_.extents[0] - 1;
    return std::nullopt;
  }
  /// How many values the counter takes; 0 if that is not known.
  long long count(const flow::Loop& loop) const {
    const auto end = last(loop);
    if (!loop.is_counted || !loop.first || !end) return 0;
    if (!is_small(*loop.first) || !is_small(*end) || !is_small(loop.step)) return 0;
    const long long way = loop.step > 0 ? *end - *loop.first : *loop.first - *end;
    return way < 0 ? 0 : way / std::abs(loop.step) + 1;
  }
  /// Returns true if the counter takes the numbers of all elements: as many as words say, perhaps none.
  bool counts_all(const flow::Loop& loop) const {
    return loop.is_counted && loop.first == 0 && loop.step == 1 && !loop.end.empty() &&
           loop.end == candidate_.memory.extent;
  }
  bool is_executed(const flow::Loop& loop) const { return counts_all(loop) || count(loop) > 0; }

  /// The loops whose counters take the subscripts to every element; nothing if they do not.
  std::optional<std::set<int>> covers_all(const flow::Access& write) const {
    if (candidate_.extents.empty() || write.subscripts.empty() ||
        write.subscripts.size() > candidate_.extents.size())
      return std::nullopt;
    std::set<int> used;
    for (std::size_t dimension = 0; dimension < write.subscripts.size(); ++dimension)
      if (!write.subscripts[dimension] ||
          !covers(*write.subscripts[dimension], candidate_.extents[dimension], used))
        return std::nullopt;
    return used;
  }

  /// Adds to `used` the loops that take the subscript through all of the extent. Returns false if they do
  /// not, or one is used already.
  bool covers(const flow::Affine& subscript, long long extent, std::set<int>& used) const {
    if (extent < 0)
      return subscript.constant == 0 && subscript.terms.size() == 1 && subscript.terms[0].second == 1 &&
             counts_all(at(subscript.terms[0].first)) && used.insert(subscript.terms[0].first).second;
    if (extent <= 0 || extent > limit || !is_small(subscript.constant)) return false;
    struct Digit {
      long long weight, count;
    };
    std::vector<Digit> digits;
    long long least = subscript.constant;
    for (const auto& [loop, coefficient] : subscript.terms) {
      const flow::Loop& counter = at(loop);
      const long long values = count(counter);
      if (values == 0 || !is_small(coefficient) || !used.insert(loop).second) return false;
      const long long step = coefficient * counter.step;  // at most 2^60
      if (!is_small(step)) return false;
      least += coefficient * *counter.first + (step < 0 ? step * (values - 1) : 0);
      if (!is_small(least)) return false;
      if (values > 1) digits.push_back({std::abs(step), values});
    }
    std::sort(digits.begin(), digits.end(),
              [](const Digit& one, const Digit& other) { return one.weight < other.weight; });
    long long covered = 1;
    for (const Digit& digit : digits) {
      if (digit.weight != covered) return false;
      covered *= digit.count;
      if (covered > limit) return false;
    }
    return least == 0 && covered == extent;
  }

  bool dominates(int above, int node) const {
    for (; node >= 0; node = dominators_[static_cast<std::size_t>(node)])
      if (node == above) return true;
    return false;
  }

  /// Returns true if each iteration of the loop passes the node, and only its header leaves it.
  bool always_passes(int loop, int node) const {
    const int header = at(loop).header;
    for (std::size_t from = 0; from < edges_.size(); ++from) {
      if (!is_inside(static_cast<int>(from), loop)) continue;
      for (const int to : edges_[from]) {
        if (to == header && !dominates(node, static_cast<int>(from))) return false;
        if (!is_inside(to, loop) && static_cast<int>(from) != header) return false;
      }
    }
    return true;
  }

  bool is_touched_otherwise(int loop) const {
    for (std::size_t node = 0; node < function_.nodes.size(); ++node)
      if (is_inside(static_cast<int>(node), loop))
        for (const flow::Access& access : function_.nodes[node].accesses)
          if (access.variable == candidate_.variable && access.kind != flow::AccessKind::write) return true;
    return false;
  }

  const flow::Function& function_;
  const flow::Candidate& candidate_;
  const std::vector<std::vector<int>>& around_;
  const flow::Edges edges_;
  const std::vector<int> dominators_;
};

}  // namespace

std::vector<std::vector<int>> overwriting_loop_nests(const flow::Function& function,
                                                     const flow::Candidate& candidate,
                                                     const std::vector<std::vector<int>>& loops_around) {
  const LoopNests nests(function, candidate, loops_around);
  std::vector<std::vector<int>> found(function.nodes.size());
  for (std::size_t node = 0; node < found.size(); ++node)
    for (const flow::Access& access : function.nodes[node].accesses)
      found[node].push_back(!candidate.is_vector && access.variable == candidate.variable &&
                                    access.kind == flow::AccessKind::write
                                ? nests.of(static_cast<int>(node), access)
                                : -1);
  return found;
}

}  // namespace kanor::analysis
