// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/kanorrun/host_links.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace kanor::run {
namespace {

constexpr int of_signals = 128;  ///< the number that shells add to a signal's
constexpr int of_ssh = 255;      ///< the status of ssh itself
/// The number of looks for links, and the time between them: the launcher starts its links at once. They end
/// with it, or a connection's way later.
constexpr int look_limit = 100;
constexpr useconds_t look_us = 10'000;

/// Describes a process that has ended, is not waited for and says so: " ('ssh' ended with status 255)"; else
/// empty. A status above 128 is that of a signal on the other host, where the job may run on.
std::string status_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto begin = line.find('('), end = line.rfind(')');
  if (begin == std::string::npos || end == std::string::npos) return {};
  std::istringstream fields(line.substr(end + 1));
  std::string state, field;
  fields >> state;
  while (fields >> field) {
  }
  const int how = field.empty() ? 0 : std::atoi(field.c_str());  // the last field is exit_code
  const int status = WEXITSTATUS(how);
  const bool failed = status != 0 && (status <= of_signals || status == of_ssh);
  if (state != "Z" || !WIFEXITED(how) || !failed) return {};
  return " ('" + line.substr(begin + 1, end - begin - 1) + "' ended with status " + std::to_string(status) +
         ")";
}

std::vector<pid_t> children_of(pid_t process) {
  const std::string number = std::to_string(process);
  std::ifstream file("/proc/" + number + "/task/" + number + "/children");
  std::vector<pid_t> children;
  for (pid_t child; file >> child;) children.push_back(child);
  return children;
}

}  // namespace

HostLinks::HostLinks(pid_t launcher, const std::vector<Host>& hosts, bool in_order) : launcher_(launcher) {
  // Should the launcher die, this process becomes the parent of its links.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  if (!in_order) return;
  for (const Host& host : hosts) hosts_.push_back(host.name);
  siginfo_t end{};
  for (int look = 0; look < look_limit && links_.empty() && end.si_pid == 0; ++look) {
    ::usleep(look_us);
    if (std::vector<pid_t> children = children_of(launcher); children.size() == hosts.size())
      links_ = children;
    ::waitid(P_PID, static_cast<id_t>(launcher), &end, WEXITED | WNOWAIT | WNOHANG);
  }
}

std::string HostLinks::failed_start() {
  ++looks_;
  const std::vector<pid_t> children = children_of(launcher_);
  for (std::size_t i = 0; i < children.size(); ++i)
    if (std::string status = status_of(children[i]); !status.empty()) {
      if (++failed_looks_ < ignored_looks) return {};
      return (children == links_ ? "host " + hosts_[i] : "a host") + status;
    }
  failed_looks_ = 0;
  return {};
}

std::string HostLinks::broken() const {
  int looks = 0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    int how = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(links_[i], &how, WNOHANG)) == 0 && ++looks < look_limit) ::usleep(look_us);
    // Those that end because the launcher does end by themselves.
    if (ended > 0 && (WIFSIGNALED(how) || WEXITSTATUS(how) > of_signals)) return hosts_[i];
  }
  return {};
}

}  // namespace kanor::run
