// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_H
#define KANOR_MPI_H

/// Messages between Kanor's ranks with MPI's functions: the part of MPI that complements
/// kanor/opi.h. For C and C++. MPI need not be installed. If the job runs under an MPI launcher,
/// messages to other machines are sent by that MPI.
///
/// In the linked program the functions have other names (kanor_MPI_Send, ...), so the program may
/// also use libraries that call a real MPI. One source file can use only one of the two.
///
/// A rank may make these calls before MPI_Init and after MPI_Finalize too. On which threads,
/// MPI_Init_thread says. They return MPI_SUCCESS, or an error code after calling the communicator's error
/// handler. With MPI_ERRORS_ARE_FATAL, the default, an error ends the job with a message.
/// MPI_Error_string describes the error in this rank's latest call that failed with the given code.

#if defined(MPI_VERSION)
#error "kanor/mpi.h and another MPI's mpi.h declare the same names: include only one of them"
#endif

#include <kanor/mpi/attributes.h>
#include <kanor/mpi/collectives.h>
#include <kanor/mpi/communicators.h>
#include <kanor/mpi/datatypes.h>
#include <kanor/mpi/environment.h>
#include <kanor/mpi/errors.h>
#include <kanor/mpi/fortran.h>
#include <kanor/mpi/handles.h>
#include <kanor/mpi/info.h>
#include <kanor/mpi/intercommunicators.h>
#include <kanor/mpi/nonblocking_collectives.h>
#include <kanor/mpi/packing.h>
#include <kanor/mpi/partitioned.h>
#include <kanor/mpi/point_to_point.h>
#include <kanor/mpi/requests.h>
#include <kanor/mpi/topologies.h>
#include <kanor/mpi/type_constants.h>

#endif
