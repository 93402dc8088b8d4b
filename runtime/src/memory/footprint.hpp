// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory was used at most.
#pragma once

#include <atomic>
#include <cstddef>

namespace kanor::rt {

/// Bytes in use, now and at most. Thread-safe, and safe between processes. Changes where memory is made or
/// given up, not where it is reused. All orders are relaxed: numbers for people, which order nothing.
class Footprint {
 public:
  void add(std::size_t bytes) {
    const std::size_t now = now_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::size_t peak = peak_.load(std::memory_order_relaxed);
    while (peak < now && !peak_.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
  void remove(std::size_t bytes) { now_.fetch_sub(bytes, std::memory_order_relaxed); }

  std::size_t now_bytes() const { return now_.load(std::memory_order_relaxed); }
  std::size_t peak_bytes() const { return peak_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> now_{0}, peak_{0};
};

}  // namespace kanor::rt
