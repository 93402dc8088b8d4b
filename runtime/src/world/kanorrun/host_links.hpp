// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "world/kanorrun/hosts.hpp"

namespace kanor::run {

/// The launcher's processes that start the job on the hosts (ssh), and that end when the job has ended there.
class HostLinks {
 public:
  /// `in_order`: the launcher starts one for each host, in the order of the list, as MPICH's does. Waits
  /// until it has, which takes milliseconds.
  HostLinks(pid_t launcher, const std::vector<Host>& hosts, bool in_order);

  /// Returns true when a link that ends is no longer a reason to end the job.
  bool starts_are_over() const { return looks_ >= start_looks; }
  /// To be called once a second. Returns which host was not reached, and why, once the launcher has ignored
  /// that for some seconds; else empty. MPICH's mpiexec waits for ever for a host that is unknown, or that
  /// cannot be reached.
  std::string failed_start();
  /// To be called after the launcher's end. Returns the host on which the launcher's own process was killed,
  /// or whose connection broke, if the launcher died of that; else empty. MPICH's names none.
  std::string broken() const;

 private:
  // As long as a connection takes to time out; and longer than the end of a job takes, of which such a status
  // may be a part.
  static constexpr int start_looks = 180;
  static constexpr int ignored_looks = 4;

  const pid_t launcher_;
  std::vector<std::string> hosts_;
  std::vector<pid_t> links_;  ///< one for each host, or none if they are not known
  int looks_ = 0;
  int failed_looks_ = 0;
};

}  // namespace kanor::run
