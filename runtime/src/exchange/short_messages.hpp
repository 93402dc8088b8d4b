// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for a block's short messages.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "memory/message.hpp"

namespace kanor::rt {

/// Messages that live until the end of a block and are then reused: a pool's memory would be taken, and given
/// back, for each of them. Belongs to one thread.
class ShortMessages {
 public:
  /// Returns a message; null if there are enough: then take one of the pool.
  Message* take() {
    if (taken_ == all_.size()) {
      if (taken_ == most) return nullptr;
      all_.push_back(std::make_unique<ShortMessage>());
    }
    return all_[taken_++]->clear();
  }
  /// Gives back the message that was taken last.
  void give_back() { --taken_; }
  void give_back_all() { taken_ = 0; }

 private:
  static constexpr std::size_t most = 64;
  std::vector<std::unique_ptr<ShortMessage>> all_;  ///< empty takes no memory: exchanges may be many
  std::size_t taken_ = 0;
};

}  // namespace kanor::rt
