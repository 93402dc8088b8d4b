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
      : function_(other.function_),
        where_(other.where_),
        exchange_(std::move(other.exchange_)),
        is_pending_(std::exchange(other.is_pending_, false)) {}
  pending_call& operator=(pending_call&& other) noexcept {
    const pending_call ended(std::move(*this));
    function_ = other.function_;
    where_ = other.where_;
    exchange_ = std::move(other.exchange_);
    is_pending_ = std::exchange(other.is_pending_, false);
    return *this;
  }
  ~pending_call() {
    if (!is_pending_) return;  // or messages would name this call as the last one
    const detail::call call(function_, where_);
    const pending ended(std::move(exchange_));
  }

  /// Waits for the values that this rank receives, and updates their places. A second call ends the job
  /// with a message.
  void wait() {
    const detail::call call(function_, where_);
    is_pending_ = false;
    exchange_.wait();
  }

 private:
  const char* function_;
  call_site where_;
  pending exchange_;
  bool is_pending_ = true;
};

}  // namespace kanor
