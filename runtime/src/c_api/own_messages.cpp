// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/abi/own_messages.h: MPI's messages whose buffers change hands.
#include <kanor/abi/own_messages.h>
#include <kanor/mpi.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "c_api/message_checks.hpp"
#include "c_api/sends.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

/// A program's buffer, behind its pointer.
struct OwnBuffer {
  void*& pointer;
  void* home;
  std::size_t home_bytes;

  bool is_home() const { return home && pointer == home; }
  /// The buffer, which is not the home.
  Region& region(Rank& rank, const char* call) const { return owned(rank, pointer, call, {}); }
};

/// Whoever knows the call by its name has not asked for a buffer.
constexpr const char* allocation = "the allocation of a message's buffer";

/// Gives the buffer away, and gets another one. Without `request` it waits for room.
int give_away(const char* call, const OwnBuffer& buffer, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request* request) {
  Rank& self = caller();
  return handled(self, call, comm, [&] {
    if (request) *request = MPI_REQUEST_NULL;
    Communicator& members = communicator(self, comm);
    const std::size_t sent = block_bytes_of(count, type);
    const std::optional<Destination> there = destination(members, to, tag);
    if (request) *request = completed;
    if (!there) return MPI_SUCCESS;
    const std::size_t bytes = buffer.is_home() ? buffer.home_bytes : buffer.region(self, call).bytes;
    if (sent > bytes)
      throw CallError{MPI_ERR_COUNT,
                      std::to_string(sent) + " bytes are sent, but the buffer has " + std::to_string(bytes)};
    bool fits = true;
    const bool copies = buffer.is_home() || sent <= most_copied_bytes;
    const Content content{buffer.pointer, sent, nullptr, described(self, count, type)};
    if (copies && request)
      fits = send_copy_at_once(self, content, *there, {call, 0});
    else if (copies)
      send_copy(self, content, *there, {call, 0});
    else if (request)
      fits = give_at_once(self, buffer.region(self, call), sent, *there, {call, 0}, content.described);
    else
      give(self, buffer.region(self, call), sent, *there, {call, 0}, content.described);
    if (!copies || buffer.is_home()) buffer.pointer = allocate_owned(self, bytes, allocation).object();
    if (fits) return MPI_SUCCESS;
    const auto [open, handle] = Calls::of(self).new_request(members);
    open.call = call;
    open.crowded.push_back(there->rank);
    *request = handle;
    return MPI_SUCCESS;
  });
}

/// Puts what has come behind the pointer.
void adopt(Rank& self, const OwnBuffer& buffer, const char* call, const Incoming& incoming) {
  Region* const taken = incoming.region();
  if (!taken) return;
  const std::size_t came = incoming.received().bytes;
  Region* const own = buffer.is_home() ? nullptr : &buffer.region(self, call);
  if (taken->bytes == (own ? own->bytes : buffer.home_bytes) && came == taken->bytes) {
    if (own) free_owned(self, *own, call, {});
    buffer.pointer = taken->object();
    return;
  }
  if (came > 0) std::memcpy(buffer.pointer, taken->object(), came);
  free_owned(self, *taken, call, {});
}

/// A receive that the rank waits for later.
class Adoption final : public Pending {
 public:
  Adoption(Rank& rank, Communicator& comm, const Wanted& wanted, std::size_t most_bytes,
           const Described& elements, const OwnBuffer& buffer)
      : rank_(rank), comm_(comm), buffer_(buffer), incoming_(rank, wanted, most_bytes) {
    incoming_.posted_by(call, {});
    compare_on_arrival(incoming_, elements);
    begin(rank, incoming_);
  }
  bool is_done(Rank& rank) override {
    if (!incoming_.done()) Matcher::of(rank).progress(incoming_.wanted().source, &incoming_);
    return incoming_.done();
  }
  Receive* awaited() override { return &incoming_; }
  int get_status(MPI_Status& status) override {
    const int error = settle(rank_, incoming_, nullptr, call, {});
    if (!is_adopted_ && error == MPI_SUCCESS) adopt(rank_, buffer_, call, incoming_);
    is_adopted_ = true;
    set_status(&status, comm_, incoming_.received(), error);
    return error;
  }

