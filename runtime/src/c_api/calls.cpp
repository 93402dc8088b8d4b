// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/calls.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <utility>

#include "c_api/message_checks.hpp"
#include "job/failure.hpp"
#include "platform/text.hpp"

namespace kanor::rt::c_api {
namespace {

constexpr std::uint32_t world_channel = 0, self_channel = 1;

Members all_ranks(const Rank& rank) {
  std::vector<int> all(static_cast<std::size_t>(team_size(rank)));
  std::iota(all.begin(), all.end(), 0);
  return std::make_shared<const std::vector<int>>(std::move(all));
}

Members only(int rank) { return std::make_shared<const std::vector<int>>(1, rank); }

}  // namespace

Calls::Calls(Rank& rank)
    : world(world_channel, all_ranks(rank), rank_number(rank)),
      self(self_channel, only(rank_number(rank)), rank_number(rank)) {
  world.name = "MPI_COMM_WORLD";
  self.name = "MPI_COMM_SELF";
  take_early_start(rank, environment);
}

void Calls::attach(Rank& rank) { attachment(rank, Attached::calls) = std::make_unique<Calls>(rank); }

std::pair<Request&, MPI_Request> Calls::new_request(Communicator& comm) {
  if (!messages.freed.empty()) free_those_done();
  std::unique_ptr<Request> made;
  if (spare_.empty()) {
    made = std::make_unique<Request>();
  } else {
    made = std::move(spare_.back());
    spare_.pop_back();
  }
  made->comm = &comm;
  ++comm.uses;
  Request& request = *made;
  return {request, requests.add(std::move(made))};
}

void Calls::free(MPI_Request handle) {
  std::unique_ptr<Request> request = requests.remove(handle);
  request->end();
  request->recipe.reset();
  request->is_active = true;
  request->is_freed = false;
  release(*request->comm);
  spare_.push_back(std::move(request));
}

void Calls::free_those_done() {
  // The functions that are called may begin requests, and free others.
  for (const MPI_Request handle : std::exchange(messages.freed, {})) {
    Request& request = *requests.find(handle);
    Receive* const receive = request.receive();
    const bool is_done =
        receive ? receive->done()
                : (!request.pending || request.pending->is_done(caller())) && request.offers_are_over();
    if (!is_done) {
      messages.freed.push_back(handle);
      continue;
    }
    if (request.pending) request.pending->release();
    free(handle);
  }
}

MPI_Comm Calls::handle_of(const Communicator& comm) const {
  return &comm == &self ? MPI_COMM_SELF : communicators.handle_of(comm, MPI_COMM_WORLD);
}

void Calls::release(Communicator& comm) {
  if (--comm.uses > 0) return;
  std::erase_if(freed_, [&](const auto& one) { return one.get() == &comm; });
}

void Calls::free_communicator(MPI_Comm handle) {
  freed_.push_back(communicators.remove(handle));
  release(*freed_.back());
}

void print_error(Rank& rank, const std::string& text) {
  Line().text("kanor: rank ").number(rank_number(rank)).text(": ").text(text).write_to(STDERR_FILENO);
}

int fail_call(Rank& rank, const CallError& error, Asks asks) {
  Calls& calls = Calls::of(rank);
  calls.error = error.error;
  calls.text = error.text;
  if (switches(rank).check && asks == Asks::nobody) print_error(rank, calls.text);
  return error.error;
}

int new_tags(Rank& rank, int count) {
  int& next = Calls::of(rank).messages.next_tag;
  // From 0 on again after the largest.
  if (next > INT_MAX - count) next = 0;
  return std::exchange(next, next + count);
}

void check_root(const Communicator& comm, int root) {
  if (root < 0 || root >= comm.size())
    throw CallError{MPI_ERR_ROOT, "there is no root " + std::to_string(root) + " in a communicator of " +
                                      std::to_string(comm.size())};
}

void fail_tag(int tag) { throw CallError{MPI_ERR_TAG, "the tag is " + std::to_string(tag)}; }

void fail_rank(const Communicator& comm, int rank) {
  throw CallError{MPI_ERR_RANK, "there is no rank " + std::to_string(rank) + " in a communicator of " +
                                    std::to_string(comm.size())};
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

void set_status(MPI_Status* status, const Communicator& comm, const Received& received, int error) {
  if (!status) return;
  *status = {comm.peers().number_of(received.source), received.tag, status->MPI_ERROR, 0, received.bytes};
  if (error != MPI_SUCCESS) status->MPI_ERROR = error;
}

void set_empty_status(MPI_Status* status, int source) {
  if (status) *status = {source, MPI_ANY_TAG, status->MPI_ERROR, 0, 0};
}

MPI_Request prepared(Rank& rank, Communicator& comm, Recipe recipe) {
  const auto [request, handle] = Calls::of(rank).new_request(comm);
  request.pointer = nullptr;
  request.call = "MPI_Start";
  request.place = {};
  request.is_active = false;
  request.recipe = std::make_unique<const Recipe>(std::move(recipe));
  return handle;
}

void begin(Rank& rank, Receive& receive) {
  Matcher& matcher = Matcher::of(rank);
  matcher.post(receive);
  matcher.mind_others();
}

MPI_Request begin_take(Rank& rank, Communicator& comm, const std::optional<Wanted>& what,
                       std::size_t most_bytes, const Described& elements, void** pointer, const char* call,
                       const Place& place) {
  if (!what) return from_nobody;
  const auto [request, handle] = Calls::of(rank).new_request(comm);
  request.pointer = pointer;
  request.call = call;
  request.place = place;
  Incoming& incoming = request.incoming.emplace(rank, *what, most_bytes);
  incoming.posted_by(call, place);
  compare_on_arrival(incoming, elements);
  begin(rank, incoming);
  return handle;
}

MPI_Request begin_receive(Rank& rank, Communicator& comm, const std::optional<Wanted>& what,
                          const Content& into, const char* call) {
  if (!what) return from_nobody;
  const auto [request, handle] = Calls::of(rank).new_request(comm);
  request.pointer = nullptr;
  request.call = call;
  request.place = {};
  Incoming& incoming =
      request.incoming.emplace(rank, *what, into.bytes, const_cast<void*>(into.data), into.layout);
  incoming.posted_by(call, {});
  compare_and_guard(incoming, into.described);
  begin(rank, incoming);
  return handle;
}

int settle(Rank& rank, const Incoming& incoming, void** pointer, const char* call, const Place& place,
           Asks asks) {
  if (pointer) *pointer = incoming.region() ? incoming.region()->object() : nullptr;
  const auto check = [&] {
    if (incoming.checked()) [[unlikely]]
      check_receive(incoming);
    incoming.check(call, place);
    return MPI_SUCCESS;
  };
  return answered(rank, call, place, check, asks);
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
