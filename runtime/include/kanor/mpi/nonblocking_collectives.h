// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_NONBLOCKING_COLLECTIVES_H
#define KANOR_MPI_NONBLOCKING_COLLECTIVES_H

/// Nonblocking collectives.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Collectives that have begun when they return, and end when their request is completed. All ranks
/// of the communicator begin the same ones, and call the same blocking ones, in the same order. A
/// nonblocking one and a blocking one are not the same. Several can be under way. Until a rank has
/// completed its request it may not write its contribution, nor use its result.
///
/// A rank can complete its request once all whose contributions it needs have begun the collective:
/// they need not wait or test. Beginning one does not wait. Results are those of the
/// blocking calls, bit for bit.
///
/// Cost: each contribution is copied, once if all who get it share memory, and goes straight to those
/// who need it. In MPI_Iallreduce and MPI_Iscan each rank folds all that its result is made of.
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) KANOR_MPI(Ibarrier);
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request)
    KANOR_MPI(Ibcast);
int MPI_Igather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                MPI_Datatype type_each, int root, MPI_Comm comm, MPI_Request* request) KANOR_MPI(Igather);
int MPI_Igatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                 const int offsets[], MPI_Datatype type_each, int root, MPI_Comm comm, MPI_Request* request)
    KANOR_MPI(Igatherv);
int MPI_Iscatter(const void* all, int count_each, MPI_Datatype type_each, void* own, int count,
                 MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) KANOR_MPI(Iscatter);
int MPI_Iscatterv(const void* all, const int counts[], const int offsets[], MPI_Datatype type_each, void* own,
                  int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request)
    KANOR_MPI(Iscatterv);
int MPI_Iallgather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                   MPI_Datatype type_each, MPI_Comm comm, MPI_Request* request) KANOR_MPI(Iallgather);
int MPI_Iallgatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                    const int offsets[], MPI_Datatype type_each, MPI_Comm comm, MPI_Request* request)
    KANOR_MPI(Iallgatherv);
int MPI_Ialltoall(const void* out, int count_out, MPI_Datatype type_out, void* in, int count_in,
                  MPI_Datatype type_in, MPI_Comm comm, MPI_Request* request) KANOR_MPI(Ialltoall);
int MPI_Ialltoallv(const void* out, const int counts_out[], const int offsets_out[], MPI_Datatype type_out,
                   void* in, const int counts_in[], const int offsets_in[], MPI_Datatype type_in,
                   MPI_Comm comm, MPI_Request* request) KANOR_MPI(Ialltoallv);
int MPI_Ialltoallw(const void* out, const int counts_out[], const int offsets_out[],
                   const MPI_Datatype types_out[], void* in, const int counts_in[], const int offsets_in[],
                   const MPI_Datatype types_in[], MPI_Comm comm, MPI_Request* request) KANOR_MPI(Ialltoallw);
int MPI_Ireduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Request* request) KANOR_MPI(Ireduce);
int MPI_Iallreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) KANOR_MPI(Iallreduce);
int MPI_Ireduce_scatter(const void* own, void* result, const int counts[], MPI_Datatype type, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) KANOR_MPI(Ireduce_scatter);
int MPI_Ireduce_scatter_block(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) KANOR_MPI(Ireduce_scatter_block);
int MPI_Iscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
              MPI_Request* request) KANOR_MPI(Iscan);
int MPI_Iexscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                MPI_Request* request) KANOR_MPI(Iexscan);

/// Those of neighbours in a topology.
int MPI_Ineighbor_allgather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                            MPI_Datatype type_each, MPI_Comm comm, MPI_Request* request)
    KANOR_MPI(Ineighbor_allgather);
int MPI_Ineighbor_allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                             const int offsets[], MPI_Datatype type_each, MPI_Comm comm, MPI_Request* request)
    KANOR_MPI(Ineighbor_allgatherv);
int MPI_Ineighbor_alltoall(const void* out, int count_out, MPI_Datatype type_out, void* in, int count_in,
                           MPI_Datatype type_in, MPI_Comm comm, MPI_Request* request)
    KANOR_MPI(Ineighbor_alltoall);
int MPI_Ineighbor_alltoallv(const void* out, const int counts_out[], const int offsets_out[],
                            MPI_Datatype type_out, void* in, const int counts_in[], const int offsets_in[],
                            MPI_Datatype type_in, MPI_Comm comm, MPI_Request* request)
    KANOR_MPI(Ineighbor_alltoallv);
int MPI_Ineighbor_alltoallw(const void* out, const int counts_out[], const MPI_Aint offsets_out[],
                            const MPI_Datatype types_out[], void* in, const int counts_in[],
                            const MPI_Aint offsets_in[], const MPI_Datatype types_in[], MPI_Comm comm,
                            MPI_Request* request) KANOR_MPI(Ineighbor_alltoallw);

#ifdef __cplusplus
}
#endif

#endif
