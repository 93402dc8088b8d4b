// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with a call's arguments.
#pragma once

#include <kanor/mpi.h>

#include <string>

namespace kanor::rt::c_api {

/// An error of a call: its class, and what was wrong.
struct CallError {
  int error;
  std::string text;
};

/// What is at an address that a call has been given; CallError where there is none.
template <class T>
T& result_at(T* result) {
  if (!result) throw CallError{MPI_ERR_ARG, "the address of the result is NULL"};
  return *result;
}

}  // namespace kanor::rt::c_api
