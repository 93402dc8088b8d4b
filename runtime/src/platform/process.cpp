// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/process.hpp"

#include <cstdio>

namespace kanor::rt {
namespace {

std::FILE* open_file(int process, const char* name) {
  return std::fopen(("/proc/" + std::to_string(process) + "/" + name).c_str(), "re");
}

}  // namespace

Halt halt_of(int process) {
  std::FILE* const file = open_file(process, "status");
  if (!file) return {};
  char line[256], state = 'R';
  int tracer = 0;
  while (std::fgets(line, sizeof line, file)) {
    if (std::sscanf(line, "State: %c", &state) == 1) continue;
    if (std::sscanf(line, "TracerPid: %d", &tracer) == 1) break;
  }
  std::fclose(file);
  if (state == 't') return {true, tracer};
  return {state == 'T', 0};
}

std::string program_name(int process) {
  std::FILE* const file = open_file(process, "comm");
  if (!file) return {};
  char name[64] = "";
  if (std::fscanf(file, "%63[^\n]", name) != 1) name[0] = '\0';
  std::fclose(file);
  return name;
}

}  // namespace kanor::rt
