// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transport/turns.hpp"

#include <utility>

namespace kanor::rt {

void Turns::enter() {
  if (runs()) {
    ++depth_;
    return;
  }
  wait_for_turn(true);
  depth_ = 1;
}

void Turns::leave() {
  if (--depth_ == 0) end_turn();
}

void Turns::pass() {
  const bool is_alone = next_.load(std::memory_order_relaxed) - serving_.load(std::memory_order_relaxed) == 1;
  if (!runs() || is_alone) return;
  const int depth = std::exchange(depth_, 0);
  end_turn();
  wait_for_turn(false);
  depth_ = depth;
}

bool Turns::runs() const { return running_.load(std::memory_order_relaxed) == std::this_thread::get_id(); }

void Turns::wait_for_turn(bool is_new) {
  const std::uint32_t turn = next_.fetch_add(1, std::memory_order_relaxed);
  std::uint32_t serving = serving_.load(std::memory_order_acquire);
  const bool is_announced = serving != turn && is_new;
  if (is_announced) {
    new_.fetch_add(1, std::memory_order_relaxed);
    mailbox_.wake();
  }
  for (; serving != turn; serving = serving_.load(std::memory_order_acquire))
    serving_.wait(serving, std::memory_order_acquire);
  if (is_announced) new_.fetch_sub(1, std::memory_order_relaxed);
  running_.store(std::this_thread::get_id(), std::memory_order_relaxed);
}

void Turns::end_turn() {
  running_.store(std::thread::id(), std::memory_order_relaxed);
  serving_.fetch_add(1, std::memory_order_release);
  serving_.notify_all();
}

}  // namespace kanor::rt
