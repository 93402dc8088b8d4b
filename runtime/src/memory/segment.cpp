#include "memory/segment.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "platform/wait.hpp"

namespace kanor::rt {
namespace {

constexpr std::size_t least_bytes = 16 * Segment::unit_bytes;
constexpr std::size_t heads_bytes = 4096;

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

Segment::Segment(Sharing sharing, std::size_t bytes)
    : units_(sharing, std::bit_floor(std::max(bytes, least_bytes)), least_bytes),
      notes_(sharing, heads_bytes + units_.bytes() / unit_bytes * sizeof(Note),
             heads_bytes + units_.bytes() / unit_bytes * sizeof(Note)) {
  if (!ok()) return;
  static_assert(sizeof(Heads) <= heads_bytes);
  heads_ = new (notes_.data()) Heads;
  std::fill(std::begin(heads_->first), std::end(heads_->first), none);
  top_order_ = std::bit_width(units_.bytes() / unit_bytes) - 1;
  push(0, top_order_);
}

Segment::Note* Segment::notes() const { return reinterpret_cast<Note*>(notes_.data() + heads_bytes); }

void Segment::push(std::uint32_t unit, int order) {
  const std::uint32_t next = heads_->first[order];
  notes()[unit] = {next, none, static_cast<std::uint8_t>(order), 1};
  if (next != none) notes()[next].previous = unit;
  heads_->first[order] = unit;
}

void Segment::remove(std::uint32_t unit, int order) {
  const Note note = notes()[unit];
  if (note.previous != none)
    notes()[note.previous].next = note.next;
  else
    heads_->first[order] = note.next;
  if (note.next != none) notes()[note.next].previous = note.previous;
  notes()[unit].free = 0;
}

std::byte* Segment::allocate(std::size_t bytes) {
  if (bytes > units_.bytes()) return nullptr;
  const int order = order_for(bytes);
  const Guard guard(heads_->lock);
  int found = order;
  while (found <= top_order_ && heads_->first[found] == none) ++found;
  if (found > top_order_) return nullptr;
  const std::uint32_t unit = heads_->first[found];
  remove(unit, found);
  while (found > order) {
    --found;
    push(unit + (1u << found), found);  // the upper half stays free
  }
  heads_->used_units += std::size_t{1} << order;
  return units_.data() + std::size_t{unit} * unit_bytes;
}

void Segment::release(std::byte* piece, std::size_t bytes) {
  int order = order_for(bytes);
  units_.drop(piece, unit_bytes << order);
  std::uint32_t unit =
      static_cast<std::uint32_t>(static_cast<std::size_t>(piece - units_.data()) / unit_bytes);
  const Guard guard(heads_->lock);
  heads_->used_units -= std::size_t{1} << order;
  for (; order < top_order_; ++order) {
    const std::uint32_t buddy = unit ^ (1u << order);
    if (!notes()[buddy].free || notes()[buddy].order != order) break;
    remove(buddy, order);
    unit = std::min(unit, buddy);
  }
  push(unit, order);
}

std::size_t Segment::used_bytes() const {
  const Guard guard(heads_->lock);
  return heads_->used_units * unit_bytes;
}

}  // namespace kanor::rt
