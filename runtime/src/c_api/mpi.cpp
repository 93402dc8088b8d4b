// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/mpi.h.
#include <kanor/mpi.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "c_api/calls.hpp"
#include "collectives/barrier.hpp"
#include "job/failure.hpp"
#include "platform/wait.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

/// The body of MPI_Send and MPI_Isend.
void send(Rank& self, const char* call, const void* data, int count, MPI_Datatype type, int to, int tag,
          MPI_Comm comm) {
  const std::size_t bytes = bytes_of(count, type);
  const std::optional<Destination> there = destination(self, to, tag, comm);
  if (!data && bytes > 0) throw CallError{MPI_ERR_BUFFER, "the buffer to send is NULL"};
  if (!there) return;
  const std::shared_ptr<const Pieces> pieces = layout_of(type);
  if (!pieces) return send_copy(self, data, bytes, *there, {call, 0});
  std::vector<std::byte> packed(bytes);
  pieces->pack(packed.data(), static_cast<const std::byte*>(data), static_cast<std::size_t>(count));
  send_copy(self, packed.data(), bytes, *there, {call, 0});
}

/// Gives up a request that is complete, and returns its error.
int finish(Rank& self, MPI_Request& request, MPI_Status* status) {
  kanor_mpi_request& done = *request;
  request = MPI_REQUEST_NULL;
  int error = MPI_SUCCESS;
  if (done.loan) {
    done.loan.reset();
    set_empty_status(status, MPI_ANY_SOURCE);
  } else {
    const Incoming& incoming = *done.incoming;
    error = settle(self, incoming, done.pointer, done.call, done.place);
    set_status(status, incoming.wanted(), incoming.received(), error);
  }
  Calls::of(self).free(done);
  return error;
}

/// Completes a request that needs no waiting. Returns true if it was one.
bool is_settled(MPI_Request& request, MPI_Status* status) {
  if (!needs_no_waiting(request)) return false;
  set_empty_status(status, request == from_nobody() ? MPI_PROC_NULL : MPI_ANY_SOURCE);
  request = MPI_REQUEST_NULL;
  return true;
}

Receive& open_receive(MPI_Request request) {
  Receive* const receive = request->receive();
  if (!receive) throw CallError{MPI_ERR_REQUEST, "the request has been completed before"};
  return *receive;
}

int wait(Rank& self, MPI_Request& request, MPI_Status* status) {
  if (is_settled(request, status)) return MPI_SUCCESS;
  Receive& receive = open_receive(request);
  if (!receive.done()) Matcher::of(self).wait(receive);
  return finish(self, request, status);
}

/// Returns true if a request is done, after a look at what has come for it.
bool is_done(Rank& self, MPI_Request request) {
  if (needs_no_waiting(request)) return true;
  Receive& receive = open_receive(request);
  if (!receive.done()) Matcher::of(self).progress(receive.wanted().source, &receive);
  return receive.done();
}

/// Waits for several requests. Returns MPI_ERR_IN_STATUS where one of them has failed, without statuses its
/// error, after all have been seen to.
int wait_all(Rank& self, int count, MPI_Request requests[], MPI_Status statuses[]) {
  int result = MPI_SUCCESS;
  for (int i = 0; i < count; ++i) {
    const int error = wait(self, requests[i], statuses ? &statuses[i] : nullptr);
    if (error != MPI_SUCCESS) result = statuses ? MPI_ERR_IN_STATUS : error;
  }
  return result;
}

}  // namespace

int MPI_Init(int*, char***) { return MPI_SUCCESS; }

int MPI_Initialized(int* flag) {
  *flag = 1;
  return MPI_SUCCESS;
}

int MPI_Finalize() { return MPI_SUCCESS; }

int MPI_Abort(MPI_Comm, int status) {
  const int shown = status == 0 ? 1 : status;
  report(current_rank(), "MPI_Abort with status " + std::to_string(status));
  end_job(shown);
}

double MPI_Wtime() { return static_cast<double>(monotonic_us()) * 1e-6; }

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_rank", [&] {
    *rank = members(self, comm).rank;
    return MPI_SUCCESS;
  });
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_size", [&] {
    *size = members(self, comm).size;
    return MPI_SUCCESS;
  });
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  Rank& self = caller();
  return handled(self, "MPI_Comm_set_errhandler", [&] {
    members(self, comm);
    if (handler != MPI_ERRORS_RETURN && handler != MPI_ERRORS_ARE_FATAL)
      throw CallError{MPI_ERR_ARG, "the error handler is neither MPI_ERRORS_RETURN nor MPI_ERRORS_ARE_FATAL"};
    Calls::of(self).returns_errors = handler == MPI_ERRORS_RETURN;
    return MPI_SUCCESS;
  });
}

