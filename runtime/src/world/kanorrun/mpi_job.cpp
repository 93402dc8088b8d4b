// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/kanorrun/mpi_job.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "world/kanorrun/complain.hpp"
#include "world/kanorrun/find.hpp"
#include "world/kanorrun/host_links.hpp"
#include "world/kanorrun/program.hpp"

namespace kanor::run {
namespace {

/// The signals that end the job. The launcher has this long to do that, then it is killed: the watchers of
/// its ranks end these.
constexpr int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr int end_limit_seconds = 2;

/// The launcher's path: the one that the user names, or the first that is found.
std::string find_launcher() {
  if (const char* const named = std::getenv("KANOR_MPIEXEC")) {
    const std::string path = find_program(named);
    if (path.empty()) complain(std::string("KANOR_MPIEXEC is '") + named + "': no such program", bad_usage);
    return path;
  }
  for (const char* const name : {"mpiexec.mpich", "mpiexec.hydra", "mpiexec", "mpirun"})
    if (std::string path = find_program(name); !path.empty()) return path;
  complain(
      "no MPI launcher (mpiexec) is in PATH: install MPICH (Debian's package mpich), or set KANOR_MPIEXEC",
      not_found);
}

pid_t start(const std::vector<std::string>& words, char** command, int output) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  for (; command && *command; ++command) all.push_back(*command);
  all.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) complain(std::string("cannot start a process: ") + std::strerror(errno), bad_usage);
  if (child > 0) return child;
  // Should this process die, even by SIGKILL, the launcher ends its job; it may have died before the request.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  if (output >= 0) ::dup2(output, STDOUT_FILENO);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  become(all.data());
}

/// Returns true if the launcher is Open MPI's, which has words of its own; the others know MPICH's.
bool is_open_mpi(const std::string& launcher) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  const pid_t child = start({launcher, "--version"}, nullptr, ends[1]);
  ::close(ends[1]);
  std::string said;
  std::array<char, 4096> piece;
  for (ssize_t got = 0; (got = ::read(ends[0], piece.data(), piece.size())) > 0;)
    said.append(piece.data(), static_cast<std::size_t>(got));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return said.find("Open MPI") != std::string::npos || said.find("OpenRTE") != std::string::npos;
}

