// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inside of a Rank, for the launch, for tests, and for what must take no more time than malloc does;
// rooms above the transport use rank.hpp otherwise.
#pragma once

#include <array>
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

namespace kanor::rt {

/// Where a rank lives: what all ranks of one launch have in common. Outlives its ranks.
struct Home {
  Control& control;
  Local& local;
  Transport& transport;        ///< between local ranks
  Network* network = nullptr;  ///< between processes that a launcher has started; null where there are none
  bool spare_cores = true;     ///< every rank has a core of its own
  bool own_process = false;    ///< each rank is a process
  Switches switches{};
  std::vector<Processors> places{};  ///< where each local rank may run; empty: wherever its process may
  /// Takes messages of hang_context that the network brings; set by who wants them before any can come. On
  /// any thread.
  std::function<void(const Message&)> hear{};
  Askers askers{};
  Answers answers{};

  /// Whether some ranks are reached by the network only. Where not, nothing ever comes by it for a rank.
  bool has_remote() const { return network && !local.has_all(); }
};

/// Messages of this context are for no rank: processes tell each other how their ranks are.
inline constexpr std::uint64_t hang_context = ~std::uint64_t{0} - 1;
/// And whether they stand still: transport/answers.hpp.
inline constexpr std::uint64_t answers_context = ~std::uint64_t{0} - 2;

/// Hands what a network brings to local ranks, with the memory of one pool. Belongs to one thread.
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

class Rank;
/// The message no longer counts as in flight, although its memory is still needed.
void take_off_flight(Rank& rank, Message& received);

class Rank {
 public:
  Rank(Home& home, int number);
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  Home& home;
  const int number;
  const int size;
  /// With whom it has addresses, and message memory, in common.
  const RankRange same_addresses, same_memory;
  RankPage& page;
  Presence& presence;
  Mailbox& mailbox;
  Pool& pool;
  Inbound inbound;
  Streams streams;
  int status = 0;  ///< with which its main has ended
  SpinBudget spin;
  KeepApart apart;
  Unexpected unexpected;
  Unexpected awaited;  ///< for exchanges that this rank has started: these do not count as in flight
  std::set<std::pair<std::uint64_t, std::uint64_t>> expected;  ///< (context, sequence) of such exchanges
  bool look_for_expected = false;        ///< some may have arrived before they were expected
  std::vector<RingSender> rings_to;      ///< for each local receiver; empty where there are no rings
  std::vector<RingReceiver> rings_from;  ///< for each local sender
  std::size_t next_ring = 0;             ///< that is looked at for memory
  PeerCounts peak_bytes;  ///< in flight, for each receiver, as it was when a message did not go by a ring
  std::function<void()> while_waiting;  ///< see set_while_waiting()
  std::uint64_t arrivals = 0;           ///< taken out of the mailbox so far
  std::array<std::unique_ptr<Attachment>, attachments> attached;
  PeerCounts lent;  ///< for each local sender: bytes given back before they were consumed, see cycles.hpp
  PeerCounts remote_consumed;  ///< for each remote sender: bytes consumed, and it does not know yet
  PeerCounts asked;            ///< for each remote rank: 1 if it was asked to tell of its end

  /// A message that nobody has asked for yet, out of the mailbox or a ring.
  void keep(Message* message) {
    if (message->envelope.context & stream_context) return streams.keep(message);
    // Not past those that came before: one key may have several senders, whose order stays.
    !look_for_expected&& is_expected(*message) ? keep_awaited(message) : unexpected.put(message);
  }
  void keep_awaited(Message* message) {
    take_off_flight(*this, *message);
    awaited.put(message);
  }
  bool is_expected(const Message& message) const {
    return !expected.empty() && expected.contains({message.envelope.context, message.envelope.sequence});
  }
  /// Of what has been kept, this message; null if it is not there.
  Message* take_kept(int from, std::uint64_t context, std::uint64_t sequence) {
    Message* const message = awaited.take(from, context, sequence);
    return message ? message : unexpected.take(from, context, sequence);
  }
  bool has_kept(int from, std::uint64_t context, std::uint64_t sequence) const {
    return awaited.has(from, context, sequence) || unexpected.has(from, context, sequence);
  }
};

/// Rank `rank` of this supervisor is over with this status: ends the sleep of those who wait for it in vain.
void rank_is_over(Home& home, int rank, int status);

/// Checked mode: the rank's main has ended, and it gives and sends no more. Ends the sleep of those who wait
/// for that in vain.
void calls_are_over(Rank& rank);
/// Waits until that is so of all ranks of the machine: what they have sent to this one has arrived then.
void wait_for_calls_to_be_over(Rank& rank);

/// Makes the calling thread this rank (null: no rank).
void enter_rank(Rank* rank);
/// Makes every thread of this process that is no rank itself part of this rank.
void set_process_rank(Rank* rank);
/// Neither the calling thread, the only one of a forked child, nor the process is a rank any longer.
void leave_ranks();
/// The calling thread, though no rank, gives message memory back as this pool's owner.
void set_thread_pool(Pool* pool);

/// Writes how much was in flight, one line.
void print_statistics(const Rank& rank);

}  // namespace kanor::rt
