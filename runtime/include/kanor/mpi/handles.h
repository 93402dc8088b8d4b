// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_HANDLES_H
#define KANOR_MPI_HANDLES_H

/// Types and constants of kanor/mpi.h.

#include <stddef.h>

/// The name of a function in the linked program. The runtime's definitions are weak: a program may
/// define a function itself and call the original by its PMPI name.
#if defined(KANOR_MPI_DEFINES)
#define KANOR_MPI(name) __asm__("kanor_MPI_" #name) __attribute__((weak))
#else
#define KANOR_MPI(name) __asm__("kanor_MPI_" #name)
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

/// Handles: numbers, whose highest byte is their kind. Those of objects that a rank has made are
/// only valid on that rank.
typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef int MPI_Message;

/// Addresses, and numbers of elements.
typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Count;
typedef long long MPI_Offset;

/// Information on a received message.
typedef struct MPI_Status {
  int MPI_SOURCE;  ///< the sender's rank
  int MPI_TAG;
  int MPI_ERROR;
  int kanor_cancelled;  ///< for MPI_Test_cancelled
  size_t kanor_bytes;   ///< for MPI_Get_count
} MPI_Status;

/// `inout[i] = in[i] op inout[i]` for `*count` elements.
typedef void MPI_User_function(void* in, void* inout, int* count, MPI_Datatype* type);

#define KANOR_MPI_HANDLE(kind, number) ((kind) << 24 | (number))

#define MPI_COMM_NULL KANOR_MPI_HANDLE(1, 0)
#define MPI_COMM_WORLD KANOR_MPI_HANDLE(1, 1)
#define MPI_COMM_SELF KANOR_MPI_HANDLE(1, 2)
#define MPI_GROUP_NULL KANOR_MPI_HANDLE(2, 0)
#define MPI_GROUP_EMPTY KANOR_MPI_HANDLE(2, 1)
#define MPI_REQUEST_NULL KANOR_MPI_HANDLE(5, 0)
#define MPI_ERRHANDLER_NULL KANOR_MPI_HANDLE(6, 0)
#define MPI_ERRORS_ARE_FATAL KANOR_MPI_HANDLE(6, 1)
#define MPI_ERRORS_RETURN KANOR_MPI_HANDLE(6, 2)
#define MPI_INFO_NULL KANOR_MPI_HANDLE(7, 0)
#define MPI_INFO_ENV KANOR_MPI_HANDLE(7, 1)
#define MPI_MESSAGE_NULL KANOR_MPI_HANDLE(8, 0)
#define MPI_MESSAGE_NO_PROC KANOR_MPI_HANDLE(8, 1)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)

#define MPI_ANY_SOURCE (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ROOT (-3)
#define MPI_ANY_TAG (-1)
#define MPI_UNDEFINED (-32766)
#define MPI_KEYVAL_INVALID (-1)
#define MPI_BOTTOM ((void*)0)
/// Passed instead of a rank's contribution, which is then read from its result buffer.
#define MPI_IN_PLACE ((void*)-1)

#define MPI_MAX_ERROR_STRING 512
#define MPI_MAX_OBJECT_NAME 128
#define MPI_MAX_PROCESSOR_NAME 128
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_INFO_KEY 255
#define MPI_MAX_INFO_VAL 1024
#define MPI_BSEND_OVERHEAD 96

/// Results of MPI_Comm_compare and MPI_Group_compare.
#define MPI_IDENT 0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR 2
#define MPI_UNEQUAL 3

#define MPI_COMM_TYPE_SHARED 1

#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3

/// Predefined datatypes: a number, and in the lowest byte the size of an element.
#define KANOR_MPI_TYPE(number, type) KANOR_MPI_HANDLE(3, (number) << 8 | (int)sizeof(type))
#define MPI_DATATYPE_NULL KANOR_MPI_HANDLE(3, 0)
#define MPI_BYTE KANOR_MPI_TYPE(1, char)
#define MPI_CHAR KANOR_MPI_TYPE(2, char)
#define MPI_SIGNED_CHAR KANOR_MPI_TYPE(3, char)
#define MPI_UNSIGNED_CHAR KANOR_MPI_TYPE(4, char)
#define MPI_SHORT KANOR_MPI_TYPE(5, short)
#define MPI_UNSIGNED_SHORT KANOR_MPI_TYPE(6, short)
#define MPI_INT KANOR_MPI_TYPE(7, int)
#define MPI_UNSIGNED KANOR_MPI_TYPE(8, int)
#define MPI_LONG KANOR_MPI_TYPE(9, long)
#define MPI_UNSIGNED_LONG KANOR_MPI_TYPE(10, long)
#define MPI_LONG_LONG KANOR_MPI_TYPE(11, long long)
#define MPI_LONG_LONG_INT MPI_LONG_LONG
#define MPI_UNSIGNED_LONG_LONG KANOR_MPI_TYPE(12, long long)
#define MPI_FLOAT KANOR_MPI_TYPE(13, float)
#define MPI_DOUBLE KANOR_MPI_TYPE(14, double)
#define MPI_LONG_DOUBLE KANOR_MPI_TYPE(15, long double)
#define MPI_INT8_T KANOR_MPI_TYPE(16, char)
#define MPI_INT16_T KANOR_MPI_TYPE(17, short)
#define MPI_INT32_T KANOR_MPI_TYPE(18, int)
#define MPI_INT64_T KANOR_MPI_TYPE(19, long long)
#define MPI_UINT8_T KANOR_MPI_TYPE(20, char)
#define MPI_UINT16_T KANOR_MPI_TYPE(21, short)
#define MPI_UINT32_T KANOR_MPI_TYPE(22, int)
#define MPI_UINT64_T KANOR_MPI_TYPE(23, long long)
#define MPI_C_FLOAT_COMPLEX KANOR_MPI_TYPE(24, float[2])
#define MPI_C_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_C_DOUBLE_COMPLEX KANOR_MPI_TYPE(25, double[2])

