// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/mpi/leave.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace kanor::rt::mpi {
namespace {

constexpr long millisecond_ns = 1000000;

/// Sleeps for less than a second.
void sleep_ms(long milliseconds) {
  const timespec time{0, milliseconds * millisecond_ns};
  ::nanosleep(&time, nullptr);
}

/// Waits until the launcher has read what this process has written, but not for long: it drops what is still
/// on its way when it learns that the job is to end.
void drain_output() {
  constexpr int most_ms = 300;
  for (int waited_ms = 0; waited_ms < most_ms; ++waited_ms) {
    int out = 0, err = 0;
    // Only pipes have unread bytes to tell of; a terminal or file takes everything at once.
    if (::ioctl(STDOUT_FILENO, FIONREAD, &out) != 0 || ::lseek(STDOUT_FILENO, 0, SEEK_CUR) >= 0 ||
        ::isatty(STDOUT_FILENO))
      out = 0;
    if (::ioctl(STDERR_FILENO, FIONREAD, &err) != 0 || ::lseek(STDERR_FILENO, 0, SEEK_CUR) >= 0 ||
        ::isatty(STDERR_FILENO))
      err = 0;
    if (out == 0 && err == 0) break;
    sleep_ms(1);
  }
  // From its hands to those of mpiexec.
  sleep_ms(20);
}

int abort_status = 1;

/// The error handler that MPI calls, with the error's number.
void end_job_at_error(MPI_Comm*, int* error, ...) {
  constexpr long watcher_ms = 900;
  sleep_ms(watcher_ms);
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(*error, words, &length);
  std::fprintf(stderr, "kanor: MPI has failed: %s\n", words);
  leave_by_abort(1);
}

}  // namespace

bool Launcher::say(const char* line) {
  const std::size_t length = std::strlen(line);
  const ssize_t written = ::send(wire_, line, length, MSG_NOSIGNAL);
  lost_ = written != static_cast<ssize_t>(length);
  return !lost_;
}

bool Launcher::heard(const char* beginning) {
  for (;;) {
    pollfd look{wire_, POLLIN, 0};
    if (::poll(&look, 1, 0) <= 0) return false;
    char c = 0;
    const ssize_t got = ::read(wire_, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      lost_ = true;
      return false;
    }
    if (c != '\n') {
      if (length_ < static_cast<int>(sizeof text_) - 1) text_[length_++] = c;
      continue;
    }
    text_[length_] = '\0';
    length_ = 0;
    if (std::strncmp(text_, beginning, std::strlen(beginning)) == 0) return true;
  }
}

bool wire_replaces_finalize(MPI_Comm communicator, int processes_here) {
  char words[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(words, &length);
  int major = 0, minor = 0;
  const bool old = std::sscanf(words, "MPICH Version:%d.%d", &major, &minor) == 2 &&
                   (major < 4 || (major == 4 && minor < 2)) && std::strstr(words, "ch4:ucx") != nullptr;
  // MPICH brings version 1 of PMI along; another one that it was built with may be of version 2.
  const bool speaks_lines = started_by_hydra() || !std::strstr(words, "--with-pmi");
  int size = 0;
  MPI_Comm_size(communicator, &size);
  const bool may_hang = old && (processes_here < size || std::getenv("UCX_TLS"));
  // The launcher's barrier ends only when all have come to it, so either all take this way or nobody does.
  const int mine[2] = {may_hang ? 1 : 0, Launcher().ok() && speaks_lines ? 0 : 1};
  int any[2] = {0, 0};
  MPI_Request request;
  MPI_Iallreduce(mine, any, 2, MPI_INT, MPI_MAX, communicator, &request);
  wait_politely(request, [] { return false; });
  return any[0] != 0 && any[1] == 0;
}

void end_job_at_errors(MPI_Comm communicator) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(end_job_at_error, &handler);
  MPI_Comm_set_errhandler(communicator, handler);
  MPI_Errhandler_free(&handler);
}

void leave_by_abort(int status) {
  drain_output();
  // The reason has been told; MPI would add lines about itself.
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  // MPI_Abort ends in exit(): the program's destructors must not run beside ranks that still use what they
  // destroy. The handler registered last runs first.
  abort_status = status;
  std::atexit([] { ::_exit(abort_status); });
  // Should MPI be stuck in another thread: the launcher ends the job when this process dies.
  ::signal(SIGALRM, SIG_DFL);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  ::pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
  ::alarm(1);
  abort_all(status);
  ::_exit(status);
}

}  // namespace kanor::rt::mpi
