// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/kanorrun/host_starts.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace kanor::run {
namespace {

constexpr int of_signals = 128;  ///< what shells add to a signal's number
constexpr int of_ssh = 255;      ///< that of ssh itself

/// "'ssh' ended with status 255" of a process that has ended, is not waited for and says so; else empty. A
/// status above 128 is that of a signal on the other host, where the job may run on.
std::string status_of(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
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
  return "'" + line.substr(begin + 1, end - begin - 1) + "' ended with status " + std::to_string(status);
}

}  // namespace

std::string HostStarts::failure() {
  ++looks_;
  const std::string launcher = std::to_string(launcher_);
  std::ifstream children("/proc/" + launcher + "/task/" + launcher + "/children");
  for (std::string child; children >> child;)
    if (std::string status = status_of(child); !status.empty()) {
      if (++failed_looks_ < ignored_looks) return {};
      return status;
    }
  failed_looks_ = 0;
  return {};
}

}  // namespace kanor::run
