// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ranks of one machine share to exchange messages: threads, forked processes, and processes that a
// launcher has started.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory/pool.hpp"
#include "memory/segment.hpp"
#include "platform/mapping.hpp"
#include "transport/inflight.hpp"
#include "transport/mailbox.hpp"
#include "transport/ring.hpp"

namespace kanor::rt {

/// A rank's state as the others of its machine see it. Senders read it with every small message.
struct alignas(128) Presence {
  /// The rank, or any_rank, without which it cannot go on, while it sleeps for it; -1: none. Stores of a rank
  /// are sequentially consistent, and pair with `over` and with Ring's stamps.
  std::atomic<int> awaits{-1};
  /// Details of that sleep, both written before `awaits`: true if it is for room to send, and the signal of
  /// its mailbox from before the rank looked in vain. While that is still the signal, nobody has woken it.
  std::atomic<bool> for_room{false};
  std::atomic<std::uint32_t> seen{0};
  /// True once it has ended normally and will send no more; sequentially consistent: pairs with `awaits`.
  std::atomic<bool> over{false};
  /// True once it makes no more calls, in checked mode when its main has ended; the same order, for the same
  /// reason.
  std::atomic<bool> calls_over{false};
  /// The status with which it has ended, if that ends the job; else 0. Release, acquire by supervisors.
  std::atomic<int> failed{0};
  std::atomic<int> core{-1};    ///< the one it ran on when it last went to sleep; relaxed, a hint
  std::atomic<int> process{0};  ///< its process; relaxed, and 0 until the rank has begun
};

/// Returns true if the rank of this presence sleeps for rank `rank`. Sequentially consistent: called after
/// storing what it may sleep for.
inline bool is_awaited(const Presence& presence, int rank) {
  const int awaits = presence.awaits.load(std::memory_order_seq_cst);
  return awaits == rank || awaits == any_rank;
}

/// Returns true if the rank of this presence has ended normally, or makes no more calls; the same order.
inline bool has_ended(const Presence& presence) {
  return presence.over.load(std::memory_order_seq_cst) || presence.calls_over.load(std::memory_order_seq_cst);
}

/// The status with which this machine ends the job.
struct alignas(128) Ending {
  std::atomic<int> status{0};  ///< 0: it goes on; the read-modify-write decides who ends it first
};

/// Mailboxes, pools and in-flight counts of ranks first … first+count-1 of a job of `ranks`. Made before the
/// ranks start, in one mapping that has the same address in all their processes:
///
///     | ending | presence of each rank | mailbox of each | pool of each, and of each supervisor |
///     | count x ranks in-flight words | a word for each rank of the job that stands still |
///     | count x count rings, where there are any | segment, message memory |
///
/// Nothing there points outside it: functions, literals and everything else of a process have other addresses
/// in a process that was not forked from it.
class Local {
 public:
  struct Sizes {
    int first = 0;
    int count = 1;
    int ranks = 1;
    int supervisors = 1;             ///< further threads that use messages: one for each process
    std::size_t memory_bytes = 0;    ///< of all message memory together
    std::size_t inflight_bytes = 0;  ///< limit for each pair
    bool huge_pages = true;          ///< used where they fit and the system gives them
  };
  /// The data with which another process of the machine attaches to the same Local. Plain bytes: may be sent.
  struct Offer {
    MemoryOffer memory;
    Sizes sizes;
  };

  /// Creates it for this process and those that it forks later, with less message memory if the system has no
  /// room for all of it.
  Local(Sharing sharing, const Sizes& sizes);
  /// Creates it at exactly `address`, with all of the memory, and offers it to processes that already run;
  /// the caller must withdraw() the offer's memory. ok() is false where the address is not free.
  Local(std::byte* address, const Sizes& sizes, Offer& offer);
  /// Attaches to one that another process has completed. `supervisor`: this process's number among them.
  Local(const Offer& offer, int supervisor);
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;

  /// Returns true if the memory could be mapped.
  bool ok() const { return presences_ != nullptr; }
  const Sizes& sizes() const { return sizes_; }
  /// Returns true if the rank's messages come and go through this memory.
  bool has(int rank) const { return rank >= sizes_.first && rank < sizes_.first + sizes_.count; }
  /// Returns true if those of all ranks do.
  bool has_all() const { return sizes_.count == sizes_.ranks; }

  /// Chooses the status, not 0, with which all supervisors end the job: that of the first caller. Returns
  /// true for the first, and sets `status` to the first one's for others.
  bool lead_end(int& status) {
    int first = 0;
    if (ending_->status.compare_exchange_strong(first, status)) return true;
    status = first;
    return false;
  }

  Segment& segment() { return *segment_; }
  /// The part of all this that is in memory, as this process sees it; see resident_memory().
  Resident resident() const;
  Presence& presence(int rank) { return presences_[rank - sizes_.first]; }
  Mailbox& mailbox(int rank) { return mailboxes_[rank - sizes_.first]; }
  Pool& pool(int rank) { return pools_[rank - sizes_.first]; }
  /// The pool of this process's supervisor.
  Pool& supervisor_pool() { return pools_[sizes_.count + supervisor_]; }
  /// The count of bytes that local rank `sender` has in flight to any rank of the job.
  Inflight& inflight(int sender, int receiver) {
    return inflight_[static_cast<std::size_t>(sender - sizes_.first) *
                         static_cast<std::size_t>(sizes_.ranks) +
                     static_cast<std::size_t>(receiver)];
  }

  /// True if a process of this machine has reported that the process of this rank of the job, which may be on
  /// another one, stands still. Relaxed: who changes it first reports.
  std::atomic<bool>& told_still(int rank) { return told_still_[rank]; }

  /// The ring for messages between two local ranks; null where there are none: too many ranks for a
  /// ring a pair, or a limit of bytes in flight that a ring would be a large part of.
  Ring* ring(int sender, int receiver) {
    if (!rings_) return nullptr;
    return rings_ + static_cast<std::size_t>(sender - sizes_.first) * static_cast<std::size_t>(sizes_.count) +
           static_cast<std::size_t>(receiver - sizes_.first);
  }

  /// Puts a message into the mailbox of its destination, a local rank.
  void post(Message* message) { mailbox(message->envelope.destination).push(message); }

  /// Ends every rank's sleep.
  void wake_all();

 private:
  void find_places();
  void construct(Sharing sharing);

  Sizes sizes_;
  int supervisor_ = 0;
  std::optional<Mapping> memory_;
  Ending* ending_ = nullptr;
  Presence* presences_ = nullptr;
  Mailbox* mailboxes_ = nullptr;
  Pool* pools_ = nullptr;
  Inflight* inflight_ = nullptr;
  std::atomic<bool>* told_still_ = nullptr;
  Ring* rings_ = nullptr;
  Segment* segment_ = nullptr;
};

}  // namespace kanor::rt
