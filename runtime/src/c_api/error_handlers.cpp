// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error handlers of kanor/mpi.h.
#include "c_api/error_handlers.hpp"

#include <memory>
#include <string>
#include <utility>

#include "c_api/calls.hpp"
#include "job/failure.hpp"

namespace kanor::rt::c_api {
namespace {

bool is_predefined(MPI_Errhandler handle) {
  return handle == MPI_ERRORS_ARE_FATAL || handle == MPI_ERRORS_RETURN;
}

/// Calls a communicator's error handler for an error with this text.
void call_handler(Rank& rank, const Communicator& comm, MPI_Comm handle, int code, const std::string& text) {
  if (comm.error_handler.handle() == MPI_ERRORS_ARE_FATAL) fail(text);
  if (switches(rank).check) print_error(rank, text);
  // The function may free the communicator, give it another handler, and jump out of the call.
  if (const ErrorHandler* const made = comm.error_handler.object()) made->function(&handle, &code);
}

/// The handler that the program has made and not freed.
ErrorHandler& made_handler(Calls& calls, MPI_Errhandler handle) {
  ErrorHandler* const made = calls.environment.error_handlers.find(handle);
  if (!made || made->by_program == 0)
    throw CallError{MPI_ERR_ARG, handle == MPI_ERRHANDLER_NULL
                                     ? "the error handler is MPI_ERRHANDLER_NULL"
                                     : "there is no such error handler, or it was freed"};
  return *made;
}

int create(const char* call, MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
  Rank& self = caller();
  return handled(self, call, [&] {
    result_at(handler) = MPI_ERRHANDLER_NULL;
    if (!function) throw CallError{MPI_ERR_ARG, "the function is NULL"};
    auto made = std::make_unique<ErrorHandler>();
    made->function = function;
    *handler = Calls::of(self).environment.error_handlers.add(std::move(made));
    return MPI_SUCCESS;
  });
}

int set(const char* call, MPI_Comm comm, MPI_Errhandler handler) {
  Rank& self = caller();
  return handled(self, call, comm, [&] {
    Communicator& members = communicator(self, comm);
    if (is_predefined(handler)) {
      members.error_handler = ChosenHandler(handler);
    } else {
      Calls& calls = Calls::of(self);
      made_handler(calls, handler);
      members.error_handler = ChosenHandler(calls.environment.error_handlers, handler);
    }
    return MPI_SUCCESS;
  });
}

int get(const char* call, MPI_Comm comm, MPI_Errhandler* handler) {
  Rank& self = caller();
  return handled(self, call, comm, [&] {
    const ChosenHandler& chosen = communicator(self, comm).error_handler;
    result_at(handler) = chosen.handle();
    if (ErrorHandler* const made = chosen.object()) ++made->by_program;
    return MPI_SUCCESS;
  });
}

}  // namespace

int handle_error(Rank& rank, MPI_Comm comm, int error) {
  Calls& calls = Calls::of(rank);
  const Communicator* const made = calls.communicators.find(comm);
  const bool is_self = comm == MPI_COMM_SELF;
  call_handler(rank,
               made      ? *made
               : is_self ? calls.self
                         : calls.world,
               made || is_self ? comm : MPI_COMM_WORLD, error, calls.text);
  return error;
}

}  // namespace kanor::rt::c_api

using namespace kanor::rt;
using namespace kanor::rt::c_api;

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
  return create("MPI_Comm_create_errhandler", function, handler);
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  return set("MPI_Comm_set_errhandler", comm, handler);
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) {
  return get("MPI_Comm_get_errhandler", comm, handler);
}

int MPI_Comm_call_errhandler(MPI_Comm comm, int code) {
  Rank& self = caller();
  const InTurn turn(self);
  const Communicator* called = nullptr;
  const int error = handled(self, "MPI_Comm_call_errhandler", comm, [&] {
    called = &communicator(self, comm);
    return MPI_SUCCESS;
  });
  if (called) call_handler(self, *called, comm, code, error_text(Calls::of(self), code));
  return error;
}

int MPI_Errhandler_free(MPI_Errhandler* handler) {
  Rank& self = caller();
  return handled(self, "MPI_Errhandler_free", [&] {
    // MPI_Comm_get_errhandler also gives out predefined ones.
    if (!is_predefined(result_at(handler))) {
      Calls& calls = Calls::of(self);
      --made_handler(calls, *handler).by_program;
      remove_unused(calls.environment.error_handlers, *handler);
    }
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
  });
}

int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler) {
  return create("MPI_Errhandler_create", function, handler);
}

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) {
  return set("MPI_Errhandler_set", comm, handler);
}

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler) {
  return get("MPI_Errhandler_get", comm, handler);
}

KANOR_PROFILED(Comm_create_errhandler)
KANOR_PROFILED(Comm_set_errhandler)
KANOR_PROFILED(Comm_get_errhandler)
KANOR_PROFILED(Comm_call_errhandler)
KANOR_PROFILED(Errhandler_free)
KANOR_PROFILED(Errhandler_create)
KANOR_PROFILED(Errhandler_set)
KANOR_PROFILED(Errhandler_get)
