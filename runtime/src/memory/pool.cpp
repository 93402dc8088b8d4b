// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/pool.hpp"

#include <algorithm>
#include <new>

namespace kanor::rt {

Pool::Pool(std::uint16_t index, Segment& segment, Depot* depots, std::size_t idle_limit_bytes)
    : index_(index), segment_(&segment), depots_(depots), idle_limit_bytes_(idle_limit_bytes) {
  for (int size_class = 0; size_class < classes; ++size_class)
    room_[size_class] = static_cast<std::int32_t>(kept_of(block_bytes(size_class)));
}

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
    keep(message);
    message = next;
  }
}

Message* Pool::look_further(int size_class) {
  if (returned_.load(std::memory_order_relaxed)) collect_returned();
  if (free_[size_class]) return take_free(size_class);
  Message* const first = depots_[node_].take(size_class, index_);
  if (!first) return nullptr;
  take_over(*first);
  for (Message* rest = first->next.load(std::memory_order_relaxed); rest;) {
    Message* const message = rest;
    rest = message->next.load(std::memory_order_relaxed);
    take_over(*message);
    if (claim_idle(*message)) keep(message);
  }
  return first;
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
  }
  // Before the first touch, which is the header's.
  segment_->prepare(memory, sizeof(Message) + payload_bytes);
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
    while (Message* const message = take(size_class)) {
      release(*message);
      any = true;
    }
  return any;
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
  if (self != &pool(message->owner) && message->owner != message->home)
    message->owner = self ? self->index_ : message->home;
  Pool& owner = pool(message->owner);
  if (!owner.claim_idle(*message)) return;
  if (&owner == self)
    owner.keep(message);
  else
    owner.push_returned(message);
}

void Pool::trim(int size_class) {
  const std::uint32_t staying = kept_of(block_bytes(size_class)) / 2;
  Message* last = free_[size_class];
  for (std::uint32_t i = 1; i < staying; ++i) last = last->next.load(std::memory_order_relaxed);
  Message* rest = last->next.load(std::memory_order_relaxed);
  last->next.store(nullptr, std::memory_order_relaxed);
  room_[size_class] = static_cast<std::int32_t>(kept_of(block_bytes(size_class)) - staying);

  std::array<Message*, most_nodes> batches{};
  while (rest) {
    Message* const message = rest;
    rest = message->next.load(std::memory_order_relaxed);
    Pool& home = pool(message->home);
    if (!small(size_class)) idle_bytes_.fetch_sub(filled_bytes(*message), std::memory_order_relaxed);
    if (!home.claim_idle(*message)) continue;
    Message*& batch = batches[home.node_];
    message->next.store(batch, std::memory_order_relaxed);
    batch = message;
  }
  for (std::size_t node = 0; node < batches.size(); ++node)
    if (batches[node]) depots_[node].put(size_class, batches[node], index_);
}

void Pool::take_over(Message& message) {
  message.owner = index_;
  if (!small(message.size_class))
    pool(message.home).idle_bytes_.fetch_sub(filled_bytes(message), std::memory_order_relaxed);
}

}  // namespace kanor::rt
