// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_ENVIRONMENT_H
#define KANOR_MPI_ENVIRONMENT_H

/// Starting and ending, threads, time, names, memory.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Messages need no MPI_Init: it notes that it was called, and on which thread. It may be called
/// again, and its arguments, which it does not change, may be NULL.
int MPI_Init(int* argc, char*** argv) KANOR_MPI(Init);
/// The same. `provided` is `required`. With MPI_THREAD_MULTIPLE calls of several threads take turns,
/// and a call that waits lets others run.
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) KANOR_MPI(Init_thread);
/// Calls the delete functions of MPI_COMM_SELF's attributes, the latest attribute's first. It does
/// not wait for other ranks.
int MPI_Finalize(void) KANOR_MPI(Finalize);
/// Whether MPI_Init or MPI_Init_thread has been called. Always true in programs that kanorc, not
/// kanor-mpicc, has linked: they need neither.
int MPI_Initialized(int* flag) KANOR_MPI(Initialized);
/// Whether MPI_Finalize has ended.
int MPI_Finalized(int* flag) KANOR_MPI(Finalized);
/// What MPI_Init_thread has provided; MPI_THREAD_SINGLE after MPI_Init.
int MPI_Query_thread(int* provided) KANOR_MPI(Query_thread);
/// Whether this thread has called MPI_Init or MPI_Init_thread.
int MPI_Is_thread_main(int* flag) KANOR_MPI(Is_thread_main);
/// Ends the job with this exit status (with 1 if it is 0).
int MPI_Abort(MPI_Comm comm, int status) KANOR_MPI(Abort);

/// Seconds since a fixed time, which is the same for all ranks of a machine.
double MPI_Wtime(void) KANOR_MPI(Wtime);
/// The resolution of MPI_Wtime, in seconds.
double MPI_Wtick(void) KANOR_MPI(Wtick);

/// Writes the host's name, of less than MPI_MAX_PROCESSOR_NAME characters.
int MPI_Get_processor_name(char* name, int* length) KANOR_MPI(Get_processor_name);
/// MPI_VERSION and MPI_SUBVERSION.
int MPI_Get_version(int* version, int* subversion) KANOR_MPI(Get_version);
/// Writes the name and version of Kanor, of less than MPI_MAX_LIBRARY_VERSION_STRING characters.
int MPI_Get_library_version(char* version, int* length) KANOR_MPI(Get_library_version);
/// Has no effect: it is for profilers that replace it.
int MPI_Pcontrol(const int level, ...) KANOR_MPI(Pcontrol);

/// Sets the pointer at `base` to memory of so many bytes, which MPI_Free_mem frees.
int MPI_Alloc_mem(MPI_Aint bytes, MPI_Info info, void* base) KANOR_MPI(Alloc_mem);
int MPI_Free_mem(void* base) KANOR_MPI(Free_mem);

#ifdef __cplusplus
}
#endif

#endif
