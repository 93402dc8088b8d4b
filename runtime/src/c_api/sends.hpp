// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What MPI's sends have in common.
#pragma once

#include <kanor/mpi.h>

#include <optional>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {

/// Elements that a call has been given, `verb` ("send", "receive") says for what. These throw CallError.
Content content_of(const void* data, int count, MPI_Datatype type, const char* verb);
/// Throws it where a buffered send finds no room for such a message.
void check_buffer(const Calls& calls, const Content& content);

/// Sends at once what has to leave at once, so that it never waits; the request, whose `call` is noted, is
/// done when the send is complete.
void begin_send(Rank& self, Request& request, SendMode mode, const Content& content, const Destination& to);

/// Does the same for a new request, and returns its handle, or `completed`.
MPI_Request begin_send(Rank& self, Communicator& comm, SendMode mode, const char* call,
                       const Content& content, const std::optional<Destination>& to);

}  // namespace kanor::rt::c_api
