// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_COMMUNICATORS_H
#define KANOR_MPI_COMMUNICATORS_H

/// Communicators and groups.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The calling rank's number in a communicator, and the number of ranks. In MPI_COMM_SELF they are
/// 0 and 1.
int MPI_Comm_rank(MPI_Comm comm, int* rank) KANOR_MPI(Comm_rank);
int MPI_Comm_size(MPI_Comm comm, int* size) KANOR_MPI(Comm_size);

/// New communicators. All ranks of `comm` call the same function (all of `group`, for
/// MPI_Comm_create_group). A rank that gets none gets MPI_COMM_NULL.
/// The same ranks, with attributes that are copied by their callbacks.
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* made) KANOR_MPI(Comm_dup);
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* made) KANOR_MPI(Comm_dup_with_info);
/// The same; `*made` can be used once the request is done. Beginning it does not wait.
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* made, MPI_Request* request) KANOR_MPI(Comm_idup);
/// One for each `color`, in the order of `key`, and of the rank where keys are equal. With
/// MPI_UNDEFINED as color the rank gets none.
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* made) KANOR_MPI(Comm_split);
/// MPI_COMM_TYPE_SHARED: the ranks that share memory.
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made)
    KANOR_MPI(Comm_split_type);
int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* made) KANOR_MPI(Comm_create);
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made)
    KANOR_MPI(Comm_create_group);
/// Operations that have begun still complete.
int MPI_Comm_free(MPI_Comm* comm) KANOR_MPI(Comm_free);
/// The same when all members call it: it waits for them.
int MPI_Comm_disconnect(MPI_Comm* comm) KANOR_MPI(Comm_disconnect);
/// MPI_IDENT, MPI_CONGRUENT (the same ranks in the same order), MPI_SIMILAR (in another order) or
/// MPI_UNEQUAL.
int MPI_Comm_compare(MPI_Comm a, MPI_Comm b, int* result) KANOR_MPI(Comm_compare);
int MPI_Comm_group(MPI_Comm comm, MPI_Group* group) KANOR_MPI(Comm_group);
int MPI_Comm_set_name(MPI_Comm comm, const char* name) KANOR_MPI(Comm_set_name);
/// Writes a name of less than MPI_MAX_OBJECT_NAME characters.
int MPI_Comm_get_name(MPI_Comm comm, char* name, int* length) KANOR_MPI(Comm_get_name);

/// Groups: ranks in an order. Each function that makes one makes a handle of its own, which
/// MPI_Group_free gives back.
int MPI_Group_size(MPI_Group group, int* size) KANOR_MPI(Group_size);
/// The calling rank's number in the group, or MPI_UNDEFINED.
int MPI_Group_rank(MPI_Group group, int* rank) KANOR_MPI(Group_rank);
int MPI_Group_translate_ranks(MPI_Group from, int count, const int ranks[], MPI_Group to, int found[])
    KANOR_MPI(Group_translate_ranks);
int MPI_Group_compare(MPI_Group a, MPI_Group b, int* result) KANOR_MPI(Group_compare);
int MPI_Group_union(MPI_Group a, MPI_Group b, MPI_Group* made) KANOR_MPI(Group_union);
int MPI_Group_intersection(MPI_Group a, MPI_Group b, MPI_Group* made) KANOR_MPI(Group_intersection);
int MPI_Group_difference(MPI_Group a, MPI_Group b, MPI_Group* made) KANOR_MPI(Group_difference);
int MPI_Group_incl(MPI_Group group, int count, const int ranks[], MPI_Group* made) KANOR_MPI(Group_incl);
int MPI_Group_excl(MPI_Group group, int count, const int ranks[], MPI_Group* made) KANOR_MPI(Group_excl);
/// Ranges are (first, last, stride).
int MPI_Group_range_incl(MPI_Group group, int count, int ranges[][3], MPI_Group* made)
    KANOR_MPI(Group_range_incl);
int MPI_Group_range_excl(MPI_Group group, int count, int ranges[][3], MPI_Group* made)
    KANOR_MPI(Group_range_excl);
int MPI_Group_free(MPI_Group* group) KANOR_MPI(Group_free);

#ifdef __cplusplus
}
#endif

#endif
