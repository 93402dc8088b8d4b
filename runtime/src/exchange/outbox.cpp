// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/outbox.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "platform/copy.hpp"

namespace kanor::rt {

Outbox::~Outbox() {
  for (Outgoing& out : outgoing_.all()) out.message.take();
}

void Outbox::open(int receiver, std::size_t head_bytes, std::size_t value_bytes) {
  close();
  open_ = outgoing_.find(receiver);
  if (!open_) {
    open_ = &outgoing_.add(receiver);
    open_->used = head_bytes;
    const std::size_t needed_bytes = head_bytes + value_bytes;
    Message* const room = needed_bytes <= ShortMessage::most_bytes ? rooms_.take() : nullptr;
    open_->message =
        room ? Buffer(room) : new_message(std::max<std::size_t>(needed_bytes, ShortMessage::most_bytes));
  }
  std::byte* const begin = open_->message.data();
  end_ = {begin + open_->used, begin + open_->message.bytes(), receiver, open_->values + 1};
}

// Message memory comes in powers of two, header included: ask for all of the one that holds what is needed.
Buffer Outbox::new_message(std::size_t needed_bytes) {
  return allocate_message(owner_, std::bit_ceil(needed_bytes + sizeof(Message)) - sizeof(Message));
}

void Outbox::grow(std::size_t needed_bytes) {
  const std::size_t before = used();
  Buffer larger = new_message(needed_bytes);
  std::memcpy(larger.data(), open_->message.data(), before);
  open_->message = std::move(larger);
  end_.at = open_->message.data() + before;
  end_.limit = open_->message.data() + open_->message.bytes();
}

std::byte* Outbox::reserve(std::size_t bytes, std::size_t* capacity) {
  if (bytes > static_cast<std::size_t>(end_.limit - end_.at)) grow(used() + bytes);
  if (capacity) *capacity = static_cast<std::size_t>(end_.limit - end_.at);
  return end_.at;
}

std::byte* Outbox::take(std::size_t bytes, std::size_t alignment) {
  const std::size_t padding = end_.padding_for(alignment);
  reserve(padding + bytes, nullptr);
  return end_.take(padding, bytes);
}

void Outbox::put_flat(const void* data, std::size_t bytes, std::size_t alignment) {
  if (!end_.write(data, bytes, alignment)) copy_few(take(bytes, alignment), data, bytes);
}

std::byte* Outbox::put_sequence(std::size_t count, std::size_t element_bytes, std::size_t element_alignment) {
  is_plain_ = false;
  const std::uint64_t length = count;
  put_flat(&length, sizeof(length), alignof(std::uint64_t));
  return take(count * element_bytes, element_alignment);
}

void Outbox::put_pointer(const void* object, std::size_t weight_bytes) {
  is_plain_ = false;
  put_flat(&object, sizeof(object), alignof(void*));
  open_->weight += weight_bytes;
}

std::byte* Outbox::begin_archive(std::size_t* capacity) {
  is_plain_ = false;
  const std::uint64_t no_length = 0;
  put_flat(&no_length, sizeof(no_length), alignof(std::uint64_t));
  archive_at_ = used() - sizeof(no_length);
  return reserve(0, capacity);
}

void Outbox::end_archive() {
  const std::uint64_t length = used() - archive_at_ - sizeof(std::uint64_t);
  std::memcpy(open_->message.data() + archive_at_, &length, sizeof(length));
}

void Outbox::clear() {
  open_ = nullptr;
  is_plain_ = true;
  end_ = {};
  outgoing_.clear();
}

}  // namespace kanor::rt
