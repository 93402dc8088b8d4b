#include "transport/local.hpp"

#include <algorithm>
#include <new>

namespace kanor::rt {
namespace {

/// Large blocks that ranks keep for their next messages, all together.
constexpr std::size_t idle_bytes_of_all = std::size_t{256} << 20;
constexpr std::size_t least_idle_bytes = std::size_t{4} << 20;

std::size_t places_bytes(const Local::Sizes& sizes) {
  const std::size_t count = static_cast<std::size_t>(sizes.count);
  return count * sizeof(Mailbox) + (count + 1) * sizeof(Pool) +
         count * static_cast<std::size_t>(sizes.ranks) * sizeof(Inflight) + 4096;
}

/// A ring takes memory once its pair uses it: 64 MiB if all pairs of so many ranks do.
constexpr int most_ranks_with_rings = 128;

std::size_t rings_bytes(const Local::Sizes& sizes) {
  const std::size_t count = static_cast<std::size_t>(sizes.count);
  if (sizes.count < 2 || sizes.count > most_ranks_with_rings || sizes.inflight_bytes < 8 * sizeof(Ring))
    return 0;
  return count * count * sizeof(Ring);
}

}  // namespace

Local::Local(Sharing sharing, const Sizes& sizes)
    : sizes_(sizes),
      segment_(sharing, sizes.memory_bytes),
      places_(sharing, places_bytes(sizes), places_bytes(sizes)),
      rings_(sharing, rings_bytes(sizes), rings_bytes(sizes)) {
  ok_ = segment_.ok() && places_.data();
  if (!ok_) return;
  const std::size_t count = static_cast<std::size_t>(sizes.count);
  const std::size_t idle = std::max(idle_bytes_of_all / count, least_idle_bytes);
  std::byte* next = places_.data();
  mailboxes_ = reinterpret_cast<Mailbox*>(next);
  for (std::size_t i = 0; i < count; ++i) new (&mailboxes_[i]) Mailbox;
  next += count * sizeof(Mailbox);
  pools_ = reinterpret_cast<Pool*>(next);
  for (std::size_t i = 0; i <= count; ++i)
    new (&pools_[i]) Pool(static_cast<std::uint32_t>(i), segment_, idle);
  next += (count + 1) * sizeof(Pool);
  // The mappings are zeros, which is what new Inflights and Rings hold: pages of pairs that never talk stay
  // untouched.
  inflight_ = reinterpret_cast<Inflight*>(next);
}

void Local::wake_all() {
  for (int i = 0; i < sizes_.count; ++i) mailboxes_[i].wake();
}

}  // namespace kanor::rt
