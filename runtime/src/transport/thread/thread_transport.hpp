// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages between ranks that are threads of one process.
#pragma once

#include "transport/local.hpp"
#include "transport/transport.hpp"

namespace kanor::rt {

/// Puts messages straight into mailboxes. Pointers are good in every rank.
class ThreadTransport final : public Transport {
 public:
  explicit ThreadTransport(Local& local) : local_(local) {}

  Capabilities capabilities(int from, int to) const override;
  void post(Message* message) override { local_.post(message); }
  /// Nothing is ever on the way: a post is an arrival.
  bool progress(Arrivals&) override { return false; }

 private:
  Local& local_;
};

}  // namespace kanor::rt
