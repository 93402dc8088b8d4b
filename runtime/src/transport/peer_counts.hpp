// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number for each rank that there is something to count of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kanor::rt {

/// Counts by rank. Memory is proportional to the ranks that have been asked for by operator[], not to all;
/// finding one takes constant time. Belongs to one thread.
class PeerCounts {
 public:
  /// The count of `rank`, at first 0. Valid until another rank is asked for.
  std::size_t& operator[](int rank) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(rank)];
    if (slot.rank == nobody) {
      slot.rank = rank;
      ++used_;
    }
    return slot.count;
  }

  std::size_t of(int rank) const {
    if (slots_.empty()) return 0;
    const Slot& slot = slots_[place(rank)];
    return slot.rank == rank ? slot.count : 0;
  }

  std::size_t most() const {
    std::size_t most = 0;
    for (const Slot& slot : slots_) most = std::max(most, slot.count);
    return most;
  }

  /// The bytes of memory allocated.
  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr int nobody = -1;
  struct Slot {
    int rank = nobody;
    std::size_t count = 0;
  };

  /// The index of the rank's slot, or of the one where it belongs.
  std::size_t place(int rank) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (static_cast<std::uint32_t>(rank) * 2654435769u) & mask;
    while (slots_[at].rank != rank && slots_[at].rank != nobody) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> before(slots_.empty() ? 8 : 2 * slots_.size());
    before.swap(slots_);
    for (const Slot& slot : before)
      if (slot.rank != nobody) slots_[place(slot.rank)] = slot;
  }

  std::vector<Slot> slots_;  ///< a power of two of them, at least twice as many as are used
  std::size_t used_ = 0;
};

}  // namespace kanor::rt
