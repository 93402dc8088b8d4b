// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/opi.h.
#include <kanor/opi.h>

#include "c_api/calls.hpp"
#include "c_api/message_checks.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

int no_address(Rank& rank, const char* call, const Place& place) {
  return answered(rank, call, place, [] { return pointer_at(nullptr), MPI_SUCCESS; });
}

int no_request(Rank& rank, const char* call, const Place& place) {
  return answered(rank, call, place, [] { return request_at(nullptr), MPI_SUCCESS; });
}

int give(const char* call, void* address, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
         const Place& place) {
  Rank& self = caller();
  return guarded(self, call, place, [&] {
    void*& pointer = pointer_at(address);
    const std::size_t bytes = block_bytes_of(count, type);
    const std::optional<Destination> there = destination(communicator(self, comm), to, tag);
    Region& buffer = owned_by(self, pointer, bytes, call, place);
    check_not_lent(self, buffer, call, place);
    pointer = nullptr;
    if (there)
      give(self, buffer, bytes, *there, place, described(self, count, type));
    else
      free_owned(self, buffer, call, place);
    return MPI_SUCCESS;
  });
}

}  // namespace

int OPI_Alloc(void* pointer, size_t bytes, const char* file, int line) {
  Rank& self = caller();
  const InTurn turn(self);
  if (!pointer) return no_address(self, "OPI_Alloc", {file, line});
  *static_cast<void**>(pointer) = allocate_owned(self, bytes, "OPI_Alloc", {file, line}).object();
  return MPI_SUCCESS;
}

int OPI_Free(void* pointer, const char* file, int line) {
  Rank& self = caller();
  const Place place{file, line};
  const InTurn turn(self);
  if (!pointer) return no_address(self, "OPI_Free", place);
  void*& elements = *static_cast<void**>(pointer);
  if (!elements) return MPI_SUCCESS;
  return answered(self, "OPI_Free", place, [&] {
    free_owned(self, elements, "OPI_Free", place);
    elements = nullptr;
    return MPI_SUCCESS;
  });
}

int OPI_Give(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, const char* file,
             int line) {
  return give("OPI_Give", pointer, count, type, rank, tag, comm, {file, line});
}

int OPI_Igive(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request, const char* file, int line) {
  if (!request) return no_request(caller(), "OPI_Igive", {file, line});
  const int error = give("OPI_Igive", pointer, count, type, rank, tag, comm, {file, line});
  *request = error == MPI_SUCCESS ? completed : MPI_REQUEST_NULL;
  return error;
}

int OPI_Take(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
             MPI_Status* status, const char* file, int line) {
  Rank& self = caller();
  return guarded(self, "OPI_Take", {file, line}, [&] {
    void*& elements = pointer_at(pointer);
    elements = nullptr;
    const std::size_t most_bytes = block_bytes_of(count, type);
    Communicator& members = communicator(self, comm);
    const std::optional<Wanted> what = wanted(members, rank, tag);
    if (!what) {
      set_empty_status(status, MPI_PROC_NULL);
      return MPI_SUCCESS;
    }
    Incoming incoming(self, *what, most_bytes);
    compare_on_arrival(incoming, described(self, count, type));
    receive(self, incoming);
    const int error = settle(self, incoming, &elements, "OPI_Take", {file, line}, Asks::nobody);
    set_status(status, members, incoming.received(), error);
    return error;
  });
}

int OPI_Itake(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request, const char* file, int line) {
  Rank& self = caller();
  return guarded(self, "OPI_Itake", {file, line}, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    void*& elements = pointer_at(pointer);
    elements = nullptr;
    const std::size_t most_bytes = block_bytes_of(count, type);
    Communicator& members = communicator(self, comm);
    *request = begin_take(self, members, wanted(members, rank, tag), most_bytes, described(self, count, type),
                          &elements, "OPI_Itake", {file, line});
    return MPI_SUCCESS;
  });
}

const char* OPI_Error_text() { return Calls::of(caller()).text.c_str(); }