 private:
  static constexpr const char* call = "MPI_Irecv";
  Rank& rank_;
  Communicator& comm_;
  OwnBuffer buffer_;
  Incoming incoming_;
  bool is_adopted_ = false;
};

}  // namespace

void* kanor_own_new(size_t bytes) { return allocate_owned(caller(), bytes, allocation).object(); }

void* kanor_own_zeros(size_t bytes) { return std::memset(kanor_own_new(bytes), 0, bytes); }

void* kanor_own_malloc(size_t bytes) {
  if (Region* const made = allocate_owned_or_null(caller(), bytes, allocation, {})) return made->object();
  errno = ENOMEM;
  return nullptr;
}

void* kanor_own_calloc(size_t count, size_t bytes) {
  std::size_t all = 0;
  // No buffer is as long.
  if (__builtin_mul_overflow(count, bytes, &all)) all = std::numeric_limits<std::size_t>::max();
  void* const made = kanor_own_malloc(all);
  return made ? std::memset(made, 0, all) : nullptr;
}

void kanor_own_free(void* buffer) {
  if (buffer) free_owned(caller(), buffer, "the end of a message's buffer", {});
}

void kanor_own_leave(void* pointer) { kanor_own_free(pointer_at(pointer)); }

int kanor_own_send(void* pointer, void* home, size_t bytes, int count, MPI_Datatype type, int rank, int tag,
                   MPI_Comm comm) {
  return give_away("MPI_Send", {pointer_at(pointer), home, bytes}, count, type, rank, tag, comm, nullptr);
}

int kanor_own_isend(void* pointer, void* home, size_t bytes, int count, MPI_Datatype type, int rank, int tag,
                    MPI_Comm comm, MPI_Request* request) {
  const OwnBuffer buffer{pointer_at(pointer), home, bytes};
  return give_away("MPI_Isend", buffer, count, type, rank, tag, comm, &request_at(request));
}

int kanor_own_recv(void* pointer, void* home, size_t bytes, int count, MPI_Datatype type, int rank, int tag,
                   MPI_Comm comm, MPI_Status* status) {
  constexpr const char* call = "MPI_Recv";
  Rank& self = caller();
  return handled(self, call, comm, [&] {
    const OwnBuffer buffer{pointer_at(pointer), home, bytes};
    const std::size_t most = block_bytes_of(count, type);
    const Communicator& members = communicator(self, comm);
    const std::optional<Wanted> what = wanted(members, rank, tag);
    if (!what) {
      set_empty_status(status, MPI_PROC_NULL);
      return MPI_SUCCESS;
    }
    const auto end = [&](const Incoming& incoming, bool adopts) {
      const int error = settle(self, incoming, nullptr, call, {});
      if (adopts && error == MPI_SUCCESS) adopt(self, buffer, call, incoming);
      set_status(status, members, incoming.received(), error);
      return error;
    };
    if (most <= most_copied_bytes) {
      Incoming copied(self, *what, most, buffer.pointer);
      compare_on_arrival(copied, described(self, count, type));
      receive(self, copied);
      return end(copied, false);
    }
    Incoming taken(self, *what, most);
    compare_on_arrival(taken, described(self, count, type));
    receive(self, taken);
    return end(taken, true);
  });
}

int kanor_own_irecv(void* pointer, void* home, size_t bytes, int count, MPI_Datatype type, int rank, int tag,
                    MPI_Comm comm, MPI_Request* request) {
  Rank& self = caller();
  return handled(self, "MPI_Irecv", comm, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    const OwnBuffer buffer{pointer_at(pointer), home, bytes};
    const std::size_t most = block_bytes_of(count, type);
    Communicator& members = communicator(self, comm);
    const std::optional<Wanted> what = wanted(members, rank, tag);
    if (!what || most <= most_copied_bytes) {
      const Content into{buffer.pointer, most, nullptr, described(self, count, type)};
      *request = begin_receive(self, members, what, into, "MPI_Irecv");
      return MPI_SUCCESS;
    }
    const auto [made, handle] = Calls::of(self).new_request(members);
    made.call = "MPI_Irecv";
    made.pending =
        std::make_unique<Adoption>(self, members, *what, most, described(self, count, type), buffer);
    *request = handle;
    return MPI_SUCCESS;
  });
}
