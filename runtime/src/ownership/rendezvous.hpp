// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long messages that are copied once, from where the sender has them to where the receiver wants them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "layout/spread.hpp"
#include "ownership/passing.hpp"

namespace kanor::rt {

/// The content of a message where its sender has it, in memory that both sides see. The message itself is
/// the address of this.
///
///     offered --(receiver)--> taken --(receiver)--> over
///        |
///        +-----(sender)-----> copied
///
/// Either side leaves `offered` by a compare-exchange, so only one of them does. Once the receiver has taken
/// it, it copies the content. If that has several pieces, the sender copies some of them while it waits, and
/// the receiver waits for the sender's last one.
/// A sender that waits in vain copies the content and goes on, as if it had sent the copy; its copy comes
/// before the exchange, so the receiver never waits for it. `over` is the receiver's last access: this is the
/// sender's memory. From `copied` on it is the receiver's, and so is the copy, which counts as in flight.
/// Friedley et al., PPoPP 2013, section 2: the single copy of Hybrid MPI.
struct alignas(64) Rendezvous {
  enum class State : std::uint32_t { offered, taken, copied, over };

  /// Release by whoever changes it, acquire by whoever reads it; `over` is sequentially consistent, because
  /// its reader may be about to sleep.
  std::atomic<State> state{State::offered};
  std::size_t bytes = 0;
  Spread from;              ///< the sender's, until `copied`
  Message* copy = nullptr;  ///< holds the content from then on
  Spread to;                ///< the receiver's place, from `taken` on
  std::size_t end = 0;      ///< bytes that it takes: all, or those for which it has room

  alignas(64) std::atomic<std::size_t> begun{0};  ///< pieces that one of the two copies, or has copied
  std::atomic<std::size_t> ended{0};              ///< pieces that have been copied; release, acquire
};

/// Returns true if messages to that rank may be offered: it is another one, and reads this rank's memory by
/// the same addresses.
bool can_offer(const Rank& rank, int to);

/// How long a sender waits for a receiver before it copies the content itself: about as long as that takes,
/// so a wait in vain at most doubles the time. Made when the wait begins.
class Patience {
 public:
  Patience(const Rank& rank, std::size_t bytes);
  /// Gives the receiver some time. Returns false if that was the last.
  bool lasts();

 private:
  std::uint64_t end_us_;  ///< 0: the receiver may need this core
  unsigned looks_ = 0;
};

/// A send of a long message, which it offers. The elements must not change until is_over(). Belongs to the
/// rank's thread.
class Offer {
 public:
  /// A synchronous send is complete only when somebody has received.
  Offer(Rank& rank, const Content& elements, const Destination& to, bool is_synchronous);
  ~Offer() { end(); }
  Offer(const Offer&) = delete;
  Offer& operator=(const Offer&) = delete;

  /// Returns true if the send is complete; helps a receiver that copies. Does not wait.
  bool is_over();
  /// Waits until it is: for a receiver as long as the patience lasts, then for room for a copy as send()
  /// does, or the receiver. A synchronous send waits for the receiver alone, and so does one for whose copy
  /// there is no memory.
  void wait(Patience& patience);
  void wait() {
    Patience patience(rank_, bytes());
    wait(patience);
  }
  /// Copies the content, whether there is room for it or not, unless the receiver has begun to, or there is
  /// no memory; then the send is complete. Not for a synchronous one. As a send that does not wait goes
  /// beyond KANOR_INFLIGHT.
  void stop_offering();
  /// Makes the content one that the program may change: waits for a receiver that copies, and copies it if
  /// nobody has begun to.
  void end();
  /// Called after looks in vain by a rank that polls and never waits: after some, it stops offering.
  void rest();
  /// The bytes of what it offers; 0 if it is over.
  std::size_t bytes() const { return memory_ ? offer().bytes : 0; }

 private:
  Rendezvous& offer() const { return *reinterpret_cast<Rendezvous*>(memory_.data()); }
  bool copy_content(Buffer copied, bool anyway);

  Rank& rank_;
  Buffer memory_;  ///< of the offer; empty: the send is complete
  std::shared_ptr<const Layout> layout_;
  const int to_;
  const bool is_synchronous_;
  int vain_looks_ = 0;
};

/// The rendezvous that a message of Form::offered tells of.
Rendezvous& rendezvous_in(const std::byte* payload);
/// Copies at most `most_bytes` bytes of the content to where they belong; then the sender may go on.
void accept(Rank& rank, Rendezvous& offer, int sender, const Spread& to, std::size_t most_bytes);

}  // namespace kanor::rt
