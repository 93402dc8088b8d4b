// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's probes, and receives of the messages that they have found.
#include <kanor/mpi.h>

#include <memory>
#include <optional>
#include <utility>

#include "c_api/message_checks.hpp"
#include "c_api/sends.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

void set_probed(MPI_Status* status, const Communicator& comm, const Message& message) {
  const Form form = Matcher::form_of_kept(message);
  auto& found = const_cast<Message&>(message);
  const Received received{message.envelope.source, static_cast<int>(message.envelope.sequence),
                          content_bytes(form, found.payload(), message.envelope.bytes)};
  set_status(status, comm, received, MPI_SUCCESS);
}

/// The first message that has come; null if there is none.
const Message* find(Rank& self, const Wanted& what) {
  Matcher& matcher = Matcher::of(self);
  matcher.progress(what.source, nullptr);
  const Message* const found = matcher.find_kept(what);
  if (!found) look_in_vain(self, what.source == any_source ? any_rank : what.source);
  return found;
}

MPI_Message hold(Rank& self, Communicator& comm, const Wanted& what) {
  auto held = std::make_unique<HeldMessage>();
  held->memory = Matcher::of(self).take_out(what);
  held->comm = &comm;
  ++comm.uses;
  return Calls::of(self).messages.held.add(std::move(held));
}

/// The message of a receive; null for MPI_MESSAGE_NO_PROC. The handle becomes null.
std::unique_ptr<HeldMessage> let_go_of(Rank& self, MPI_Message* message) {
  Handles<HeldMessage>& held = Calls::of(self).messages.held;
  const MPI_Message handle = result_at(message);
  if (handle != MPI_MESSAGE_NO_PROC && !held.find(handle))
    throw CallError{MPI_ERR_REQUEST, handle == MPI_MESSAGE_NULL
                                         ? "the message is MPI_MESSAGE_NULL"
                                         : "there is no such message, or it has been received before"};
  *message = MPI_MESSAGE_NULL;
  return handle == MPI_MESSAGE_NO_PROC ? nullptr : held.remove(handle);
}

/// The envelope of a receive that gets its message without being posted.
Wanted not_posted(const Communicator& comm) { return {comm.channel(), any_source, any_tag}; }

}  // namespace

int MPI_Probe(int rank, int tag, MPI_Comm comm, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Probe", comm, [&] {
    const Communicator& members = communicator(self, comm);
    const std::optional<Wanted> what = wanted(members, rank, tag);
    if (what)
      set_probed(status, members, Matcher::of(self).wait_for_kept(*what));
    else
      set_empty_status(status, MPI_PROC_NULL);
    return MPI_SUCCESS;
  });
}

int MPI_Iprobe(int rank, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Iprobe", comm, [&] {
    result_at(flag) = 1;
    const Communicator& members = communicator(self, comm);
    const std::optional<Wanted> what = wanted(members, rank, tag);
    if (!what) {
      set_empty_status(status, MPI_PROC_NULL);
      return MPI_SUCCESS;
    }
    const Message* const found = find(self, *what);
    *flag = found != nullptr;
    if (found) set_probed(status, members, *found);
    return MPI_SUCCESS;
  });
}

int MPI_Mprobe(int rank, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Mprobe", comm, [&] {
    result_at(message) = MPI_MESSAGE_NO_PROC;
    Communicator& members = communicator(self, comm);
    const std::optional<Wanted> what = wanted(members, rank, tag);
    if (!what) {
      set_empty_status(status, MPI_PROC_NULL);
      return MPI_SUCCESS;
    }
    set_probed(status, members, Matcher::of(self).wait_for_kept(*what));
    *message = hold(self, members, *what);
    return MPI_SUCCESS;
  });
}

int MPI_Improbe(int rank, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Improbe", comm, [&] {
    result_at(flag) = 1;
    result_at(message) = MPI_MESSAGE_NO_PROC;
    Communicator& members = communicator(self, comm);
    const std::optional<Wanted> what = wanted(members, rank, tag);
    if (!what) {
      set_empty_status(status, MPI_PROC_NULL);
      return MPI_SUCCESS;
    }
    *message = MPI_MESSAGE_NULL;
    const Message* const found = find(self, *what);
    *flag = found != nullptr;
    if (!found) return MPI_SUCCESS;
    set_probed(status, members, *found);
    *message = hold(self, members, *what);
    return MPI_SUCCESS;
  });
}

int MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  Rank& self = caller();
  return handled(self, "MPI_Mrecv", [&] {
    const Content content = content_of(self, data, count, type, "receive");
    const std::unique_ptr<HeldMessage> held = let_go_of(self, message);
    if (!held) {
      set_empty_status(status, MPI_PROC_NULL);
      return MPI_SUCCESS;
    }
    Incoming incoming(self, not_posted(*held->comm), content.bytes, data, content.layout);
    compare_on_arrival(incoming, content.described);
    Matcher::of(self).complete(incoming, std::move(held->memory));
    if (!incoming.done()) Matcher::of(self).wait(incoming);
    const int error = settle(self, incoming, nullptr, "MPI_Mrecv", {});
    set_status(status, *held->comm, incoming.received(), error);
    Calls::of(self).release(*held->comm);
    return error;
  });
}

int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Imrecv", [&] {
    request_at(request) = MPI_REQUEST_NULL;
    const Content content = content_of(self, data, count, type, "receive");
    const std::unique_ptr<HeldMessage> held = let_go_of(self, message);
    if (!held) {
      *request = from_nobody;
      return MPI_SUCCESS;
    }
    const auto [made, handle] = Calls::of(self).new_request(*held->comm);
    made.pointer = nullptr;
    made.call = "MPI_Imrecv";
    made.place = {};
    Incoming& incoming =
        made.incoming.emplace(self, not_posted(*held->comm), content.bytes, data, content.layout);
    compare_and_guard(incoming, content.described);
    Matcher::of(self).complete(incoming, std::move(held->memory));
    Calls::of(self).release(*held->comm);
    *request = handle;
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Probe)
KANOR_PROFILED(Iprobe)
KANOR_PROFILED(Mprobe)
KANOR_PROFILED(Improbe)
KANOR_PROFILED(Mrecv)
KANOR_PROFILED(Imrecv)
