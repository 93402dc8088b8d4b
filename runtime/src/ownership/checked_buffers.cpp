// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/checked_buffers.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "ownership/passing.hpp"
#include "platform/machine.hpp"
#include "platform/pages.hpp"

namespace kanor::rt {

CheckedBuffers& CheckedBuffers::of(Rank& rank) {
  std::unique_ptr<Attachment>& attached = attachment(rank, Attached::checked_buffers);
  if (!attached) attached = std::make_unique<CheckedBuffers>();
  return static_cast<CheckedBuffers&>(*attached);
}

CheckedBuffers::~CheckedBuffers() {
  for (const auto& [elements, record] : records_) {
    if (record.noted != not_noted) Quarantine::instance().forget(record.noted);
    unmap_pages(record.memory.pages, record.memory.pages_bytes);
  }
}

Region& CheckedBuffers::make(std::size_t bytes, Kind kind, const char* call, const Place& place) {
  const std::size_t page = page_bytes();
  const std::size_t pages_bytes = page + (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
  std::byte* pages = map_pages(pages_bytes);
  if (!pages) {
    Quarantine::instance().give_up();
    pages = map_pages(pages_bytes);
  }
  if (!pages) fail_to_make(bytes, call, place);
  std::byte* const first = pages + page;
  auto* const message = new (first - sizeof(Region) - sizeof(Message)) Message;
  message->owner = no_pool;
  message->envelope.bytes = sizeof(Region) + bytes;
  Region& buffer = *new (message->payload()) Region;
  buffer.bytes = bytes;
  records_.emplace(first, Record{{pages, pages_bytes, first, bytes}, kind, call, place});
  return buffer;
}

Region* CheckedBuffers::find(const void* elements) const {
  const auto found = records_.find(elements);
  if (found == records_.end() || found->second.kind != Kind::owned) return nullptr;
  return &Region::of(found->second.memory.first);
}

bool CheckedBuffers::has(const Region& buffer) const { return records_.contains(&buffer + 1); }

BufferPages CheckedBuffers::forget(Region& buffer) {
  const auto found = records_.find(&buffer + 1);
  const Record record = found->second;
  records_.erase(found);
  if (record.noted != not_noted) Quarantine::instance().forget(record.noted);
  return record.memory;
}

void CheckedBuffers::lose(Region& buffer, const Loss& loss) {
  Quarantine::instance().keep(forget(buffer), loss);
}

void CheckedBuffers::unmake(Region& buffer) {
  const BufferPages memory = forget(buffer);
  unmap_pages(memory.pages, memory.pages_bytes);
}

void CheckedBuffers::close_for_writing(Region& buffer, const char* call, const Place& place) {
  Record& record = record_of(buffer);
  const BufferPages& memory = record.memory;
  const std::size_t page = page_bytes();
  if (record.noted != not_noted || !set_access(memory.first, memory.pages_bytes - page, Access::read)) return;
  record.noted = Quarantine::instance().note(memory, {Loss::How::shared, call, place});
}

void CheckedBuffers::open_for_writing(Region& buffer) {
  Record& record = record_of(buffer);
  if (record.noted == not_noted) return;
  Quarantine::instance().forget(std::exchange(record.noted, not_noted));
  // Joining pieces of memory needs nothing that the system could refuse.
  set_access(record.memory.first, record.memory.pages_bytes - page_bytes(), Access::write);
}

bool CheckedBuffers::may_only_be_read(const Region& buffer) const {
  const auto found = records_.find(&buffer + 1);
  return found != records_.end() && found->second.noted != not_noted;
}

CheckedBuffers::Records::const_iterator CheckedBuffers::containing(const void* pointer) const {
  const auto found = records_.lower_bound(pointer);
  if (found == records_.end()) return found;
  const BufferPages& memory = found->second.memory;
  return pointer < memory.pages + memory.pages_bytes ? found : records_.end();
}

std::string CheckedBuffers::what_is(const void* pointer) const {
  if (const auto found = containing(pointer); found != records_.end()) {
    const Record& record = found->second;
    const std::string made = text_of(record.call, record.place);
    if (record.kind == Kind::borrowed)
      return made + " has borrowed the elements that it points to, which belong to the lender";
    const auto offset = static_cast<const std::byte*>(pointer) - record.memory.first;
    return "it points to byte " + std::to_string(offset) + " of a buffer of " +
           std::to_string(record.memory.bytes) + " bytes that " + made +
           " returned, and must point to its beginning";
  }
  const Quarantine::Found lost = Quarantine::instance().find(pointer);
  if (lost.loss.how == Loss::How::nothing || lost.loss.how == Loss::How::shared) return {};
  const std::string why = text_of(lost.loss);
  return lost.offset == 0 ? why : "it points to byte " + std::to_string(lost.offset) + " of a buffer: " + why;
}

}  // namespace kanor::rt
