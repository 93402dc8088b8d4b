// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What carries messages from one rank to another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/message.hpp"

namespace kanor::rt {

/// The memory that a pair of ranks shares. Upper layers branch on these, never on a transport's name.
struct Capabilities {
  bool shares_addresses =
      false;  ///< a pointer of one rank is good in the other (ranks are threads of one process)
  bool shares_memory = false;  ///< both see the same message memory, at the same address
};

/// Receives a transport's messages. Transport::progress is passed the calling thread's; it must not be kept
/// beyond the call.
class Arrivals {
 public:
  /// Memory for an arriving message with room for `bytes` bytes; the caller fills in envelope and payload.
  /// Never null: running out ends the job.
  virtual Message* allocate(std::size_t bytes) = 0;
  /// Hands an arrived message to the rank `message->envelope.destination` of this process.
  virtual void deliver(Message* message) = 0;
  /// Gives back the memory of a posted message, whose payload is no longer needed.
  virtual void sent(Message* message) = 0;

 protected:
  ~Arrivals() = default;
};

/// Carries messages. Threads and forked processes put them straight into the receiver's mailbox
/// (transport/thread, transport/process, transport/machine); a network between processes is a plug-in
/// (transport/mpi).
class Transport {
 public:
  virtual ~Transport() = default;

  virtual Capabilities capabilities(int from, int to) const = 0;

  /// Starts carrying a message to `message->envelope.destination`, and owns it from here on. Thread-safe.
  /// Never waits for the receiver. Messages of one (source, destination) pair may overtake each other, but
  /// one of end_context overtakes nothing that its source has posted to the same process; its payload, of
  /// end_payload_bytes, is the transport's to write.
  virtual void post(Message* message) = 0;

  /// Makes progress: completes what was posted and delivers arrivals. Thread-safe: when another thread is at
  /// it, it may return at once. Does not wait. Returns true if anything moved. `arrivals` may post.
  virtual bool progress(Arrivals& arrivals) = 0;
};

/// A transport between processes that an outside launcher has started; implemented by a plug-in.
///
/// The plug-in is a shared library with the C function `kanor_network_open` (type NetworkOpen). It uses
/// nothing of libkanor.a but these virtual functions, since a program does not export libkanor's symbols. A
/// network of P processes with T ranks each has the ranks 0 … P*T-1; rank r lives in process r / T.
class Network : public Transport {
 public:
  virtual int process() const = 0;         ///< this process's number, 0 … processes()-1
  virtual int processes() const = 0;       ///< how many processes take part
  virtual int processes_here() const = 0;  ///< how many of them are on this machine
  /// The number of the first process of this machine; -1 if the numbers of its processes are not
  /// consecutive.
  virtual int first_here() const = 0;

  /// Collective over the processes of this machine, before any message: returns true if `mine` is true in
  /// all.
  virtual bool all_here(bool mine) = 0;
  /// Sends the first process's bytes to all of this machine; collective likewise.
  virtual void broadcast_here(void* data, std::size_t bytes) = 0;
  /// Sends process 0's bytes to all processes; collective over them, before any message.
  virtual void broadcast(void* data, std::size_t bytes) = 0;

  /// The value that MPI_Init_thread gives as `provided` to a program which initialises MPI once more.
  virtual int thread_level() const = 0;

  /// Completes every posted message and leaves the network; collective over the processes, may wait for them.
  /// Arrivals are still delivered meanwhile. Nothing may be called afterwards.
  virtual void finish(Arrivals& arrivals) = 0;

  /// Ends all processes of the job, with this exit status where the launcher can pass it on. Does not return.
  [[noreturn]] virtual void abort_job(int status) = 0;
};

/// The version of the classes above; grows with every change.
inline constexpr int network_interface_version = 7;

/// Joins the network. `ranks_per_process` must be the same in all processes; where it is not, or where the
/// network cannot be joined, it returns null and `error` (of `error_bytes` bytes) says why. With `yield` the
/// plug-in gives the core away while it waits for other processes in joining and leaving. The caller deletes
/// nothing: the Network lives until the process ends. A plug-in calls PMPI_Init_thread and PMPI_Finalize,
/// because the program's MPI_Init and MPI_Finalize are libkanor's.
using NetworkOpen = Network*(int interface_version, int ranks_per_process, bool yield, int* argc,
                             char*** argv, char* error, std::size_t error_bytes);
inline constexpr const char* network_open_symbol = "kanor_network_open";

}  // namespace kanor::rt
