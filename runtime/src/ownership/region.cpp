// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/region.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "job/failure.hpp"

namespace kanor::rt {
namespace {

/// The number of references taken at a time: whoever changes the counter fetches its cache line from whoever
/// did last.
constexpr std::uint32_t stock = 64;

Message* message_of(Region& region) { return reinterpret_cast<Message*>(&region) - 1; }

/// Copies the next piece and returns its length; 0 if there was none left.
std::size_t copy_piece(const abi::region_kind& kind, Region& to, Region& from, std::size_t copied) {
  if (kind.copy_piece) return kind.copy_piece(to.object(), from.object(), copied, piece_bytes);
  const std::size_t bytes = std::min(piece_bytes, kind.bytes - copied);
  std::memcpy(static_cast<std::byte*>(to.object()) + copied,
              static_cast<const std::byte*>(from.object()) + copied, bytes);
  return bytes;
}

}  // namespace

Region& make_region(Rank& rank, std::size_t bytes) {
  Buffer memory = allocate_message(rank, sizeof(Region) + bytes);
  Region& region = *new (memory.data()) Region;
  memory.take();
  return region;
}

Region& make_region_here(const char* what, std::size_t bytes) {
  if (!has_left_job()) return make_region(here(what), bytes);
  const std::size_t whole = sizeof(Message) + sizeof(Region) + bytes;
  void* const memory = ::operator new(whole, std::align_val_t(alignof(Message)));
  Message& message = *new (memory) Message;
  message.owner = no_pool;
  message.envelope.bytes = sizeof(Region) + bytes;
  return *new (message.payload()) Region;
}

void free_room(Region& region) { const Buffer gone(message_of(region)); }

void keep_room(Rank& rank, Region& region) {
  Buffer message = message_with(region);
  make_own(rank, message);
  message.take();
}

Buffer message_with(Region& region) { return Buffer(message_of(region)); }

Region& region_in(Rank& rank, Buffer&& received) {
  make_own(rank, received);
  const std::size_t bytes = received.bytes() - sizeof(Region);
  Region& region = *new (received.data()) Region;
  region.bytes = bytes;
  received.take();
  return region;
}

void refer(Region& region, std::uint32_t& references, bool gives) {
  if (references <= (gives ? 0 : 1)) {
    share(region, stock);
    references += stock;
  }
  --references;
}

void let_go(Region& region, std::uint32_t references) {
  // Given away: the counter's cache line is another rank's now. Or the job's, which this process has left.
  if (references == 0 || has_left_job()) return;
  // Who is the only holder stays it: no step of the counter is needed.
  const bool last = is_sole(region, references) ||
                    region.references.fetch_sub(references, std::memory_order_acq_rel) == references;
  if (!last) return;
  if (region.destroy) region.destroy(region.object());
  if (here_or_null()) free_room(region);
}

Region& acquire_or_copy(Rank& rank, Region& region, std::uint32_t references, const abi::region_kind& kind,
                        SharingCounts* counts) {
  if (is_sole(region, references)) return region;
  Region& copy = make_region(rank, kind.bytes);
  if (kind.begin_copy) {
    try {
      kind.begin_copy(copy.object(), region.object());
    } catch (...) {
      free_room(copy);
      throw;
    }
  }
  copy.destroy = kind.destroy;
  std::size_t copied = 0;
  while (!is_sole(region, references)) {
    const std::size_t bytes = copy_piece(kind, copy, region, copied);
    copied += bytes;
    if (bytes != 0) continue;
    if (counts) counts->conflict_bytes += copied;
    let_go(region, references);
    return copy;
  }
  if (counts) {
    ++counts->abandoned_copies;
    counts->abandoned_bytes += copied;
  }
  let_go(copy);
  return region;
}

}  // namespace kanor::rt
