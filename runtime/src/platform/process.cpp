// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/process.hpp"

#include <cstdio>

namespace kanor::rt {
namespace {

std::FILE* open_file(int process, const char* name) {
  return std::fopen(("/proc/" + std::to_string(process) + "/" + name).c_str(), "re");
}

struct Status {
  char state = 'R';
  int tracer = 0;
};

Status status_of(int process) {
  std::FILE* const file = open_file(process, "status");
  if (!file) return {};
  char line[256];
  Status status;
  while (std::fgets(line, sizeof line, file)) {
    if (std::sscanf(line, "State: %c", &status.state) == 1) continue;
    if (std::sscanf(line, "TracerPid: %d", &status.tracer) == 1) break;
  }
  std::fclose(file);
  return status;
}

}  // namespace

Halt halt_of(int process) {
  const Status status = status_of(process);
  if (status.state == 't') return {true, status.tracer};
  return {status.state == 'T', 0};
}

int debugger_of(int process) { return status_of(process).tracer; }

std::string program_name(int process) {
  std::FILE* const file = open_file(process, "comm");
  if (!file) return {};
  char name[64] = "";
  if (std::fscanf(file, "%63[^\n]", name) != 1) name[0] = '\0';
  std::fclose(file);
  return name;
}

}  // namespace kanor::rt
