// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's receives, and sends with receives.
#include "c_api/receives.hpp"

#include "c_api/message_checks.hpp"
#include "c_api/sends.hpp"

namespace kanor::rt::c_api {

int receive_now(Rank& self, Incoming& incoming, const Content& content, const CallSite& call) {
  compare_on_arrival(incoming, content.described);
  receive(self, incoming);
  return settle(self, incoming, nullptr, call.call, call.place);
}

int receive_into(Rank& self, const CallSite& call, const Communicator& comm,
                 const std::optional<Wanted>& what, const Content& content, MPI_Status* status) {
  if (!what) {
    set_empty_status(status, MPI_PROC_NULL);
    return MPI_SUCCESS;
  }
  Incoming incoming(self, *what, content.bytes, const_cast<void*>(content.data), content.layout);
  const int error = receive_now(self, incoming, content, call);
  set_status(status, comm, incoming.received(), error);
  return error;
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Recv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Recv", comm, [&] {
    const Communicator& members = communicator(self, comm);
    const Content content = content_of(self, data, count, type, "receive");
    return receive_into(self, {"MPI_Recv"}, members, wanted(members, rank, tag), content, status);
  });
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Irecv", comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    Communicator& members = communicator(self, comm);
    const Content content = content_of(self, data, count, type, "receive");
    *request = begin_receive(self, members, wanted(members, rank, tag), content, "MPI_Irecv");
    return MPI_SUCCESS;
  });
}

int MPI_Sendrecv(const void* out, int count_out, MPI_Datatype type_out, int to, int tag_out, void* in,
                 int count_in, MPI_Datatype type_in, int from, int tag_in, MPI_Comm comm,
                 MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Sendrecv", comm, [&] {
    Communicator& members = communicator(self, comm);
    const Content sent = content_of(self, out, count_out, type_out, "send");
    const Content received = content_of(self, in, count_in, type_in, "receive");
    const std::optional<Destination> there = destination(members, to, tag_out);
    const std::optional<Wanted> what = wanted(members, from, tag_in);
    Sending sending(self, "MPI_Sendrecv", sent, there, true);
    const int error = receive_into(self, {"MPI_Sendrecv"}, members, what, received, status);
    sending.wait();
    return error;
  });
}

int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int tag_out, int from, int tag_in,
                         MPI_Comm comm, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Sendrecv_replace", comm, [&] {
    Communicator& members = communicator(self, comm);
    const Content both = content_of(self, data, count, type, "send");
    const std::optional<Destination> there = destination(members, to, tag_out);
    const std::optional<Wanted> what = wanted(members, from, tag_in);
    Sending sending(self, "MPI_Sendrecv_replace", both, there, false);
    const int error = receive_into(self, {"MPI_Sendrecv_replace"}, members, what, both, status);
    sending.wait();
    return error;
  });
}

KANOR_PROFILED(Recv)
KANOR_PROFILED(Irecv)
KANOR_PROFILED(Sendrecv)
KANOR_PROFILED(Sendrecv_replace)
