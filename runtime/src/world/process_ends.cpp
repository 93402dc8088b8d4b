// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's ways out of a process: on a rank they end that rank, and never a job whose ranks go on.
#include "world/process_ends.hpp"

#include <alloca.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdarg>
#include <cstddef>
#include <string>
#include <vector>

#include "c_library/lines.hpp"
#include "c_library/signals.hpp"
#include "job/failure.hpp"
#include "platform/children.hpp"
#include "platform/mapping.hpp"
#include "platform/output.hpp"
#include "world/launch.hpp"
#include "world/rank_main.hpp"

// kanorc, kanor.pc and Kanor::kanor link with --wrap for each of them.
extern "C" {
[[noreturn]] void __real_abort() noexcept;
[[noreturn]] void __real__exit(int status);
[[noreturn]] void __real__Exit(int status);
[[noreturn]] void __real_quick_exit(int status);
int __real_at_quick_exit(void (*handler)()) noexcept;
int __real_on_exit(void (*function)(int, void*), void* argument);
int __real_execve(const char* path, char* const* arguments, char* const* environment) noexcept;
int __real_execv(const char* path, char* const* arguments) noexcept;
int __real_execvp(const char* file, char* const* arguments) noexcept;
int __real_execvpe(const char* file, char* const* arguments, char* const* environment) noexcept;
int __real_fexecve(int descriptor, char* const* arguments, char* const* environment) noexcept;

[[noreturn]] void __wrap_abort() noexcept;
[[noreturn]] void __wrap__exit(int status);
[[noreturn]] void __wrap__Exit(int status);
[[noreturn]] void __wrap_quick_exit(int status);
int __wrap_at_quick_exit(void (*handler)()) noexcept;
int __wrap_execve(const char* path, char* const* arguments, char* const* environment) noexcept;
int __wrap_execv(const char* path, char* const* arguments) noexcept;
int __wrap_execvp(const char* file, char* const* arguments) noexcept;
int __wrap_execvpe(const char* file, char* const* arguments, char* const* environment) noexcept;
int __wrap_fexecve(int descriptor, char* const* arguments, char* const* environment) noexcept;
int __wrap_execl(const char* path, const char* argument, ...) noexcept;
int __wrap_execlp(const char* file, const char* argument, ...) noexcept;
int __wrap_execle(const char* path, const char* argument, ...) noexcept;
}

namespace kanor::rt {
namespace {

/// The functions that at_quick_exit has registered on this rank thread.
thread_local std::vector<void (*)()> quick_handlers;

const Control* control_of_threads = nullptr;

/// The calling thread's rank, if the job goes on; also null in children, those of vfork among them.
Rank* running_rank() {
  Rank* const rank = is_forked_child() ? nullptr : here_or_null();
  if (!rank || rank->home.control.ending()) return nullptr;
  return rank->page.ended.load(std::memory_order_relaxed) ? nullptr : rank;
}

/// Ends the rank from a thread that is not its own, where status 0 is an error.
[[noreturn]] void end_beside(Rank& rank, const char* function, int status) {
  status &= 0xff;
  if (status != 0 && ranks_have_begun()) end_rank_thread(rank, status);
  if (status != 0) {
    report_status(rank.number, status);
    end_job(status);  // nobody watches before main
  }
  fail(std::string(function) +
       "(0) was called on a thread that the rank has started, or before or after its main: a rank ends when "
       "its main returns");
}

/// Ends the rank if there is one, and returns where the process is to end with it.
void end_at_once(const char* function, int status) {
  Rank* const rank = running_rank();
  if (!rank) return;
  if (rank->home.own_process) {
    if (!begin_to_leave()) return;
    rank->status = status & 0xff;
    if (rank->status == 0)
      end_rank(*rank);
    else
      print_numbers(*rank);
    return;
  }
  if (rank->size == 1 && !rank->home.network) return print_numbers(*rank);
  if (is_rank_thread()) end_rank_thread(*rank, status & 0xff);
  end_beside(*rank, function, status);
}

/// Fails if the process is not the rank's own: another program would take the place of all its ranks.
void require_own_process(const char* function) {
  const Rank* const rank = running_rank();
  if (!rank || rank->home.own_process || (rank->size == 1 && !rank->home.network)) return;
  const char* const whose = rank->home.network ? "an MPI process" : "the process of all ranks";
  fail(std::string(function) + "() was called on a rank, and would replace " + whose +
       ": start the other program from a child (fork, posix_spawn, system)" +
       (rank->home.network ? "" : ", or make ranks processes (KANOR_MODE=processes)"));
}

bool all_ended() {
  const Control& control = *control_of_threads;
  for (int rank = control.first(); rank < control.first() + control.count(); ++rank)
    if (!control.page(rank).ended.load(std::memory_order_acquire)) return false;
  return true;
}

/// Called when a library, whose calls nothing leads here, ends the process.
void end_by_library(const char* function, int status) {
  if (is_forked_child() || control_of_threads->ending() || status != 0 || all_ended()) return;
  report(current_rank(), std::string("a library has called ") + function +
                             "(0) on this rank, which shares its process with others");
  end_process(1);
}

}  // namespace

void disown_children() {
  at_forks(nullptr, nullptr, [] {
    leave_job();
    leave_ranks();
    forget_main();
    Mapping::make_all_private();
    forget_lines_of_others();
  });
}

void watch_exit(const Control& control) {
  control_of_threads = &control;
  __real_on_exit([](int status, void*) { end_by_library("exit", status); }, nullptr);
  __real_at_quick_exit([] { end_by_library("quick_exit", 0); });
}

void end_beside_rank(const char* function, int status) {
  Rank* const rank = running_rank();
  if (!rank || rank->home.own_process) return;
  if (rank->home.control.count() > 1 || !ranks_have_begun()) end_beside(*rank, function, status);
}

}  // namespace kanor::rt

