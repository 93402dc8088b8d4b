// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C functions have in common: handles, requests, and errors as status codes.
#pragma once

#include <kanor/mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "c_api/types.hpp"
#include "ownership/lending.hpp"
#include "ownership/passing.hpp"

/// A nonblocking receive or take, or a loan.
struct kanor_mpi_request {
  std::optional<kanor::rt::Incoming> incoming;
  std::optional<kanor::rt::Loan> loan;
  void** pointer = nullptr;  ///< where a take puts its buffer; null for others
  const char* call = "";     ///< the call that began it
  kanor::rt::Place place;

  /// The pending operation; null if the request is not in use.
  kanor::rt::Receive* receive() {
    if (incoming) return &*incoming;
    return loan ? &*loan : nullptr;
  }
};

namespace kanor::rt::c_api {

/// A rank's state that outlives a call: requests that can be used again, and the latest error.
class Calls final : public Attachment {
 public:
  static Calls& of(Rank& rank);

  /// A request that is not in use.
  kanor_mpi_request& new_request();
  void free(kanor_mpi_request& request) {
    request.incoming.reset();
    request.loan.reset();
    free_.push_back(&request);
  }

  bool returns_errors = false;  ///< MPI's calls return errors, in MPI_COMM_WORLD
  bool ends_job = false;        ///< an error of the running call ends the job, which prints it
  int error = MPI_SUCCESS;
  std::string text;
  int turn = 0;                            ///< index at which MPI_Waitany begins
  std::uint32_t collectives = 0;           ///< number of OPI's in which the rank has taken part
  std::uint64_t exchanges = 0;             ///< number of MPI's in which it has taken part
  std::unordered_set<MPI_Datatype> types;  ///< those made, and not freed
  std::unordered_set<MPI_Op> operations;

 private:
  std::vector<std::unique_ptr<kanor_mpi_request>> all_;
  std::vector<kanor_mpi_request*> free_;
};

/// The calling thread's rank; outside of ranks it ends the job.
inline Rank& caller() { return here("an MPI or OPI function was called"); }

/// Notes an error, and prints it in checked mode, unless the job ends with it; returns its class.
int fail_call(Rank& rank, const CallError& error);

/// The members of a communicator.
struct Members {
  std::uint32_t channel;
  int rank, size;
  bool self;  ///< only the calling rank
  /// A member's number in the job.
  int world(const Rank& caller, int member) const { return self ? rank_number(caller) : member; }
};

/// The members of `comm`. This and what follows throw CallError where an argument is wrong.
Members members(const Rank& rank, MPI_Comm comm);
/// Null if the other side is MPI_PROC_NULL.
std::optional<Destination> destination(const Rank& rank, int to, int tag, MPI_Comm comm);
std::optional<Wanted> wanted(const Rank& rank, int from, int tag, MPI_Comm comm);

/// The pointer, and the request, whose address a call has been given.
void*& pointer_at(void* address);
MPI_Request& request_at(MPI_Request* request);
/// Checks the requests of an array.
void check_requests(int count, const MPI_Request requests[]);
/// The buffer of that pointer, of at least so many bytes. Throws PassingError too.
Region& owned_by(Rank& rank, const void* elements, std::size_t bytes, const char* call, const Place& place);

/// Requests that are complete from the beginning: of something sent or given, and of a receive from
/// MPI_PROC_NULL.
inline MPI_Request completed() { return reinterpret_cast<MPI_Request>(std::uintptr_t{1}); }
inline MPI_Request from_nobody() { return reinterpret_cast<MPI_Request>(std::uintptr_t{2}); }
/// Returns true if there is nothing to wait for: for these and MPI_REQUEST_NULL.
inline bool needs_no_waiting(MPI_Request request) {
  return request == MPI_REQUEST_NULL || request == completed() || request == from_nobody();
}

void set_status(MPI_Status* status, const Wanted& what, const Received& received, int error);
/// Sets the status of an operation without a message: a receive from MPI_PROC_NULL, or a send.
void set_empty_status(MPI_Status* status, int source);

/// Posts a take, which OPI_Error_text() speaks of as `call`.
MPI_Request begin_take(Rank& rank, const std::optional<Wanted>& what, std::size_t most_bytes, void** pointer,
                       const char* call, const Place& place);
/// Posts a receive.
MPI_Request begin_receive(Rank& rank, const std::optional<Wanted>& what, std::size_t most_bytes, void* data,
                          std::shared_ptr<const Pieces> layout, const char* call);

/// Puts the buffer of a take that is done where its caller wants it, and returns the error class.
int settle(Rank& rank, const Incoming& incoming, void** pointer, const char* call, const Place& place);

/// A PassingError as MPI sees it.
CallError as_call_error(const PassingError& error);

/// Runs the body of a C function, and turns CallError, whose text is put behind the call and its place, and
/// PassingError into its result.
template <class Body>
int answered(Rank& rank, const char* call, const Place& place, Body body) {
  try {
    return body();
  } catch (const CallError& error) {
    return fail_call(rank, {error.error, text_of(call, place) + " on rank " +
                                             std::to_string(rank_number(rank)) + ": " + error.text});
  } catch (const PassingError& error) {
    return fail_call(rank, as_call_error(error));
  }
}

/// The same for a call that may wait.
template <class Body>
int guarded(Rank& rank, const char* call, const Place& place, Body body) {
  const InCall in_call(rank, call, place);
  return answered(rank, call, place, body);
}

/// The same for MPI's functions, which ask the communicator's error handler.
template <class Body>
int handled(Rank& rank, const char* call, Body body) {
  Calls& calls = Calls::of(rank);
  calls.ends_job = !calls.returns_errors;
  const int error = guarded(rank, call, {}, body);
  calls.ends_job = false;
  if (error != MPI_SUCCESS && !calls.returns_errors) fail(calls.text);
  return error;
}

}  // namespace kanor::rt::c_api
