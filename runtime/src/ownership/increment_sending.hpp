// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sending a message in increments.
#pragma once

#include <cstdint>
#include <deque>

#include "ownership/increments.hpp"
#include "ownership/rendezvous.hpp"

namespace kanor::rt {

/// A message that is sent in increments. Belongs to the sender's thread.
class DeltaMessage {
 public:
  /// Sends the head; in checked mode with a note of the place. `increments`: their tag, which no other
  /// message of this rank has now. The content stays where it is.
  DeltaMessage(Rank& rank, const Content& content, const Destination& to, std::int32_t increments,
               const Place& place);
  ~DeltaMessage();
  DeltaMessage(const DeltaMessage&) = delete;
  DeltaMessage& operator=(const DeltaMessage&) = delete;

  /// Sends a range of the content's bytes, all of them if they have gaps; does not wait. Long ones are
  /// offered, as long messages are: they must not change until all of `offers` are over.
  void send(const Range& range, bool is_last, std::deque<Offer>& offers);

  /// Returns true if the receiver has not taken all increments yet, as far as this rank sees that.
  bool is_behind() const;
  /// Returns true if it has taken some, or if this rank can't see that and has sent some.
  bool is_being_taken() const;
  /// Returns false if this rank can't see how far the receiver is: over a network.
  bool sees_receiver() const { return taken_ != nullptr; }
  /// Over a network, MPI sends so many bytes on its own. It sends longer messages only after an answer.
  static constexpr std::size_t piece_bytes = (std::size_t{16} << 10) - sizeof(IncrementHead);
  /// Returns false if there was no room, as send_copy_at_once() does, for something that was sent.
  bool has_fitted() const { return has_fitted_; }
  int receiver() const { return to_; }

  /// The same as a copy: the content may change at once.
  void send_copy(const Range& range, bool is_last);

 private:
  /// The same over a network, while the rank goes on computing: it would see the answer in its next call
  /// only.
  void send_pieces(const Range& range);

  Rank& rank_;
  const Content content_;
  const int to_;
  const std::int32_t tag_;
  Region* taken_ = nullptr;  ///< with a Taken; null if the receiver shares no memory with this rank
  std::uint64_t sent_ = 0;   ///< increments
  bool has_fitted_ = true;
};

/// The bytes of the parts in which a copy goes to rank `to`, or 0 if it goes as one message: if it is short,
/// in checked mode, where its buffer is looked at as a whole, or if the ranks share no memory. The larger the
/// copy, the larger the parts: nothing overlaps the packing of the first and the unpacking of the last, and
/// each costs some time. One block is packed fast, so it must be longer than data with gaps. The fixed
/// pipeline of Schneider et al., "Compiler Optimizations for Non-Contiguous Remote Data Movement", section 2.
std::size_t part_bytes(const Rank& rank, const Content& content, int to);
/// Sends a copy in parts, so that the receiver copies one while the next is packed. Does not wait; returns
/// what send_copy_at_once() does. `increments`: as for a DeltaMessage.
bool send_in_parts(Rank& rank, const Content& content, const Destination& to, std::int32_t increments,
                   std::size_t part);

}  // namespace kanor::rt
