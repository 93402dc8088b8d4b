// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Room for what a rank sends to another one: KANOR_INFLIGHT.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "transport/rank_state.hpp"
#include "transport/rings.hpp"

namespace kanor::rt {

/// What a rank has on the way to another one, and the limit for some more bytes.
class Room {
 public:
  Room(Rank& rank, int to, std::uint64_t bytes)
      : inflight_(rank.home.local.inflight(rank.number, to)), ring_(ring_to(rank, to)), bytes_(bytes) {
    const Local& local = rank.home.local;
    // A remote receiver may owe a quarter of the limit unsaid; so much is always let through, or both would
    // wait.
    const std::uint64_t limit = local.sizes().inflight_bytes - ring_itself();
    const std::uint64_t unsaid = local.has(to) ? 0 : limit / 4;
    limit_ = std::max(limit, unsaid + bytes);
  }

  RingSender* ring() const { return ring_; }
  std::uint64_t ring_itself() const { return ring_ ? sizeof(Ring) : 0; }
  bool fits() { return Inflight::fit(bytes_, inflight_.bytes() + in_ring(), limit_); }
  /// Counts the bytes if they fit, and returns how many are on the way then; 0 if they don't.
  std::uint64_t try_add() { return inflight_.try_add(bytes_, limit_, in_ring()); }
  /// Counts them in any case.
  std::uint64_t add() { return inflight_.try_add(bytes_, ~std::uint64_t{0}, in_ring()); }
  /// Marks that the rank is about to sleep. Returns true if it should.
  bool mark_sleeping() { return inflight_.mark_sleeping(bytes_, limit_, in_ring()); }

 private:
  std::uint64_t in_ring() {
    if (ring_) ring_->look_again();
    return ring_ ? ring_->weight() : 0;
  }

  Inflight& inflight_;
  RingSender* ring_;
  std::uint64_t bytes_, limit_ = 0;
};

/// Waits until there is room, or `done`, if it is given, returns true. Returns false if the receiver has
/// ended, and there never will be. `in_stream`: as for is_over().
bool wait_until_fits(Rank& rank, Room& room, int to, bool in_stream,
                     const std::function<bool()>& done = nullptr);

/// Counts a message that is about to be sent as in flight. With `waits` it waits for room; else, where there
/// is none, it returns false, and more than the limit is in flight.
bool count_in_flight(Rank& rank, Message* message, bool waits);

}  // namespace kanor::rt
