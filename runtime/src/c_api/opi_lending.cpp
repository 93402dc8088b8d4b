// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kanor/opi.h: lending elements of a buffer.
#include <kanor/opi.h>

#include <string>

#include "c_api/calls.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int OPI_Lend(void* buffer, size_t offset, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
             MPI_Request* request, const char* file, int line) {
  const Place place{file, line};
  Rank& self = caller();
  return guarded(self, "OPI_Lend", {file, line}, [&] {
    request_at(request) = MPI_REQUEST_NULL;
    const Elements elements = elements_of(count, type);
    Communicator& members = communicator(self, comm);
    const std::optional<Destination> there = destination(members, rank, tag);
    Region& whole = owned(self, buffer, "OPI_Lend", place);
    const std::size_t reach = elements.reach_bytes();
    if (offset > whole.bytes || reach > whole.bytes - offset)
      throw CallError{MPI_ERR_COUNT, std::to_string(reach) + " bytes from offset " + std::to_string(offset) +
                                         " on are lent, but the buffer has " + std::to_string(whole.bytes)};
    if (is_read_by_others(self, whole))
      throw CallError{
          MPI_ERR_BUFFER,
          "other ranks read the buffer (OPI_Bcast): call OPI_Own first, and only this rank has it"};
    if (!there) {
      *request = completed;
      return MPI_SUCCESS;
    }
    Loans::of(self).check_not_twice(self, whole, offset, elements, place);
    const auto [made, handle] = Calls::of(self).new_request(members);
    made.loan.emplace(self, whole, offset, elements, *there, place);
    *request = handle;
    return MPI_SUCCESS;
  });
}

int OPI_Borrow(void* pointer, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Status* status, const char* file, int line) {
  Rank& self = caller();
  return guarded(self, "OPI_Borrow", {file, line}, [&] {
    void*& first = pointer_at(pointer);
    first = nullptr;
    const Elements elements = elements_of(count, type);
    const Communicator& members = communicator(self, comm);
    const std::optional<Wanted> what = wanted(members, rank, tag);
    if (!what) {
      set_empty_status(status, MPI_PROC_NULL);
      return MPI_SUCCESS;
    }
    Received received;
    first = Loans::of(self).borrow(self, *what, elements, {file, line}, received);
    set_status(status, members, received, MPI_SUCCESS);
    return MPI_SUCCESS;
  });
}

int OPI_Return(void* pointer, const char* file, int line) {
  Rank& self = caller();
  return guarded(self, "OPI_Return", {file, line}, [&] {
    void*& first = pointer_at(pointer);
    if (first) Loans::of(self).give_back(self, first, {file, line});
    first = nullptr;
    return MPI_SUCCESS;
  });
}
