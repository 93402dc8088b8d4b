// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's ways out of a process, and fork(), as ranks have them.
#pragma once

#include "job/control.hpp"

namespace kanor::rt {

/// Makes processes that this one forks no part of the job.
void disown_children();

/// Makes a status of 0 with which a library ends this process, whose ranks are threads of `control`, end the
/// job as a failure while one of them runs.
void watch_exit(const Control& control);

/// Called when `function`, one of the C library's, is to end the process. Returns where no rank has to do
/// with it. On a thread that a rank thread has started status 0 is an error, and another ends the job; it
/// does not return.
void end_beside_rank(const char* function, int status);

}  // namespace kanor::rt
