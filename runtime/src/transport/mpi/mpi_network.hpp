// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages between the processes of an MPI job.
#pragma once

#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "transport/transport.hpp"

namespace kanor::rt::mpi {

/// The Network over MPI.
///
/// Every Message is one MPI message, however long: its envelope lies in front of its payload, so both go as
/// one piece from where they are. A long one is found by a probe, and received into a Message of the
/// receiver's pool. A short one comes into a slot, a receive that is always posted, and is copied into such a
/// Message: over MPICH and TCP a probe adds a tenth to what 8 bytes take, and a half to what 16 KiB take. MPI
/// fills slots in turn, so mostly only the next one is looked at. But where the network sends even short
/// messages only when their sender looks after MPI, a slot may wait for a sender that computes: those behind
/// it are looked at now and then.
///
/// All Messages go over a communicator that only this class uses, and are taken as they come: they overtake
/// each other. Only a message of end_context has to keep its place. It says how many other messages its
/// source has posted to this process before it, and waits until as many have been delivered. That is exact
/// for an answer, whose source has ended and posts no more of them. A question may come too early, which does
/// no harm.
///
/// One lock guards all of it. post() waits for the lock, progress() does not: the thread that has it makes
/// progress for all ranks of the process, and the others may sleep at their mailboxes.
///
/// Why nobody waits forever. (1) No call below waits for another process, apart from joining, finish() and
/// abort_job(): sends and receives are only started and looked at. (complete_sends() looks again and again,
/// for half a millisecond at most.) (2) Whatever has been sent is received,
/// whether or not a rank has asked for it: each rank that waits, for a message or for room to send, calls
/// progress(), and so does a process whose ranks have ended, in finish(). So a message, and the credit that
/// goes back for it, arrives once its receiver's process waits or ends. (3) A rank that does neither is
/// computing, and comes to its next wait or its end by itself. What remains are ranks that wait for messages
/// which nobody sends: the program's own deadlock.
class MpiNetwork final : public Network {
 public:
  struct Place {
    MPI_Comm communicator = MPI_COMM_NULL;  ///< holds all processes; nobody else uses it
    int thread_level = MPI_THREAD_SINGLE;
    int ranks_per_process = 1;
    MPI_Comm machine = MPI_COMM_NULL;  ///< holds those of this machine, for what is collective over them
    int processes_here = 1;
    int first_here = 0;                   ///< -1: their numbers are not consecutive
    bool leave_through_launcher = false;  ///< MPI_Finalize may hang
    bool yield = false;                   ///< MPI's own waits give the core away while the job ends
  };
  explicit MpiNetwork(const Place& place);

  Capabilities capabilities(int, int) const override { return {}; }
  void post(Message* message) override;
  bool progress(Arrivals& arrivals) override;
  int process() const override { return process_; }
  int processes() const override { return processes_; }
  int processes_here() const override { return place_.processes_here; }
  int first_here() const override { return place_.first_here; }
  bool all_here(bool mine) override;
  void broadcast_here(void* data, std::size_t bytes) override;
  void broadcast(void* data, std::size_t bytes) override;
  int thread_level() const override { return place_.thread_level; }
  void finish(Arrivals& arrivals) override;
  [[noreturn]] void abort_job(int status) override;

  /// Called when the process calls exit() with this status without finish() or abort_job(): a library has
  /// done it, as libc's err() and argp do. Leaves the job as well as it can be done from there.
  void leave_at_exit(int status);

 private:
  /// Operations under way: requests in one array, as MPI wants them, and beside each what it is for.
  template <class Item>
  struct Pending {
    std::vector<MPI_Request> requests;
    std::vector<Item> items;
    std::size_t next = 0;  ///< index at which the next look begins

    /// Takes completed ones out of a bounded number that it looks at, and calls `complete` with each item.
    template <class Complete>
    bool advance(Complete complete);
  };
  /// What a short message is received into.
  struct Slot {
    static constexpr int bytes = (16 << 10) + 512;  // 16 KiB of values, and what stands before them
    static constexpr std::size_t most_bytes = bytes - sizeof(Envelope);  ///< of a payload
    Envelope envelope;
    std::byte payload[most_bytes];
  };
  /// A message whose envelope and payload MPI is writing, or has written.
  struct Receive {
    Message* message;
    std::size_t bytes;      ///< of the payload
    std::int64_t began_ns;  ///< of a long message
  };
  /// A long message that has come.
  struct Received {
    int process;  ///< its sender's
    std::int64_t began_ns;
  };

  int process_of(int rank) const { return rank / place_.ranks_per_process; }
  /// The number of messages that a rank of this process has posted to another process, and that its end must
  /// not overtake.
  std::uint64_t& posted(int rank, int process) {
    const int here = rank % place_.ranks_per_process;
    return posted_[static_cast<std::size_t>(here) * static_cast<std::size_t>(processes_) +
                   static_cast<std::size_t>(process)];
  }
  static void broadcast_over(MPI_Comm communicator, void* data, std::size_t bytes);
  bool idle();
  void fill(std::size_t slot);
  void empty(std::size_t slot, const MPI_Status& status, Arrivals& arrivals);
  bool empty_slots(Arrivals& arrivals);
  bool empty_slots_out_of_turn(Arrivals& arrivals);
  bool look_for_others(Arrivals& arrivals);
  bool start_receives(Arrivals& arrivals);
  void arrived(const Receive& receive, Arrivals& arrivals);
  /// Returns true if what was posted before this message of end_context has been delivered.
  bool is_next(Message& end) const;
  void deliver_held(Arrivals& arrivals);
  bool advance_sends(Arrivals& arrivals);
  bool complete_sends(Arrivals& arrivals, const Received& received);

  const Place place_;
  const int own_process_ = ::getpid();  ///< a forked child has another, and leaves without MPI
  std::atomic<bool> leaving_{false};
  int process_ = 0;
  int processes_ = 1;
  std::recursive_mutex lock_;  ///< guards what follows; who takes an arrival may post
  bool closed_ = false;
  unsigned hurries_ = 0;
  Pending<Message*> sends_;
  Pending<Receive> receives_;
  std::vector<Slot> slots_;
  std::vector<MPI_Request> slot_requests_;  ///< their receives
  std::deque<std::size_t> filled_;          ///< slots whose receives are posted, in that order
  std::optional<std::size_t> emptied_;      ///< the slot whose receive the next call of progress() starts
  std::int64_t next_look_ns_ = 0;           ///< for others than short messages in turn
  unsigned looks_for_others_ = 0;
  std::vector<std::uint64_t> posted_;  ///< see posted()
  std::vector<std::uint64_t> came_;    ///< the same messages of other processes, delivered here, by rank
  std::vector<Message*> held_;         ///< messages of end_context that wait for earlier ones
};

}  // namespace kanor::rt::mpi
