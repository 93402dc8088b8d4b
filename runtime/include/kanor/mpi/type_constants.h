// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_TYPE_CONSTANTS_H
#define KANOR_MPI_TYPE_CONSTANTS_H

/// Predefined datatypes beside those of handles.h, and constants of calls on datatypes.

#include <kanor/mpi/handles.h>
#include <stddef.h>

/// C and C++.
#define MPI_WCHAR KANOR_MPI_TYPE(26, wchar_t)
#define MPI_C_BOOL KANOR_MPI_TYPE(27, char)
#define MPI_C_LONG_DOUBLE_COMPLEX KANOR_MPI_TYPE(28, long double[2])
#define MPI_AINT KANOR_MPI_TYPE(29, MPI_Aint)
#define MPI_OFFSET KANOR_MPI_TYPE(30, MPI_Offset)
#define MPI_COUNT KANOR_MPI_TYPE(31, MPI_Count)
#define MPI_PACKED KANOR_MPI_TYPE(32, char)
#define MPI_CXX_BOOL KANOR_MPI_TYPE(33, char)
#define MPI_CXX_FLOAT_COMPLEX KANOR_MPI_TYPE(34, float[2])
#define MPI_CXX_DOUBLE_COMPLEX KANOR_MPI_TYPE(35, double[2])
#define MPI_CXX_LONG_DOUBLE_COMPLEX KANOR_MPI_TYPE(36, long double[2])

/// Fortran, whose default INTEGER and REAL have 4 bytes.
#define MPI_CHARACTER KANOR_MPI_TYPE(40, char)
#define MPI_LOGICAL KANOR_MPI_TYPE(41, int)
#define MPI_INTEGER KANOR_MPI_TYPE(42, int)
#define MPI_REAL KANOR_MPI_TYPE(43, float)
#define MPI_DOUBLE_PRECISION KANOR_MPI_TYPE(44, double)
#define MPI_COMPLEX KANOR_MPI_TYPE(45, float[2])
#define MPI_DOUBLE_COMPLEX KANOR_MPI_TYPE(46, double[2])
#define MPI_INTEGER1 KANOR_MPI_TYPE(47, char)
#define MPI_INTEGER2 KANOR_MPI_TYPE(48, short)
#define MPI_INTEGER4 KANOR_MPI_TYPE(49, int)
#define MPI_INTEGER8 KANOR_MPI_TYPE(50, long long)
#define MPI_REAL4 KANOR_MPI_TYPE(51, float)
#define MPI_REAL8 KANOR_MPI_TYPE(52, double)
#define MPI_COMPLEX8 KANOR_MPI_TYPE(53, float[2])
#define MPI_COMPLEX16 KANOR_MPI_TYPE(54, double[2])

/// Datatypes of MPI that are not there.
#define MPI_REAL2 MPI_DATATYPE_NULL
#define MPI_REAL16 MPI_DATATYPE_NULL
#define MPI_COMPLEX4 MPI_DATATYPE_NULL
#define MPI_COMPLEX32 MPI_DATATYPE_NULL
#define MPI_INTEGER16 MPI_DATATYPE_NULL

/// A value and an index, for MPI_MAXLOC and MPI_MINLOC.
#define MPI_2INT KANOR_MPI_TYPE(60, int[2])
#define MPI_FLOAT_INT KANOR_MPI_TYPE(61, int[2])
#define MPI_2INTEGER KANOR_MPI_TYPE(62, int[2])
#define MPI_2REAL KANOR_MPI_TYPE(63, float[2])
#define MPI_2DOUBLE_PRECISION KANOR_MPI_TYPE(64, double[2])

/// Predefined datatypes whose elements have gaps, or no bytes: in the lowest byte the bytes without gaps.
#define KANOR_MPI_UNEVEN_TYPE(number, bytes) KANOR_MPI_HANDLE(3, 1 << 16 | (number) << 8 | (bytes))
#define MPI_SHORT_INT KANOR_MPI_UNEVEN_TYPE(65, (int)(sizeof(short) + sizeof(int)))
#define MPI_LONG_INT KANOR_MPI_UNEVEN_TYPE(66, (int)(sizeof(long) + sizeof(int)))
#define MPI_DOUBLE_INT KANOR_MPI_UNEVEN_TYPE(67, (int)(sizeof(double) + sizeof(int)))
#define MPI_LONG_DOUBLE_INT KANOR_MPI_UNEVEN_TYPE(68, (int)(sizeof(long double) + sizeof(int)))
/// MPI-1's bounds, for MPI_Type_struct; MPI_Type_create_resized is simpler.
#define MPI_LB KANOR_MPI_UNEVEN_TYPE(69, 0)
#define MPI_UB KANOR_MPI_UNEVEN_TYPE(70, 0)

/// How a datatype was made (MPI_Type_get_envelope).
#define MPI_COMBINER_NAMED 1
#define MPI_COMBINER_DUP 2
#define MPI_COMBINER_CONTIGUOUS 3
#define MPI_COMBINER_VECTOR 4
#define MPI_COMBINER_HVECTOR 5
#define MPI_COMBINER_INDEXED 6
#define MPI_COMBINER_HINDEXED 7
#define MPI_COMBINER_INDEXED_BLOCK 8
#define MPI_COMBINER_HINDEXED_BLOCK 9
#define MPI_COMBINER_STRUCT 10
#define MPI_COMBINER_SUBARRAY 11
#define MPI_COMBINER_DARRAY 12
#define MPI_COMBINER_RESIZED 13
#define MPI_COMBINER_F90_REAL 14
#define MPI_COMBINER_F90_COMPLEX 15
#define MPI_COMBINER_F90_INTEGER 16
#define MPI_COMBINER_HVECTOR_INTEGER 17
#define MPI_COMBINER_HINDEXED_INTEGER 18
#define MPI_COMBINER_STRUCT_INTEGER 19

/// Orders of arrays, and distributions of their dimensions.
#define MPI_ORDER_C 1
#define MPI_ORDER_FORTRAN 2
#define MPI_DISTRIBUTE_BLOCK 1
#define MPI_DISTRIBUTE_CYCLIC 2
#define MPI_DISTRIBUTE_NONE 3
#define MPI_DISTRIBUTE_DFLT_DARG (-1)

/// Classes of MPI_Type_match_size.
#define MPI_TYPECLASS_REAL 1
#define MPI_TYPECLASS_INTEGER 2
#define MPI_TYPECLASS_COMPLEX 3

#endif
