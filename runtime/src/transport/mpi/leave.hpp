// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a process leaves an MPI job: at its proper end, and when it fails.
#pragma once

#include <unistd.h>

#include "platform/launcher_wire.hpp"
#include "transport/mpi/library.hpp"

namespace kanor::rt::mpi {

/// The wire to hydra or Slurm (PMI, version 1): lines of text over a socket that MPICH itself uses only while
/// it starts, and while it ends.
class Launcher {
 public:
  /// Returns true if there is a wire.
  bool ok() const { return wire_ >= 0; }
  /// Sends a line. Returns true if it could be sent.
  bool say(const char* line);
  /// Returns true if the launcher has sent a line that begins like this; drops other lines. Does not wait.
  bool heard(const char* beginning);
  /// Returns true if the launcher is gone.
  bool lost() const { return lost_; }

 private:
  int wire_ = launcher_wire();
  bool lost_ = false;
  char text_[1024];
  int length_ = 0;
};

/// Returns true if the job ends by leave_through_launcher() instead of MPI_Finalize; collective over
/// `communicator`, with one result for all. `processes_here` is how many of them are on this machine.
///
/// MPICH before 4.2 over UCX waits in MPI_Finalize until everyone is there by reading from the launcher, and
/// moves no messages meanwhile. A process that comes later may need an answer from it to close its
/// connections, and then neither goes on; over TCP every other job hangs so.
bool wire_replaces_finalize(MPI_Comm communicator, int processes_here);

/// Waits for all processes of the job and takes leave of the launcher as MPI_Finalize does, but moves
/// messages until the launcher has answered. `carry_on` is called meanwhile, and returns whether it had
/// something to do. Blocks until all processes have called this, or the launcher is gone.
template <class CarryOn>
void leave_through_launcher(CarryOn carry_on);

/// Makes MPI's errors on this communicator, and those made of it later, end the job; but a process that was
/// killed is such an error for others, and they give its watcher time to tell what happened and end the job.
void end_job_at_errors(MPI_Comm communicator);

/// Ends all processes of the job with this status.
[[noreturn]] void leave_by_abort(int status);

template <class CarryOn>
void leave_through_launcher(CarryOn carry_on) {
  Launcher launcher;
  const auto await = [&](const char* answer) {
    for (int rounds = 0; !launcher.heard(answer) && !launcher.lost(); ++rounds) {
      if (carry_on())
        rounds = 0;
      else
        pause_politely(rounds);
    }
  };
  if (launcher.say("cmd=barrier_in\n")) await("cmd=barrier_out");
  if (launcher.say("cmd=finalize\n")) await("cmd=finalize_ack");
}

}  // namespace kanor::rt::mpi
