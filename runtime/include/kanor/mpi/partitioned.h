// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_PARTITIONED_H
#define KANOR_MPI_PARTITIONED_H

/// Part of kanor/mpi.h: partitioned messages of MPI 4. One message has several parts, which the
/// sender computes one after the other, or on several threads: each part travels as soon as
/// MPI_Pready has named it, and the receiver can use it as soon as MPI_Parrived says that it is
/// there. The other functions of MPI 4 are not declared.

#include <kanor/mpi/handles.h>
#include <kanor/mpi/info.h>
#include <kanor/mpi/requests.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Make persistent requests, which MPI_Start begins: for `partitions` parts of `count` elements
/// each, one after the other at `data`. Neither waits. A receive gets the message of the send with
/// its rank and tag; several are paired in the order of these calls. MPI_ANY_SOURCE and MPI_ANY_TAG
/// are not allowed, and ordinary messages are not met. Both sides have the same number of bytes in
/// all, and may divide them into different numbers of parts. A tag is at most MPI_TAG_UB - 1; `info`
/// is ignored.
int MPI_Psend_init(const void* data, int partitions, MPI_Count count, MPI_Datatype type, int rank, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) KANOR_MPI(Psend_init);
int MPI_Precv_init(void* data, int partitions, MPI_Count count, MPI_Datatype type, int rank, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) KANOR_MPI(Precv_init);

/// Send one part, those from `first` to `last` (included), or those of a list. Each part is sent
/// once between MPI_Start and the end of the request, and must not change until then. These never
/// wait. With MPI_THREAD_MULTIPLE, threads may call them at the same time.
int MPI_Pready(int partition, MPI_Request request) KANOR_MPI(Pready);
int MPI_Pready_range(int first, int last, MPI_Request request) KANOR_MPI(Pready_range);
int MPI_Pready_list(int count, const int partitions[], MPI_Request request) KANOR_MPI(Pready_list);

/// Sets `flag` to whether a part of a receive has arrived; also if the request is not active. If the
/// two sides divide the message differently, parts whose borders do not meet the sender's arrive
/// together with their neighbours.
int MPI_Parrived(MPI_Request request, int partition, int* flag) KANOR_MPI(Parrived);

#ifdef __cplusplus
}
#endif

#endif
