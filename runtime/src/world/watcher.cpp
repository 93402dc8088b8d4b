// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/watcher.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "job/failure.hpp"
#include "platform/launcher_wire.hpp"
#include "platform/output.hpp"
#include "world/first_end.hpp"

namespace kanor::rt {
namespace {

/// A launcher that kills its ranks ends itself within this time: then their deaths are no news.
constexpr int launcher_end_ms = 200;
/// What has been written to stderr is read by the launcher within this time, and takes that long to mpiexec.
constexpr int most_drain_ms = 300, forward_ms = 20;

/// How soon a new file is looked at again, at first and at most: its maker maps it as soon as it runs.
constexpr int first_look_ms = 1, last_look_ms = 64;

/// MPICH's files of memory that processes share: MPI_Init makes them, and removes them when all have it.
constexpr char shared_folder[] = "/dev/shm/";
constexpr char shared_beginning[] = "mpich_shar_tmp";

/// The kernel's answer to PIDFD_GET_INFO, which C libraries of its time do not declare (since Linux 6.15).
struct ProcessInfo {
  std::uint64_t mask;
  std::uint64_t cgroup;
  std::uint32_t ids[11];
  std::int32_t exit_code;
};
constexpr std::uint64_t info_has_exit = 1u << 3;
constexpr unsigned long get_process_info = _IOWR(0xff, 11, ProcessInfo);

int open_process(pid_t process) { return static_cast<int>(::syscall(SYS_pidfd_open, process, 0)); }

void sleep_ms(long milliseconds) {
  const timespec time{0, milliseconds * 1'000'000};
  ::nanosleep(&time, nullptr);
}

/// Closes all descriptors but these and stderr. Whether the system can.
bool keep_only(std::vector<int> kept) {
  kept.push_back(STDERR_FILENO);
  std::sort(kept.begin(), kept.end());
  unsigned from = 0;
  for (const int one : kept) {
    if (one < 0) continue;
    const auto next = static_cast<unsigned>(one);
    if (next > from && ::syscall(SYS_close_range, from, next - 1, 0) != 0) return false;
    from = next + 1;
  }
  return ::syscall(SYS_close_range, from, ~0u, 0) == 0;
}

class Watcher {
 public:
  /// Made by the process that is to be watched.
  explicit Watcher(Control& control) : control_(control) {
    pid_t launcher = ::getppid();
    ucred peer{};
    socklen_t bytes = sizeof peer;
    // The program may be the child of a shell that the launcher has started.
    if (wire_ >= 0 && ::getsockopt(wire_, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.pid > 0)
      launcher = peer.pid;
    launcher_ = launcher;
    process_end_ = open_process(process_);
    launcher_end_ = open_process(launcher);
    files_ = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    ::inotify_add_watch(files_, shared_folder, IN_CREATE);
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() {
    for (const int one : {process_end_, launcher_end_, files_}) ::close(one);
  }

  bool ok() const { return process_end_ >= 0 && launcher_end_ >= 0; }
  [[noreturn]] void run();

 private:
  /// How the process has ended, as wait() says it; nothing where the system does not tell.
  std::optional<int> end_code() const;
  bool launcher_ends() const;
  void look_at_files();
  bool process_has(const std::string& path) const;
  /// Answers the status that the job is to end with; 0: it is not to end.
  int explain(std::int64_t when_us) const;
  void tell(std::string_view what) const;
  void end_job_with(int status) const;

  Control& control_;
  const pid_t process_ = ::getpid();
  const int wire_ = launcher_wire();
  pid_t launcher_ = 0;
  int process_end_ = -1, launcher_end_ = -1;  ///< pidfds
  int files_ = -1;                            ///< tells of new files, until the process has joined the others
  int look_ms_ = 0;                           ///< until files are looked at again
  std::vector<std::string> new_files_;        ///< whose processes are not known; several jobs may make some
  std::vector<std::string> shared_files_;     ///< that the process has mapped
};

std::optional<int> Watcher::end_code() const {
  // Until its parent has waited for it, the last number tells.
  if (std::FILE* const file = std::fopen(("/proc/" + std::to_string(process_) + "/stat").c_str(), "re")) {
    char text[1024];
    const std::size_t length = std::fread(text, 1, sizeof text - 1, file);
    std::fclose(file);
    text[length] = '\0';
    if (const char* const last = std::strrchr(text, ' ')) return std::atoi(last);
  }
  // From then on the pidfd does.
  ProcessInfo info{};
  info.mask = info_has_exit;
  if (::ioctl(process_end_, get_process_info, &info) == 0 && (info.mask & info_has_exit) != 0)
    return info.exit_code;
  return std::nullopt;
}

bool Watcher::launcher_ends() const {
  pollfd end{launcher_end_, POLLIN, 0};
  return ::poll(&end, 1, launcher_end_ms) > 0;
}

bool Watcher::process_has(const std::string& path) const {
  std::FILE* const maps = std::fopen(("/proc/" + std::to_string(process_) + "/maps").c_str(), "re");
  if (!maps) return false;
  bool found = false;
  char line[1024];
  while (!found && std::fgets(line, sizeof line, maps)) found = std::strstr(line, path.c_str()) != nullptr;
  std::fclose(maps);
  return found;
}

void Watcher::look_at_files() {
  alignas(inotify_event) char events[4096];
  const ssize_t bytes = ::read(files_, events, sizeof events);
  for (ssize_t at = 0; at < bytes;) {
    const auto* const event = reinterpret_cast<const inotify_event*>(events + at);
    at += static_cast<ssize_t>(sizeof *event + event->len);
    if (event->len == 0 || std::strncmp(event->name, shared_beginning, sizeof shared_beginning - 1) != 0)
      continue;
    new_files_.push_back(std::string(shared_folder) + event->name);
    look_ms_ = first_look_ms;
  }
  std::erase_if(new_files_, [this](const std::string& path) {
    const bool own = process_has(path);
    if (own) shared_files_.push_back(path);
    return own || ::access(path.c_str(), F_OK) != 0;
  });
  look_ms_ = std::min(2 * look_ms_, last_look_ms);
  if (control_.first() < 0) return;
  new_files_.clear();
  ::close(files_);
  files_ = -1;
}

void Watcher::tell(std::string_view what) const {
  if (!started_by_hydra()) return;  // Slurm names tasks itself, also those that it ends
  const int first = control_.first(), last = first + control_.count() - 1;
  if (control_.count() == 1 && first >= 0) {
    report(first, what);
    return;
  }
  std::string whose = "a process that has not joined the job yet";
  if (const char* const number = std::getenv("PMI_RANK"); first < 0 && number)
    whose = std::string("process ") + number + ", which has not joined the job yet";
  if (first >= 0) whose = "the process of ranks " + std::to_string(first) + " to " + std::to_string(last);
  if (*control_.host() != '\0') whose += std::string(" (host ") + control_.host() + ")";
  report(-1, whose + ": " + std::string(what));
}

int Watcher::explain(std::int64_t when_us) const {
  const std::optional<int> code = end_code();
  if (control_.has_left() || (code && *code == 0)) return 0;
  FirstEnd first(launcher_, {when_us, code.value_or(0)});
  if (control_.failure() != 0) return control_.failure();
  if (control_.ending()) return control_.ending_status();
  if (launcher_ends()) return 0;
  if (!first.is_own()) {
    launcher_ends();  // a judge that leaves earlier would make place for another
    return 0;
  }
  if (!code) {
    tell("ended without a word: it was killed, or a library has called _exit()");
    return 1;
  }
  if (WIFSIGNALED(*code)) {
    const int signal = WTERMSIG(*code);
    // A launcher passes on to all ranks what it is sent itself. That is how somebody ends the job, and no
    // failure.
    const bool asked = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
    if (!asked || !first.has_company()) tell(signal_words(signal));
    return 128 + signal;
  }
  // Whoever could not join has told why.
  if (control_.first() >= 0) tell("ended with exit status " + std::to_string(WEXITSTATUS(*code)));
  return WEXITSTATUS(*code);
}

void Watcher::end_job_with(int status) const {
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
  launcher_ends();
}

void Watcher::run() {
  ::prctl(PR_SET_NAME, "kanor watcher", 0, 0, 0);
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  if (!keep_only({process_end_, launcher_end_, files_, wire_}) || ::chdir("/") != 0) end_process(0);
  watch_failures(control_, nullptr);
  std::int64_t end_us = 0;
  for (;;) {
    const WakeClock clock;
    pollfd ends[] = {{process_end_, POLLIN, 0}, {launcher_end_, POLLIN, 0}, {files_, POLLIN, 0}};
    if (::poll(ends, 3, new_files_.empty() ? -1 : look_ms_) < 0) continue;
    end_us = clock.woken_us();
    if (ends[2].revents != 0 || !new_files_.empty()) look_at_files();
    if (ends[0].revents != 0) break;
    // Through the pidfd: no other process can be hit.
    if (ends[1].revents != 0) ::syscall(SYS_pidfd_send_signal, process_end_, SIGKILL, nullptr, 0);
    if (ends[1].revents != 0) launcher_end_ = -1;
  }
  // Other launchers say themselves which rank has ended how, and end the job.
  const int status = launcher_end_ < 0 || wire_ < 0 ? 0 : explain(end_us);
  for (const std::string& file : shared_files_) ::unlink(file.c_str());
  if (status != 0) end_job_with(status);
  end_process(0);
}

}  // namespace

void start_watcher(Control& control) {
  Watcher watcher(control);
  if (!watcher.ok()) return;
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child > 0) {
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return;
  }
  ::setsid();
  if (::fork() == 0) watcher.run();
  end_process(0);
}

}  // namespace kanor::rt
