// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inside of a Rank, for the launch, for tests, and for what must take no more time than malloc does;
// rooms above the transport use rank.hpp otherwise.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "job/control.hpp"
#include "job/switches.hpp"
#include "platform/core.hpp"
#include "platform/page_faults.hpp"
#include "platform/topology.hpp"
#include "platform/wait.hpp"
#include "transport/answers.hpp"
#include "transport/ends.hpp"
#include "transport/local.hpp"
#include "transport/matching.hpp"
#include "transport/peer_counts.hpp"
#include "transport/rank.hpp"
#include "transport/ring.hpp"
#include "transport/streams.hpp"
#include "transport/transport.hpp"
#include "transport/turns.hpp"

namespace kanor::rt {

/// The state that all ranks of one launch share. Outlives its ranks.
struct Home {
  Control& control;
  Local& local;
  Transport& transport;        ///< between local ranks
  Network* network = nullptr;  ///< between processes that a launcher has started; null where there are none
  bool spare_cores = true;     ///< every rank has a core of its own
  bool own_process = false;    ///< each rank is a process
  Switches switches{};
  std::vector<Processors> places{};  ///< processors of each local rank; empty: all that its process may use
  /// Handles messages of hang_context that the network brings; set before any can come. Called on any thread.
  std::function<void(const Message&)> hear{};
  Askers askers{};
  Answers answers{};

  /// Returns true if some ranks are reached only by the network. If not, it never brings anything for a rank.
  bool has_remote() const { return network && !local.has_all(); }
};

/// Delivers a network's messages to local ranks, in memory of one pool. Belongs to one thread.
class Inbound final : public Arrivals {
 public:
  Inbound(Home& home, Pool& pool) : home_(home), pool_(pool) {}
  Message* allocate(std::size_t bytes) override;
  void deliver(Message* message) override;
  void sent(Message* message) override { pool_.give_back(message, &pool_); }

 private:
  Home& home_;
  Pool& pool_;
};

/// Ranks with consecutive numbers.
struct RankRange {
  int first, end;
  bool has(int rank) const { return rank >= first && rank < end; }
};

/// How a rank waits.
struct WaitState {
  SpinBudget spin;
  KeepApart apart;
  std::function<void()> meanwhile;          ///< see set_while_waiting()
  std::uint64_t arrivals = 0;               ///< number of messages taken out of the mailbox so far
  std::atomic<PageOwner*> before{nullptr};  ///< see set_before_calls(); release, acquire
  std::atomic<bool> has_threads{false};     ///< beside the rank's own; relaxed: they begin later
  std::unique_ptr<Turns> turns{};           ///< null: only one thread at a time makes calls
};

/// Messages of the exchanges that a rank has started: they do not count as in flight.
struct Expected {
  Unexpected arrived;
  std::set<std::pair<std::uint64_t, std::uint64_t>> keys;  ///< (context, sequence) of the exchanges
  bool look = false;  ///< some may have arrived before they were expected

  bool has_key(const Message& message) const {
    return !keys.empty() && keys.contains({message.envelope.context, message.envelope.sequence});
  }
};

/// A rank's rings; empty where there are none.
struct Rings {
  std::vector<RingSender> to;      ///< for each local receiver
  std::vector<RingReceiver> from;  ///< for each local sender
  std::size_t next = 0;            ///< the next one of `to` that is looked at for memory
};

/// Bytes in flight between a rank and others.
struct Flow {
  PeerCounts peak_bytes;  ///< for each receiver, as it was when a message did not go by a ring
  PeerCounts lent;  ///< for each local sender: bytes given back before they were consumed, see cycles.hpp
  PeerCounts remote_consumed;  ///< for each remote sender: bytes consumed that it was not told of
};

/// What deltas that follow page faults have met, for KANOR_STATS.
struct PageCounts {
  std::uint64_t faults = 0;
  std::uint64_t sends = 0, receives = 0;  ///< whose pages have been watched
  std::uint64_t stopped = 0;    ///< sends whose pages were written in another order, or came in a call
  std::uint64_t unwatched = 0;  ///< sends and receives whose pages could not be
};

struct DeltaCounts {
  PageCounts pages;
  std::uint64_t pipelined = 0, at_once = 0;  ///< MPI's messages that kanorc has put beside loops
};

class Rank;
/// Stops counting the message as in flight, although its memory is still needed.
void take_off_flight(Rank& rank, Message& received);

class Rank {
 public:
  Rank(Home& home, int number);
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  Home& home;
  const int number;
  const int size;
  /// The ranks with which it shares addresses, and message memory.
  const RankRange same_addresses, same_memory;
  RankPage& page;
  Presence& presence;
  Mailbox& mailbox;
  Pool& pool;
  Inbound inbound;
  Streams streams;
  int status = 0;  ///< its main's exit status
  WaitState waits;
  Unexpected unexpected;
  Expected expected;
  Rings rings;
  std::array<std::unique_ptr<Attachment>, attachments> attached;
  Flow flow;
  PeerCounts asked;  ///< for each remote rank: 1 if it was asked to tell of its end
  DeltaCounts deltas;

  /// Stores a message, out of the mailbox or a ring, that nobody has asked for yet.
  void keep(Message* message) {
    if (message->envelope.context & stream_context) return streams.keep(message);
    // Not past those that came before: one key may have several senders, whose order stays.
    if (expected.look || !expected.has_key(*message)) return unexpected.put(message);
    keep_awaited(message);
  }
  void keep_awaited(Message* message) {
    take_off_flight(*this, *message);
    expected.arrived.put(message);
  }
  /// Removes this message from those kept, and returns it; null if it is not there.
  Message* take_kept(int from, std::uint64_t context, std::uint64_t sequence) {
    Message* const message = expected.arrived.take(from, context, sequence);
    return message ? message : unexpected.take(from, context, sequence);
  }
  bool has_kept(int from, std::uint64_t context, std::uint64_t sequence) const {
    return expected.arrived.has(from, context, sequence) || unexpected.has(from, context, sequence);
  }
};

/// What a layer keeps for the rank: null until the layer needs it.
inline std::unique_ptr<Attachment>& attachment(Rank& rank, Attached which) {
  return rank.attached[static_cast<std::size_t>(which)];
}

/// Called when the rank begins a block or a call that may use any memory of the program.
inline void before_call(Rank& rank) {
  if (PageOwner* const owner = rank.waits.before.load(std::memory_order_acquire)) [[unlikely]]
    owner->open();
}

/// Marks rank `rank` of this supervisor as ended with this status, and wakes those who wait for it in vain.
void rank_is_over(Home& home, int rank, int status);

/// Checked mode: marks the rank as one whose main has ended and that sends no more, and wakes those who wait
/// for that in vain.
void calls_are_over(Rank& rank);
/// Waits until all ranks of the machine are so marked: what they have sent to this one has arrived then.
void wait_for_calls_to_be_over(Rank& rank);

/// Makes the calling thread this rank (null: no rank).
void enter_rank(Rank* rank);
/// Makes every thread of this process that is no rank itself part of this rank.
void set_process_rank(Rank* rank);
/// Makes the calling thread, the only one of a forked child, and the process part of no rank.
void leave_ranks();
/// Lets the calling thread, which is no rank, give message memory back as this pool's owner.
void set_thread_pool(Pool* pool);

/// Prints how much was in flight, in one line.
void print_statistics(const Rank& rank);

}  // namespace kanor::rt
