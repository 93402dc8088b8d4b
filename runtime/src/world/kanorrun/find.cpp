// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world/kanorrun/find.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace kanor::run {

std::string find_program(const std::string& name) {
  const auto can_run = [](const std::string& path) { return ::access(path.c_str(), X_OK) == 0; };
  if (name.find('/') != std::string::npos) return can_run(name) ? name : std::string();
  const char* const folders = std::getenv("PATH");
  for (std::string_view rest = folders ? folders : "/usr/bin:/bin"; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    const std::string path = (folder.empty() ? "." : std::string(folder)) + "/" + name;
    if (can_run(path)) return path;
  }
  return {};
}

}  // namespace kanor::run
