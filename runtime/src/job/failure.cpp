// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job/failure.hpp"

#include <cxxabi.h>
#include <signal.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <string>
#include <typeinfo>

#include "platform/output.hpp"
#include "platform/signals.hpp"
#include "platform/text.hpp"

namespace kanor::rt {
namespace {

constexpr int no_rank = -1;
constexpr int unset_rank = -2;

Control* watched = nullptr;
JobEnder job_ender = nullptr;
pid_t watched_process = 0;
std::terminate_handler earlier_terminate = nullptr;
int process_rank = no_rank;
std::atomic<FaultWords> fault_words{nullptr};    // release in explain_faults, acquire where it is called
std::atomic<const char*> crash_advice{nullptr};  // release in advise_at_crash, acquire where it is shown
thread_local int thread_rank = unset_rank;

/// The control page to tell; null in a forked child, whose failure is its own.
Control* job_of_this_process() { return watched && !is_forked_child() ? watched : nullptr; }

constexpr int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
struct sigaction earlier_actions[NSIG];

/// Copies a string that another process may have placed where this one has nothing mapped: writing to a pipe
/// fails there, where reading would crash.
std::string_view readable(const char* text, char* space, std::size_t bytes) {
  int ends[2];
  if (::pipe(ends) != 0) return "?";
  std::size_t length = 0;
  while (length < bytes && ::write(ends[1], text + length, 1) == 1 &&
         ::read(ends[0], space + length, 1) == 1 && space[length] != '\0')
    ++length;
  ::close(ends[0]);
  ::close(ends[1]);
  return {space, length};
}

/// A hash of an error's text without its numbers, and of its place: FNV-1a, never 0.
std::uint64_t identity_of(std::string_view what, std::string_view file, int line) {
  std::uint64_t sum = 14695981039346656037u;
  const auto mix = [&sum](unsigned char byte) { sum = (sum ^ byte) * 1099511628211u; };
  for (const char c : what)
    if (c < '0' || c > '9') mix(static_cast<unsigned char>(c));
  for (const char c : file) mix(static_cast<unsigned char>(c));
  for (auto rest = static_cast<unsigned>(line); rest != 0; rest >>= 8) mix(static_cast<unsigned char>(rest));
  return sum == 0 ? 1 : sum;
}

/// How long a crashed rank waits for the supervisor to write out what the others have printed.
constexpr std::int64_t settle_us = 400'000;

/// Returns true if an access that faulted was a write: a bit of the processor's error code.
bool was_to_write(const void* context) {
  constexpr unsigned long writes = 2;
  return (static_cast<unsigned long>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR]) &
          writes) != 0;
}

