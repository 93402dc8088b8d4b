// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a request stands for.
#pragma once

#include <kanor/mpi.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "c_api/communicator.hpp"
#include "c_api/partitioned.hpp"
#include "c_api/types.hpp"
#include "ownership/lending.hpp"
#include "ownership/open_buffer.hpp"
#include "ownership/passing.hpp"
#include "ownership/rendezvous.hpp"

namespace kanor::rt::c_api {

/// An operation of a request that is none of the others: it says by itself whether it is done.
class Pending {
 public:
  virtual ~Pending() = default;
  /// Makes progress, and returns true if the operation is done. Must not wait, and sends only at once.
  virtual bool is_done(Rank& rank) = 0;
  /// After is_done() has returned false: a receive, which has been posted, without which the operation is not
  /// done. Null if there is none: somebody wakes the rank.
  virtual Receive* awaited() { return nullptr; }
  /// Sets the status of one that is done, notes its error, and returns its class.
  virtual int get_status(MPI_Status& status) = 0;
  virtual void cancel() {}
  /// Where nothing is awaited(): says why nobody can end it while the rank waits; empty: somebody may.
  virtual std::string why_not_ending(const Rank&) const { return {}; }
  /// Returns true if its request can only be completed: neither freed before nor cancelled.
  virtual bool must_end() const { return false; }
  /// Called when the request, which is done, is given up. Notes an error, and returns its class.
  virtual int release() { return MPI_SUCCESS; }
};

enum class SendMode : unsigned char { standard, synchronous, buffered };

/// What a persistent request begins.
struct Recipe {
  bool receives = false;
  SendMode mode = SendMode::standard;
  Content content;
  std::optional<Wanted> from;                  ///< of a receive; null: from MPI_PROC_NULL
  std::optional<Destination> to;               ///< of a send; null: to MPI_PROC_NULL
  std::unique_ptr<Partitioned> partitioned{};  ///< null: it is none
};

/// A request: at most one of the operations, none of them where it is done by itself.
struct Request {
  std::optional<Incoming> incoming;
  std::optional<Loan> loan;
  std::optional<Answer> answer;  ///< to a synchronous send
  std::deque<Offer> offers;      ///< of a send, or of the parts of one
  std::vector<OpenBuffer> open;  ///< in checked mode: what it sends, until the program may write there
  std::unique_ptr<Pending> pending;
  std::vector<int> crowded;              ///< receivers of what it has sent, for which there was no room
  std::unique_ptr<const Recipe> recipe;  ///< of a persistent one
  Communicator* comm = nullptr;          ///< which it keeps
  void** pointer = nullptr;              ///< where a take puts its buffer; null for others
  const char* call = "";                 ///< the call that began it
  Place place{};
  bool is_active = true;      ///< false: it is persistent, and has not been started
  bool is_cancelled = false;  ///< the receive
  bool is_freed = false;      ///< MPI_Request_free: nobody waits for it

  /// The pending operation, if that is a receive of something.
  Receive* receive() {
    if (is_cancelled) return nullptr;
    if (incoming) return &*incoming;
    if (loan) return &*loan;
    return answer ? &*answer : nullptr;
  }
  /// Returns true if nobody reads any longer what it has offered; helps those that copy.
  bool offers_are_over() {
    return std::all_of(offers.begin(), offers.end(), [](Offer& offer) { return offer.is_over(); });
  }
  /// Waits until then: for all receivers together as long as for one of all the bytes.
  void wait_for_offers(const Rank& rank) {
    if (offers.empty()) return;
    std::size_t bytes = 0;
    for (const Offer& offer : offers) bytes += offer.bytes();
    Patience patience(rank, bytes);
    for (Offer& offer : offers) offer.wait(patience);
  }
  /// Ends what has been begun.
  void end() {
    incoming.reset();
    loan.reset();
    answer.reset();
    if (!offers.empty()) offers.clear();
    open.clear();
    pending.reset();
    crowded.clear();
    is_cancelled = false;
  }
};

}  // namespace kanor::rt::c_api
