// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's functions that wait for requests, test them, and give them up.
#include <kanor/mpi.h>

#include <string>
#include <utility>

#include "c_api/completion.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

template <class T>
T& at(T* address, const char* what) {
  if (!address) throw CallError{MPI_ERR_ARG, std::string("the address of the ") + what + " is NULL"};
  return *address;
}

/// Collectives under way can be neither freed nor cancelled (MPI 3.1, section 5.12), nor can others.
void check_may_stop(const Request& request) {
  if (request.pending && request.pending->must_end())
    throw CallError{MPI_ERR_REQUEST,
                    std::string("the request is that of ") + request.call + ", which can only be completed"};
}

}  // namespace

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return completing("MPI_Wait",
                    [&](Completion& completion) { return completion.wait(request_at(request), status); });
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return completing("MPI_Test", [&](Completion& completion) {
    at(flag, "flag") = completion.is_done(request_at(request));
    if (*flag) return completion.conclude(*request, status);
    completion.rest(*request);
    return MPI_SUCCESS;
  });
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return completing("MPI_Waitall", [&](Completion& completion) {
    check_requests(count, requests);
    return completion.wait_all(count, requests, statuses);
  });
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return completing("MPI_Testall", [&](Completion& completion) {
    check_requests(count, requests);
    MPI_Request open = MPI_REQUEST_NULL;
    for (int i = 0; i < count; ++i)
      if (!completion.is_done(requests[i])) open = requests[i];
    at(flag, "flag") = open == MPI_REQUEST_NULL;
    if (!*flag) {
      completion.rest(open);
      return MPI_SUCCESS;
    }
    Errors errors(statuses);
    for (int i = 0; i < count; ++i)
      errors.add(completion.conclude(requests[i], statuses ? statuses + i : nullptr));
    return errors.result();
  });
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return completing("MPI_Waitany", [&](Completion& completion) {
    check_requests(count, requests);
    at(index, "index") = MPI_UNDEFINED;
    if (!completion.any_is_active(count, requests)) {
      set_empty_status(status, MPI_ANY_SOURCE);
      return MPI_SUCCESS;
    }
    *index = completion.wait_for_any(count, requests);
    return completion.conclude(requests[*index], status);
  });
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return completing("MPI_Testany", [&](Completion& completion) {
    check_requests(count, requests);
    at(flag, "flag") = 1;
    at(index, "index") = MPI_UNDEFINED;
    if (!completion.any_is_active(count, requests)) {
      set_empty_status(status, MPI_ANY_SOURCE);
      return MPI_SUCCESS;
    }
    *index = completion.find_done(count, requests);
    if (*index != MPI_UNDEFINED) return completion.conclude(requests[*index], status);
    *flag = 0;
    completion.rest_with_any(count, requests);
    return MPI_SUCCESS;
  });
}

int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  return completing("MPI_Waitsome", [&](Completion& completion) {
    check_requests(count, requests);
    at(done, "number of completed requests") = MPI_UNDEFINED;
    if (!completion.any_is_active(count, requests)) return MPI_SUCCESS;
    at(indices, "indices");
    completion.wait_for_any(count, requests);
    return completion.conclude_some(count, requests, *done, indices, statuses);
  });
}

int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  return completing("MPI_Testsome", [&](Completion& completion) {
    check_requests(count, requests);
    at(done, "number of completed requests") = MPI_UNDEFINED;
    if (!completion.any_is_active(count, requests)) return MPI_SUCCESS;
    at(indices, "indices");
    const int error = completion.conclude_some(count, requests, *done, indices, statuses);
    if (*done == 0) completion.rest_with_any(count, requests);
    return error;
  });
}

int MPI_Request_free(MPI_Request* request) {
  return completing("MPI_Request_free", [&](Completion& completion) {
    const MPI_Request handle = request_at(request);
    if (handle == MPI_REQUEST_NULL) throw CallError{MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL"};
    if (!needs_no_waiting(handle)) check_may_stop(completion.at(handle));
    *request = MPI_REQUEST_NULL;
    if (needs_no_waiting(handle)) return MPI_SUCCESS;
    completion.at(handle).is_freed = true;
    Calls& calls = Calls::of(caller());
    calls.messages.freed.push_back(handle);
    calls.free_those_done();
    return MPI_SUCCESS;
  });
}

int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return completing("MPI_Request_get_status", [&](Completion& completion) {
    at(flag, "flag") = completion.is_done(request);
    if (*flag) return completion.get_status(request, status);
    completion.rest(request);
    return MPI_SUCCESS;
  });
}

int MPI_Cancel(MPI_Request* request) {
  return completing("MPI_Cancel", [&](Completion& completion) {
    if (!completion.is_active(request_at(request)))
      throw CallError{MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL, or has not been started"};
    if (needs_no_waiting(*request)) return MPI_SUCCESS;
    Request& open = completion.at(*request);
    check_may_stop(open);
    if (open.pending) open.pending->cancel();
    if (completion.is_done(*request) || !open.incoming || open.incoming->has_begun()) return MPI_SUCCESS;
    Matcher::of(caller()).cancel(*open.incoming);
    open.is_cancelled = true;
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Wait)
KANOR_PROFILED(Test)
KANOR_PROFILED(Waitall)
KANOR_PROFILED(Testall)
KANOR_PROFILED(Waitany)
KANOR_PROFILED(Testany)
KANOR_PROFILED(Waitsome)
KANOR_PROFILED(Testsome)
KANOR_PROFILED(Request_free)
KANOR_PROFILED(Request_get_status)
KANOR_PROFILED(Cancel)
