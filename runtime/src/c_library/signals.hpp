// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signals where ranks are threads: each rank has handlers of its own, as if it were a process.
//
// A signal for which a rank has set something leads to one handler of the runtime's. If the thread that it
// comes to has caused it, or was sent it alone, this does what that thread's rank has asked for. If it was
// sent to the process, it is passed on to all ranks, as an MPI launcher does.
#pragma once

#include <signal.h>

#include "c_library/own_signals.hpp"

namespace kanor::rt {

/// Notes what the process does at signals, with which its ranks begin. Called once, by the only thread,
/// before the runtime sets handlers.
void note_first_actions();

/// Begins the signals of the calling thread's rank: from now on they come to this thread. Does nothing if the
/// rank has no library state of its own: then its signals are the process's.
void enter_signals();

/// Notes that the calling thread's rank takes the thread's number for its process's: it runs a copy of its
/// program (copies/process_number.cpp).
void take_number_of_thread();

/// Ends the signals of the calling thread's rank, whose handlers may be gone afterwards.
void leave_signals();

/// Runs the handler that the calling thread's rank has for SIGABRT, if any; if it returns, the rank has none.
/// To be called before the C library's abort(), which would end the process without a word then.
void handle_abort();

/// The signals of the calling thread's rank; null if they are the process's. Async-signal-safe, as all below.
OwnSignals* own_signals();

/// What sigaction() does for a rank.
int rank_sigaction(OwnSignals& own, int signal, const struct sigaction* action, struct sigaction* before);

/// Sends the signal as kill() does to the rank for which `own` has this number: itself by the number that
/// getpid() tells it. Returns false, and does nothing, if no rank has it, or none has asked for anything at
/// this signal, so that it means the same for all.
bool send_to_rank(const OwnSignals& own, pid_t number, int signal);

}  // namespace kanor::rt
