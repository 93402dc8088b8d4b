// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which MPI a launcher means, of those that a plug-in may be there for.
#pragma once

#include <string_view>
#include <vector>

namespace kanor::rt {

/// A kind of MPI library: those of one kind can stand in for each other, and have one plug-in.
struct MpiKind {
  std::string_view name;
  std::string_view plugin;    ///< the file of its plug-in
  std::string_view package;   ///< Debian's, with which Kanor builds the plug-in
  std::string_view launcher;  ///< its own launcher
};

/// MPICH and what has its binary interface (Intel MPI, MVAPICH, Cray MPICH).
extern const MpiKind mpich;
extern const MpiKind open_mpi;

/// The launcher that started this process, as far as its environment tells.
struct MpiLauncher {
  std::string_view name;            ///< "Open MPI's mpirun"; empty if no MPI launcher did
  std::string_view variable;        ///< the environment variable that shows it
  std::vector<const MpiKind*> may;  ///< kinds with which this process may join the job; the likeliest first

  bool started_this() const { return !name.empty(); }
};

MpiLauncher mpi_launcher();

/// The kind of the MPI library that the program or its libraries are linked with; null if they are with none.
const MpiKind* linked_mpi();

}  // namespace kanor::rt
