// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the blocking receives have in common.
#pragma once

#include <kanor/mpi.h>

#include <optional>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {

/// Waits for a receive of this content, which has not been posted, and returns the error class.
int receive_now(Rank& self, Incoming& incoming, const Content& content, const CallSite& call);
/// Receives for `call`, and returns the error class. Null: from MPI_PROC_NULL.
int receive_into(Rank& self, const CallSite& call, const Communicator& comm,
                 const std::optional<Wanted>& what, const Content& content, MPI_Status* status);

}  // namespace kanor::rt::c_api
