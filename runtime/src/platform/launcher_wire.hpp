// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wire to the launcher (PMI, version 1): lines of text over a socket.
#pragma once

#include <fcntl.h>

#include <cstdlib>

namespace kanor::rt {

/// Returns true if MPICH's own launcher, hydra, has started this process. Its proxies say so on every host.
inline bool started_by_hydra() { return std::getenv("MPI_LOCALNRANKS") != nullptr; }

/// Returns true if the launcher gives each of its processes a process group. (Slurm's tasks of one host share
/// one.)
inline bool makes_groups() { return started_by_hydra() || std::getenv("OMPI_COMM_WORLD_RANK"); }

/// This process's end of the wire, which MPI uses too, to hydra or Slurm; -1: another launcher has started
/// it, or none. Slurm may speak version 2, if MPI does.
inline int launcher_wire() {
  const char* const number = std::getenv("PMI_FD");
  if (!number || !(started_by_hydra() || std::getenv("SLURM_STEP_ID"))) return -1;
  const int wire = std::atoi(number);
  return ::fcntl(wire, F_GETFD) >= 0 ? wire : -1;
}

}  // namespace kanor::rt
