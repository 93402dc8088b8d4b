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
  /// Returns false if there was no room, as send_copy_at_once() does, for something that was sent.
  bool has_fitted() const { return has_fitted_; }
  int receiver() const { return to_; }

 private:
  Rank& rank_;
  const Content content_;
  const int to_;
  const std::int32_t tag_;
  Region* taken_ = nullptr;  ///< with a Taken; null if the receiver shares no memory with this rank
  std::uint64_t sent_ = 0;   ///< increments
  bool has_fitted_ = true;
};

}  // namespace kanor::rt
