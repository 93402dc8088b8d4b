// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_ATTRIBUTES_H
#define KANOR_MPI_ATTRIBUTES_H

/// Attributes of communicators and datatypes: pointers of the program, found by keys.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Called for each attribute of a communicator or datatype that is duplicated: sets `flag` to
/// whether the copy gets the attribute, and the pointer at `made` to its value there.
typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int key, void* state, void* value, void* made,
                                        int* flag);
typedef int MPI_Type_copy_attr_function(MPI_Datatype type, int key, void* state, void* value, void* made,
                                        int* flag);
/// Called before an attribute goes: when it is deleted or gets another value, and when its object is
/// freed. If it returns an error, the attribute stays.
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int key, void* value, void* state);
typedef int MPI_Type_delete_attr_function(MPI_Datatype type, int key, void* value, void* state);
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;

/// Copies no attribute; copies the pointer; does nothing when an attribute goes.
int MPI_COMM_NULL_COPY_FN(MPI_Comm comm, int key, void* state, void* value, void* made, int* flag)
    KANOR_MPI(COMM_NULL_COPY_FN);
int MPI_COMM_DUP_FN(MPI_Comm comm, int key, void* state, void* value, void* made, int* flag)
    KANOR_MPI(COMM_DUP_FN);
int MPI_COMM_NULL_DELETE_FN(MPI_Comm comm, int key, void* value, void* state) KANOR_MPI(COMM_NULL_DELETE_FN);
#define MPI_TYPE_NULL_COPY_FN MPI_COMM_NULL_COPY_FN
#define MPI_TYPE_DUP_FN MPI_COMM_DUP_FN
#define MPI_TYPE_NULL_DELETE_FN MPI_COMM_NULL_DELETE_FN
#define MPI_NULL_COPY_FN MPI_COMM_NULL_COPY_FN
#define MPI_DUP_FN MPI_COMM_DUP_FN
#define MPI_NULL_DELETE_FN MPI_COMM_NULL_DELETE_FN

/// Attributes that every communicator has, and that stay: each is a pointer to an int. MPI_TAG_UB is
/// the largest tag, MPI_HOST is MPI_PROC_NULL, MPI_IO is MPI_ANY_SOURCE (all ranks have files),
/// MPI_WTIME_IS_GLOBAL says whether all ranks have one clock, MPI_UNIVERSE_SIZE is the number of
/// ranks, MPI_APPNUM is 0, and MPI_LASTUSEDCODE is the largest error code.
#define MPI_TAG_UB KANOR_MPI_HANDLE(9, 1)
#define MPI_HOST KANOR_MPI_HANDLE(9, 2)
#define MPI_IO KANOR_MPI_HANDLE(9, 3)
#define MPI_WTIME_IS_GLOBAL KANOR_MPI_HANDLE(9, 4)
#define MPI_UNIVERSE_SIZE KANOR_MPI_HANDLE(9, 5)
#define MPI_APPNUM KANOR_MPI_HANDLE(9, 6)
#define MPI_LASTUSEDCODE KANOR_MPI_HANDLE(9, 7)

/// Makes a key. `state` is given to the functions, which may be NULL: then they are
/// MPI_COMM_NULL_COPY_FN and MPI_COMM_NULL_DELETE_FN.
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove, int* key,
                           void* state) KANOR_MPI(Comm_create_keyval);
/// Attributes with the key stay, and can still be deleted by it.
int MPI_Comm_free_keyval(int* key) KANOR_MPI(Comm_free_keyval);
int MPI_Comm_set_attr(MPI_Comm comm, int key, void* value) KANOR_MPI(Comm_set_attr);
/// Sets the pointer at `value` if `flag` says that there is such an attribute.
int MPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* flag) KANOR_MPI(Comm_get_attr);
int MPI_Comm_delete_attr(MPI_Comm comm, int key) KANOR_MPI(Comm_delete_attr);

/// The same for datatypes. Each has keys of its own.
int MPI_Type_create_keyval(MPI_Type_copy_attr_function* copy, MPI_Type_delete_attr_function* remove, int* key,
                           void* state) KANOR_MPI(Type_create_keyval);
int MPI_Type_free_keyval(int* key) KANOR_MPI(Type_free_keyval);
int MPI_Type_set_attr(MPI_Datatype type, int key, void* value) KANOR_MPI(Type_set_attr);
int MPI_Type_get_attr(MPI_Datatype type, int key, void* value, int* flag) KANOR_MPI(Type_get_attr);
int MPI_Type_delete_attr(MPI_Datatype type, int key) KANOR_MPI(Type_delete_attr);

/// The names that MPI-1 has for those of communicators.
int MPI_Keyval_create(MPI_Copy_function* copy, MPI_Delete_function* remove, int* key, void* state)
    KANOR_MPI(Keyval_create);
int MPI_Keyval_free(int* key) KANOR_MPI(Keyval_free);
int MPI_Attr_put(MPI_Comm comm, int key, void* value) KANOR_MPI(Attr_put);
int MPI_Attr_get(MPI_Comm comm, int key, void* value, int* flag) KANOR_MPI(Attr_get);
int MPI_Attr_delete(MPI_Comm comm, int key) KANOR_MPI(Attr_delete);

#ifdef __cplusplus
}
#endif

#endif
