// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/quarantine.hpp"

#include "job/failure.hpp"
#include "platform/pages.hpp"
#include "platform/text.hpp"

namespace kanor::rt {
namespace {

std::string_view use_of(Loss::How how) {
  switch (how) {
    case Loss::How::given:
      return "use after give";
    case Loss::How::returned:
      return "use after return";
    case Loss::How::shared:
      return "write to a shared buffer";
    default:
      return "use after free";
  }
}

/// Adds to the line what a fault at this address is about; nothing if it is about no buffer.
void explain(const void* address, bool writes, Line& line) {
  const Quarantine::Found found = Quarantine::instance().find(address);
  if (found.loss.how == Loss::How::nothing) return;
  line.text(": ")
      .text(use_of(found.loss.how))
      .text(": byte ")
      .number(static_cast<std::int64_t>(found.offset))
      .text(" of a buffer of ")
      .number(static_cast<std::int64_t>(found.bytes))
      .text(writes ? " bytes was written; " : " bytes was read; ");
  describe(line, found.loss);
}

}  // namespace

void describe(Line& line, const Loss& loss) {
  switch (loss.how) {
    case Loss::How::given:
      line.text("the buffer was given to rank ").number(loss.rank);
      break;
    case Loss::How::returned:
      line.text("its elements were returned to rank ").number(loss.rank);
      break;
    case Loss::How::shared:
      line.text("several ranks read it since ").text(loss.call);
      break;
    default:
      line.text("the buffer was freed by ").text(loss.call);
      break;
  }
  if (loss.place.line > 0) line.text(" at ").text(loss.place.file).text(":").number(loss.place.line);
  if (loss.how == Loss::How::shared) line.text("; call OPI_Own before writing it");
}

std::string text_of(const Loss& loss) {
  Line line;
  describe(line, loss);
  return std::string(line.view());
}

Quarantine::Quarantine() { explain_faults(explain); }

Quarantine& Quarantine::instance() {
  // Stays: a fault may come at any time.
  static Quarantine& one = *new Quarantine;
  return one;
}

void Quarantine::write(Entry& entry, const BufferPages& memory, const Loss& loss) {
  const std::uint32_t version = entry.version.load(std::memory_order_relaxed);
  entry.version.store(version + 1, std::memory_order_relaxed);
  // Release: whoever reads one of these, with an acquire, reads the odd version, or a later one, afterwards.
  entry.pages.store(memory.pages, std::memory_order_release);
  entry.pages_bytes.store(memory.pages_bytes, std::memory_order_release);
  entry.first.store(memory.first, std::memory_order_release);
  entry.bytes.store(memory.bytes, std::memory_order_release);
  entry.how.store(loss.how, std::memory_order_release);
  entry.call.store(loss.call, std::memory_order_release);
  entry.file.store(loss.place.file, std::memory_order_release);
  entry.line.store(loss.place.line, std::memory_order_release);
  entry.rank.store(loss.rank, std::memory_order_release);
  // Release: pairs with the acquire in find(), whoever reads this version sees the stores above.
  entry.version.store(version + 2, std::memory_order_release);
}

void Quarantine::evict(Entry& entry) {
  std::byte* const pages = entry.pages.load(std::memory_order_relaxed);
  const bool is_kept = pages && entry.how.load(std::memory_order_relaxed) != Loss::How::shared;
  const std::size_t bytes = entry.pages_bytes.load(std::memory_order_relaxed);
  write(entry, {}, {});
  if (!is_kept) return;
  kept_bytes_ -= bytes;
  // Where the system refuses, the addresses are lost, and nothing else.
  unmap_pages(pages, bytes);
}

std::size_t Quarantine::put(const BufferPages& memory, const Loss& loss) {
  if (next_ - oldest_ == most_buffers) evict(entries_[oldest_++ % most_buffers]);
  write(entries_[next_ % most_buffers], memory, loss);
  return next_++;
}

void Quarantine::keep(const BufferPages& memory, const Loss& loss) {
  if (!set_access(memory.pages, memory.pages_bytes, Access::none)) {
    give_up();
    if (!set_access(memory.pages, memory.pages_bytes, Access::none)) {
      unmap_pages(memory.pages, memory.pages_bytes);
      return;
    }
  }
  const std::lock_guard guard(lock_);
  put(memory, loss);
  kept_bytes_ += memory.pages_bytes;
  while (kept_bytes_ > most_bytes && oldest_ + 1 < next_) evict(entries_[oldest_++ % most_buffers]);
}

std::size_t Quarantine::note(const BufferPages& memory, const Loss& loss) {
  const std::lock_guard guard(lock_);
  return put(memory, loss);
}

void Quarantine::forget(std::size_t number) {
  const std::lock_guard guard(lock_);
  if (number >= oldest_) write(entries_[number % most_buffers], {}, {});
}

void Quarantine::give_up() {
  const std::lock_guard guard(lock_);
  while (oldest_ < next_) evict(entries_[oldest_++ % most_buffers]);
}

Quarantine::Found Quarantine::find(const void* address) const {
  const auto* const byte = static_cast<const std::byte*>(address);
  for (const Entry& entry : entries_) {
    const std::uint32_t version = entry.version.load(std::memory_order_acquire);
    const std::byte* const pages = entry.pages.load(std::memory_order_acquire);
    const std::size_t pages_bytes = entry.pages_bytes.load(std::memory_order_acquire);
    if (!pages || byte < pages || byte >= pages + pages_bytes) continue;
    const std::byte* const first = entry.first.load(std::memory_order_acquire);
    const Found found{
        {entry.how.load(std::memory_order_acquire),
         entry.call.load(std::memory_order_acquire),
         {entry.file.load(std::memory_order_acquire), entry.line.load(std::memory_order_acquire)},
         entry.rank.load(std::memory_order_acquire)},
        static_cast<std::size_t>(byte - first),
        entry.bytes.load(std::memory_order_acquire)};
    // If a load above saw a store of a later write(), this one sees that write's version.
    const bool is_whole = version % 2 == 0 && entry.version.load(std::memory_order_relaxed) == version;
    if (is_whole && byte >= first) return found;
  }
  return {};
}

}  // namespace kanor::rt
