// What the ranks under one supervisor share to exchange messages: threads and forked processes alike.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/pool.hpp"
#include "memory/segment.hpp"
#include "platform/mapping.hpp"
#include "transport/inflight.hpp"
#include "transport/mailbox.hpp"
#include "transport/ring.hpp"

namespace kanor::rt {

/// Mailboxes, pools and in-flight counts of ranks first … first+count-1 of a job of `ranks`. Made before the
/// ranks start; forked ranks inherit it, with every address the same.
///
///     places_ | mailbox of each rank | pool of each rank, and the supervisor's | count x ranks in-flight
///     words | segment | message memory |
///     rings_ | count x count rings, where there are any |
class Local {
 public:
  struct Sizes {
    int first = 0;
    int count = 1;
    int ranks = 1;
    std::size_t memory_bytes = 0;    ///< of all message memory together
    std::size_t inflight_bytes = 0;  ///< limit for each pair
  };
  Local(Sharing sharing, const Sizes& sizes);
  Local(const Local&) = delete;
  Local& operator=(const Local&) = delete;

  /// Whether the memory could be mapped.
  bool ok() const { return ok_; }
  const Sizes& sizes() const { return sizes_; }
  bool has(int rank) const { return rank >= sizes_.first && rank < sizes_.first + sizes_.count; }

  Segment& segment() { return segment_; }
  Mailbox& mailbox(int rank) { return mailboxes_[rank - sizes_.first]; }
  Pool& pool(int rank) { return pools_[rank - sizes_.first]; }
  Pool& supervisor_pool() { return pools_[sizes_.count]; }
  /// What local rank `sender` has in flight to any rank of the job.
  Inflight& inflight(int sender, int receiver) {
    return inflight_[static_cast<std::size_t>(sender - sizes_.first) *
                         static_cast<std::size_t>(sizes_.ranks) +
                     static_cast<std::size_t>(receiver)];
  }

  /// The ring for small messages between two local ranks; null where there are none: too many ranks for a
  /// ring a pair, or a limit of bytes in flight that a ring would be a large part of.
  Ring* ring(int sender, int receiver) {
    if (!rings_.data()) return nullptr;
    return reinterpret_cast<Ring*>(rings_.data()) +
           static_cast<std::size_t>(sender - sizes_.first) * static_cast<std::size_t>(sizes_.count) +
           static_cast<std::size_t>(receiver - sizes_.first);
  }

  /// Puts a message into the mailbox of its destination, a local rank.
  void post(Message* message) { mailbox(message->envelope.destination).push(message); }

  /// Ends every rank's sleep.
  void wake_all();

 private:
  Sizes sizes_;
  Segment segment_;
  Mapping places_;
  Mapping rings_;
  bool ok_ = false;
  Mailbox* mailboxes_ = nullptr;
  Pool* pools_ = nullptr;
  Inflight* inflight_ = nullptr;
};

}  // namespace kanor::rt