/// Operations of reductions on predefined datatypes: MPI_MAX and MPI_MIN for integers and
/// floating-point numbers, MPI_SUM and MPI_PROD also for complex numbers, logical and bitwise
/// operations for integers (bitwise also for MPI_BYTE, logical for C's and Fortran's truth values),
/// MPI_MAXLOC and MPI_MINLOC for a value and an index. MPI_REPLACE and MPI_NO_OP are not for
/// reductions.
#define MPI_OP_NULL KANOR_MPI_HANDLE(4, 0)
#define MPI_MAX KANOR_MPI_HANDLE(4, 1)
#define MPI_MIN KANOR_MPI_HANDLE(4, 2)
#define MPI_SUM KANOR_MPI_HANDLE(4, 3)
#define MPI_PROD KANOR_MPI_HANDLE(4, 4)
#define MPI_LAND KANOR_MPI_HANDLE(4, 5)
#define MPI_BAND KANOR_MPI_HANDLE(4, 6)
#define MPI_LOR KANOR_MPI_HANDLE(4, 7)
#define MPI_BOR KANOR_MPI_HANDLE(4, 8)
#define MPI_LXOR KANOR_MPI_HANDLE(4, 9)
#define MPI_BXOR KANOR_MPI_HANDLE(4, 10)
#define MPI_MAXLOC KANOR_MPI_HANDLE(4, 11)
#define MPI_MINLOC KANOR_MPI_HANDLE(4, 12)
#define MPI_REPLACE KANOR_MPI_HANDLE(4, 13)
#define MPI_NO_OP KANOR_MPI_HANDLE(4, 14)

/// Error classes. Codes are classes, apart from those of MPI_Add_error_code.
#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_TAG 4
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_REQUEST 7
#define MPI_ERR_ROOT 8
#define MPI_ERR_GROUP 9
#define MPI_ERR_OP 10
#define MPI_ERR_TOPOLOGY 11
#define MPI_ERR_DIMS 12
#define MPI_ERR_ARG 13
#define MPI_ERR_UNKNOWN 14
#define MPI_ERR_TRUNCATE 15
#define MPI_ERR_OTHER 16
#define MPI_ERR_INTERN 17
#define MPI_ERR_IN_STATUS 18
#define MPI_ERR_PENDING 19
#define MPI_ERR_KEYVAL 20
#define MPI_ERR_ACCESS 21
#define MPI_ERR_AMODE 22
#define MPI_ERR_ASSERT 23
#define MPI_ERR_BAD_FILE 24
#define MPI_ERR_BASE 25
#define MPI_ERR_CONVERSION 26
#define MPI_ERR_DISP 27
#define MPI_ERR_DUP_DATAREP 28
#define MPI_ERR_FILE_EXISTS 29
#define MPI_ERR_FILE_IN_USE 30
#define MPI_ERR_FILE 31
#define MPI_ERR_INFO_KEY 32
#define MPI_ERR_INFO_NOKEY 33
#define MPI_ERR_INFO_VALUE 34
#define MPI_ERR_INFO 35
#define MPI_ERR_IO 36
#define MPI_ERR_LOCKTYPE 37
#define MPI_ERR_NAME 38
#define MPI_ERR_NO_MEM 39
#define MPI_ERR_NOT_SAME 40
#define MPI_ERR_NO_SPACE 41
#define MPI_ERR_NO_SUCH_FILE 42
#define MPI_ERR_PORT 43
#define MPI_ERR_QUOTA 44
#define MPI_ERR_READ_ONLY 45
#define MPI_ERR_RMA_CONFLICT 46
#define MPI_ERR_RMA_SYNC 47
#define MPI_ERR_SERVICE 48
#define MPI_ERR_SIZE 49
#define MPI_ERR_SPAWN 50
#define MPI_ERR_UNSUPPORTED_DATAREP 51
#define MPI_ERR_UNSUPPORTED_OPERATION 52
#define MPI_ERR_WIN 53
#define MPI_ERR_RMA_RANGE 54
#define MPI_ERR_RMA_ATTACH 55
#define MPI_ERR_RMA_SHARED 56
#define MPI_ERR_RMA_FLAVOR 57
#define MPI_ERR_LASTCODE 99

#endif
