// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is left of an `async` block between its start and its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "exchange/block_state.hpp"
#include "exchange/execution.hpp"
#include "kanor/abi/core.hpp"
#include "transport/rank.hpp"

namespace kanor::rt {

/// A block that has been started and not yet completed: taken from the execution that started it, and given
/// back to it for the end. A program may have hundreds of thousands of them: each is as large as what is in
/// it.
class PendingExchange {
 public:
  /// `position`: among the rank's pending exchanges. `number`: of those that it has started.
  static std::unique_ptr<PendingExchange> take(Execution& from, std::size_t position, std::uint32_t number);
  PendingExchange(const PendingExchange&) = delete;
  PendingExchange& operator=(const PendingExchange&) = delete;
  ~PendingExchange();

  Blocks& blocks() const { return blocks_; }
  const abi::site& block() const { return instance_.site; }
  std::size_t position() const { return position_; }
  /// Returns true if it was started before the other one.
  bool is_before(const PendingExchange& other) const {
    return static_cast<std::int32_t>(instance_.number - other.instance_.number) < 0;
  }
  void move_to(std::size_t position) { position_ = static_cast<std::uint32_t>(position); }
  Bindings bindings() const;
  bool is_one_sided() const { return instance_.knows != abi::knows::both; }

  /// Takes in what has arrived. Returns the rank of the world whose message the exchange still needs;
  /// `no_rank` if it has all. Does not wait. Not for one-sided blocks.
  int missing(Rank& owner) const;

  /// Moves all of it to an idle execution, for its complete().
  void resume(Execution& to);

  static void operator delete(void* memory) { ::operator delete(memory); }

 private:
  /// State that only one-sided blocks and checked mode need.
  struct Rare;
  struct Counts {
    std::uint32_t statements, updates, names;
    std::size_t bytes() const;
  };

  PendingExchange(Execution& from, std::size_t position, std::uint32_t number, const Counts& counts);
  /// The statements, then the updates, and so on, in the memory behind this object.
  std::byte* items() { return reinterpret_cast<std::byte*>(this + 1); }
  const std::byte* items() const { return reinterpret_cast<const std::byte*>(this + 1); }
  static void* operator new(std::size_t bytes, const Counts& counts) {
    return ::operator new(bytes + counts.bytes());
  }

  Blocks& blocks_;
  std::uint32_t position_;
  Counts counts_;
  BlockInstance instance_;
  Kept kept_;
  Buffer own_;  ///< the rank's message to itself
  std::unique_ptr<Rare> rare_;
};

}  // namespace kanor::rt
