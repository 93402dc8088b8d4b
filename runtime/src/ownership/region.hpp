// Regions: memory that several ranks may hold, and that nobody writes while they do.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kanor/abi/globalised.hpp"
#include "ownership/counters.hpp"
#include "transport/rank.hpp"

namespace kanor::rt {

/// An object and the number of its holders, in message memory.
///
///     Message*  -> +---------------------------------------------+
///                  | the header of its message (memory/)         |  64 bytes
///     Region*   -> +---------------------------------------------+
///                  | holders | destroy | ...                     |  64 bytes
///     object()  -> +---------------------------------------------+
///                  | a T, aligned to 64; of a vector the vector, |
///                  | whose elements are on the process's heap    |
///                  +---------------------------------------------+
///
/// A reference is a variable's (kanor::abi::globalised) or lies in a message. `holders` is the number of
/// references. What holds:
///
/// 1. Only who has a reference makes another one, so who has the only one keeps having the only one until it
///    does something itself: is_sole() stays true. 0 is reached once, and from there nothing leads back.
/// 2. Only a sole holder writes. So while there are two references the object is constant, and a reference
///    in a message is a snapshot of the value.
/// 3. A reader's reads come before the next writer's writes: the reader lets go with a release, the writer
///    has read the 1 that this led to (or that a later step of the same counter led to: all steps are
///    read-modify-writes, so they continue the release sequence) with an acquire.
/// 4. The memory's reuse comes after all reads and writes: whoever counts down to 0 has, by the acquire of
///    that same step, seen the releases of all others; the pool's own order does the rest.
/// 5. A writer's writes come before the reads of those to whom it gives references: by the message that
///    carries them.
///
/// Steps of the counter, and their order: share() relaxed, since 5 orders what the new holder sees; let_go()
/// release and acquire, for 3 and 4; is_sole() acquire, for 3, also in kanor::abi::region_handle.
///
/// tests/models/ownership.pml is the model of this, tests/models/ownership_steps.txt the table of its steps.
struct alignas(64) Region {
  std::atomic<std::uint32_t> holders{1};
  void (*destroy)(void* object) = nullptr;  ///< null: nothing to do, or no object yet

  void* object() { return this + 1; }
  static Region& of(void* object) { return static_cast<Region*>(object)[-1]; }
};
static_assert(sizeof(Region) == abi::region_head_bytes);
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
              std::atomic<std::uint32_t>::is_always_lock_free);

/// Pieces in which acquire_or_copy() copies, looking between any two whether it can stop.
inline constexpr std::size_t piece_bytes = std::size_t{64} << 10;

/// A new region with one holder and room for an object. Running out of memory ends the job.
Region& make_region(Rank& rank, const abi::region_kind& kind);
/// Gives the memory of a region back whose object does not exist. On a rank's thread.
void free_room(Region& region);

/// One more reference. The caller has one.
inline void share(Region& region) { region.holders.fetch_add(1, std::memory_order_relaxed); }
/// Whether the caller's reference is the only one.
inline bool is_sole(const Region& region) { return region.holders.load(std::memory_order_acquire) == 1; }
/// Gives a reference up; the last one ends the object and gives the memory back. Outside of ranks memory is
/// left to the end of the process.
void let_go(Region& region);

/// Turns a reference into the only one of a region with the same value: of this region, if the others let go
/// of it in time, else of a copy. Never waits.
Region& acquire_or_copy(Rank& rank, Region& region, const abi::region_kind& kind, SharingCounts& counts);

}  // namespace kanor::rt
