// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: loops beside a block that only copy the elements of a buffer. The block sends, or
/// updates, the other memory itself, and the loop does not run:
///
///     ::kanor::abi::copy_loop<1> kanor_copy_0;
///     kanor_copy_0.replaces({::kanor::abi::counts<int>(0, n, 1, false)}, false,
///                           [&](const int k) { return kanor_copy_0.of(B[k], A[s * k]); });
///     if (!kanor_copy_0.is_replaced()) for (int k = 0; k < n; ++k) B[k] = A[s * k];
///     … kanor_bind.send(kanor_copy_0.value(::kanor::abi::section(B, ::kanor::abi::part(0, n)))) …
///
/// The compiler has proved that both addresses are linear functions of the counters. What depends on numbers
/// is decided here.
#pragma GCC system_header

#include "kanor/abi/section.hpp"
#include "kanor/abi/shape_section.hpp"

namespace kanor::abi {

/// A loop's counter: its first value, the number of its values, and the step from one to the next.
struct counter {
  long long first, count, step;
  /// The value behind the last one.
  long long end() const { return first + count * step; }
};

/// The counter of `for (i = first; i < limit; i += step)`, with `<=` if `inclusive`, with `>` or `>=` if the
/// step is negative. Its count is negative if an unsigned comparison makes it another loop.
template <class Counter, class Limit>
constexpr counter counts(Counter first, Limit limit, long long step, bool inclusive) {
  const long long begin = index_of(number(first)), end = index_of(number(limit));
  const bool is_unsigned = std::is_unsigned_v<decltype(first + number(limit))>;
  if (is_unsigned && (begin < 0 || end < 0 || step < 0)) return {begin, -1, step};
  const long long way = step > 0 ? end - begin : begin - end, size = step > 0 ? step : -step;
  const long long reach = inclusive ? way + 1 : way;
  return {begin, reach <= 0 ? 0 : (reach + size - 1) / size, step};
}

/// An element of a buffer, and the one that a loop copies to it or from it.
template <class Element>
struct copied_elements {
  static constexpr long long bytes = sizeof(Element);
  const volatile Element *buffer, *other;
};

/// A section of a buffer, or the elements in its place.
template <class Section, class Element, int dimensions>
struct copied_section : Section {
  using element = Element;
  section_of_shape<Element, dimensions> other;
  bool is_other = false;

  explicit copied_section(const Section& buffer) : Section(buffer) {}

  std::size_t size() const { return is_other ? other.size() : Section::size(); }
  template <class Use>
  void visit(Use&& use) const {
    if (is_other)
      other.visit(use);
    else
      Section::visit(use);
  }
};

template <class Section, class Element, int dimensions>
inline constexpr bool is_section<copied_section<Section, Element, dimensions>> = true;

/// Addresses, or what they leave when divided by a number.
struct address_range {
  long long begin, end;
  bool meets(const address_range& other) const { return begin < other.end && other.begin < end; }
};

/// A nest of `dimensions` loops. It is not thread-safe, never waits, and takes no memory.
template <int dimensions>
class copy_loop {
 public:
  /// A loop that copies less runs as it is written: that takes no longer.
  static constexpr long long least_replaced_bytes = 8192;

  copy_loop() {}
  copy_loop(const copy_loop&) = delete;
  copy_loop& operator=(const copy_loop&) = delete;

  /// What `elements` of replaces() returns.
  template <class Element>
  copied_elements<Element> of(const volatile Element& buffer, const volatile Element& other) const {
    return {__builtin_addressof(buffer), __builtin_addressof(other)};
  }

  /// Decides whether the block can do what the loop does. `elements` returns a buffer's element and the other
  /// one for values of the counters, and is called for values that they take. `in_order`: the loop goes
  /// through the buffer's elements one after the other, from the one that `elements` names.
  template <class Elements>
  void replaces(const counter (&counters)[dimensions], bool in_order, const Elements& elements) {
    long long at[dimensions];
    constexpr long long bytes = decltype(call(elements, at))::bytes;
    total_ = 1;
    for (const counter& one : counters)
      if (one.count <= 0 || __builtin_mul_overflow(total_, one.count, &total_)) return;
    if (total_ < least_replaced_bytes / bytes) return;
    bytes_ = bytes;
    find(counters, elements, in_order);
    is_replaced_ = is_dense();
  }
  /// The same for a loop behind the block: no two of the other elements may be the same. `earlier`: loops
  /// behind the block that write before this one does.
  template <class Elements, class... Earlier>
  void replaces_updates(const counter (&counters)[dimensions], bool in_order, const Elements& elements,
                        const Earlier&... earlier) {
    replaces(counters, in_order, elements);
    is_replaced_ = is_replaced_ && are_distinct() && (is_apart(earlier) && ...);
  }
  bool is_replaced() const { return is_replaced_; }

