// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ending a job by the launcher that has started this host's processes.
#pragma once

#include <sys/types.h>

#include <vector>

namespace kanor::rt {

/// The launcher as a watcher knows it: on the first host it is mpirun itself, or mpiexec's proxy, on others
/// the proxy or daemon. Made by the process that the launcher has started.
class LauncherProcess {
 public:
  LauncherProcess();
  ~LauncherProcess();
  LauncherProcess(const LauncherProcess&) = delete;
  LauncherProcess& operator=(const LauncherProcess&) = delete;

  pid_t process() const { return process_; }
  int end() const { return end_; }    ///< a pidfd
  int wire() const { return wire_; }  ///< -1: there is none

  /// Returns true if it ends within this time.
  bool ends_within(int milliseconds) const;
  /// Tells it over the wire to end the job on all hosts, with this status. Waits a while for its end.
  void end_job(int status) const;
  /// Ends it, whatever it takes, when it may wait for hosts that do not answer. With this status where that
  /// is possible.
  void end_whatever(int status) const;

  /// Finds what it, or the mpiexec above it, has started on this host to reach others (ssh).
  void find_helpers();
  /// Ends these helpers, once it has ended: those to a silent host would go on waiting for it.
  void end_helpers() const;

 private:
  const int wire_;
  pid_t process_ = 0;
  int end_ = -1;
  std::vector<int> helpers_;  ///< pidfds
};

}  // namespace kanor::rt
