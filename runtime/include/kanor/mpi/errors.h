// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_ERRORS_H
#define KANOR_MPI_ERRORS_H

/// Error handlers, error codes and their texts.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Called when a call with a communicator fails, with that communicator and the error code. The call
/// returns the code after it.
typedef void MPI_Comm_errhandler_function(MPI_Comm* comm, int* code, ...);
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_Comm_errhandler_function MPI_Handler_function;

/// Makes an error handler that calls the function.
int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function* function, MPI_Errhandler* handler)
    KANOR_MPI(Comm_create_errhandler);
/// Sets this rank's handler of errors in calls with this communicator. Errors in calls without one
/// go to the handler of MPI_COMM_WORLD. Communicators that are made of another one have its handler.
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) KANOR_MPI(Comm_set_errhandler);
/// The communicator's handler, to be freed by MPI_Errhandler_free.
int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* handler) KANOR_MPI(Comm_get_errhandler);
/// Calls the communicator's handler with this code, and returns MPI_SUCCESS if the handler returns.
int MPI_Comm_call_errhandler(MPI_Comm comm, int code) KANOR_MPI(Comm_call_errhandler);
/// Communicators keep the handler.
int MPI_Errhandler_free(MPI_Errhandler* handler) KANOR_MPI(Errhandler_free);

/// The names that MPI-1 has for three of them.
int MPI_Errhandler_create(MPI_Handler_function* function, MPI_Errhandler* handler)
    KANOR_MPI(Errhandler_create);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler handler) KANOR_MPI(Errhandler_set);
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler* handler) KANOR_MPI(Errhandler_get);

/// The class of an error code: the code itself, unless it comes from MPI_Add_error_code.
int MPI_Error_class(int code, int* error_class) KANOR_MPI(Error_class);
/// Writes a description of an error to `text`, which must have room for MPI_MAX_ERROR_STRING
/// characters: of this rank's latest error if that had this code, else of the code.
int MPI_Error_string(int code, char* text, int* length) KANOR_MPI(Error_string);
/// A new error class, a new error code of a class, and the text of either, "" unless set. Only this
/// rank knows them.
int MPI_Add_error_class(int* error_class) KANOR_MPI(Add_error_class);
int MPI_Add_error_code(int error_class, int* code) KANOR_MPI(Add_error_code);
int MPI_Add_error_string(int code, const char* text) KANOR_MPI(Add_error_string);

#ifdef __cplusplus
}
#endif

#endif