  /// The section that a block sends in place of the buffer's. If it is not what the loop has copied, the
  /// copies are made now.
  template <class Section>
  auto value(const Section& section) {
    const auto made = in_place_of<const std::remove_cv_t<typename Section::element>>(section);
    if (is_replaced_ && !made.is_other) [[unlikely]] {
      made.other.visit(section_packer{static_cast<std::byte*>(buffer_)});
      is_replaced_ = false;
    }
    return made;
  }
  /// The section that a block updates in place of the buffer's.
  template <class Section>
  auto place(const Section& section) {
    const auto made = in_place_of<typename Section::element>(section);
    is_done_ = made.is_other;
    return made;
  }

  /// True if the block has updated what the loop behind it would write.
  bool is_done() const { return is_done_; }
  /// The number of elements.
  long long total() const { return total_; }
  /// The value of a counter behind its loop.
  long long end(int dimension) const { return counters_[dimension].end(); }

 private:
  template <int>
  friend class copy_loop;

  /// Finds the first elements and the distances, the innermost dimension last; turns backward loops around.
  template <class Elements>
  [[gnu::noinline]] void find(const counter (&counters)[dimensions], const Elements& elements,
                              bool in_order) {
    long long at[dimensions];
    for (int d = 0; d < dimensions; ++d) {
      counters_[d] = counters[d];
      at[d] = counters[d].first;
    }
    const auto address = [](const volatile void* one) { return reinterpret_cast<__UINTPTR_TYPE__>(one); };
    const auto first = call(elements, at);
    auto buffer = address(first.buffer), other = address(first.other);
    long long before = bytes_;
    for (int d = dimensions - 1; d >= 0; --d) {
      counts_[d] = counters_[d].count;
      buffer_steps_[d] = other_steps_[d] = 0;
      if (counts_[d] > 1) {
        at[d] += counters_[d].step;
        const auto next = call(elements, at);
        at[d] -= counters_[d].step;
        buffer_steps_[d] = in_order ? before : static_cast<long long>(address(next.buffer) - buffer);
        other_steps_[d] = static_cast<long long>(address(next.other) - other);
      }
      before *= counts_[d];
    }
    for (int d = 0; d < dimensions; ++d) {
      if (buffer_steps_[d] >= 0) continue;
      buffer += static_cast<__UINTPTR_TYPE__>(buffer_steps_[d] * (counts_[d] - 1));
      other += static_cast<__UINTPTR_TYPE__>(other_steps_[d] * (counts_[d] - 1));
      buffer_steps_[d] = -buffer_steps_[d];
      other_steps_[d] = -other_steps_[d];
    }
    buffer_ = reinterpret_cast<void*>(buffer);
    other_ = reinterpret_cast<void*>(other);
  }

  template <class Elements>
  static auto call(const Elements& elements, const long long (&at)[dimensions]) {
    return [&]<int... d>(std::integer_sequence<int, d...>) { return elements(at[d]...); }
    (std::make_integer_sequence<int, dimensions>());
  }

  /// Sorts the dimensions so that the buffer's elements come in the order of their addresses. Returns true if
  /// they are neighbours then, and the others are whole elements apart.
  bool is_dense() {
    for (int d = 1; d < dimensions; ++d)
      for (int at = d; at > 0 && is_inner(at - 1, at); --at) exchange(at - 1, at);
    long long next = bytes_;
    for (int d = dimensions - 1; d >= 0; --d) {
      if (counts_[d] > 1 && (buffer_steps_[d] != next || other_steps_[d] % bytes_ != 0)) return false;
      next *= counts_[d];
    }
    return true;
  }
  /// True if the dimension `outer` belongs behind the one after it.
  bool is_inner(int outer, int inner) const {
    return counts_[outer] > 1 && (counts_[inner] == 1 || buffer_steps_[outer] < buffer_steps_[inner]);
  }
  void exchange(int one, int two) {
    for (auto* all : {counts_, buffer_steps_, other_steps_}) {
      const long long kept = all[one];
      all[one] = all[two];
      all[two] = kept;
    }
  }

