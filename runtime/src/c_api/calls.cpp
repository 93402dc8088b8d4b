// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/calls.hpp"

#include <unistd.h>

#include "platform/text.hpp"

namespace kanor::rt::c_api {
namespace {

constexpr std::uint32_t world_channel = 0, self_channel = 1;

}  // namespace

Calls& Calls::of(Rank& rank) {
  std::unique_ptr<Attachment>& attached = attachment(rank, Attached::calls);
  if (!attached) attached = std::make_unique<Calls>();
  return static_cast<Calls&>(*attached);
}

kanor_mpi_request& Calls::new_request() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<kanor_mpi_request>());
    return *all_.back();
  }
  kanor_mpi_request& request = *free_.back();
  free_.pop_back();
  return request;
}

int fail_call(Rank& rank, const CallError& error) {
  Calls& calls = Calls::of(rank);
  calls.error = error.error;
  calls.text = error.text;
  if (switches(rank).check && !calls.ends_job)
    Line().text("kanor: rank ").number(rank_number(rank)).text(": ").text(calls.text).write_to(STDERR_FILENO);
  return error.error;
}

Members members(const Rank& rank, MPI_Comm comm) {
  if (comm == MPI_COMM_WORLD) return {world_channel, rank_number(rank), team_size(rank), false};
  if (comm == MPI_COMM_SELF) return {self_channel, 0, 1, true};
  throw CallError{MPI_ERR_COMM, "the communicator is neither MPI_COMM_WORLD nor MPI_COMM_SELF"};
}

namespace {

void check_rank(const Members& team, int rank) {
  if (rank < 0 || rank >= team.size)
    throw CallError{MPI_ERR_RANK, "there is no rank " + std::to_string(rank) + " in a communicator of " +
                                      std::to_string(team.size)};
}

}  // namespace

std::optional<Destination> destination(const Rank& rank, int to, int tag, MPI_Comm comm) {
  const Members team = members(rank, comm);
  if (tag < 0) throw CallError{MPI_ERR_TAG, "the tag is " + std::to_string(tag)};
  if (to == MPI_PROC_NULL) return std::nullopt;
  check_rank(team, to);
  return Destination{team.channel, team.world(rank, to), tag};
}

std::optional<Wanted> wanted(const Rank& rank, int from, int tag, MPI_Comm comm) {
  const Members team = members(rank, comm);
  if (tag < 0 && tag != MPI_ANY_TAG) throw CallError{MPI_ERR_TAG, "the tag is " + std::to_string(tag)};
  if (from == MPI_PROC_NULL) return std::nullopt;
  const int one_tag = tag == MPI_ANY_TAG ? any_tag : tag;
  if (from == MPI_ANY_SOURCE)
    return Wanted{team.channel, team.self ? rank_number(rank) : any_source, one_tag};
  check_rank(team, from);
  return Wanted{team.channel, team.world(rank, from), one_tag};
}

void*& pointer_at(void* address) {
  if (!address) throw CallError{MPI_ERR_ARG, "the address of the pointer is NULL"};
  return *static_cast<void**>(address);
}

MPI_Request& request_at(MPI_Request* request) {
  if (!request) throw CallError{MPI_ERR_ARG, "the address of the request is NULL"};
  return *request;
}

void check_requests(int count, const MPI_Request requests[]) {
  if (count < 0) throw CallError{MPI_ERR_COUNT, "the count is " + std::to_string(count)};
  if (count > 0 && !requests) throw CallError{MPI_ERR_ARG, "the array of requests is NULL"};
}

Region& owned_by(Rank& rank, const void* elements, std::size_t bytes, const char* call, const Place& place) {
  Region& buffer = owned(rank, elements, call, place);
  if (buffer.bytes < bytes)
    throw CallError{MPI_ERR_COUNT, std::to_string(bytes) + " bytes are given, but the buffer has " +
                                       std::to_string(buffer.bytes)};
  return buffer;
}

void set_status(MPI_Status* status, const Wanted& what, const Received& received, int error) {
  const bool self = what.channel == self_channel;
  if (status) *status = {self ? 0 : received.source, received.tag, error, received.bytes};
}

void set_empty_status(MPI_Status* status, int source) {
  if (status) *status = {source, MPI_ANY_TAG, MPI_SUCCESS, 0};
}

namespace {

kanor_mpi_request& begin(Rank& rank, void** pointer, const char* call, const Place& place) {
  kanor_mpi_request& request = Calls::of(rank).new_request();
  request.pointer = pointer;
  request.call = call;
  request.place = place;
  return request;
}

}  // namespace

MPI_Request begin_take(Rank& rank, const std::optional<Wanted>& what, std::size_t most_bytes, void** pointer,
                       const char* call, const Place& place) {
  if (!what) return from_nobody();
  kanor_mpi_request& request = begin(rank, pointer, call, place);
  Incoming& incoming = request.incoming.emplace(rank, *what, most_bytes);
  incoming.posted_by(call, place);
  Matcher::of(rank).post(incoming);
  return &request;
}

MPI_Request begin_receive(Rank& rank, const std::optional<Wanted>& what, std::size_t most_bytes, void* data,
                          std::shared_ptr<const Pieces> layout, const char* call) {
  if (!what) return from_nobody();
  kanor_mpi_request& request = begin(rank, nullptr, call, {});
  Incoming& incoming = request.incoming.emplace(rank, *what, most_bytes, data, std::move(layout));
  incoming.posted_by(call, {});
  Matcher::of(rank).post(incoming);
  return &request;
}

int settle(Rank& rank, const Incoming& incoming, void** pointer, const char* call, const Place& place) {
  if (pointer) *pointer = incoming.region() ? incoming.region()->object() : nullptr;
  return answered(rank, call, place, [&] {
    incoming.check(call, place);
    return MPI_SUCCESS;
  });
}

CallError as_call_error(const PassingError& error) {
  switch (error.what) {
    case PassingError::What::not_owned:
      return {MPI_ERR_BUFFER, error.text};
    case PassingError::What::lent:
      return {MPI_ERR_BUFFER, error.text};
    case PassingError::What::unlike:
      return {MPI_ERR_OTHER, error.text};
    case PassingError::What::other_layout:
      return {MPI_ERR_TYPE, error.text};
    case PassingError::What::too_long:
      break;
  }
  return {MPI_ERR_TRUNCATE, error.text};
}

}  // namespace kanor::rt::c_api
