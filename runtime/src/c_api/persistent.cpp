// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's persistent requests.
#include <kanor/mpi.h>

#include <memory>
#include <string>
#include <utility>

#include "c_api/completion.hpp"
#include "c_api/message_checks.hpp"
#include "c_api/sends.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

int prepare_send(const char* call, SendMode mode, const void* data, int count, MPI_Datatype type, int rank,
                 int tag, MPI_Comm comm, MPI_Request* request) {
  Rank& self = caller();
  return handled(self, call, comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    Communicator& members = communicator(self, comm);
    Recipe recipe;
    recipe.mode = mode;
    recipe.content = content_of(self, data, count, type, "send");
    recipe.to = destination(members, rank, tag);
    *request = prepared(self, members, std::move(recipe));
    return MPI_SUCCESS;
  });
}

void check_startable(const Completion& completion, MPI_Request request) {
  if (needs_no_waiting(request) || !completion.at(request).recipe)
    throw CallError{MPI_ERR_REQUEST, "the request is not persistent (MPI_Send_init, MPI_Recv_init)"};
  if (completion.is_active(request))
    throw CallError{MPI_ERR_REQUEST, "the request has been started, and was not completed yet"};
}

void start(Rank& self, Request& request) {
  const Recipe& recipe = *request.recipe;
  const Content& content = recipe.content;
  request.is_active = true;
  if (recipe.partitioned) return recipe.partitioned->start(self, request);
  if (recipe.to) begin_send(self, request, recipe.mode, content, *recipe.to);
  if (recipe.from) {
    Incoming& incoming = request.incoming.emplace(self, *recipe.from, content.bytes,
                                                  const_cast<void*>(content.data), content.layout);
    incoming.posted_by(request.call, {});
    compare_and_guard(incoming, content.described);
    begin(self, incoming);
  }
}

}  // namespace

int MPI_Send_init(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  return prepare_send("MPI_Send_init", SendMode::standard, data, count, type, rank, tag, comm, request);
}

int MPI_Rsend_init(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return prepare_send("MPI_Rsend_init", SendMode::standard, data, count, type, rank, tag, comm, request);
}

int MPI_Ssend_init(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return prepare_send("MPI_Ssend_init", SendMode::synchronous, data, count, type, rank, tag, comm, request);
}

int MPI_Bsend_init(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return prepare_send("MPI_Bsend_init", SendMode::buffered, data, count, type, rank, tag, comm, request);
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                  MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Recv_init", comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    Communicator& members = communicator(self, comm);
    Recipe recipe;
    recipe.receives = true;
    recipe.content = content_of(self, data, count, type, "receive");
    recipe.from = wanted(members, rank, tag);
    *request = prepared(self, members, std::move(recipe));
    return MPI_SUCCESS;
  });
}

int MPI_Start(MPI_Request* request) {
  return completing("MPI_Start", [&](Completion& completion) {
    check_startable(completion, request_at(request));
    start(caller(), completion.at(*request));
    return MPI_SUCCESS;
  });
}

int MPI_Startall(int count, MPI_Request requests[]) {
  return completing("MPI_Startall", [&](Completion& completion) {
    check_requests(count, requests);
    for (int i = 0; i < count; ++i) check_startable(completion, requests[i]);
    for (int i = 0; i < count; ++i) start(caller(), completion.at(requests[i]));
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Send_init)
KANOR_PROFILED(Rsend_init)
KANOR_PROFILED(Ssend_init)
KANOR_PROFILED(Bsend_init)
KANOR_PROFILED(Recv_init)
KANOR_PROFILED(Start)
KANOR_PROFILED(Startall)
