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
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "job/failure.hpp"
#include "platform/launcher_wire.hpp"
#include "platform/output.hpp"
#include "platform/wait.hpp"
#include "world/first_end.hpp"
#include "world/host_watch.hpp"
#include "world/launcher_process.hpp"

namespace kanor::rt {
namespace {

/// A launcher that kills its ranks ends itself within this time: then their deaths are no news.
constexpr int launcher_end_ms = 200;
/// The most hosts that a line names.
constexpr std::size_t most_named = 8;

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

/// Closes all descriptors but these and stderr. Returns false if the system cannot.
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

std::int64_t now_us() { return static_cast<std::int64_t>(monotonic_us()); }

class Watcher {
 public:
  /// Made by the process that is to be watched.
  explicit Watcher(Control& control) : control_(control) {
    process_end_ = static_cast<int>(::syscall(SYS_pidfd_open, process_, 0));
    files_ = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    // Its maker writes into a new file to give it its size.
    ::inotify_add_watch(files_, shared_folder, IN_MODIFY);
    ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, plans_);
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() {
    for (const int one : {process_end_, files_, plans_[0], plans_[1]}) ::close(one);
  }

  bool ok() const { return process_end_ >= 0 && launcher_.end() >= 0; }
  /// The process's end of the connection for watch_hosts; -1: there is none.
  int take_connection() { return std::exchange(plans_[1], -1); }
  [[noreturn]] void run();

 private:
  /// The process's status as wait() gives it; nothing where the system does not tell.
  std::optional<int> end_code() const;
  /// Keeps the names of the files that the process has made.
  void look_at_files();
  /// The time until a beat is due; -1: none ever is.
  int wait_ms() const;
  void begin_beats();
  void look_at_hosts();
  void leave_hosts();
  [[noreturn]] void end_without(const std::vector<std::string>& hosts);
  /// Whether the process has opened this file.
  bool process_has(const std::string& path) const;
  /// Says why the process has ended without having left the job. Returns the status that the job is to end
  /// with; 0: it is not to end.
  int explain(std::optional<int> code, std::int64_t when_us) const;
  void tell(std::string_view what) const;
  /// Kills the process, if it runs, and what it has forked into its process group.
  void kill_process() const;

