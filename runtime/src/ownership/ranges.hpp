// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of bytes, as ranges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

namespace kanor::rt {

/// The bytes from `begin` on before `end`.
struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t bytes() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

/// A set of bytes: ranges that neither overlap nor touch, as those that do are merged. To add or to find one
/// takes time logarithmic in their number. Bao et al., "Delta Send-Recv", CCGrid 2012, section II.B: the
/// range tree.
class Ranges {
 public:
  /// Adds a range, which is not empty, and returns the one that it has been merged into.
  Range add(const Range& added) {
    auto at = ends_.upper_bound(added.begin);
    if (at != ends_.begin() && std::prev(at)->second >= added.begin) {
      --at;
      at->second = std::max(at->second, added.end);
    } else {
      at = ends_.emplace_hint(at, added.begin, added.end);
    }
    for (auto next = std::next(at); next != ends_.end() && next->first <= at->second;
         next = ends_.erase(next))
      at->second = std::max(at->second, next->second);
    return {at->first, at->second};
  }
  /// Removes one of the ranges.
  void remove(const Range& whole) { ends_.erase(whole.begin); }
  /// Returns true if it has all bytes of the range.
  bool has(const Range& range) const {
    if (range.bytes() == 0) return true;
    const auto at = ends_.upper_bound(range.begin);
    return at != ends_.begin() && std::prev(at)->second >= range.end;
  }
  /// The first bytes that it has of the range; nothing if it has none.
  std::optional<Range> first_of(const Range& range) const {
    auto at = ends_.upper_bound(range.begin);
    if (at != ends_.begin() && std::prev(at)->second > range.begin) --at;
    if (at == ends_.end() || at->first >= range.end) return std::nullopt;
    return Range{std::max(at->first, range.begin), std::min(at->second, range.end)};
  }
  /// Those bytes of the range that it has, in their order.
  std::vector<Range> within(const Range& range) const {
    std::vector<Range> found;
    for (std::size_t begin = range.begin; begin < range.end; begin = found.back().end) {
      const auto next = first_of({begin, range.end});
      if (!next) break;
      found.push_back(*next);
    }
    return found;
  }
  /// The end of the last range; 0 if there is none.
  std::size_t end() const { return ends_.empty() ? 0 : std::prev(ends_.end())->second; }
  /// The ranges, in their order.
  std::vector<Range> all() const {
    std::vector<Range> found;
    for (const auto& [begin, end] : ends_) found.push_back({begin, end});
    return found;
  }
  bool is_empty() const { return ends_.empty(); }

 private:
  std::map<std::size_t, std::size_t> ends_;  ///< of the ranges, by their beginnings
};

}  // namespace kanor::rt
