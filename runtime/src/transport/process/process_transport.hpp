// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages between ranks that are processes, forked after their message memory was mapped.
#pragma once

#include "transport/local.hpp"
#include "transport/transport.hpp"

namespace kanor::rt {

/// Puts messages straight into mailboxes, which lie in shared memory. Pointers are good only in the rank that
/// made them: what lies in message memory has the same address everywhere, everything else does not.
class ProcessTransport final : public Transport {
 public:
  explicit ProcessTransport(Local& local) : local_(local) {}

  Capabilities capabilities(int from, int to) const override;
  void post(Message* message) override { local_.post(message); }
  /// Nothing is ever on the way: a post is an arrival.
  bool progress(Arrivals&) override { return false; }

 private:
  Local& local_;
};

}  // namespace kanor::rt
