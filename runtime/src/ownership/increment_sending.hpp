// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sending a message in increments.
#pragma once

#include <cstdint>
#include <deque>

#include "ownership/increments.hpp"
#include "ownership/rendezvous.hpp"

namespace kanor::rt {

// Neither waits; both return what send_copy_at_once() does.

/// Sends the head of a message with this content, whose increments have this tag; in checked mode with a note
/// of the place.
bool send_delta_head(Rank& rank, const Content& content, const Destination& to, std::int32_t increments,
                     const Place& place);
/// Sends a range of the content's bytes, all of them if they have gaps. To ranks that see this one's memory
/// bytes are offered where they lie, unless they are few: they must not change until all of `offers` are
/// over.
bool send_increment(Rank& rank, const Content& content, const Range& range, bool is_last, int to,
                    std::int32_t increments, std::deque<Offer>& offers);

}  // namespace kanor::rt
