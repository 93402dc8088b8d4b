// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages between the ranks of one machine whose processes a launcher has started.
#pragma once

#include "transport/local.hpp"
#include "transport/transport.hpp"

namespace kanor::rt {

/// Puts messages straight into mailboxes, which lie in memory that the processes share (see
/// shared_local.hpp), or in the process's own. Pointers are good in the ranks of one process: rank r lives in
/// process r / T.
class MachineTransport final : public Transport {
 public:
  MachineTransport(Local& local, int ranks_per_process)
      : local_(local), ranks_per_process_(ranks_per_process) {}

  Capabilities capabilities(int from, int to) const override;
  void post(Message* message) override { local_.post(message); }
  /// Nothing is ever on the way: a post is an arrival.
  bool progress(Arrivals&) override { return false; }

 private:
  Local& local_;
  const int ranks_per_process_;
};

}  // namespace kanor::rt
