// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/launcher_end.hpp"

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

/// A launcher that kills its ranks ends itself within this time: then their deaths are no news.
constexpr int usual_end_ms = 200;
/// What has been written to stderr is read by the launcher within this time, and takes that long to mpiexec.
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

/// What the system keeps of a process: 15 characters of its name, and its parent (0: it is gone).
struct Entry {
  char name[32] = "";
  pid_t parent = 0;
};

Entry entry_of(pid_t process) {
  Entry entry;
  std::FILE* const file = std::fopen(("/proc/" + std::to_string(process) + "/stat").c_str(), "re");
  if (!file) return entry;
  if (std::fscanf(file, "%*d (%31[^)]) %*c %d", entry.name, &entry.parent) != 2) entry.parent = 0;
  std::fclose(file);
  return entry;
}

}  // namespace

Launcher::Launcher() : wire_(launcher_wire()), process_(::getppid()) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  // The program may be the child of a shell that the launcher has started.
  if (wire_ >= 0 && ::getsockopt(wire_, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.pid > 0)
    process_ = peer.pid;
  end_ = open_process(process_);
}

Launcher::~Launcher() { ::close(end_); }

bool Launcher::ends_within(int milliseconds) const { return has_ended_within(end_, milliseconds); }

void Launcher::end_job(int status) const {
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

std::vector<int> Launcher::children() const {
  // A proxy on mpiexec's own host is its child, as the remote shells are.
  const pid_t parent = wire_ >= 0 ? entry_of(process_).parent : 0;
  const std::string above = entry_of(parent).name;
  const pid_t starter = above.starts_with("mpiexec") || above.starts_with("mpirun") ? parent : process_;
  std::vector<int> found;
  DIR* const all = ::opendir("/proc");
  if (!all) return found;
  while (const dirent* const one = ::readdir(all)) {
    const pid_t process = std::atoi(one->d_name);
    if (process <= 0 || process == process_ || entry_of(process).parent != starter) continue;
    if (const int end = open_process(process); end >= 0) found.push_back(end);
  }
  ::closedir(all);
  return found;
}

void Launcher::end_whatever(int status) const {
  const std::vector<int> started = children();
  if (wire_ >= 0) {
    end_job(status);
    ends_within(told_end_ms);
  } else {
    // Open MPI's ends its ranks at the first one, and waits for its daemons on other hosts; at the third it
    // ends at once, with the status of a failure.
    signal_process(end_, SIGTERM);
    for (int i = 0; i < 2 && !ends_within(i == 0 ? asked_end_ms : usual_end_ms); ++i)
      signal_process(end_, SIGTERM);
    ends_within(usual_end_ms);
  }
  signal_process(end_, SIGKILL);
  int patience_ms = usual_end_ms;
  for (const int child : started) {
    if (!has_ended_within(child, patience_ms)) {
      patience_ms = 0;
      signal_process(child, SIGKILL);
    }
    ::close(child);
  }
}

}  // namespace kanor::rt
