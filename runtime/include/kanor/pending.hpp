// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>

/// The exchange of an `async` block, between its start and its end.
namespace kanor {

namespace rt {
class PendingExchange;
}
namespace abi {
class block;
struct site;
}  // namespace abi

/// The object that `@communicate (async = name) { … }` declares. The block has evaluated and sent
/// this rank's values and evaluated its places; wait() receives the values and updates the places.
/// Until then, do not read or write the places, do not write the values that are sent, and do not
/// start exchanges that overlap them.
///
/// A `pending` belongs to the rank that executed the block. Its threads may use it, one at a time.
/// Several exchanges may be pending, and ranks may wait for them in any order. A `pending` can only
/// be moved. A moved-from or default-constructed object is empty.
class pending {
 public:
  /// An empty object, without an exchange.
  pending() = default;
  pending(pending&& other) noexcept;
  /// Ends this object's exchange, as the destructor does, then takes over the other's.
  pending& operator=(pending&& other) noexcept;
  pending(const pending&) = delete;
  pending& operator=(const pending&) = delete;
  /// Ends the exchange, unless wait() has.
  ~pending();

  /// Ends the exchange: waits for the values that this rank receives, and updates its places. It
  /// does not wait for the ranks that receive from this one. A second call, or a call for an empty
  /// object, ends the job with a message.
  void wait();

  /// Returns true if wait() would not have to wait for any value; it has then ended the exchange, as
  /// wait() does. Otherwise returns false at once, after a look at what has arrived. While it returns
  /// false, it may be called again. In every other respect it is a call of wait(). The look costs a
  /// fraction of a microsecond for each rank that sends to this one in the block. If ranks share
  /// cores, it also gives the core to another rank. If a rank has ended without sending, it ends the
  /// job with a message. So does a call for a one-sided block, which only wait() can end.
  bool test();

 private:
  friend class abi::block;
  friend std::size_t wait_any(std::span<pending> exchanges);
  enum class state : unsigned char { empty, started, ended };
  pending(rt::PendingExchange* exchange, const abi::site& block) noexcept;
  void expect_started(const char* call) const;
  void end() noexcept;

  rt::PendingExchange* exchange_ = nullptr;  ///< null unless started
  const char* file_ = nullptr;
  int line_ = 0;
  state state_ = state::empty;
};

/// Waits until one of the exchanges can end without waiting any longer, ends it as wait() does, and
/// returns its index. If several can end, it ends the one that was started first. Objects whose
/// exchanges have ended, and empty ones, are ignored; if there are no others, it returns the number of
/// objects at once. The rank sleeps while it waits; each look costs what that of test() does, for each
/// exchange.
std::size_t wait_any(std::span<pending> exchanges);

}  // namespace kanor