bool is_readable(std::uintptr_t address) {
  int ends[2];
  if (::pipe(ends) != 0) return true;
  const bool read = ::write(ends[1], reinterpret_cast<const void*>(address), 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return read;
}

/// Returns true if the thread has used up its stack: a frame begins beyond it, or a call's return address is
/// put there.
bool has_overflown(const void* address, const void* context) {
  constexpr std::uintptr_t red_zone_bytes = 128;  // of the ABI: below the stack pointer, and yet in use
  const auto fault = reinterpret_cast<std::uintptr_t>(address);
  const auto top =
      static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
  return (fault < top && top - fault <= red_zone_bytes) || !is_readable(top);
}

/// How large the stack is, which a thread's always is.
const char* stack_words() {
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
  return is_limited
             ? "`ulimit -s` sets its size"
             : "with `ulimit -s unlimited` a rank that is a thread has 4 GiB at most, and with a number "
               "as many KiB";
}

/// Appends what is known of a segmentation fault.
void explain_fault(const void* address, const void* context, Line& line) {
  if (has_overflown(address, context)) {
    line.text(": the stack has overflowed; ").text(stack_words());
    return;
  }
  const FaultWords words = fault_words.load(std::memory_order_acquire);
  if (words) words(address, was_to_write(context), line);
}

void crashed(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  Control* const control = job_of_this_process();
  // Others may fall over what exit handlers have already destroyed.
  if (control && control->ending()) end_process(control->ending_status());
  if (control) {
    Line line;
    line.text(signal_words(signal));
    const std::size_t unexplained = line.view().size();
    // A signal that was sent has no address.
    if (signal == SIGSEGV && info->si_code > 0) explain_fault(info->si_addr, context, line);
    const char* const advice = crash_advice.load(std::memory_order_acquire);
    const bool is_told = report(current_rank(), line.view());
    if (is_told && advice && line.view().size() == unexplained) Line().text(advice).write_to(STDERR_FILENO);
    control->fail(128 + signal);
    control->wait_settled(settle_us);
  }
  process_sigaction(signal, &earlier_actions[signal], nullptr);
  errno = saved_errno;
  // An instruction that faulted faults again, at its own place; a signal that was sent must be sent once
  // more.
  if (info->si_code <= 0) ::raise(signal);
}

/// What a rank is in, or was last: a block, or a call of the library.
struct Whereabouts {
  const char* what;
  const char* file;  ///< null: nowhere yet
  int line;
  bool is_inside;
  bool is_function;  ///< whose name needs no article, and lies in the program
};

Whereabouts whereabouts(const RankPage& page) {
  const char* const file = page.file.load(std::memory_order_relaxed);
  const bool in_function = page.in_function.load(std::memory_order_relaxed);
  if (const char* const function = page.function.name.load(std::memory_order_relaxed);
      function && (in_function || !file))
    return {function, page.function.file.load(std::memory_order_relaxed),
            page.function.line.load(std::memory_order_relaxed), in_function, true};
  return {name_of(page.step.load(std::memory_order_relaxed)), file, page.line.load(std::memory_order_relaxed),
          page.inside.load(std::memory_order_relaxed), false};
}

std::string_view article(const Whereabouts& at) { return at.is_function ? "" : "the "; }

[[noreturn]] void terminated() {
  if (is_forked_child() && earlier_terminate) earlier_terminate();
  if (!abi::__cxa_current_exception_type()) fail("std::terminate called without an exception");
  Line line;
  line.text("uncaught exception of type ").text(exception_text().view());
  fail(line.view());
}

}  // namespace

void watch_failures(Control& control, JobEnder ender) {
  watched = &control;
  job_ender = ender;
  watched_process = ::getpid();
}

bool left_job = false;
bool is_forked_child() { return left_job || (watched && ::getpid() != watched_process); }
void leave_job() {
  left_job = true;
  thread_rank = process_rank = no_rank;
}

void set_thread_rank(int rank) { thread_rank = rank; }
void set_process_rank(int rank) { process_rank = rank; }
int current_rank() { return thread_rank == unset_rank ? process_rank : thread_rank; }

bool report(int rank, std::string_view what) {
  Line line;
  line.text("kanor: ");
  Control* const control = job_of_this_process();
  if (control && control->has(rank)) {
    RankPage& page = control->page(rank);
    if (control->ending() || page.reported.exchange(true, std::memory_order_relaxed)) return false;
    line.text("rank ").number(rank);
    if (*control->host() != '\0') line.text(" (host ").text(control->host()).text(")");
    line.text(": ").text(what);
    const Whereabouts at = whereabouts(page);
    char space[512];
    const std::string_view path = at.file ? readable(at.file, space, sizeof space) : std::string_view();
    if (!control->is_first_to_tell(identity_of(what, path, at.file ? at.line : 0), rank)) return false;
    Line place;
    if (at.file) place.text(at.what).text(" at ").text(path).text(":").number(at.line);
    if (at.file && what.find(place.view()) == std::string_view::npos) {
      line.text(at.is_inside ? " (in " : " (last ").text(at.is_inside ? article(at) : "");
      line.text(place.view()).text(")");
    }
  } else {
    line.text(what);
  }
  line.write_to(STDERR_FILENO);
  return true;
}

void report_repeats(const Control& control) {
  for (int at = 0; at < Control::told_errors; ++at) {
    const Control::Repeats found = control.repeats(at);
    if (found.rank < 0 || found.others == 0) continue;
    Line line;
    line.text("kanor: ")
        .number(found.others)
        .text(found.others == 1 ? " more rank reports" : " more ranks report");
    line.text(" the same error as rank ").number(found.rank).write_to(STDERR_FILENO);
  }
}

std::string last_text(const RankPage& page) {
  const Whereabouts at = whereabouts(page);
  if (!at.file) return {};
  char space[512], name[64];
  return std::string(at.is_function ? readable(at.what, name, sizeof name) : at.what) + " at " +
         std::string(readable(at.file, space, sizeof space)) + ":" + std::to_string(at.line);
}

