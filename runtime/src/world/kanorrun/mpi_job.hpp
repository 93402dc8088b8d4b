// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A job that an MPI launcher starts.
#pragma once

#include <vector>

#include "world/kanorrun/hosts.hpp"

namespace kanor::run {

/// Runs the program on these hosts through the MPI launcher, and ends kanorrun with the job's status: that of
/// the first rank that failed, or the signal that ended kanorrun's job. SIGINT, SIGTERM, SIGHUP and SIGQUIT
/// end all ranks on all hosts; so does the end of kanorrun itself.
[[noreturn]] void run_mpi_job(const std::vector<Host>& hosts, int threads, char** command);

}  // namespace kanor::run
