// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef KANOR_MPI_POINT_TO_POINT_H
#define KANOR_MPI_POINT_TO_POINT_H

/// Messages from rank to rank.

#include <kanor/mpi/handles.h>

#ifdef __cplusplus
extern "C" {
#endif

/// All sends copy the data, so the buffer can be reused at once. MPI_Send and MPI_Rsend wait only
/// while more than KANOR_INFLIGHT bytes are in flight to `rank`. If ranks that share memory wait for
/// each other in this way, receivers take over messages in order that the senders continue.
int MPI_Send(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
    KANOR_MPI(Send);
int MPI_Rsend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
    KANOR_MPI(Rsend);
/// Waits until a receive has got the message.
int MPI_Ssend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
    KANOR_MPI(Ssend);
/// Never waits. The message leaves at once: the attached buffer only has to be large enough for it,
/// and stays unused.
int MPI_Bsend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm)
    KANOR_MPI(Bsend);
int MPI_Buffer_attach(void* buffer, int bytes) KANOR_MPI(Buffer_attach);
/// Stores the buffer's address at `buffer`.
int MPI_Buffer_detach(void* buffer, int* bytes) KANOR_MPI(Buffer_detach);

/// Nonblocking sends never wait. If more than KANOR_INFLIGHT bytes are in flight to `rank` then,
/// MPI_Wait and MPI_Waitall wait until there are fewer.
int MPI_Isend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) KANOR_MPI(Isend);
int MPI_Irsend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request* request) KANOR_MPI(Irsend);
int MPI_Issend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request* request) KANOR_MPI(Issend);
int MPI_Ibsend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
               MPI_Request* request) KANOR_MPI(Ibsend);

/// Also receives given buffers (OPI_Give): the contents are copied, and the buffer returns to this
/// rank's pool.
int MPI_Recv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Status* status)
    KANOR_MPI(Recv);
int MPI_Irecv(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
              MPI_Request* request) KANOR_MPI(Irecv);

/// A send and a receive, which may wait for the other rank's.
int MPI_Sendrecv(const void* out, int count_out, MPI_Datatype type_out, int to, int tag_out, void* in,
                 int count_in, MPI_Datatype type_in, int from, int tag_in, MPI_Comm comm, MPI_Status* status)
    KANOR_MPI(Sendrecv);
int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int tag_out, int from, int tag_in,
                         MPI_Comm comm, MPI_Status* status) KANOR_MPI(Sendrecv_replace);

/// The status of the message that a receive with these arguments would get: waits for it, or sets
/// `flag` to whether it is there.
int MPI_Probe(int rank, int tag, MPI_Comm comm, MPI_Status* status) KANOR_MPI(Probe);
int MPI_Iprobe(int rank, int tag, MPI_Comm comm, int* flag, MPI_Status* status) KANOR_MPI(Iprobe);
/// The same, and no other receive gets the message any more. MPI_Mrecv or MPI_Imrecv does.
int MPI_Mprobe(int rank, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) KANOR_MPI(Mprobe);
int MPI_Improbe(int rank, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status)
    KANOR_MPI(Improbe);
int MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status)
    KANOR_MPI(Mrecv);
int MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request)
    KANOR_MPI(Imrecv);

/// Requests that MPI_Start begins, once or again and again. When such a one is complete it is
/// inactive, and remains until MPI_Request_free.
int MPI_Send_init(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                  MPI_Request* request) KANOR_MPI(Send_init);
int MPI_Rsend_init(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                   MPI_Request* request) KANOR_MPI(Rsend_init);
int MPI_Ssend_init(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                   MPI_Request* request) KANOR_MPI(Ssend_init);
int MPI_Bsend_init(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                   MPI_Request* request) KANOR_MPI(Bsend_init);
int MPI_Recv_init(void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm comm,
                  MPI_Request* request) KANOR_MPI(Recv_init);
int MPI_Start(MPI_Request* request) KANOR_MPI(Start);
int MPI_Startall(int count, MPI_Request requests[]) KANOR_MPI(Startall);

#ifdef __cplusplus
}
#endif

#endif
