// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/launcher_process.hpp"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "platform/launcher_wire.hpp"

namespace kanor::rt {
namespace {

/// The time within which a launcher that kills its ranks ends itself: then their deaths are no news.
constexpr int usual_end_ms = 200;
/// The time within which the launcher reads what has been written to stderr, and that from there to mpiexec.
constexpr int most_drain_ms = 300, forward_ms = 20;
/// A launcher that does not wait for other hosts ends within this time once it was told to. Open MPI's gives
/// its ranks a second between SIGTERM and SIGKILL.
constexpr int told_end_ms = 1000, asked_end_ms = 2500;

void sleep_ms(long milliseconds) {
  const timespec time{0, milliseconds * 1'000'000};
  ::nanosleep(&time, nullptr);
}

int open_process(pid_t process) { return static_cast<int>(::syscall(SYS_pidfd_open, process, 0)); }

void signal_process(int process_end, int signal) {
  ::syscall(SYS_pidfd_send_signal, process_end, signal, nullptr, 0);
}

bool has_ended_within(int process_end, int milliseconds) {
  pollfd end{process_end, POLLIN, 0};
  return ::poll(&end, 1, milliseconds) > 0;
}

std::string name_of(pid_t process) {
  char name[32] = "";
  if (std::FILE* const file = std::fopen(("/proc/" + std::to_string(process) + "/comm").c_str(), "re")) {
    if (!std::fgets(name, sizeof name, file)) name[0] = '\0';
    std::fclose(file);
  }
  return name;
}

/// The process's parent; 0: it is gone.
pid_t parent_of(pid_t process) {
  pid_t parent = 0;
  if (std::FILE* const file = std::fopen(("/proc/" + std::to_string(process) + "/stat").c_str(), "re")) {
    if (std::fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 0;
    std::fclose(file);
  }
  return parent;
}

}  // namespace

LauncherProcess::LauncherProcess() : wire_(launcher_wire()), process_(::getppid()) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  // The program may be the child of a shell that the launcher has started.
  if (wire_ >= 0 && ::getsockopt(wire_, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.pid > 0)
    process_ = peer.pid;
  end_ = open_process(process_);
}

LauncherProcess::~LauncherProcess() { ::close(end_); }

bool LauncherProcess::ends_within(int milliseconds) const { return has_ended_within(end_, milliseconds); }

void LauncherProcess::end_job(int status) const {
  // The launcher drops what it has not read when it ends the job.
  for (int waited_ms = 0; waited_ms < most_drain_ms; ++waited_ms) {
    int unread = 0;
    if (::ioctl(STDERR_FILENO, FIONREAD, &unread) != 0 || unread == 0) break;
    sleep_ms(1);
  }
  sleep_ms(forward_ms);
  const std::string line = "cmd=abort exitcode=" + std::to_string(status) + "\n";
  ::send(wire_, line.data(), line.size(), MSG_NOSIGNAL);
  // The watchers of those that it kills now must not take this one's place.
  ends_within(usual_end_ms);
}

void LauncherProcess::end_whatever(int status) const {
  if (wire_ >= 0) {
    end_job(status);
    if (ends_within(told_end_ms)) return;
  }
  // Slurm's own notices that a host is gone, and that tasks are killed.
  if (name_of(process_).starts_with("slurm")) return;
  if (wire_ < 0) {
    // Open MPI's ends its ranks at the first one, and waits for its daemons on other hosts; at the third it
    // ends at once, with the status of a failure.
    signal_process(end_, SIGTERM);
    for (int i = 0; i < 2 && !ends_within(i == 0 ? asked_end_ms : usual_end_ms); ++i)
      signal_process(end_, SIGTERM);
    if (ends_within(usual_end_ms)) return;
  }
  signal_process(end_, SIGKILL);
}

void LauncherProcess::find_helpers() {
  // A proxy on mpiexec's own host is its child, as the remote shells are.
  const pid_t parent = wire_ >= 0 ? parent_of(process_) : 0;
  const std::string above = name_of(parent);
  const pid_t starter = above.starts_with("mpiexec") || above.starts_with("mpirun") ? parent : process_;
  const std::string threads = "/proc/" + std::to_string(starter) + "/task/";
  DIR* const all = ::opendir(threads.c_str());
  if (!all) return;
  while (const dirent* const thread = ::readdir(all)) {
    std::FILE* const list = std::fopen((threads + thread->d_name + "/children").c_str(), "re");
    if (!list) continue;
    for (pid_t child = 0; std::fscanf(list, "%d", &child) == 1;)
      if (const int end = child == process_ ? -1 : open_process(child); end >= 0) helpers_.push_back(end);
    std::fclose(list);
  }
  ::closedir(all);
}

void LauncherProcess::end_helpers() const {
  int patience_ms = usual_end_ms;
  for (const int helper : helpers_) {
    if (has_ended_within(helper, patience_ms)) continue;
    patience_ms = 0;
    signal_process(helper, SIGKILL);
  }
}

}  // namespace kanor::rt
