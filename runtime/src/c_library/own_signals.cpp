// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_library/own_signals.hpp"

namespace kanor::rt {

std::optional<SignalAction> SignalSlot::get() const {
  for (;;) {
    const std::uint64_t before = version_.load(std::memory_order_acquire);
    if (before == 0) return std::nullopt;
    const SignalAction action{handler_.load(std::memory_order_acquire),
                              flags_.load(std::memory_order_acquire), mask_.load(std::memory_order_acquire)};
    if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) return action;
  }
}

void SignalSlot::put(const SignalAction& action) {
  const std::uint64_t before = version_.load(std::memory_order_relaxed);
  version_.store(before + 1, std::memory_order_relaxed);
  handler_.store(action.handler, std::memory_order_release);
  flags_.store(action.flags, std::memory_order_release);
  mask_.store(action.mask, std::memory_order_release);
  version_.store(before + 2, std::memory_order_release);
}

}  // namespace kanor::rt