  static constexpr long long size_of(long long step) { return step < 0 ? -step : step; }

  /// True if no two of the other elements are the same: each distance exceeds what lies within it.
  bool are_distinct() const {
    bool used[dimensions] = {};
    long long reach = bytes_;
    for (int n = 0; n < dimensions; ++n) {
      int least = -1;
      for (int d = 0; d < dimensions; ++d)
        if (!used[d] && (least < 0 || size_of(other_steps_[d]) < size_of(other_steps_[least]))) least = d;
      used[least] = true;
      if (counts_[least] == 1) continue;
      if (size_of(other_steps_[least]) < reach) return false;
      reach += size_of(other_steps_[least]) * (counts_[least] - 1);
    }
    return true;
  }

  /// The other elements' addresses modulo `modulus`; empty if they may leave anything.
  address_range residues(long long modulus) const {
    address_range found{static_cast<long long>(reinterpret_cast<__UINTPTR_TYPE__>(other_) %
                                               static_cast<__UINTPTR_TYPE__>(modulus)),
                        0};
    long long reach = bytes_;
    for (int d = 0; d < dimensions; ++d) {
      if (counts_[d] == 1 || other_steps_[d] % modulus == 0) continue;
      const long long way = other_steps_[d] * (counts_[d] - 1);
      if (way < 0) found.begin += way;
      reach += size_of(way);
    }
    if (reach > modulus) return {0, 0};
    found.begin = (found.begin % modulus + modulus) % modulus;
    found.end = found.begin + reach;
    return found;
  }
  address_range hull() const {
    const auto at = static_cast<long long>(reinterpret_cast<__UINTPTR_TYPE__>(other_));
    address_range found{at, at + bytes_};
    for (int d = 0; d < dimensions; ++d) {
      const long long way = other_steps_[d] * (counts_[d] - 1);
      (way < 0 ? found.begin : found.end) += way;
    }
    return found;
  }

  /// True if this loop and an earlier one write to different elements, whichever of the two is first.
  template <int others>
  bool is_apart(const copy_loop<others>& earlier) const {
    if (!earlier.is_replaced_) return false;
    if (!hull().meets(earlier.hull())) return true;
    const auto apart_by = [&](long long step) {
      const long long modulus = size_of(step);
      if (modulus <= 1) return false;
      const address_range one = residues(modulus), two = earlier.residues(modulus);
      if (one.end == 0 || two.end == 0) return false;
      return !one.meets(two) && !address_range{one.begin + modulus, one.end + modulus}.meets(two) &&
             !address_range{one.begin - modulus, one.end - modulus}.meets(two);
    };
    for (const long long step : other_steps_)
      if (apart_by(step)) return true;
    for (const long long step : earlier.other_steps_)
      if (apart_by(step)) return true;
    return false;
  }

  /// The section, or the other elements if the loop has been replaced and copies all of it.
  template <class Element, class Section>
  copied_section<Section, Element, dimensions> in_place_of(const Section& section) const {
    copied_section<Section, Element, dimensions> made(section);
    if (!is_replaced_) return made;
    made.is_other =
        section.size() == static_cast<std::size_t>(total_) && contiguous_elements(section) == buffer_;
    made.other.root = static_cast<Element*>(other_);
    for (int d = 0; d < dimensions; ++d) {
      made.other.counts[d] = counts_[d];
      made.other.steps[d] = other_steps_[d] / bytes_;
    }
    return made;
  }

  // Of a loop that runs only the flags are known.
  counter counters_[dimensions];
  long long counts_[dimensions], buffer_steps_[dimensions], other_steps_[dimensions];
  void *buffer_, *other_;
  long long bytes_, total_ = 0;
  bool is_replaced_ = false, is_done_ = false;
};

}  // namespace kanor::abi
