// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exchange that a function of the library has started.
#pragma once

#include <kanor/kanor.hpp>
#include <kanor/std/detail/call.hpp>

#include <utility>

namespace kanor {

/// An exchange that a function of the library has started, to be ended by wait(), or by the destructor. It is
/// to kanor::pending what the function's call is to a block, and messages about it name the call. It can only
/// be moved; a moved-from object is empty.
class [[nodiscard]] pending_call {
 public:
  /// For functions of the library: the exchange that this call has started.
  pending_call(const char* function, const call_site& where, pending exchange)
      : function_(function), where_(where), exchange_(std::move(exchange)) {}
  pending_call(pending_call&& other) noexcept
      : function_(std::exchange(other.function_, nullptr)),
        where_(other.where_),
        exchange_(std::move(other.exchange_)) {}
  pending_call& operator=(pending_call&& other) noexcept {
    pending_call ended(std::move(*this));
    function_ = std::exchange(other.function_, nullptr);
    where_ = other.where_;
    exchange_ = std::move(other.exchange_);
    return *this;
  }
  ~pending_call() {
    if (function_ == nullptr) return;
    const detail::call call(function_, where_);
    const pending ended(std::move(exchange_));
  }

  /// Waits for the values that this rank receives, and updates their places. A second call ends the job
  /// with a message.
  void wait() {
    const detail::call call(function_, where_);
    exchange_.wait();
  }

 private:
  const char* function_;  // null if this object is empty
  call_site where_;
  pending exchange_;
};

}  // namespace kanor
