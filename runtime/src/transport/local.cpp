// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/local.hpp"

#include <algorithm>
#include <new>

#include "platform/machine.hpp"

namespace kanor::rt {
namespace {

/// Large blocks that ranks keep for their next messages, all together: a part of all message memory, and at
/// least so much. What has to come back from the system for each message is zeroed by it, page by page, which
/// takes longer than to write it.
constexpr std::size_t idle_part = 64;
constexpr std::size_t idle_bytes_of_all = std::size_t{256} << 20;
constexpr std::size_t least_idle_bytes = std::size_t{4} << 20;

/// A ring takes memory once its pair uses it: 64 MiB if all pairs of so many ranks do.
constexpr int most_ranks_with_rings = 128;
/// Rings are used only if the limit of bytes in flight is at least so many rings, or rings would be full of
/// it.
constexpr std::size_t least_rings_in_flight = 8;

std::size_t rings_of(const Local::Sizes& sizes) {
  const std::size_t count = static_cast<std::size_t>(sizes.count);
  if (sizes.count < 2 || sizes.count > most_ranks_with_rings ||
      sizes.inflight_bytes < least_rings_in_flight * sizeof(Ring))
    return 0;
  return count * count;
}

/// The offset of each part in bytes from the beginning: the same in every process, for the same sizes.
struct Layout {
  explicit Layout(const Local::Sizes& sizes) {
    const std::size_t count = static_cast<std::size_t>(sizes.count);
    ending = place<Ending>(1);
    presences = place<Presence>(count);
    mailboxes = place<Mailbox>(count);
    pools = place<Pool>(count + static_cast<std::size_t>(sizes.supervisors));
    depots = place<Depot>(Pool::most_nodes, 64);
    inflight = place<Inflight>(count * static_cast<std::size_t>(sizes.ranks));
    told_still = place<std::atomic<bool>>(static_cast<std::size_t>(sizes.ranks));
    rings = place<Ring>(rings_of(sizes), page_bytes);
    segment = place<std::byte>(Segment::bytes_for(sizes.memory_bytes), page_bytes);
  }

  template <class Thing>
  std::size_t place(std::size_t count, std::size_t alignment = alignof(Thing)) {
    const std::size_t at = (end + alignment - 1) / alignment * alignment;
    end = at + count * sizeof(Thing);
    return at;
  }

  static constexpr std::size_t page_bytes = 4096;
  std::size_t end = 0;
  std::size_t ending, presences, mailboxes, pools, depots, inflight, told_still, rings, segment;
};

}  // namespace

Local::Local(Sharing sharing, const Sizes& sizes) : sizes_(sizes) {
  for (std::size_t bytes = sizes.memory_bytes; bytes >= Segment::least_bytes; bytes /= 2) {
    sizes_.memory_bytes = Segment::rounded(bytes);
    memory_.emplace(sharing, Layout(sizes_).end);
    if (memory_->data()) break;
  }
  if (!memory_->data()) return;
  find_places();
  construct(sharing);
}

Local::Local(std::byte* address, const Sizes& sizes, Offer& offer) : sizes_(sizes) {
  sizes_.memory_bytes = Segment::rounded(sizes.memory_bytes);
  offer.sizes = sizes_;
  memory_.emplace(address, Layout(sizes_).end, offer.memory);
  if (!memory_->data()) return;
  find_places();
  construct(Sharing::with_any_processes);
}

Local::Local(const Offer& offer, int supervisor) : sizes_(offer.sizes), supervisor_(supervisor) {
  memory_.emplace(offer.memory);
  if (memory_->data()) find_places();
}

void Local::find_places() {
  const Layout layout(sizes_);
  std::byte* const memory = memory_->data();
  // The rings of pairs that never talk, and much else in front of the segment, must stay untouched.
  refuse_huge_pages(memory, sizes_.huge_pages ? layout.segment : layout.end);
  ending_ = reinterpret_cast<Ending*>(memory + layout.ending);
  presences_ = reinterpret_cast<Presence*>(memory + layout.presences);
  mailboxes_ = reinterpret_cast<Mailbox*>(memory + layout.mailboxes);
  pools_ = reinterpret_cast<Pool*>(memory + layout.pools);
  inflight_ = reinterpret_cast<Inflight*>(memory + layout.inflight);
  told_still_ = reinterpret_cast<std::atomic<bool>*>(memory + layout.told_still);
  if (rings_of(sizes_) > 0) rings_ = reinterpret_cast<Ring*>(memory + layout.rings);
  segment_ = reinterpret_cast<Segment*>(memory + layout.segment);
}

void Local::construct(Sharing sharing) {
  const std::size_t count = static_cast<std::size_t>(sizes_.count);
  const std::size_t pools = count + static_cast<std::size_t>(sizes_.supervisors);
  const std::size_t idle_of_all = std::max(sizes_.memory_bytes / idle_part, idle_bytes_of_all);
  const std::size_t idle = std::max(idle_of_all / count, least_idle_bytes);
  new (segment_) Segment(sharing, sizes_.memory_bytes, sizes_.huge_pages ? huge_page_bytes() : 0);
  new (ending_) Ending;
  for (std::size_t i = 0; i < count; ++i) new (&presences_[i]) Presence;
  for (std::size_t i = 0; i < count; ++i) new (&mailboxes_[i]) Mailbox;
  Depot* const depots = reinterpret_cast<Depot*>(memory_->data() + Layout(sizes_).depots);
  for (int node = 0; node < Pool::most_nodes; ++node) new (&depots[node]) Depot;
  for (std::size_t i = 0; i < pools; ++i)
    new (&pools_[i]) Pool(static_cast<std::uint16_t>(i), *segment_, depots, idle);
  // The mapping is zeros, which is what new Inflights, words and Rings hold: pages of pairs that never talk
  // stay untouched.
}

Resident Local::resident() const { return resident_memory(memory_->data(), Layout(sizes_).end); }

void Local::wake_all() {
  for (int i = 0; i < sizes_.count; ++i) mailboxes_[i].wake();
}

}  // namespace kanor::rt
