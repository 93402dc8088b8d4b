// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How blocks are executed, where the program's environment has a say.
#pragma once

#include <cstddef>

#include "job/tuning.hpp"

namespace kanor::rt {

/// The switches of a job, read once at the launch, the same for all its ranks but for `tuning`. Nothing here
/// changes what a program computes, but `check` finds errors that pass unnoticed otherwise.
struct Switches {
  bool check = false;               ///< checked mode
  bool reference = false;           ///< the simplest literal way; all that follows is off then
  bool plan = true;                 ///< each rank enumerates only the bindings that it has a part in
  bool cache = true;                ///< results found at a call site serve its later executions
  bool patterns = true;             ///< recognised patterns have algorithms of their own
  bool inline_messages = true;      ///< short messages take a way of their own
  bool sharing = true;              ///< variables that kanorc found fit are shared between ranks, not copied
  bool learning = true;             ///< variables whose sharing ends in copies are copied at once for a while
  bool repeat = true;               ///< what an execution has noted of its bindings serves the next ones
  bool node_memory = true;          ///< MPI processes of one machine have message memory in common
  bool yield = true;                ///< MPI's own waits of start and end give the core away
  bool huge_pages = true;           ///< large buffers lie in huge pages, where the system has them
  bool binding = true;              ///< ranks stay on their NUMA nodes
  bool delta = true;                ///< delta sends send before they have ended
  std::size_t increment_bytes = 0;  ///< of delta sends; 0: these find out by themselves
  bool pages = false;               ///< deltas follow what the program writes and reads, by page protection
  bool statistics = false;          ///< each rank tells numbers at its end, and counts exactly meanwhile
  Tuning tuning;                    ///< the machine's, which may differ from host to host
};

}  // namespace kanor::rt
