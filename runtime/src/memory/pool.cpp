#include "memory/pool.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace kanor::rt {

Pool::Pool(std::uint16_t index, Segment& segment, std::size_t idle_limit_bytes)
    : index_(index), segment_(&segment), idle_limit_bytes_(idle_limit_bytes) {}

Message* Pool::allocate(std::size_t payload_bytes) {
  if (Message* const message = reuse(payload_bytes)) return message;
  if (payload_bytes > segment_->bytes()) return nullptr;
  const int size_class = size_class_of(payload_bytes);
  Message* message = carve(size_class, payload_bytes);
  if (!message && give_up_idle()) message = carve(size_class, payload_bytes);
  if (!message) return nullptr;
  clear(*message, payload_bytes);
  return message;
}

void Pool::collect_returned() {
  Message* message = returned_.exchange(nullptr, std::memory_order_acquire);
  while (message) {
    Message* const next = message->next.load(std::memory_order_relaxed);
    push_free(message);
    message = next;
  }
}

Message* Pool::carve(int size_class, std::size_t payload_bytes) {
  std::byte* memory = nullptr;
  if (small(size_class)) {
    if (carve_from_[size_class] == carve_end_[size_class]) {
      carve_from_[size_class] = segment_->allocate(Segment::unit_bytes);
      if (!carve_from_[size_class]) {
        carve_end_[size_class] = nullptr;
        return nullptr;
      }
      carve_end_[size_class] = carve_from_[size_class] + Segment::unit_bytes;
    }
    // From both halves of the unit in turn: blocks that are used one after the other do not lie so. A core
    // that reads one fetches what follows in advance, and would take the next one from the core that writes
    // it.
    const std::size_t block = block_bytes(size_class);
    std::byte* const unit = carve_end_[size_class] - Segment::unit_bytes;
    const std::size_t nth = static_cast<std::size_t>(carve_from_[size_class] - unit) / block;
    memory = unit + nth % 2 * (Segment::unit_bytes / 2) + nth / 2 * block;
    carve_from_[size_class] += block;
  } else {
    memory = segment_->allocate(block_bytes(size_class));
    if (!memory) return nullptr;
    // Before the first touch, which is the header's.
    segment_->prepare(memory, sizeof(Message) + payload_bytes);
  }
  Message* const message = new (memory) Message;
  message->owner = message->home = index_;
  message->size_class = static_cast<std::uint8_t>(size_class);
  if (!small(size_class)) message->filled = filled_by(payload_bytes, size_class);
  footprint_.add(filled_bytes(*message));
  segment_->footprint().add(filled_bytes(*message));
  return message;
}

void Pool::fill_more(Message& message, std::size_t payload_bytes) {
  const std::size_t before = filled_bytes(message);
  message.filled = filled_by(payload_bytes, message.size_class);
  const std::size_t more = filled_bytes(message) - before;
  pool(message.home).footprint_.add(more);
  segment_->footprint().add(more);
  segment_->prepare(reinterpret_cast<std::byte*>(&message), sizeof(Message) + payload_bytes);
}

void Pool::release(Message& message) {
  const std::size_t filled = filled_bytes(message);
  pool(message.home).footprint_.remove(filled);
  segment_->footprint().remove(filled);
  segment_->release(reinterpret_cast<std::byte*>(&message), block_bytes(message.size_class));
}

bool Pool::give_up_idle() {
  bool any = false;
  for (int size_class = largest_small_shift - smallest_shift + 1; size_class < classes; ++size_class)
    while (Message* const message = take_free(size_class)) {
      release(*message);
      any = true;
    }
  return any;
}

std::uint32_t Pool::kept_of(std::size_t block_bytes) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(most_bytes / block_bytes, 4, 256));
}

bool Pool::claim_idle(Message& message) {
  if (small(message.size_class)) return true;
  // Room is claimed before the block is kept, by whoever gives it back: the limit holds without a lock.
  const std::size_t bytes = filled_bytes(message);
  if (idle_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= idle_limit_bytes_) return true;
  idle_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  release(message);
  return false;
}

void Pool::push_returned(Message* message) {
  Message* head = returned_.load(std::memory_order_relaxed);
  do {
    message->next.store(head, std::memory_order_relaxed);
  } while (
      !returned_.compare_exchange_weak(head, message, std::memory_order_release, std::memory_order_relaxed));
}

void Pool::give_back_elsewhere(Message* message, const Pool* self) {
  if (self != &pool(message->owner)) message->owner = message->home;
  Pool& owner = pool(message->owner);
  if (!owner.claim_idle(*message)) return;
  if (&owner != self) return owner.push_returned(message);
  const int size_class = message->size_class;
  owner.push_free(message);
  if (message->home != owner.index_ && ++owner.foreign_[size_class] > kept_of(block_bytes(size_class)))
    owner.send_home(size_class);
}

void Pool::send_home(int size_class) {
  std::uint32_t staying = foreign_[size_class] / 2;  // those that were given back last
  foreign_[size_class] = staying;
  Message* rest = std::exchange(free_[size_class], nullptr);
  Message* last = nullptr;
  while (rest) {
    Message* const message = rest;
    rest = message->next.load(std::memory_order_relaxed);
    const bool own = message->home == index_;
    if (own || staying > 0) {
      staying -= own ? 0 : 1;
      message->next.store(nullptr, std::memory_order_relaxed);
      if (last)
        last->next.store(message, std::memory_order_relaxed);
      else
        free_[size_class] = message;
      last = message;
      continue;
    }
    if (!small(size_class)) idle_bytes_.fetch_sub(filled_bytes(*message), std::memory_order_relaxed);
    message->owner = message->home;
    Pool& home = pool(message->home);
    if (home.claim_idle(*message)) home.push_returned(message);
  }
}

}  // namespace kanor::rt
