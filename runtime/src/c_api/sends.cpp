// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's sends.
#include "c_api/sends.hpp"

#include <string>
#include <utility>

#include "c_api/message_checks.hpp"
#include "ownership/increment_sending.hpp"

namespace kanor::rt::c_api {
namespace {

/// The number of a new synchronous send.
int new_number(Rank& self) {
  constexpr std::uint32_t all = 0x7fffffff;
  return static_cast<int>(Calls::of(self).messages.synchronous++ & all);
}

/// Sends a message that the receiver answers.
void send_answered(Rank& self, const char* call, const Content& content, const Destination& to,
                   Receive& answer) {
  Matcher::of(self).post(answer);
  send_copy_answered(self, content, to, {call, 0}, static_cast<AnswerNumber>(answer.wanted().tag));
}

/// Sends a copy, a long one in parts. Returns false if there was no room.
bool send_at_once(Rank& self, const char* call, const Content& content, const Destination& to) {
  const std::size_t part = part_bytes(self, content, to.rank);
  if (part > 0) return send_in_parts(self, content, to, new_tags(self, 1), part);
  return send_copy_at_once(self, content, to, {call, 0});
}

/// The same when there is room. Fails if the receiver has ended before.
void send_with_room(Rank& self, const char* call, const Content& content, const Destination& to) {
  const std::size_t part = part_bytes(self, content, to.rank);
  if (part == 0) return send_copy(self, content, to, {call, 0});
  wait_for_room(self, to.rank, content.bytes);
  send_in_parts(self, content, to, new_tags(self, 1), part);
}

/// Returns true if a send's buffer is looked at when its request is complete.
bool is_guarded(const Rank& self, SendMode mode) {
  return self.home.switches.check && mode != SendMode::buffered;
}

/// Returns true if the content stays where it is until a receiver has copied it, or the sender waits.
bool is_offered(const Rank& self, SendMode mode, const Content& content, const Destination& to) {
  if (mode == SendMode::buffered || !can_offer(self, to.rank)) return false;
  return mode == SendMode::synchronous ||
         content.bytes >= self.home.switches.tuning.least_offered(content.layout != nullptr);
}

/// The body of the blocking sends.
int send(const char* call, SendMode mode, const void* data, int count, MPI_Datatype type, int rank, int tag,
         MPI_Comm comm) {
  Rank& self = caller();
  return handled(self, call, comm, [&] {
    const Communicator& members = communicator(self, comm);
    const Content content = content_of(self, data, count, type, "send");
    const std::optional<Destination> to = destination(members, rank, tag);
    if (!to) return MPI_SUCCESS;
    if (is_offered(self, mode, content, *to)) {
      Offer(self, content, *to, mode == SendMode::synchronous).wait();
      return MPI_SUCCESS;
    }
    switch (mode) {
      case SendMode::standard:
        send_with_room(self, call, content, *to);
        break;
      case SendMode::synchronous: {
        Answer answer(to->rank, new_number(self));
        send_answered(self, call, content, *to, answer);
        if (!answer.done()) Matcher::of(self).wait(answer);
        break;
      }
      case SendMode::buffered:
        check_buffer(Calls::of(self), content);
        send_at_once(self, call, content, *to);
        break;
    }
    return MPI_SUCCESS;
  });
}

/// Begins a send, and returns the handle of a new request, or `completed`.
MPI_Request begin_send(Rank& self, Communicator& comm, SendMode mode, const char* call,
                       const Content& content, const Destination& to) {
  Calls& calls = Calls::of(self);
  const bool is_kept =
      mode == SendMode::synchronous || is_offered(self, mode, content, to) || is_guarded(self, mode);
  if (!is_kept) {
    if (mode == SendMode::buffered) check_buffer(calls, content);
    if (send_at_once(self, call, content, to) || mode == SendMode::buffered) return completed;
  }
  const auto [request, handle] = calls.new_request(comm);
  request.call = call;
  request.place = {};
  if (is_kept)
    begin_send(self, request, mode, content, to);
  else
    request.crowded.push_back(to.rank);
  return handle;
}

/// The body of the nonblocking ones.
int send_later(const char* call, SendMode mode, const void* data, int count, MPI_Datatype type, int rank,
               int tag, MPI_Comm comm, MPI_Request* request) {
  Rank& self = caller();
  return handled(self, call, comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    Communicator& members = communicator(self, comm);
    const Content content = content_of(self, data, count, type, "send");
    const std::optional<Destination> to = destination(members, rank, tag);
    *request = to ? begin_send(self, members, mode, call, content, *to) : completed;
    return MPI_SUCCESS;
  });
}

}  // namespace

void fail_nowhere(const char* verb) {
  throw CallError{MPI_ERR_BUFFER, std::string("the buffer to ") + verb + " is NULL"};
}

