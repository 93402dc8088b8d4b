// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that come in increments, while they are computed: what travels, and what has come. How they are
// sent: increment_sending.hpp.
//
// The first message, of Form::delta, is matched as others are. It says how long the whole may be, and in
// which tag of increment_channel the increments follow. A receive that gets it goes on with those, until the
// last. Bao et al., "Delta Send-Recv for Dynamic Pipelining in MPI Programs", CCGrid 2012, section II.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "layout/spread.hpp"
#include "match/receive.hpp"
#include "ownership/ranges.hpp"
#include "ownership/region.hpp"

namespace kanor::rt {

/// The channel of all increments. Their tags tell the messages of one sender from each other.
inline constexpr std::uint32_t increment_channel = first_inner_channel + 3;

/// How far a receiver has come, in memory that both sides see: the object of a Region, to which each has a
/// reference.
struct Taken {
  std::atomic<std::uint64_t> increments{0};  ///< relaxed: it guards nothing
};

/// The payload of Form::delta; in checked mode a note follows.
struct DeltaHead {
  std::uint64_t bytes = 0;  ///< of the whole message, at most
  Region* taken = nullptr;  ///< a reference is the receiver's; null: the ranks share no memory
  std::int32_t tag = 0;     ///< of its increments
};
DeltaHead delta_head_in(const std::byte* payload);

/// The beginning of an increment. Its bytes follow it, or are a message of their own, which is offered.
struct IncrementHead {
  std::uint64_t offset = 0;  ///< in the message's bytes, as they are packed
  std::uint64_t bytes = 0;
  bool is_offered = false;
  bool is_last = false;
};

/// What has come of one message. Belongs to the receiver's thread.
class Increments {
 public:
  /// `taken`: of the head.
  explicit Increments(Region* taken) : taken_(taken) {}
  ~Increments();
  Increments(const Increments&) = delete;
  Increments& operator=(const Increments&) = delete;

  /// Takes the next message of this one's tag, and copies what it brings to where it belongs in `to`, up to
  /// `most_bytes`. Returns true if it was the last.
  bool take(Rank& rank, const Arrival& arrival, const Spread& to, std::size_t most_bytes);
  bool has(const Range& range) const { return here_.has(range); }
  const Ranges& here() const { return here_; }
  /// How many have come.
  std::uint64_t count() const { return count_; }
  /// The end of the last byte that has come.
  std::size_t end() const { return here_.end(); }

 private:
  Region* const taken_;
  IncrementHead head_;
  bool awaits_offer_ = false;  ///< the head's bytes come next
  Ranges here_;
  std::uint64_t count_ = 0;
};

}  // namespace kanor::rt
