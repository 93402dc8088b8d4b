// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_INFO_H
#define KANOR_MPI_INFO_H

/// Info objects: keys with values, in the order in which the keys were set first.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An info object without keys, and one with the keys and values of another.
int MPI_Info_create(MPI_Info* info) KANOR_MPI(Info_create);
int MPI_Info_dup(MPI_Info info, MPI_Info* made) KANOR_MPI(Info_dup);
int MPI_Info_free(MPI_Info* info) KANOR_MPI(Info_free);
/// Sets a key's value. A key has 1 to MPI_MAX_INFO_KEY characters, a value at most MPI_MAX_INFO_VAL.
int MPI_Info_set(MPI_Info info, const char* key, const char* value) KANOR_MPI(Info_set);
/// Removes a key, which must be there.
int MPI_Info_delete(MPI_Info info, const char* key) KANOR_MPI(Info_delete);
/// Writes at most `most` characters of a key's value and a NUL, if `flag` says that there is one.
int MPI_Info_get(MPI_Info info, const char* key, int most, char* value, int* flag) KANOR_MPI(Info_get);
/// The length of a key's value, without the NUL.
int MPI_Info_get_valuelen(MPI_Info info, const char* key, int* length, int* flag)
    KANOR_MPI(Info_get_valuelen);
int MPI_Info_get_nkeys(MPI_Info info, int* keys) KANOR_MPI(Info_get_nkeys);
/// Writes the key of number `index`, from 0 on, with at most MPI_MAX_INFO_KEY characters and a NUL.
int MPI_Info_get_nthkey(MPI_Info info, int index, char* key) KANOR_MPI(Info_get_nthkey);

/// Hints: Kanor uses none, so what it answers has no keys.
int MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) KANOR_MPI(Comm_set_info);
int MPI_Comm_get_info(MPI_Comm comm, MPI_Info* used) KANOR_MPI(Comm_get_info);

#ifdef __cplusplus
}
#endif

#endif
