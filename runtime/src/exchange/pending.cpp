// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kanor/pending.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

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
  expect_started("wait");
  end();
}

bool pending::test() {
  expect_started("test");
  if (!rt::Blocks::here().can_complete(*exchange_)) return false;
  end();
  return true;
}

void pending::expect_started(const char* call) const {
  if (state_ == state::empty)
    rt::fail("kanor::pending::" + std::string(call) +
             "() was called on an object that has no exchange, or was moved from");
  if (state_ == state::ended)
    rt::fail("the pending exchange of the block at " + std::string(file_) + ":" + std::to_string(line_) +
             " was waited for a second time");
}

void pending::end() noexcept {
  if (state_ != state::started) return;
  state_ = state::ended;
  rt::Blocks::here().complete(*std::exchange(exchange_, nullptr));
}

std::size_t wait_any(std::span<pending> exchanges) {
  std::vector<rt::PendingExchange*> started;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    if (exchanges[i].state_ != pending::state::started) continue;
    started.push_back(exchanges[i].exchange_);
    numbers.push_back(i);
  }
  if (started.empty()) return exchanges.size();
  const std::size_t found = numbers[rt::Blocks::here().await_any(started)];
  exchanges[found].end();
  return found;
}

}  // namespace kanor