/// A shell script that becomes the program on its host. Where that is impossible, the host's first process
/// says so, and once that has been heard asks hydra to end the job: for hydra, other processes that end
/// before MPI begins are none of the job.
constexpr const char* starter = R"(file=$1
case $1 in */*) ;; *) file=$(command -v "$1") ;; esac
if [ -x "$file" ] && [ ! -d "$file" ]; then exec "$@"; fi
status=126 why='it is not executable there'
if [ ! -e "$file" ]; then status=127 why='there is no such program'; fi
if [ "${MPI_LOCALRANKID:-${OMPI_COMM_WORLD_LOCAL_RANK:-0}}" = 0 ]; then
  echo "kanorrun: cannot run '$1' on host $(uname -n): $why" >&2
  sleep 1
  if [ -n "$MPI_LOCALRANKID" ]; then echo "cmd=abort exitcode=$status" >&"$PMI_FD"; fi
fi
sleep 1
exit $status)";

std::vector<std::string> launch_words(const std::string& launcher, bool open_mpi,
                                      const std::vector<Host>& hosts, int threads) {
  std::string list, each;
  int processes = 0;
  for (const Host& host : hosts) {
    list += (list.empty() ? "" : ",") + host.name + ":" + std::to_string(host.ranks / threads);
    processes += host.ranks / threads;
    for (int i = 0; i < host.ranks / threads; ++i) each += (each.empty() ? "" : ",") + host.name;
  }
  const std::string number = std::to_string(processes);
  if (!open_mpi) return {launcher, "-hosts", list, "-n", number};
  // Otherwise the ranks of this host come first, wherever it stands in the list.
  std::vector<std::string> words = {launcher, "--host", each, "--map-by", "seq", "-n", number};
  // MPICH's passes the environment on by itself.
  for (char** setting = environ; *setting; ++setting)
    if (const std::string_view whole = *setting; whole.starts_with("KANOR_")) {
      words.emplace_back("-x");
      words.emplace_back(whole.substr(0, whole.find('=')));
    }
  return words;
}

/// Ends this process by the signal, without a core file.
[[noreturn]] void die_of(int signal) {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(signal, SIG_DFL);
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, signal);
  ::raise(signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  std::exit(128 + signal);
}

/// Waits for the launcher, and passes signals on to it.
class Watch {
 public:
  Watch(pid_t launcher, const sigset_t& signals) : launcher_(launcher), signals_(signals) {}

  /// Waits for the launcher's end, and returns its status as waitpid() gives it.
  int wait(HostLinks& links) {
    for (;;) {
      int how = 0;
      if (::waitpid(launcher_, &how, WNOHANG) == launcher_) return how;
      siginfo_t info{};
      const timespec limit{ending_ ? end_limit_seconds : 1, 0};
      const bool waits = !ending_ && links.starts_are_over();
      const int signal = waits ? ::sigwaitinfo(&signals_, &info) : ::sigtimedwait(&signals_, &info, &limit);
      if (signal < 0 && errno == EAGAIN) look(links);
      if (signal <= 0 || signal == SIGCHLD) continue;
      const bool ends = std::find(std::begin(endings), std::end(endings), signal) != std::end(endings);
      if (ends) asked_ = signal;
      ending_ = ending_ || ends;
      // What the terminal sends it sends to the launcher too.
      if (info.si_code != SI_KERNEL) ::kill(launcher_, ends ? SIGTERM : signal);
    }
  }

  int asked() const { return asked_; }                     ///< the signal that has ended the job, or 0
  const std::string& failure() const { return failure_; }  ///< why it could not start, or empty

 private:
  void look(HostLinks& links) {
    if (ending_) {
      ::kill(launcher_, SIGKILL);
    } else if (failure_ = links.failed_start(); !failure_.empty()) {
      ending_ = true;
      ::kill(launcher_, SIGTERM);
    }
  }

  pid_t launcher_;
  const sigset_t& signals_;
  bool ending_ = false;
  int asked_ = 0;
  std::string failure_;
};

}  // namespace

void run_mpi_job(const std::vector<Host>& hosts, int threads, char** command) {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : endings) ::sigaddset(&signals, signal);
  for (const int signal : {SIGCHLD, SIGUSR1, SIGUSR2}) ::sigaddset(&signals, signal);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGCHLD, SIG_DFL);
  const std::string launcher = find_launcher();
  const bool open_mpi = is_open_mpi(launcher);
  std::vector<std::string> words = launch_words(launcher, open_mpi, hosts, threads);
  for (const char* const word : {"/bin/sh", "-c", starter, "sh"}) words.emplace_back(word);
  const pid_t child = start(words, command, -1);
  HostLinks links(child, hosts, !open_mpi);
  Watch watch(child, signals);
  const int how = watch.wait(links);
  if (watch.asked() != 0) die_of(watch.asked());
  // Whoever read the job's output has closed it, as head does.
  if (WIFSIGNALED(how) && WTERMSIG(how) == SIGPIPE) die_of(SIGPIPE);
  if (!watch.failure().empty())
    complain(
        "the launcher did not reach " + watch.failure() +
            ", or could not run there; check the hosts' names, and that 'ssh HOST true' needs no password",
        1);
  if (const std::string host = links.broken(); !host.empty())
    std::fprintf(stderr, "kanorrun: the launcher's process for host %s was killed, or lost its connection\n",
                 host.c_str());
  if (WIFEXITED(how)) std::exit(WEXITSTATUS(how));
  complain("the MPI launcher '" + launcher + "' was killed by signal " + std::to_string(WTERMSIG(how)) +
               " (" + ::strsignal(WTERMSIG(how)) + ")",
           128 + WTERMSIG(how));
}

}  // namespace kanor::run
