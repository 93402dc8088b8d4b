// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/segment.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>

#include "platform/machine.hpp"
#include "platform/wait.hpp"

namespace kanor::rt {
namespace {

/// The bytes of the segment itself, on a page of its own: everybody who allocates writes to it.
constexpr std::size_t head_bytes = 4096;

std::uintptr_t round_up(std::uintptr_t address, std::size_t multiple) {
  return (address + multiple - 1) / multiple * multiple;
}

int order_for(std::size_t bytes) {
  const std::size_t units = std::max<std::size_t>((bytes + Segment::unit_bytes - 1) / Segment::unit_bytes, 1);
  return std::bit_width(std::bit_ceil(units)) - 1;
}

}  // namespace

/// The lock, as a scope. 0 -> 1 by a compare-exchange; who finds it held makes it 2 and sleeps. Acquire on
/// taking pairs with the release on giving, so what the last holder wrote is seen.
class Segment::Guard {
 public:
  explicit Guard(std::atomic<std::uint32_t>& lock) : lock_(lock) {
    std::uint32_t free = 0;
    if (lock_.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed)) return;
    while (lock_.exchange(2, std::memory_order_acquire) != 0) futex_wait(lock_, 2);
  }
  ~Guard() {
    if (lock_.exchange(0, std::memory_order_release) == 2) futex_wake(lock_);
  }

 private:
  std::atomic<std::uint32_t>& lock_;
};

std::size_t Segment::rounded(std::size_t bytes) {
  return std::max(bytes, least_bytes) / unit_bytes * unit_bytes;
}

std::size_t Segment::bytes_for(std::size_t bytes) {
  // More than that, for the place of the first unit.
  return round_up(head_bytes + bytes / unit_bytes * sizeof(Note), head_bytes) + bytes + alignment_bytes;
}

Segment::Segment(Sharing sharing, std::size_t bytes, std::size_t huge_page_bytes)
    : sharing_(sharing),
      huge_page_bytes_(huge_page_bytes <= alignment_bytes ? huge_page_bytes : 0),
      top_order_(std::bit_width(bytes / unit_bytes) - 1),
      bytes_(bytes),
      notes_(reinterpret_cast<Note*>(reinterpret_cast<std::byte*>(this) + head_bytes)),
      units_(reinterpret_cast<std::byte*>(
          round_up(reinterpret_cast<std::uintptr_t>(notes_ + bytes / unit_bytes), alignment_bytes))) {
  static_assert(sizeof(Segment) <= head_bytes);
  std::fill(std::begin(first_), std::end(first_), none);
  // Pieces of the powers of two that make up the whole, the largest first: each on a multiple of its size.
  const auto units = static_cast<std::uint32_t>(bytes / unit_bytes);
  for (std::uint32_t unit = 0; unit < units;) {
    const int order = std::bit_width(units - unit) - 1;
    push(unit, order);
    unit += 1u << order;
  }
}

void Segment::push(std::uint32_t unit, int order) {
  const std::uint32_t next = first_[order];
  notes_[unit] = {next, none, static_cast<std::uint8_t>(order), 1};
  if (next != none) notes_[next].previous = unit;
  first_[order] = unit;
}

void Segment::remove(std::uint32_t unit, int order) {
  const Note note = notes_[unit];
  if (note.previous != none)
    notes_[note.previous].next = note.next;
  else
    first_[order] = note.next;
  if (note.next != none) notes_[note.next].previous = note.previous;
  notes_[unit].free = 0;
}

std::byte* Segment::allocate(std::size_t bytes) {
  if (bytes > bytes_) return nullptr;
  const int order = order_for(bytes);
  const Guard guard(lock_);
  int found = order;
  while (found <= top_order_ && first_[found] == none) ++found;
  if (found > top_order_) return nullptr;
  const std::uint32_t unit = first_[found];
  remove(unit, found);
  while (found > order) {
    --found;
    push(unit + (1u << found), found);  // the upper half stays free
  }
  used_units_ += std::size_t{1} << order;
  return units_ + std::size_t{unit} * unit_bytes;
}

void Segment::prepare(std::byte* piece, std::size_t bytes) const {
  if (bytes < alignment_bytes && bytes > page_bytes()) touch_pages(piece, bytes);
  if (huge_page_bytes_ == 0 || bytes < huge_page_bytes_) return;
  want_huge_pages(piece, bytes / huge_page_bytes_ * huge_page_bytes_);
}

void Segment::release(std::byte* piece, std::size_t bytes) {
  int order = order_for(bytes);
  drop_pages(sharing_, piece, unit_bytes << order);
  std::uint32_t unit = static_cast<std::uint32_t>(static_cast<std::size_t>(piece - units_) / unit_bytes);
  const Guard guard(lock_);
  used_units_ -= std::size_t{1} << order;
  for (; order < top_order_; ++order) {
    const std::uint32_t buddy = unit ^ (1u << order);
    // That of one of the last pieces may lie behind the end.
    if (buddy >= bytes_ / unit_bytes || !notes_[buddy].free || notes_[buddy].order != order) break;
    remove(buddy, order);
    unit = std::min(unit, buddy);
  }
  push(unit, order);
}

std::size_t Segment::used_bytes() const {
  const Guard guard(lock_);
  return used_units_ * unit_bytes;
}

}  // namespace kanor::rt
