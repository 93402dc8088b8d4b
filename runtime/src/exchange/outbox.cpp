// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exchange/outbox.hpp"

#include <bit>
#include <cstring>
#include <utility>

#include "platform/copy.hpp"

namespace kanor::rt {

Outbox::~Outbox() {
  for (Outgoing& out : outgoing_) out.message.take();
}

int Outbox::find(int receiver) {
  const std::size_t count = outgoing_.size();
  if (count == most_searched)
    for (std::size_t i = 0; i < count; ++i) index_.find_or_add(outgoing_[i].to, static_cast<int>(i));
  return index_.find_or_add(receiver, static_cast<int>(count));
}

bool Outbox::open(int receiver, std::size_t head_bytes) {
  close();
  const int position = position_of(receiver);
  const bool is_new = position == PeerIndex::none;
  if (is_new) {
    open_ = &outgoing_.emplace_back();
    open_->to = receiver;
    open_->used = head_bytes;
    Message* const room = rooms_.take();
    open_->message = room ? Buffer(room) : allocate_message(owner_, ShortMessage::most_bytes);
  } else {
    open_ = &outgoing_[static_cast<std::size_t>(position)];
  }
  std::byte* const begin = open_->message.data();
  end_ = {begin + open_->used, begin + open_->message.bytes(), receiver, open_->values + 1};
  return is_new;
}

void Outbox::grow(std::size_t needed_bytes) {
  const std::size_t before = used();
  // Message memory comes in powers of two, header included: ask for all of the one that holds what is needed.
  Buffer larger = allocate_message(owner_, std::bit_ceil(needed_bytes + sizeof(Message)) - sizeof(Message));
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
  copy_few(take(bytes, alignment), data, bytes);
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
  if (outgoing_.size() > most_searched) index_.clear();
  outgoing_.clear();
}

}  // namespace kanor::rt