std::string place_text(const RankPage& page) {
  const std::string last = last_text(page);
  return last.empty() ? last : std::string(article(whereabouts(page))) + last;
}

std::string call_text(const RankPage& page) {
  const auto with_place = [](const char* call, const char* file, int line) {
    char space[512];
    std::string text(readable(call, space, sizeof space));
    if (line > 0)
      text += " at " + std::string(readable(file, space, sizeof space)) + ":" + std::to_string(line);
    return text;
  };
  const char* const call = page.call.name.load(std::memory_order_relaxed);
  if (!call) return {};
  std::string text = with_place(call, page.call.file.load(std::memory_order_relaxed),
                                page.call.line.load(std::memory_order_relaxed));
  if (const char* const posted = page.posted.name.load(std::memory_order_relaxed))
    text += " for " + with_place(posted, page.posted.file.load(std::memory_order_relaxed),
                                 page.posted.line.load(std::memory_order_relaxed));
  return text;
}

std::string tag_text(const RankPage& page) {
  const int tag = page.waits_tag.load(std::memory_order_relaxed);
  if (tag == no_tag || tag == receipt_tag) return {};
  return tag == any_waited_tag ? " with any tag" : " with tag " + std::to_string(tag);
}

bool waits_for_receipt(const RankPage& page) {
  return page.waits_tag.load(std::memory_order_relaxed) == receipt_tag;
}

void explain_faults(FaultWords words) { fault_words.store(words, std::memory_order_release); }

void advise_at_crash(const char* advice) { crash_advice.store(advice, std::memory_order_release); }

void report_status(int rank, int status) { report(rank, "ended with exit status " + std::to_string(status)); }

Line exception_text() {
  Line line;
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (!type) return line.text("not one of C++");
  int problem = 0;
  char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &problem);
  line.text(problem == 0 && name ? name : type->name());
  std::free(name);
  try {
    throw;
  } catch (const std::exception& exception) {
    line.text(": ").text(exception.what());
  } catch (const char* text) {
    line.text(": ").text(text);
  } catch (const std::string& text) {
    line.text(": ").text(text);
  } catch (...) {
  }
  return line;
}

void fail(std::string_view message) {
  report(current_rank(), message);
  end_job(1);
}

void end_job(int status) {
  if (Control* const control = job_of_this_process()) {
    control->fail(status);
    if (job_ender) job_ender(status);
  }
  end_process(status);
}

void install_crash_handlers() {
  for (const int signal : crash_signals) {
    struct sigaction action {};
    action.sa_sigaction = crashed;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    process_sigaction(signal, &action, &earlier_actions[signal]);
  }
  earlier_terminate = std::set_terminate(terminated);
}

bool has_earlier_handler(int signal) {
  if (std::find(std::begin(crash_signals), std::end(crash_signals), signal) == std::end(crash_signals))
    return false;
  // A process that only looks after ranks has not installed any.
  struct sigaction earlier {};
  process_sigaction(signal, nullptr, &earlier);
  if ((earlier.sa_flags & SA_SIGINFO) && earlier.sa_sigaction == crashed) earlier = earlier_actions[signal];
  return (earlier.sa_flags & SA_SIGINFO) || (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN);
}

std::string_view signal_words(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic fault (SIGFPE)";
    case SIGILL:
      return "illegal instruction";
    case SIGABRT:
      return "aborted (SIGABRT)";
    case SIGKILL:
      return "killed (SIGKILL)";
    case SIGTERM:
      return "terminated (SIGTERM)";
    case SIGINT:
      return "interrupted (SIGINT)";
    case SIGHUP:
      return "hung up (SIGHUP)";
    case SIGQUIT:
      return "quit (SIGQUIT)";
    case SIGUSR1:
      return "ended by a user's signal (SIGUSR1)";
    case SIGUSR2:
      return "ended by a user's signal (SIGUSR2)";
    case SIGALRM:
      return "ended by an alarm (SIGALRM)";
    case SIGPIPE:
      return "wrote to a closed pipe (SIGPIPE)";
    case SIGTRAP:
      return "trace trap (SIGTRAP)";
    case SIGXCPU:
      return "used up its processor time (SIGXCPU)";
    case SIGSYS:
      return "bad system call (SIGSYS)";
    default:
      return "ended by a signal";
  }
}

}  // namespace kanor::rt
