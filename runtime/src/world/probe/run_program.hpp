// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program as a shell would, and looks at what it leaves behind.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kanor::rt::test {

struct Outcome {
  int status = -1;             ///< as a shell says it: 128 + signal for a death by one
  std::string output, errors;  ///< standard output and standard error
  std::int64_t duration_ms = 0;
  long page_faults = 0;         ///< of all its processes, without reading from a disk
  bool left_processes = false;  ///< a process of its group was still there 200 ms after it
};

using Environment = std::map<std::string, std::string>;

/// One run; standard input is empty. All its processes are a process group of their own.
class Program {
 public:
  /// Starts it. `stack_bytes` not 0: its soft limit; `as_nobody`: as a user who may have so few processes.
  Program(std::vector<std::string> command, Environment environment, std::size_t stack_bytes = 0,
          int as_nobody = 0);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t process() const { return process_; }
  /// Waits until `text` has been printed `times` times; false after 10 s.
  bool wait_output(const std::string& text, int times);
  void signal(int signal) const;
  /// Waits for the end, for at most 20 s, then kills it all.
  Outcome finish();

 private:
  pid_t process_ = -1;
  std::string output_path_, errors_path_;
  std::int64_t started_ms_ = 0;
  bool finished_ = false;
};

/// The processes that `process` has forked.
std::vector<pid_t> children_of(pid_t process);

std::vector<std::string> lines(const std::string& text);
int count(const std::string& text, const std::string& piece);

}  // namespace kanor::rt::test
