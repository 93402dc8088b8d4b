#include "memory/pool.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace kanor::rt {

Pool::Pool(std::uint32_t index, Segment& segment, std::size_t idle_limit_bytes)
    : index_(index), segment_(&segment), idle_limit_bytes_(idle_limit_bytes) {}

int Pool::size_class_of(std::size_t payload_bytes) {
  const std::size_t needed = std::bit_ceil(std::max(payload_bytes + sizeof(Message), block_bytes(0)));
  return std::bit_width(needed) - 1 - smallest_shift;
}

Message* Pool::reuse(std::size_t payload_bytes) {
  if (payload_bytes > segment_->bytes()) return nullptr;
  const int size_class = size_class_of(payload_bytes);
  Message* message = take_free(size_class);
  if (!message) {
    collect();
    message = take_free(size_class);
  }
  if (message) clear(*message, payload_bytes);
  return message;
}

Message* Pool::allocate(std::size_t payload_bytes) {
  if (Message* const message = reuse(payload_bytes)) return message;
  if (payload_bytes > segment_->bytes()) return nullptr;
  const int size_class = size_class_of(payload_bytes);
  Message* message = carve(size_class);
  if (!message && give_up_idle()) message = carve(size_class);
  if (!message) return nullptr;
  clear(*message, payload_bytes);
  return message;
}

void Pool::clear(Message& message, std::size_t payload_bytes) {
  message.envelope = {};
  message.envelope.bytes = payload_bytes;
  message.counted = Counted::nowhere;
  message.extra_bytes = 0;
}

Message* Pool::take_free(int size_class) {
  Message* const message = free_[size_class];
  if (!message) return nullptr;
  free_[size_class] = message->next.load(std::memory_order_relaxed);
  if (!small(size_class)) idle_bytes_.fetch_sub(block_bytes(size_class), std::memory_order_relaxed);
  return message;
}

void Pool::collect() {
  if (!returned_.load(std::memory_order_relaxed)) return;
  Message* message = returned_.exchange(nullptr, std::memory_order_acquire);
  while (message) {
    Message* const next = message->next.load(std::memory_order_relaxed);
    message->next.store(free_[message->size_class], std::memory_order_relaxed);
    free_[message->size_class] = message;
    message = next;
  }
}

Message* Pool::carve(int size_class) {
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
  Message* const message = new (memory) Message;
  message->owner = index_;
  message->size_class = static_cast<std::uint16_t>(size_class);
  return message;
}

bool Pool::give_up_idle() {
  bool any = false;
  for (int size_class = largest_small_shift - smallest_shift + 1; size_class < classes; ++size_class)
    while (Message* const message = take_free(size_class)) {
      segment_->release(reinterpret_cast<std::byte*>(message), block_bytes(size_class));
      any = true;
    }
  return any;
}

void Pool::give_back(Message* message, const Pool* self) {
  Pool& owner = *(this - index_ + message->owner);
  const int size_class = message->size_class;
  if (!small(size_class)) {
    // Room is claimed before the block is kept, by whoever gives it back: the limit holds without a lock.
    const std::size_t bytes = block_bytes(size_class);
    if (owner.idle_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes > owner.idle_limit_bytes_) {
      owner.idle_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
      segment_->release(reinterpret_cast<std::byte*>(message), bytes);
      return;
    }
  }
  if (&owner == self) {
    message->next.store(owner.free_[size_class], std::memory_order_relaxed);
    owner.free_[size_class] = message;
    return;
  }
  Message* head = owner.returned_.load(std::memory_order_relaxed);
  do {
    message->next.store(head, std::memory_order_relaxed);
  } while (!owner.returned_.compare_exchange_weak(head, message, std::memory_order_release,
                                                  std::memory_order_relaxed));
}

}  // namespace kanor::rt