  Control& control_;
  const pid_t process_ = ::getpid();
  const bool leads_group_ = makes_groups() && ::getpgrp() == process_;  ///< otherwise a shell may be between
  LauncherProcess launcher_;
  bool launcher_lives_ = true;
  int process_end_ = -1;            ///< a pidfd
  int plans_[2] = {-1, -1};         ///< connection by which the plan of the beats comes
  std::optional<HostBeats> beats_;  ///< in one process of each host, in a job over several
  bool misses_host_ = false;  ///< as those ended, a beat was overdue: another host may have told of it first
  int files_ = -1;            ///< tells of new files, until the process has joined the others
  std::vector<std::string> shared_files_;  ///< that the process has made
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

bool Watcher::process_has(const std::string& path) const {
  // A file is closed when it is mapped: what is not open any more must be in the maps, which are read later.
  const std::string process = "/proc/" + std::to_string(process_);
  std::error_code error;
  for (std::filesystem::directory_iterator open(process + "/fd", error), end; !error && open != end;
       open.increment(error)) {
    std::error_code gone;
    if (std::filesystem::read_symlink(open->path(), gone) == path) return true;
  }
  std::FILE* const maps = std::fopen((process + "/maps").c_str(), "re");
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
    // Several jobs may make such files.
    if (const std::string path = std::string(shared_folder) + event->name; process_has(path))
      shared_files_.push_back(path);
  }
  if (control_.first() < 0) return;
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

int Watcher::explain(std::optional<int> code, std::int64_t when_us) const {
  FirstEnd first(launcher_.process(), {when_us, code.value_or(0)});
  if (control_.failure() != 0) return control_.failure();
  if (control_.ending()) return control_.ending_status();
  if (launcher_.ends_within(launcher_end_ms)) return 0;
  if (!first.is_own()) {
    launcher_.ends_within(launcher_end_ms);  // a judge that leaves earlier would make place for another
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

void Watcher::kill_process() const {
  // Through the pidfd: no other process can be hit.
  ::syscall(SYS_pidfd_send_signal, process_end_, SIGKILL, nullptr, 0);
  // The number is the group's for as long as anybody is in it.
  if (leads_group_) ::kill(-process_, SIGKILL);
}

int Watcher::wait_ms() const {
  return beats_ ? static_cast<int>((beats_->wait_us(now_us()) + 999) / 1000) : -1;
}

void Watcher::begin_beats() {
  BeatPlan plan;
  if (const int socket = take_plan(plans_[0], plan); socket >= 0) {
    beats_.emplace(socket, plan, now_us());
    launcher_.find_helpers();
  }
  ::close(plans_[0]);
  plans_[0] = -1;
}

void Watcher::leave_hosts() {
  if (!beats_) return;
  misses_host_ = beats_->misses(now_us());
  beats_->leave();
  beats_.reset();
}

void Watcher::look_at_hosts() {
  const std::int64_t now = now_us();
  beats_->look(now);
  // All others have come to the job's end, too.
  if (control_.has_left()) return;
  if (const std::vector<std::string> hosts = beats_->silent(now); !hosts.empty()) end_without(hosts);
  const int unheard = beats_->unheard(now).value_or(0);
  if (unheard == 0) return;
  report(-1, "the hosts of " + std::to_string(unheard) + " of the job's " +
                 std::to_string(beats_->plan().processes) + " processes cannot send datagrams to host " +
                 beats_->plan().name.data() + " (UDP port " + std::to_string(ntohs(beats_->plan().port)) +
                 "): should one of them fall silent, the others wait for it (KANOR_HOST_SECONDS)");
}

void Watcher::end_without(const std::vector<std::string>& hosts) {
  std::string names;
  for (std::size_t i = 0; i < std::min(hosts.size(), most_named); ++i)
    names += (i == 0 ? "" : i + 1 == hosts.size() ? " and " : ", ") + hosts[i];
  if (hosts.size() > most_named) names += " and " + std::to_string(hosts.size() - most_named) + " more";
  report(-1, (hosts.size() == 1 ? "host " + names + " has" : "hosts " + names + " have") +
                 " not answered for " + std::to_string(beats_->limit_us() / 1'000'000) +
                 " s (KANOR_HOST_SECONDS): the job ends without " + (hosts.size() == 1 ? "it" : "them"));
  control_.set_ending(1);
  launcher_.end_whatever(1);
  kill_process();
  launcher_.end_helpers();
  for (const std::string& file : shared_files_) ::unlink(file.c_str());
  end_process(0);
}

void Watcher::run() {
  ::prctl(PR_SET_NAME, "kanor watcher", 0, 0, 0);
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::close(take_connection());
  if (!keep_only({process_end_, launcher_.end(), files_, launcher_.wire(), plans_[0]}) || ::chdir("/") != 0)
    end_process(0);
  watch_failures(control_, nullptr);
  std::int64_t end_us = 0;
  for (;;) {
    const WakeClock clock;
    pollfd ends[] = {{process_end_, POLLIN, 0},
                     {launcher_lives_ ? launcher_.end() : -1, POLLIN, 0},
                     {files_, POLLIN, 0},
                     {plans_[0], POLLIN, 0},
                     beats_ ? beats_->descriptor() : pollfd{-1, 0, 0}};
    if (::poll(ends, std::size(ends), wait_ms()) < 0) continue;
    end_us = clock.woken_us();
    if (ends[2].revents != 0) look_at_files();
    if (ends[0].revents != 0) break;
    if (ends[1].revents != 0) {
      kill_process();
      launcher_lives_ = false;
      leave_hosts();
    }
    if (ends[3].revents != 0) begin_beats();
    if (beats_) look_at_hosts();
  }
  leave_hosts();
  int status = 0;
  const std::optional<int> code = end_code();
  if (const bool failed = !control_.has_left() && code != 0; failed) {
    kill_process();
    // Other launchers say themselves which rank has ended how, and end the job.
    if (launcher_lives_ && launcher_.wire() >= 0) status = explain(code, end_us);
  }
  for (const std::string& file : shared_files_) ::unlink(file.c_str());
  if (status != 0) launcher_.end_job(status);
  if (misses_host_ && launcher_.ends_within(launcher_end_ms)) launcher_.end_helpers();
  end_process(0);
}

}  // namespace

int start_watcher(Control& control) {
  Watcher watcher(control);
  if (!watcher.ok()) return -1;
  const pid_t child = ::fork();
  if (child < 0) return -1;
  if (child > 0) {
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    return watcher.take_connection();
  }
  ::setsid();
  if (::fork() == 0) watcher.run();
  end_process(0);
}

}  // namespace kanor::rt
