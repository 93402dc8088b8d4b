// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_INTERCOMMUNICATORS_H
#define KANOR_MPI_INTERCOMMUNICATORS_H

/// Intercommunicators: two groups without a common rank, of which each rank sends to the other group's.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// In an intercommunicator MPI_Comm_rank, MPI_Comm_size and MPI_Comm_group speak of the caller's group;
/// ranks of messages, and statuses, of the other one.
///
/// In collectives each rank sends its contribution to the other group, and the result of one group comes
/// from the other. Where there is a root it passes MPI_ROOT, the other ranks of its group MPI_PROC_NULL,
/// and the other group its number there. MPI_IN_PLACE is not allowed.
///
/// Cost: a message from each rank to each rank of the other group that gets something of it. In
/// MPI_Allreduce each rank folds all that its result is made of.

/// Makes one of the groups of two communicators: the two `leader`s find each other as `remote_leader` in
/// `peer`, which matters only there, by a tag that no other call of this function uses at the same time.
int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm peer, int remote_leader, int tag, MPI_Comm* made)
    KANOR_MPI(Intercomm_create);
/// Makes a communicator of both groups: first the one that passes false as `high`, or, if both pass the
/// same, the one whose first rank has the lower number in MPI_COMM_WORLD.
int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* made) KANOR_MPI(Intercomm_merge);
/// Sets `flag` to whether it is an intercommunicator.
int MPI_Comm_test_inter(MPI_Comm comm, int* flag) KANOR_MPI(Comm_test_inter);
int MPI_Comm_remote_size(MPI_Comm comm, int* size) KANOR_MPI(Comm_remote_size);
int MPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) KANOR_MPI(Comm_remote_group);

#ifdef __cplusplus
}
#endif

#endif
