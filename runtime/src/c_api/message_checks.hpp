// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checked mode: do both sides of a message mean the same elements, and are its buffers left alone?
#pragma once

#include <kanor/mpi.h>

#include "c_api/predefined_types.hpp"
#include "c_api/request.hpp"
#include "c_api/types.hpp"
#include "ownership/passing.hpp"

namespace kanor::rt::c_api {

/// What a call says of elements of a committed datatype, whose number is not negative.
Described describe(int count, MPI_Datatype type);
/// The same in checked mode; nothing elsewhere.
inline Described described(const Rank& self, int count, MPI_Datatype type) {
  return self.home.switches.check ? describe(count, type) : Described{};
}

/// Has a receive, which is about to be posted, compare what comes with this, if it says anything.
inline void compare_on_arrival(Incoming& incoming, const Described& elements) {
  // What was packed may be anything.
  constexpr auto any_kind = static_cast<unsigned char>(predefined_number(MPI_PACKED));
  if (elements.element) [[unlikely]]
    incoming.expect(elements, any_kind);
}

/// The same for a receive of a request, into a buffer that nobody may write meanwhile.
inline void compare_and_guard(Incoming& incoming, const Described& elements) {
  compare_on_arrival(incoming, elements);
  if (incoming.checked()) [[unlikely]]
    incoming.guard();
}

// Called when a request is complete. From then on the program may write the buffer.

/// Throws CallError if a receive that has compared has found that the message is of other elements, or that
/// its buffer was written.
void check_receive(const Incoming& incoming);
/// Throws CallError if the buffer of a send, which `open` guards, was written.
void check_send(Request& request);

}  // namespace kanor::rt::c_api
