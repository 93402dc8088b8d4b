// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/layout.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "layout/block_walk.hpp"

namespace kanor::rt {
namespace {

/// The limit of an element's reach: no address space has more.
constexpr std::ptrdiff_t most_reach = std::ptrdiff_t{1} << 56;

std::ptrdiff_t checked(bool overflows, std::ptrdiff_t offset) {
  if (overflows || offset > most_reach || offset < -most_reach)
    throw std::overflow_error("an offset that no memory has");
  return offset;
}

std::ptrdiff_t sum(std::ptrdiff_t a, std::ptrdiff_t b) {
  std::ptrdiff_t result = 0;
  const bool overflows = __builtin_add_overflow(a, b, &result);
  return checked(overflows, result);
}

std::ptrdiff_t product(std::size_t count, std::ptrdiff_t stride) {
  std::ptrdiff_t result = 0;
  const bool overflows = __builtin_mul_overflow(count, stride, &result);
  return checked(overflows, result);
}

/// What one end of a part makes of the same end of the whole: a bound that the program has set counts more
/// than one that it has not (MPI 3.1, section 4.1.6).
template <class Better>
void widen(Bound& whole, const Bound& part, std::ptrdiff_t offset, bool is_first, Better better) {
  const Bound moved{sum(part.at, offset), part.is_given};
  if (is_first || (moved.is_given && !whole.is_given) ||
      (moved.is_given == whole.is_given && better(moved.at, whole.at)))
    whole = moved;
}

}  // namespace

void Layout::widen(const Layout& part, std::ptrdiff_t offset) {
  if (part.bytes() > 0) {
    const bool is_first = first_ == 0 && last_ == 0;
    const std::ptrdiff_t begin = sum(part.first_, offset), end = sum(part.last_, offset);
    first_ = is_first ? begin : std::min(first_, begin);
    last_ = is_first ? end : std::max(last_, end);
  }
  if (!part.has_bounds_) return;
  rt::widen(lower_, part.lower_, offset, !has_bounds_, std::less<>());
  rt::widen(upper_, part.upper_, offset, !has_bounds_, std::greater<>());
  alignment_ = std::max(alignment_, part.alignment_);
  has_bounds_ = true;
}

/// Moves the upper bound, unless the program has set it, to where an element's alignment is kept.
void Layout::pad() {
  if (upper_.is_given) return;
  const auto alignment = static_cast<std::ptrdiff_t>(alignment_);
  const std::ptrdiff_t over = extent() % alignment;
  if (over > 0) upper_.at = sum(upper_.at, alignment - over);
}

void Layout::finish() {
  const Run* const run = nest_->only_run();
  is_block_ = run ? run->offset == 0 && static_cast<std::ptrdiff_t>(run->bytes) == extent()
                  : bytes() == 0 && extent() == 0;
}

Layout Layout::block(std::size_t bytes, std::size_t alignment) {
  Layout made(Nest::block(bytes));
  made.upper_.at = made.last_ = static_cast<std::ptrdiff_t>(bytes);
  made.alignment_ = alignment;
  made.has_bounds_ = bytes > 0;
  made.finish();
  return made;
}

Layout Layout::lower_marker() {
  Layout made(Nest::block(0));
  made.lower_.is_given = made.has_bounds_ = true;
  made.finish();
  return made;
}

Layout Layout::upper_marker() {
  Layout made(Nest::block(0));
  made.upper_.is_given = made.has_bounds_ = true;
  made.finish();
  return made;
}

Layout Layout::repeated(std::size_t count, std::ptrdiff_t stride) const {
  if (count == 1) return *this;
  Layout made(Nest::repeated(nest_, count, stride));
  if (count > 0) {
    made.widen(*this, 0);
    made.widen(*this, product(count - 1, stride));
  }
  made.finish();
  return made;
}

Layout Layout::sequence(std::span<const Part> parts, bool padded) {
  std::vector<Nest::Part> nests;
  nests.reserve(parts.size());
  for (const Part& part : parts)
    if (part.layout->bytes() > 0) nests.push_back({part.offset, part.layout->nest_});
  Layout made(Nest::sequence(nests));
  for (const Part& part : parts) made.widen(*part.layout, part.offset);
  if (padded) made.pad();
  made.finish();
  return made;
}

Layout Layout::resized(std::ptrdiff_t lower, std::ptrdiff_t extent) const {
  Layout made = *this;
  made.lower_ = {lower, true};
  made.upper_ = {sum(lower, extent), true};
  made.has_bounds_ = true;
  made.finish();
  return made;
}

std::ptrdiff_t Layout::first_of(std::size_t count) const {
  if (count == 0 || bytes() == 0) return 0;
  return first_ + std::min<std::ptrdiff_t>(0, product(count - 1, extent()));
}

std::ptrdiff_t Layout::last_of(std::size_t count) const {
  if (count == 0 || bytes() == 0) return 0;
  return last_ + std::max<std::ptrdiff_t>(0, product(count - 1, extent()));
}

const void* Layout::only_block(const void* elements, std::size_t count) const {
  const Run* const run = nest_->only_run();
  if (!run || (count != 1 && static_cast<std::ptrdiff_t>(run->bytes) != extent())) return nullptr;
  // Of elements with absolute addresses the first one is at none.
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(elements) +
                                       static_cast<std::uintptr_t>(run->offset));
}

void copy(const Layout& to_layout, std::byte* to, const Layout& from_layout, const std::byte* from,
          std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  BlockWalk there(*to_layout.nest_, reinterpret_cast<std::uintptr_t>(to), to_layout.extent(), begin);
  BlockWalk here(*from_layout.nest_, reinterpret_cast<std::uintptr_t>(from), from_layout.extent(), begin);
  copy(there, here, end - begin);
}

std::optional<Pieces> Layout::pieces(std::size_t count) const {
  std::vector<Piece> pieces;
  std::ptrdiff_t end = 0;
  bool ascends = true;
  auto add = [&](std::ptrdiff_t offset, std::size_t bytes) {
    ascends = ascends && offset >= end;
    end = offset + static_cast<std::ptrdiff_t>(bytes);
    if (!pieces.empty() && pieces.back().offset + pieces.back().bytes == static_cast<std::size_t>(offset))
      pieces.back().bytes += bytes;
    else
      pieces.push_back({static_cast<std::size_t>(offset), bytes});
  };
  nest_->for_each_run(0, add);
  if (!ascends || (count > 1 && extent() < end)) return std::nullopt;
  return Pieces::of(std::move(pieces), static_cast<std::size_t>(std::max(extent(), end)));
}

}  // namespace kanor::rt
