// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions: memory that several ranks may hold, and that nobody writes while they do.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kanor/abi/globalised.hpp"
#include "ownership/counters.hpp"
#include "transport/rank.hpp"

namespace kanor::rt {

/// An object and the number of references to it, in message memory.
///
///     Message*  -> +---------------------------------------------+
///                  | the header of its message (memory/)         |  64 bytes
///     Region*   -> +---------------------------------------------+
///                  | references holder destroy bytes seal        |  64 bytes
///     object()  -> +---------------------------------------------+
///                  | a T, aligned to 64; of a vector the vector, |
///                  | whose elements are on the process's heap;   |
///                  | of a kanor::buffer that is not a            |
///                  | globalised variable its elements            |
///                  +---------------------------------------------+
///
/// A reference is a variable's (kanor::abi::globalised, kanor::buffer) or lies in a message; `references` is
/// their number. A variable may have several, and knows how many: it takes a stock of them for messages to
/// come, and keeps those that arrive of the region that it has, so that ranks that send and receive one value
/// again and again seldom write the counter, whose cache line each would have to fetch from the other
/// (weighted reference counting: Bevan, Watson and Watson, PARLE 1987). One that a variable has from another
/// of its rank goes back to that one, and the counter is not written at all. What holds:
///
/// 1. Only who has a reference makes another one, so who has all of them keeps having them until it does
///    something itself: is_sole() stays true. 0 is reached once, and from there nothing leads back.
/// 2. Only who has all references writes. So while two have some the object is constant, and a reference in a
///    message is a snapshot of the value.
/// 3. A reader's reads come before the next writer's writes: the reader lets go with a release, the writer
///    has read the number that this led to (or that a later step of the same counter led to: all steps are
///    read-modify-writes, so they continue the release sequence) with an acquire. A reference that is passed
///    on takes the reads before it along, by the message that carries it.
/// 4. The memory's reuse comes after all reads and writes: whoever counts down to 0 has, by the acquire of
///    that same step, seen the releases of all others; the pool's own order does the rest.
/// 5. A writer's writes come before the reads of those to whom it gives references: by the message that
///    carries them.
///
/// Steps of the counter, and their order: share() relaxed, since 5 orders what a new holder sees; let_go()
/// release and acquire, for 3 and 4; is_sole() acquire, for 3, also in kanor::abi::region_handle.
///
/// tests/models/ownership.pml is the model of this, tests/models/ownership_steps.txt the table of its steps.
struct alignas(64) Region {
  std::atomic<std::uint32_t> references{1};
  std::uint32_t holder = 0;  ///< as an owned buffer (passing.hpp): the owner's number + 1, or held_by_many
  void (*destroy)(void* object) = nullptr;  ///< null: nothing to do, or no object yet
  std::size_t bytes = 0;                    ///< of a buffer's elements
  std::uint64_t seal = 0;                   ///< of an owned buffer: made of its address

  void* object() { return this + 1; }
  static Region& of(void* object) { return static_cast<Region*>(object)[-1]; }
};
static_assert(sizeof(Region) == abi::region_head_bytes && sizeof(Region) == 64);
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
              std::atomic<std::uint32_t>::is_always_lock_free);

/// The length of the pieces in which acquire_or_copy() copies, looking between any two whether it can stop.
inline constexpr std::size_t piece_bytes = std::size_t{64} << 10;

/// A new region with one reference and room for an object of so many bytes. Running out of memory ends the
/// job.
Region& make_region(Rank& rank, std::size_t bytes);
/// As make_region(), on the calling thread's rank; an error that begins with `what` if there is none. In a
/// forked child the region is that process's own, and stays.
Region& make_region_here(const char* what, std::size_t bytes);
/// Gives the memory of a region back whose object does not exist. On a rank's thread.
void free_room(Region& region);
/// Makes the memory return to this rank's pool from here on. The caller has the only reference.
void keep_room(Rank& rank, Region& region);
/// The message that the region lies in, to be sent: the region goes with it, and is its receiver's.
Buffer message_with(Region& region);
/// The region in a received message, as if this rank had made it: with one reference, in memory that returns
/// to this rank's pool, and that no longer counts as in flight.
Region& region_in(Rank& rank, Buffer&& received);

/// Adds `references` references. The caller has one.
inline void share(Region& region, std::uint32_t references = 1) {
  region.references.fetch_add(references, std::memory_order_relaxed);
}
/// Turns one of the caller's references into a message's; takes a stock of them first if it would be the
/// last. `gives`: it may be the last, since the caller lets go of what it then has before any of the messages
/// is sent.
void refer(Region& region, std::uint32_t& references, bool gives);
/// Returns true if the caller's `references` references are all there are.
inline bool is_sole(const Region& region, std::uint32_t references = 1) {
  return region.references.load(std::memory_order_acquire) == references;
}
/// Gives references up; the last one ends the object and gives the memory back. Outside of ranks memory is
/// left to the end of the process.
void let_go(Region& region, std::uint32_t references = 1);

/// Returns a region for exclusive use of the value: this one, to which the caller has `references`
/// references, if the others let go of theirs in time; else a new region with a copy, for one reference, and
/// those to this one are given up. Never waits. `counts` may be null.
Region& acquire_or_copy(Rank& rank, Region& region, std::uint32_t references, const abi::region_kind& kind,
                        SharingCounts* counts);

}  // namespace kanor::rt