int MPI_Error_string(int code, char* text, int* length) {
  const Calls& calls = Calls::of(caller());
  std::string words = code == MPI_SUCCESS         ? "no error"
                      : code == calls.error       ? calls.text
                      : code == MPI_ERR_IN_STATUS ? "one of the requests has failed: its status says why"
                                                  : "error class " + std::to_string(code);
  words.resize(std::min<std::size_t>(words.size(), MPI_MAX_ERROR_STRING - 1));
  std::memcpy(text, words.c_str(), words.size() + 1);
  *length = static_cast<int>(words.size());
  return MPI_SUCCESS;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, "MPI_Send", [&] {
    send(self, "MPI_Send", data, count, type, rank, tag, comm);
    return MPI_SUCCESS;
  });
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Isend", [&] {
    request_at(request) = MPI_REQUEST_NULL;
    send(self, "MPI_Isend", data, count, type, rank, tag, comm);
    *request = completed();
    return MPI_SUCCESS;
  });
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Recv", [&] {
    const std::size_t most_bytes = bytes_of(count, type);
    const std::optional<Wanted> what = wanted(self, rank, tag, comm);
    if (!what) {
      set_empty_status(status, MPI_PROC_NULL);
      return MPI_SUCCESS;
    }
    Incoming incoming(self, *what, most_bytes, data, layout_of(type));
    receive(self, incoming);
    const int error = settle(self, incoming, nullptr, "MPI_Recv", {});
    set_status(status, *what, incoming.received(), error);
    return error;
  });
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Irecv", [&] {
    request_at(request) = MPI_REQUEST_NULL;
    *request = begin_receive(self, wanted(self, rank, tag, comm), bytes_of(count, type), data,
                             layout_of(type), "MPI_Irecv");
    return MPI_SUCCESS;
  });
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Wait", [&] { return wait(self, request_at(request), status); });
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Test", [&] {
    *flag = is_done(self, request_at(request));
    if (*flag) return wait(self, *request, status);
    Matcher::of(self).rest(open_receive(*request));
    return MPI_SUCCESS;
  });
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  Rank& self = caller();
  return handled(self, "MPI_Waitall", [&] {
    check_requests(count, requests);
    return wait_all(self, count, requests, statuses);
  });
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  Rank& self = caller();
  return handled(self, "MPI_Testall", [&] {
    check_requests(count, requests);
    MPI_Request open = MPI_REQUEST_NULL;
    for (int i = 0; i < count; ++i)
      if (!is_done(self, requests[i])) open = requests[i];
    *flag = open == MPI_REQUEST_NULL;
    if (*flag) return wait_all(self, count, requests, statuses);
    Matcher::of(self).rest(open_receive(open));
    return MPI_SUCCESS;
  });
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Waitany", [&] {
    check_requests(count, requests);
    *index = MPI_UNDEFINED;
    const bool any = std::any_of(requests, requests + count,
                                 [](MPI_Request request) { return request != MPI_REQUEST_NULL; });
    if (!any) {
      set_empty_status(status, MPI_ANY_SOURCE);
      return MPI_SUCCESS;
    }
    // Each begins behind the one that was found last, so that none waits for ever.
    int& turn = Calls::of(self).turn;
    Matcher::of(self).wait_for_any([&] {
      for (int i = 0; i < count && *index == MPI_UNDEFINED; ++i) {
        const int one = (turn + i) % count;
        if (requests[one] != MPI_REQUEST_NULL && is_done(self, requests[one])) *index = one;
      }
      return *index != MPI_UNDEFINED;
    });
    turn = *index + 1;
    return wait(self, requests[*index], status);
  });
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  Rank& self = caller();
  return handled(self, "MPI_Get_count", [&] {
    const std::size_t bytes = bytes_of(type);
    const std::size_t elements = status->kanor_bytes / bytes;
    const bool whole = status->kanor_bytes % bytes == 0 && elements <= std::numeric_limits<int>::max();
    *count = whole ? static_cast<int>(elements) : MPI_UNDEFINED;
    return MPI_SUCCESS;
  });
}

int MPI_Barrier(MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, "MPI_Barrier", [&] {
    if (!members(self, comm).self) collectives::barrier(self);
    return MPI_SUCCESS;
  });
}
