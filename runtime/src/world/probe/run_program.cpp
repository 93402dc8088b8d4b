// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/probe/run_program.hpp"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "platform/wait.hpp"

namespace kanor::rt::test {
namespace {

constexpr std::int64_t patience_ms = 20'000;

std::int64_t now_ms() { return static_cast<std::int64_t>(monotonic_us() / 1000); }

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string temporary_file() {
  std::string path =
      std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/kanor-probe-XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor >= 0) ::close(descriptor);
  return path;
}

bool group_lives(pid_t group) {
  while (::waitpid(-group, nullptr, WNOHANG) > 0) {  // orphans come to us: zombies are not alive
  }
  return ::kill(-group, 0) == 0 || errno != ESRCH;
}

}  // namespace

Program::Program(std::vector<std::string> command, Environment environment, std::size_t stack_bytes,
                 int as_nobody)
    : output_path_(temporary_file()), errors_path_(temporary_file()), started_ms_(now_ms()) {
  // Sanitizers would turn crashes into reports of their own, and ThreadSanitizer would report the ranks that
  // a program leaves running when it ends, after waiting a second for them.
  const std::string no_handlers =
      "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0";
  environment.emplace("ASAN_OPTIONS", no_handlers);
  environment.emplace("TSAN_OPTIONS", no_handlers + ":report_thread_leaks=0:atexit_sleep_ms=0");
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  process_ = ::fork();
  if (process_ != 0) {
    ::setpgid(process_, process_);
    return;
  }
  ::setpgid(0, 0);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (stack_bytes) {
    const rlimit stack{stack_bytes, RLIM_INFINITY};
    ::setrlimit(RLIMIT_STACK, &stack);
  }
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(::open(output_path_.c_str(), O_WRONLY | O_APPEND), 1);
  ::dup2(::open(errors_path_.c_str(), O_WRONLY | O_APPEND), 2);
  for (const char* name : {"KANOR_RANKS", "KANOR_MODE", "KANOR_THREADS", "KANOR_INFLIGHT", "KANOR_MEMORY",
                           "KANOR_STATS", "PMI_RANK", "PMI_FD", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"})
    ::unsetenv(name);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  if (as_nobody) {
    constexpr uid_t nobody = 65534;
    const auto processes = static_cast<rlim_t>(as_nobody);
    const rlimit few{processes, processes};
    ::setrlimit(RLIMIT_NPROC, &few);
    if (::setgroups(0, nullptr) != 0 || ::setgid(nobody) != 0 || ::setuid(nobody) != 0) ::_exit(127);
  }
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

Program::~Program() {
  if (!finished_) finish();
  ::unlink(output_path_.c_str());
  ::unlink(errors_path_.c_str());
}

bool Program::wait_output(const std::string& text, int times) {
  for (int i = 0; i < 1000; ++i) {
    if (count(read_file(output_path_), text) >= times) return true;
    ::usleep(10'000);
  }
  return false;
}

void Program::signal(int signal) const { ::kill(process_, signal); }

Outcome Program::finish() {
  Outcome outcome;
  finished_ = true;
  int how = 0;
  rusage usage{};
  while (::wait4(process_, &how, WNOHANG, &usage) == 0) {
    if (now_ms() - started_ms_ > patience_ms) ::kill(-process_, SIGKILL);
    ::usleep(1'000);
  }
  outcome.duration_ms = now_ms() - started_ms_;
  outcome.page_faults = usage.ru_minflt;
  outcome.status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
  for (int i = 0; i < 20 && group_lives(process_); ++i) ::usleep(10'000);
  outcome.left_processes = group_lives(process_);
  ::kill(-process_, SIGKILL);
  outcome.output = read_file(output_path_);
  outcome.errors = read_file(errors_path_);
  return outcome;
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  const std::string id = std::to_string(process);
  std::istringstream text(read_file("/proc/" + id + "/task/" + id + "/children"));
  for (pid_t child = 0; text >> child;) children.push_back(child);
  return children;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

int count(const std::string& text, const std::string& piece) {
  int found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + piece.size()))
    ++found;
  return found;
}

}  // namespace kanor::rt::test
