// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/children.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>

#include "platform/wait.hpp"

// The C library's, behind its pthread_atfork().
extern "C" int __register_atfork(void (*prepare)(), void (*parent)(), void (*child)(), void* object) noexcept;

namespace kanor::rt {
namespace {

/// The time between two looks for children that have ended, and left children of their own.
constexpr useconds_t look_us = 500;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Kills the children whose numbers the file lists.
void kill_listed(int file) {
  char text[1024];
  pid_t child = 0;
  for (ssize_t bytes = ::read(file, text, sizeof text); bytes > 0; bytes = ::read(file, text, sizeof text))
    for (ssize_t i = 0; i < bytes; ++i) {
      if (is_digit(text[i])) {
        child = child * 10 + (text[i] - '0');
        continue;
      }
      if (child > 0) ::kill(child, SIGKILL);
      child = 0;
    }
}

/// Kills all children. The system lists them for each thread.
void kill_children() {
  const int threads = ::open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (threads < 0) return;
  alignas(dirent64) char entries[2048];
  for (long bytes = 0; (bytes = ::syscall(SYS_getdents64, threads, entries, sizeof entries)) > 0;)
    for (long at = 0; at < bytes;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      if (!is_digit(entry->d_name[0])) continue;
      char name[32];
      ::stpcpy(::stpcpy(name, entry->d_name), "/children");
      const int list = ::openat(threads, name, O_RDONLY | O_CLOEXEC);
      if (list < 0) continue;
      kill_listed(list);
      ::close(list);
    }
  ::close(threads);
}

}  // namespace

void at_forks(void (*prepare)(), void (*parent)(), void (*child)()) {
  ::__register_atfork(prepare, parent, child, nullptr);
}

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

void end_descendants(std::int64_t limit_us) {
  adopt_orphans();
  const std::uint64_t end = monotonic_us() + static_cast<std::uint64_t>(limit_us);
  do {
    pid_t ended = 0;
    while ((ended = ::waitpid(-1, nullptr, WNOHANG | __WALL)) > 0) {
    }
    if (ended < 0) return;  // there is none
    kill_children();
    ::usleep(look_us);
  } while (monotonic_us() < end);
}

}  // namespace kanor::rt
