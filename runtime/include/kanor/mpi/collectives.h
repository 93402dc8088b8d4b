// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_COLLECTIVES_H
#define KANOR_MPI_COLLECTIVES_H

/// Collectives and reductions.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Waits until every rank of the communicator has called it.
int MPI_Barrier(MPI_Comm comm) KANOR_MPI(Barrier);

/// Collectives. All ranks of the communicator call the same ones in the same order, with the same
/// root, operation and numbers of elements. A rank that detects a difference reports an error. A
/// call returns when the rank has its result and may change its contribution. Thread ranks read
/// long contributions in place, so each rank may wait for all others. A result must not overlap a
/// contribution (use MPI_IN_PLACE).
///
/// Cost: up to 8 KiB, one copy into a message and one out of it; beyond that, one copy between
/// threads. In a reduction each rank folds a part.
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) KANOR_MPI(Bcast);
int MPI_Gather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
               MPI_Datatype type_each, int root, MPI_Comm comm) KANOR_MPI(Gather);
int MPI_Gatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                const int offsets[], MPI_Datatype type_each, int root, MPI_Comm comm) KANOR_MPI(Gatherv);
int MPI_Scatter(const void* all, int count_each, MPI_Datatype type_each, void* own, int count,
                MPI_Datatype type, int root, MPI_Comm comm) KANOR_MPI(Scatter);
int MPI_Scatterv(const void* all, const int counts[], const int offsets[], MPI_Datatype type_each, void* own,
                 int count, MPI_Datatype type, int root, MPI_Comm comm) KANOR_MPI(Scatterv);
int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int count_each,
                  MPI_Datatype type_each, MPI_Comm comm) KANOR_MPI(Allgather);
int MPI_Allgatherv(const void* own, int count, MPI_Datatype type, void* all, const int counts[],
                   const int offsets[], MPI_Datatype type_each, MPI_Comm comm) KANOR_MPI(Allgatherv);
int MPI_Alltoall(const void* out, int count_out, MPI_Datatype type_out, void* in, int count_in,
                 MPI_Datatype type_in, MPI_Comm comm) KANOR_MPI(Alltoall);
int MPI_Alltoallv(const void* out, const int counts_out[], const int offsets_out[], MPI_Datatype type_out,
                  void* in, const int counts_in[], const int offsets_in[], MPI_Datatype type_in,
                  MPI_Comm comm) KANOR_MPI(Alltoallv);
/// With a datatype for each rank; the offsets are in bytes.
int MPI_Alltoallw(const void* out, const int counts_out[], const int offsets_out[],
                  const MPI_Datatype types_out[], void* in, const int counts_in[], const int offsets_in[],
                  const MPI_Datatype types_in[], MPI_Comm comm) KANOR_MPI(Alltoallw);

/// Reductions of elements of predefined datatypes, or with an operation of MPI_Op_create, of any
/// datatype. Terms are folded in rank order, and the bracketing is always the same,
/// for all operations and kinds of ranks: F of m terms is F(the first 2^k) op F(the rest), where
/// 2^k is the largest power of two below m.
int MPI_Reduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) KANOR_MPI(Reduce);
int MPI_Allreduce(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    KANOR_MPI(Allreduce);
/// Each rank gets a part of the result: counts[i] elements, or `count`, go to rank i.
int MPI_Reduce_scatter(const void* own, void* result, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) KANOR_MPI(Reduce_scatter);
int MPI_Reduce_scatter_block(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) KANOR_MPI(Reduce_scatter_block);
/// MPI_Scan folds the terms of the ranks up to this one, MPI_Exscan those of the ranks below it.
/// (MPI_Exscan does not change the result on rank 0.)
int MPI_Scan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    KANOR_MPI(Scan);
int MPI_Exscan(const void* own, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    KANOR_MPI(Exscan);
/// Creates an operation. `commutes` has no effect. Any rank may call the function with the elements
/// of any ranks. It must not change `in`.
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* op) KANOR_MPI(Op_create);
int MPI_Op_free(MPI_Op* op) KANOR_MPI(Op_free);
int MPI_Op_commutative(MPI_Op op, int* commutes) KANOR_MPI(Op_commutative);
/// `inout[i] = in[i] op inout[i]`, on this rank alone.
int MPI_Reduce_local(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op)
    KANOR_MPI(Reduce_local);

#ifdef __cplusplus
}
#endif

#endif
