// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// The exchange of an `async` block, between its start and its end.
namespace kanor {

namespace rt {
class Execution;
}
namespace abi {
class block;
struct site;
}  // namespace abi

/// What `@communicate (async = name) { … }` declares. The block has evaluated and sent this rank's values and
/// found its places; wait() receives and updates them. Until then the places must not be touched, sent values
/// not be written, and other pending blocks not overlap them.
///
/// Belongs to the rank that executed the block, and is used by its threads, one at a time. Several may be
/// pending at once; they may be waited for in any order, on all ranks alike or not. Move-only; an object that
/// was moved from, or made without a block, is empty.
class pending {
 public:
  /// An empty one.
  pending() = default;
  pending(pending&& other) noexcept;
  /// Ends the exchange that this object has, as the destructor does, then takes the other's.
  pending& operator=(pending&& other) noexcept;
  pending(const pending&) = delete;
  pending& operator=(const pending&) = delete;
  /// Ends the exchange if wait() has not.
  ~pending();

  /// Ends the exchange: waits for the values that this rank receives, and updates its places. It does not
  /// wait for ranks that receive from this one. A second call, and one for an empty object, end the job with
  /// a message.
  void wait();

 private:
  friend class abi::block;
  enum class state : unsigned char { empty, started, ended };
  pending(rt::Execution* execution, const abi::site& block) noexcept;
  void end() noexcept;

  rt::Execution* execution_ = nullptr;  ///< null unless started
  const char* file_ = nullptr;
  int line_ = 0;
  state state_ = state::empty;
};

}  // namespace kanor
