// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_FORTRAN_H
#define KANOR_MPI_FORTRAN_H

/// What C programs need to know of Fortran: its handles, statuses and datatypes.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A default INTEGER.
typedef int MPI_Fint;

/// Handles there and back. They are the same numbers.
MPI_Fint MPI_Comm_c2f(MPI_Comm comm) KANOR_MPI(Comm_c2f);
MPI_Comm MPI_Comm_f2c(MPI_Fint comm) KANOR_MPI(Comm_f2c);
MPI_Fint MPI_Group_c2f(MPI_Group group) KANOR_MPI(Group_c2f);
MPI_Group MPI_Group_f2c(MPI_Fint group) KANOR_MPI(Group_f2c);
MPI_Fint MPI_Type_c2f(MPI_Datatype type) KANOR_MPI(Type_c2f);
MPI_Datatype MPI_Type_f2c(MPI_Fint type) KANOR_MPI(Type_f2c);
MPI_Fint MPI_Op_c2f(MPI_Op op) KANOR_MPI(Op_c2f);
MPI_Op MPI_Op_f2c(MPI_Fint op) KANOR_MPI(Op_f2c);
MPI_Fint MPI_Request_c2f(MPI_Request request) KANOR_MPI(Request_c2f);
MPI_Request MPI_Request_f2c(MPI_Fint request) KANOR_MPI(Request_f2c);
MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler handler) KANOR_MPI(Errhandler_c2f);
MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint handler) KANOR_MPI(Errhandler_f2c);
MPI_Fint MPI_Info_c2f(MPI_Info info) KANOR_MPI(Info_c2f);
MPI_Info MPI_Info_f2c(MPI_Fint info) KANOR_MPI(Info_f2c);
MPI_Fint MPI_Message_c2f(MPI_Message message) KANOR_MPI(Message_c2f);
MPI_Message MPI_Message_f2c(MPI_Fint message) KANOR_MPI(Message_f2c);

/// A status in Fortran: an array of so many numbers. The places of its parts are counted from 0.
#define MPI_F_STATUS_SIZE ((int)(sizeof(MPI_Status) / sizeof(MPI_Fint)))
#define MPI_F_SOURCE 0
#define MPI_F_TAG 1
#define MPI_F_ERROR 2
#define MPI_F_STATUS_IGNORE ((MPI_Fint*)0)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint*)0)
int MPI_Status_c2f(const MPI_Status* status, MPI_Fint* made) KANOR_MPI(Status_c2f);
int MPI_Status_f2c(const MPI_Fint* status, MPI_Status* made) KANOR_MPI(Status_f2c);

/// Predefined datatypes with at least so many decimal digits, and so large an exponent of ten. One of
/// the two may be MPI_UNDEFINED. The same numbers give the same datatype, which is not to be freed.
int MPI_Type_create_f90_integer(int digits, MPI_Datatype* made) KANOR_MPI(Type_create_f90_integer);
int MPI_Type_create_f90_real(int digits, int exponent, MPI_Datatype* made) KANOR_MPI(Type_create_f90_real);
int MPI_Type_create_f90_complex(int digits, int exponent, MPI_Datatype* made)
    KANOR_MPI(Type_create_f90_complex);

#ifdef __cplusplus
}
#endif

#endif