void check_buffer(const Calls& calls, const Content& content) {
  const std::size_t needed = content.bytes + MPI_BSEND_OVERHEAD;
  if (!calls.messages.buffer) throw CallError{MPI_ERR_BUFFER, "no buffer is attached (MPI_Buffer_attach)"};
  if (calls.messages.buffer_bytes < needed)
    throw CallError{MPI_ERR_BUFFER, "the message needs " + std::to_string(needed) +
                                        " bytes with MPI_BSEND_OVERHEAD, and the attached buffer has " +
                                        std::to_string(calls.messages.buffer_bytes)};
}

void begin_send(Rank& self, Request& request, SendMode mode, const Content& content, const Destination& to) {
  if (is_guarded(self, mode)) [[unlikely]]
    request.open.emplace_back(content.data, content.bytes, content.layout);
  if (is_offered(self, mode, content, to)) {
    request.offers.emplace_back(self, content, to, mode == SendMode::synchronous);
    return;
  }
  if (mode == SendMode::synchronous) {
    Answer& answer = request.answer.emplace(to.rank, new_number(self));
    answer.posted_by(request.call, {});
    send_answered(self, request.call, content, to, answer);
    return;
  }
  if (mode == SendMode::buffered) check_buffer(Calls::of(self), content);
  const bool fits = send_at_once(self, request.call, content, to);
  if (!fits && mode == SendMode::standard) request.crowded.push_back(to.rank);
}

Sending::Sending(Rank& self, const char* call, const Content& content, const std::optional<Destination>& to,
                 bool keeps)
    : self_(self) {
  if (!to) return;
  if (keeps && is_offered(self, SendMode::standard, content, *to))
    offer_.emplace(self, content, *to, false);
  else if (!send_at_once(self, call, content, *to))
    crowded_ = to->rank;
}

void Sending::wait() {
  if (offer_) offer_->wait();
  if (crowded_) wait_for_room(self_, *crowded_);
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Send(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm) {
  return send("MPI_Send", SendMode::standard, data, count, type, rank, tag, comm);
}

int MPI_Rsend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm) {
  return send("MPI_Rsend", SendMode::standard, data, count, type, rank, tag, comm);
}

int MPI_Ssend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm) {
  return send("MPI_Ssend", SendMode::synchronous, data, count, type, rank, tag, comm);
}

int MPI_Bsend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm) {
  return send("MPI_Bsend", SendMode::buffered, data, count, type, rank, tag, comm);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return send_later("MPI_Isend", SendMode::standard, data, count, type, rank, tag, comm, request);
}

int MPI_Irsend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return send_later("MPI_Irsend", SendMode::standard, data, count, type, rank, tag, comm, request);
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return send_later("MPI_Issend", SendMode::synchronous, data, count, type, rank, tag, comm, request);
}

int MPI_Ibsend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return send_later("MPI_Ibsend", SendMode::buffered, data, count, type, rank, tag, comm, request);
}

int MPI_Buffer_attach(void* buffer, int bytes) {
  Rank& self = caller();
  return handled(self, "MPI_Buffer_attach", [&] {
    Messages& messages = Calls::of(self).messages;
    if (bytes < 0) throw CallError{MPI_ERR_ARG, "the number of bytes is " + std::to_string(bytes)};
    if (!buffer) throw CallError{MPI_ERR_BUFFER, "the buffer is NULL"};
    if (messages.buffer) throw CallError{MPI_ERR_BUFFER, "a buffer is already attached"};
    messages.buffer = buffer;
    messages.buffer_bytes = static_cast<std::size_t>(bytes);
    return MPI_SUCCESS;
  });
}

int MPI_Buffer_detach(void* buffer, int* bytes) {
  Rank& self = caller();
  return handled(self, "MPI_Buffer_detach", [&] {
    Messages& messages = Calls::of(self).messages;
    if (!bytes) throw CallError{MPI_ERR_ARG, "the address of the number of bytes is NULL"};
    void*& address = pointer_at(buffer);
    if (!messages.buffer) throw CallError{MPI_ERR_BUFFER, "no buffer is attached (MPI_Buffer_attach)"};
    address = std::exchange(messages.buffer, nullptr);
    *bytes = static_cast<int>(std::exchange(messages.buffer_bytes, 0));
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Send)
KANOR_PROFILED(Rsend)
KANOR_PROFILED(Ssend)
KANOR_PROFILED(Bsend)
KANOR_PROFILED(Isend)
KANOR_PROFILED(Irsend)
KANOR_PROFILED(Issend)
KANOR_PROFILED(Ibsend)
KANOR_PROFILED(Buffer_attach)
KANOR_PROFILED(Buffer_detach)
