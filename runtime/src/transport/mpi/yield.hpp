// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes waits inside the MPI library give the core away.
#pragma once

namespace kanor::rt::mpi {

/// While one of these lives, every look for messages that finds none gives the core away, also those of MPI's
/// own waits. MPICH over UCX never does that by itself, and what joins and leaves a job waits inside the
/// library for all processes: where these outnumber the cores, each polls for what another one cannot send
/// before it has the core, until the system takes it away. Does nothing where MPI stands on something else,
/// or where the program links MPI itself. Open MPI's waits yield where its launcher has started more
/// processes than there are cores.
///
/// Not for the time between joining and leaving: there Kanor's waits have a way of their own
/// (pause_politely), and a program's own MPI calls behave as MPI does.
class YieldingWaits {
 public:
  explicit YieldingWaits(bool wanted);
  ~YieldingWaits();
  YieldingWaits(const YieldingWaits&) = delete;
  YieldingWaits& operator=(const YieldingWaits&) = delete;

 private:
  const bool wanted_;
};

}  // namespace kanor::rt::mpi
