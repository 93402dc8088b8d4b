// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process beside each one that an MPI launcher has started.
#pragma once

#include "job/control.hpp"

namespace kanor::rt {

/// Starts a process that watches this one until it ends. It does what nobody else can:
///
/// - This process ends without a word, by SIGKILL perhaps: the watcher says which ranks they were and how
/// they
///   ended, and has MPICH's launcher end the job on all hosts with that status.
/// - The launcher ends, by SIGKILL perhaps: the watcher kills this process.
/// - This process ends while MPI_Init shares memory with others: the watcher removes the file of it.
/// - Another host of the job falls silent: the watcher says which, and ends the job, once watch_hosts has
///   told it of the others.
///
/// To be called before MPI is initialised and before there are threads. The watcher is no child of this
/// process, for which the program could wait, and is in no process group that anybody signals. Of this
/// process's streams it keeps stderr alone. Does nothing where the system has no pidfd_open or close_range
/// (before Linux 5.9). Returns a connection to the watcher, for watch_hosts; -1: there is none.
int start_watcher(Control& control);

}  // namespace kanor::rt
