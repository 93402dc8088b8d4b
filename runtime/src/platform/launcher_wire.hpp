// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wire to MPICH's launcher (hydra's PMI, version 1): lines of text over a socket.
#pragma once

#include <fcntl.h>

#include <cstdlib>

namespace kanor::rt {

/// This process's end of the wire, which MPI uses too; -1: another launcher has started it, or none.
inline int launcher_wire() {
  // Hydra's proxies set MPI_LOCALNRANKS on every host. Other launchers' PMI_FD may speak another version.
  const char* const number = std::getenv("PMI_FD");
  if (!number || !std::getenv("MPI_LOCALNRANKS")) return -1;
  const int wire = std::atoi(number);
  return ::fcntl(wire, F_GETFD) >= 0 ? wire : -1;
}

}  // namespace kanor::rt
