// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The updates that a block will do on one rank.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "exchange/ends.hpp"

namespace kanor::rt {

/// A vector of updates at whose end emitted code adds some itself. Belongs to one rank; keeps its memory.
class UpdateList {
 public:
  UpdateEnd& end_of_list() { return end_; }

  std::size_t size() const { return static_cast<std::size_t>(end_.next - first_.get()); }
  bool empty() const { return size() == 0; }
  Update& operator[](std::size_t at) { return first_[at]; }
  const Update& operator[](std::size_t at) const { return first_[at]; }
  std::span<const Update> all() const { return {first_.get(), size()}; }

  void push_back(const Update& one) {
    if (end_.next == end_.limit) grow(1);
    *end_.next++ = one;
  }
  void append(std::span<const Update> more) {
    if (more.size() > static_cast<std::size_t>(end_.limit - end_.next)) grow(more.size());
    end_.next = std::copy(more.begin(), more.end(), end_.next);
  }
  void clear() { end_ = {first_.get(), end_.limit, nullptr}; }

 private:
  void grow(std::size_t more) {
    const std::size_t count = size(), capacity = static_cast<std::size_t>(end_.limit - first_.get());
    const std::size_t larger = std::max({2 * capacity, count + more, first_capacity});
    auto room = std::make_unique_for_overwrite<Update[]>(larger);
    std::copy_n(first_.get(), count, room.get());
    first_ = std::move(room);
    end_.next = first_.get() + count;
    end_.limit = first_.get() + larger;
  }

  static constexpr std::size_t first_capacity = 8;
  std::unique_ptr<Update[]> first_;
  UpdateEnd end_;
};

}  // namespace kanor::rt
