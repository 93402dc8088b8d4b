// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kanor/pending.hpp"

#include <string>
#include <utility>

#include "exchange/blocks.hpp"

namespace kanor {

pending::pending(rt::PendingExchange* exchange, const abi::site& block) noexcept
    : exchange_(exchange), file_(block.file), line_(block.line), state_(state::started) {}

pending::pending(pending&& other) noexcept
    : exchange_(std::exchange(other.exchange_, nullptr)),
      file_(other.file_),
      line_(other.line_),
      state_(std::exchange(other.state_, state::empty)) {}

pending& pending::operator=(pending&& other) noexcept {
  if (this == &other) return *this;
  end();
  exchange_ = std::exchange(other.exchange_, nullptr);
  file_ = other.file_;
  line_ = other.line_;
  state_ = std::exchange(other.state_, state::empty);
  return *this;
}

pending::~pending() { end(); }

void pending::wait() {
  if (state_ == state::empty)
    rt::fail("kanor::pending::wait() was called on an object that has no exchange, or was moved from");
  if (state_ == state::ended)
    rt::fail("the pending exchange of the block at " + std::string(file_) + ":" + std::to_string(line_) +
             " was waited for a second time");
  end();
}

void pending::end() noexcept {
  if (state_ != state::started) return;
  state_ = state::ended;
  rt::Blocks::here().complete(*std::exchange(exchange_, nullptr));
}

}  // namespace kanor
