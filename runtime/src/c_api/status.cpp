// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's functions about a status.
#include <kanor/mpi.h>

#include <limits>
#include <string>

#include "c_api/calls.hpp"

using namespace kanor::rt;
using namespace kanor::rt::c_api;

namespace {

template <class T>
T& at(T* address, const char* what) {
  if (!address) throw CallError{MPI_ERR_ARG, std::string("the address of the ") + what + " is NULL"};
  return *address;
}

}  // namespace

int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  Rank& self = caller();
  return handled(self, "MPI_Get_count", [&] {
    const std::size_t all = at(status, "status").kanor_bytes, one = bytes_of(type);
    // Elements of no bytes: none is the only number that is known.
    const bool whole = one == 0 ? all == 0 : all % one == 0;
    const std::size_t elements = one == 0 ? 0 : all / one;
    const bool fits = elements <= std::size_t{std::numeric_limits<int>::max()};
    at(count, "count") = whole && fits ? static_cast<int>(elements) : MPI_UNDEFINED;
    return MPI_SUCCESS;
  });
}

int MPI_Test_cancelled(const MPI_Status* status, int* flag) {
  Rank& self = caller();
  return handled(self, "MPI_Test_cancelled", [&] {
    at(flag, "flag") = at(status, "status").kanor_cancelled != 0;
    return MPI_SUCCESS;
  });
}

int MPI_Status_set_cancelled(MPI_Status* status, int flag) {
  Rank& self = caller();
  return handled(self, "MPI_Status_set_cancelled", [&] {
    at(status, "status").kanor_cancelled = flag != 0;
    return MPI_SUCCESS;
  });
}

KANOR_PROFILED(Get_count)
KANOR_PROFILED(Test_cancelled)
KANOR_PROFILED(Status_set_cancelled)