using namespace kanor::rt;

void __wrap_abort() noexcept {
  handle_abort();
  __real_abort();
}

void __wrap__exit(int status) {
  end_at_once("_exit", status);
  __real__exit(status);
}

void __wrap__Exit(int status) {
  end_at_once("_Exit", status);
  __real__Exit(status);
}

void __wrap_quick_exit(int status) {
  while (!quick_handlers.empty()) {
    void (*const handler)() = quick_handlers.back();
    quick_handlers.pop_back();
    handler();
  }
  end_at_once("quick_exit", status);
  __real_quick_exit(status);
}

int __wrap_at_quick_exit(void (*handler)()) noexcept {
  if (!is_rank_thread()) return __real_at_quick_exit(handler);
  try {
    quick_handlers.push_back(handler);
  } catch (...) {
    return -1;
  }
  return 0;
}

// A child that shares its parent's memory until it has called one of these (vfork) may come here: nothing is
// changed or allocated then.

int __wrap_execve(const char* path, char* const* arguments, char* const* environment) noexcept {
  require_own_process("execve");
  return __real_execve(path, arguments, environment);
}

int __wrap_execv(const char* path, char* const* arguments) noexcept {
  require_own_process("execv");
  return __real_execv(path, arguments);
}

int __wrap_execvp(const char* file, char* const* arguments) noexcept {
  require_own_process("execvp");
  return __real_execvp(file, arguments);
}

int __wrap_execvpe(const char* file, char* const* arguments, char* const* environment) noexcept {
  require_own_process("execvpe");
  return __real_execvpe(file, arguments, environment);
}

int __wrap_fexecve(int descriptor, char* const* arguments, char* const* environment) noexcept {
  require_own_process("fexecve");
  return __real_fexecve(descriptor, arguments, environment);
}

namespace {

/// The number of arguments, their end counted.
std::size_t count_arguments(const char* first, va_list rest) {
  std::size_t count = 1;
  for (const char* one = first; one; one = va_arg(rest, const char*)) ++count;
  return count;
}

/// Writes the arguments and their end to `to`, and takes them off `rest`.
void list_arguments(const char* first, va_list rest, char** to) {
  for (const char* one = first; (*to++ = const_cast<char*>(one)); one = va_arg(rest, const char*)) {
  }
}

}  // namespace

// The functions of which each argument is one of the program's. `list` lies in this call's frame.
#define KANOR_LIST_ARGUMENTS(list, argument)                                \
  va_list rest;                                                             \
  va_start(rest, argument);                                                 \
  const std::size_t count = count_arguments(argument, rest);                \
  va_end(rest);                                                             \
  char** const list = static_cast<char**>(::alloca(count * sizeof(char*))); \
  va_start(rest, argument);                                                 \
  list_arguments(argument, rest, list)

int __wrap_execl(const char* path, const char* argument, ...) noexcept {
  require_own_process("execl");
  KANOR_LIST_ARGUMENTS(list, argument);
  va_end(rest);
  return __real_execv(path, list);
}

int __wrap_execlp(const char* file, const char* argument, ...) noexcept {
  require_own_process("execlp");
  KANOR_LIST_ARGUMENTS(list, argument);
  va_end(rest);
  return __real_execvp(file, list);
}

int __wrap_execle(const char* path, const char* argument, ...) noexcept {
  require_own_process("execle");
  KANOR_LIST_ARGUMENTS(list, argument);
  char* const* const environment = va_arg(rest, char**);
  va_end(rest);
  return __real_execve(path, list, environment);
}
