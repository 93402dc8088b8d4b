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

/// What a rank tells the others of its machine about itself. Senders read it with every small message.
struct alignas(128) Presence {
  /// The rank without which it cannot go on, while it sleeps for it, or any_rank; -1: none. Stores of a rank
  /// are sequentially consistent, and pair with `over` and with Ring's stamps.
  std::atomic<int> awaits{-1};
  /// Of that sleep, both written before `awaits`: whether it is for room to send, and what the signal of its
  /// mailbox was before the rank looked in vain. While that is still the signal, nobody has woken it.
  std::atomic<bool> for_room{false};
  std::atomic<std::uint32_t> seen{0};
  /// It has ended as it should, and will send no more; sequentially consistent: pairs with `awaits`.
  std::atomic<bool> over{false};
  /// In checked mode: its main has ended, and it makes no more calls; the same order, for the same reason.
  std::atomic<bool> calls_over{false};
  /// It has ended with this status, which ends the job; 0 otherwise. Release, acquire by supervisors.
  std::atomic<int> failed{0};
  std::atomic<int> core{-1};    ///< where it ran when it last went to sleep; relaxed, an advice
  std::atomic<int> process{0};  ///< its process; relaxed, and 0 until the rank has begun
};

/// Whether the rank of this presence sleeps for rank `rank`. Sequentially consistent, after what it may sleep
/// for.
inline bool is_awaited(const Presence& presence, int rank) {
  const int awaits = presence.awaits.load(std::memory_order_seq_cst);
  return awaits == rank || awaits == any_rank;
}

/// Whether the rank of this presence has ended as it should, or makes no more calls; the same order.
inline bool has_ended(const Presence& presence) {
  return presence.over.load(std::memory_order_seq_cst) || presence.calls_over.load(std::memory_order_seq_cst);
}

/// How the job ends, as far as this machine decides it.
struct alignas(128) Ending {
  std::atomic<int> status{0};  ///< 0: nobody has ended it; its read-modify-write orders who was first
};

/// Mailboxes, pools and in-flight counts of ranks first … first+count-1 of a job of `ranks`. Made before the
/// ranks start, in one mapping that has the same address in all their processes:
///
///     | ending | presence of each rank | mailbox of each | pool of each, and of each supervisor |
///     | count x ranks in-flight words | a word for each rank of the job that stands still |
///     | count x count rings, where there are any | segment, message memory |
///
/// What lies there points to nothing but what lies there too: functions, literals and everything else of a
/// process have other addresses in a process that was not forked from it.
class Local {
 public:
  struct Sizes {
    int first = 0;
    int count = 1;
    int ranks = 1;
    int supervisors = 1;             ///< threads beside the ranks that have messages: one a process
    std::size_t memory_bytes = 0;    ///< of all message memory together
    std::size_t inflight_bytes = 0;  ///< limit for each pair
    bool huge_pages = true;          ///< where they fit, and the system gives them
  };
  /// What a process of the machine must know to use the same Local. Plain bytes: may be sent.
  struct Offer {
    MemoryOffer memory;
    Sizes sizes;
  };

  /// For this process and those that it forks later. Has less message memory if the system has no room for
  /// all of it.
  Local(Sharing sharing, const Sizes& sizes);
  /// At exactly `address`, with all of the memory, and offered to processes that already run; whoever makes
  /// it must withdraw() the offer's memory. ok() is false where the address is not free.
  Local(std::byte* address, const Sizes& sizes, Offer& offer);
  /// The one that another process has made, which is complete. `supervisor`: this process's number among
  /// them.
  Local(const Offer& offer, int supervisor);
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;

  /// Whether the memory could be mapped.
  bool ok() const { return presences_ != nullptr; }
  const Sizes& sizes() const { return sizes_; }
  /// Whether the rank's messages come and go through this memory.
  bool has(int rank) const { return rank >= sizes_.first && rank < sizes_.first + sizes_.count; }
  /// Whether those of all ranks do.
  bool has_all() const { return sizes_.count == sizes_.ranks; }

  /// The supervisors that are to end the job with a status, which is not 0, all end it with that of the
  /// first: answers whether this one is the first, and otherwise changes `status`.
  bool lead_end(int& status) {
    int first = 0;
    if (ending_->status.compare_exchange_strong(first, status)) return true;
    status = first;
    return false;
  }

  Segment& segment() { return *segment_; }
  /// What of all this is in memory, as this process sees it; see resident_memory().
  Resident resident() const;
  Presence& presence(int rank) { return presences_[rank - sizes_.first]; }
  Mailbox& mailbox(int rank) { return mailboxes_[rank - sizes_.first]; }
  Pool& pool(int rank) { return pools_[rank - sizes_.first]; }
  /// This process's.
  Pool& supervisor_pool() { return pools_[sizes_.count + supervisor_]; }
  /// What local rank `sender` has in flight to any rank of the job.
  Inflight& inflight(int sender, int receiver) {
    return inflight_[static_cast<std::size_t>(sender - sizes_.first) *
                         static_cast<std::size_t>(sizes_.ranks) +
                     static_cast<std::size_t>(receiver)];
  }

  /// Whether somebody of this machine has told that the process of this rank of the job, which may be on
  /// another one, stands still. Relaxed: who changes it first tells.
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
