// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the calls of kanor/delta.h do, for calls of other names too.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>

#include "c_api/calls.hpp"

namespace kanor::rt::c_api {

// Delta_send_begin, Delta_send_data and Delta_wait. They return the error class.
int begin_delta_send(const CallSite& call, const void* data, int count, MPI_Datatype type, int rank, int tag,
                     MPI_Comm comm, MPI_Request* request);
int name_delta_data(const CallSite& call, const void* data, std::size_t bytes);
int wait_for_delta(const CallSite& call, MPI_Request* request, MPI_Status* status);

inline constexpr std::size_t all_bytes = ~std::size_t{0};
/// Waits until the first `bytes` bytes of a receive without gaps have come. Returns how many of the first
/// ones have; `all_bytes`: the message is complete, or there is none.
std::size_t wait_for_beginning(const CallSite& call, MPI_Request request, std::size_t bytes);

/// Returns true if a part of a delta send that has begun was taken by the receiver, or is on its way to
/// another host; or if a receive gets its message in parts.
bool travels_meanwhile(MPI_Request request);

}  // namespace kanor::rt::c_api
