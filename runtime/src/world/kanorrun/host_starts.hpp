// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/types.h>

#include <string>

namespace kanor::run {

/// Whether the launcher's processes that start the job on other hosts (ssh) have failed. MPICH's mpiexec does
/// not notice: it waits for ever for a host that is unknown, or that cannot be reached.
class HostStarts {
 public:
  explicit HostStarts(pid_t launcher) : launcher_(launcher) {}

  /// Later a connection that ends is no reason to end the job.
  bool are_over() const { return looks_ >= start_looks; }
  /// To be called once a second: which process has ended with what status, once the launcher has ignored that
  /// for some seconds; else empty.
  std::string failure();

 private:
  // As long as a connection takes to time out; and longer than the end of a job takes, of which such a status
  // may be a part.
  static constexpr int start_looks = 180;
  static constexpr int ignored_looks = 4;

  pid_t launcher_;
  int looks_ = 0;
  int failed_looks_ = 0;
};

}  // namespace kanor::run
