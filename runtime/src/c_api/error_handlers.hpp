// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is called when a call fails.
#pragma once

#include <kanor/mpi.h>

#include "c_api/uses.hpp"

namespace kanor::rt::c_api {

/// An error handler that the program has made.
struct ErrorHandler : Used {
  MPI_Comm_errhandler_function* function = nullptr;
};

/// The error handler of a communicator.
class ChosenHandler : public Use<ErrorHandler> {
 public:
  using Use::Use;
  ChosenHandler() : Use(MPI_ERRORS_ARE_FATAL) {}
};

}  // namespace kanor::rt::c_api
