// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Telling a rank's failure, and ending the job because of it.
#pragma once

#include <string>
#include <string_view>

#include "job/control.hpp"
#include "platform/text.hpp"

namespace kanor::rt {

/// A function by which a launch ends its job from inside a rank. May be called on any thread, more than once;
/// does not return.
using JobEnder = void (*)(int status);

/// Makes failures of this process known to `control`, and ends the job for them by `ender` (null: ends this
/// process alone). Called before ranks start, and again by a process that becomes a rank.
void watch_failures(Control& control, JobEnder ender);

/// Returns true if the program itself has forked this process from one of the job's, however it did that:
/// then it is no rank, and neither the job nor its memory is its to change. Asks the system.
bool is_forked_child();
/// The same for a process that fork() made, at the price of a load.
extern bool left_job;
inline bool has_left_job() { return left_job; }
/// Marks this process as such a child; called after each fork().
void leave_job();

/// Makes the calling thread belong to this rank (-1: to none) in messages to the user. Other threads belong
/// to the rank of set_process_rank.
void set_thread_rank(int rank);
/// Makes all threads of this process belong to this rank.
void set_process_rank(int rank);
int current_rank();  ///< -1 if none

/// Prints `kanor: rank R (host H): <what> (in the block at FILE:LINE)` as one line on stderr, the host only
/// in a job of several, once for each rank, unless the job is already being torn down. Of several ranks whose
/// texts differ only in numbers the first prints. Returns whether it printed. Async-signal-safe. rank -1:
/// without the rank.
bool report(int rank, std::string_view what);
/// Prints how many ranks had the same error as those whose lines report() has printed.
void report_repeats(const Control& control);

/// The place where the rank of this page is or was last: "block at a.cpp:12", "split at a.cpp:9" or
/// "kanor::sort at a.cpp:7"; with an article where one belongs: "the block at a.cpp:12". Empty if nowhere.
std::string last_text(const RankPage& page);
std::string place_text(const RankPage& page);

/// The call that the rank of this page is in: "OPI_Take at a.c:12" or "MPI_Wait for OPI_Itake at a.c:9";
/// empty: none.
std::string call_text(const RankPage& page);
/// The tag that this call waits for: " with tag 5"; empty where there is nothing to say.
std::string tag_text(const RankPage& page);
/// Returns true if it waits until another rank receives what it has sent.
bool waits_for_receipt(const RankPage& page);

/// Reports that the rank's own exit status, which is not 0, ends the job.
void report_status(int rank, int status);

/// Reports for the current rank, and ends the job with exit status 1.
[[noreturn]] void fail(std::string_view message);

/// The type of the exception that is being handled, and its text if it has one: "std::logic_error: no fuel".
Line exception_text();

/// Ends the job with this status, which a message has explained.
[[noreturn]] void end_job(int status);

/// SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT: report, let the job settle, then die as the program would
/// have. Also std::terminate: reports the exception with its type, and ends the job with status 1.
void install_crash_handlers();
/// Returns true if such a signal goes on to a handler that was there before: a sanitizer's, which reports,
/// too.
bool has_earlier_handler(int signal);

/// A function called at a segmentation fault of this process: adds what is known of the address, which was to
/// be written or read. Async-signal-safe.
using FaultWords = void (*)(const void* address, bool writes, Line& line);
void explain_faults(FaultWords words);

/// Sets the line, a literal, that is printed after a crash of a rank that nothing explains. Async-signal-safe
/// to show.
void advise_at_crash(const char* advice);

/// The name a person uses: "segmentation fault"; async-signal-safe.
std::string_view signal_words(int signal);

}  // namespace kanor::rt
