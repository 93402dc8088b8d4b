// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: a block that is pipelined with the loops around it.
///
///     ::kanor::abi::delta kanor_delta_0({"pair.cpp", 7, __func__}, [&](auto& kanor_block) {
///       kanor_block.assign({7, "A@1 <<= B@0", ""}, [&](auto& kanor_bind) {
///         if (kanor_bind(1, 0)) {
///           const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(B) : kanor_bind.nothing();
///           if (kanor_bind.receives()) kanor_bind.assign(A, kanor_sent); } }); });
///     for (int k = 0; k < n; ) { const auto kanor_end_0 = kanor_delta_0.strip(k, n);
///       { for (; k < kanor_end_0; ++k) B[k] = f(k); } kanor_delta_0.produced(k, 1, 0); if (k < kanor_end_0)
///       break; }
///     kanor_delta_0.reach();
///     for (int k = 0; k < n; ) { const auto kanor_end_0 = kanor_delta_0.arrived(k, n, 1, 1, 0);
///       { for (; k < kanor_end_0; ++k) sum += A[k]; } if (k < kanor_end_0) break; }
///     kanor_delta_0.complete();
#pragma GCC system_header

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "kanor/abi/bind.hpp"
#include "kanor/abi/block.hpp"

namespace kanor::rt {
class DeltaBlock;
}

namespace kanor::abi {

/// One execution of a block in increments, by one rank. Belongs to the rank. Errors end the job.
class delta_exchange {
 public:
  explicit delta_exchange(const site& where) noexcept;
  /// Completes what the block has reached; drops what it has not: then no rank has.
  ~delta_exchange();
  delta_exchange(const delta_exchange&) = delete;
  delta_exchange& operator=(const delta_exchange&) = delete;

  /// Returns false if the block runs as an ordinary one: on all ranks, or on none.
  bool is_pipelined() const { return state_ != nullptr; }

  // Called for each binding by all ranks, until start().
  /// What this rank is in the binding.
  struct role {
    bool sends, receives;
  };
  role binding(int receiver, int sender) noexcept;
  /// The value is `bytes` bytes, in elements of that size, which are not final yet. They stay where they are.
  void send(int receiver, const void* data, std::size_t bytes, std::size_t element_bytes) noexcept;
  /// `make_room` gives the place so many bytes, and returns where they are.
  void receive(int sender, void* place, std::byte* (*make_room)(void* place, std::size_t bytes),
               std::size_t element_bytes) noexcept;
  void cannot() noexcept;
  /// Tells the receivers that elements will follow. Does not wait.
  void start() noexcept;

  /// The least of the loop's limit and the end of the strip that begins at `at`.
  template <class Counter, class Limit>
  Counter strip(Counter at, Limit limit) const {
    const long long begin = at, end = last_value<Counter>(limit);
    return static_cast<Counter>(begin < end && begin < end - strip_ ? begin + strip_ : end);
  }
  /// The limit that the counter is compared with, but at most the counter's greatest value.
  template <class Counter, class Limit>
  static long long last_value(Limit limit) {
    const std::common_type_t<Counter, Limit> compared = limit;
    const auto greatest = [](auto value) {
      return std::cmp_less(value, no_limit) ? static_cast<long long>(value) : no_limit;
    };
    return std::min(greatest(compared), greatest(std::numeric_limits<Counter>::max()));
  }
  /// The first `elements` elements are final.
  void produced(long long elements) noexcept;
  /// All elements are final. Returns when the program may change them.
  void reach() noexcept;
  /// Waits until so many elements have come. Returns how many have; all there will be where none are missing.
  long long arrived(long long elements) noexcept;
  /// Waits until all have come.
  void complete() noexcept;

 private:
  static constexpr long long no_limit = std::numeric_limits<long long>::max();
  static constexpr long long no_strips = no_limit / 2;

  rt::DeltaBlock* state_ = nullptr;  ///< null: it runs as an ordinary block, or is over
  long long strip_ = no_strips;      ///< iterations between two looks at the time
};

template <class T>
concept elements_in_memory = requires(T& value) {
  value.data();
  value.size();
};

/// The place's memory, for so many bytes.
template <class Place>
std::byte* make_delta_room(void* place, std::size_t bytes) {
  auto& object = *static_cast<Place*>(place);
  if constexpr (requires { object.resize(std::size_t()); }) {
    object.resize(bytes / sizeof(*object.data()));
    return reinterpret_cast<std::byte*>(object.data());
  } else {
    return reinterpret_cast<std::byte*>(__builtin_addressof(object));
  }
}

/// The binder of the block's statement.
class delta_binder : public all_members {
 public:
  explicit delta_binder(delta_exchange& exchange) : exchange_(&exchange) {}

  template <class Receiver, class Sender, class... Names>
  bool operator()(const Receiver& receiver, const Sender& sender, const Names&...) {
    to_ = rank_number(receiver);
    from_ = rank_number(sender);
    role_ = exchange_->binding(to_, from_);
    return role_.sends || role_.receives;
  }
  bool sends() const { return role_.sends; }
  bool receives() const { return role_.receives; }

  /// Notes where the elements are.
  template <class T>
  std::type_identity<T> send(const T& value) const {
    if constexpr (elements_in_memory<const T>) {
      constexpr std::size_t element_bytes = sizeof(*value.data());
      exchange_->send(to_, value.data(), value.size() * element_bytes, element_bytes);
    } else {
      exchange_->send(to_, __builtin_addressof(value), sizeof(value), sizeof(value[0]));
    }
    return {};
  }
  struct unsent {
    template <class T>
    operator std::type_identity<T>() const {
      return {};
    }
  };
  unsent nothing() const { return {}; }
  /// Notes where the place is.
  template <class T, class Sent, class... Names>
  void assign(T& place, std::type_identity<Sent>, const Names&...) const {
    exchange_->receive(from_, __builtin_addressof(place), &make_delta_room<T>, sizeof(place[0]));
  }

 private:
  delta_exchange* exchange_;
  int to_ = 0, from_ = 0;
  delta_exchange::role role_{};
};

/// What the statements are written to in place of a block.
class delta_statement {
 public:
  explicit delta_statement(delta_exchange& exchange) : exchange_(&exchange) {}

  template <class Bindings>
  void assign(const statement_site&, std::initializer_list<leaf>, const Bindings& bindings) const {
    delta_binder bind(*exchange_);
    bindings(bind);
  }
  template <class Bindings>
  void assign(const statement_site& where, const Bindings& bindings) const {
    assign(where, {}, bindings);
  }

 private:
  delta_exchange* exchange_;
};

/// The block, from the statement before which it starts to the one after which it is complete. `statements`
/// calls its argument as a block's function does.
template <class Statements>
class delta {
 public:
  delta(const site& where, const Statements& statements) noexcept
      : where_(where), statements_(statements), exchange_(where) {
    if (!exchange_.is_pipelined()) return;
    delta_statement ends(exchange_);
    statements_(ends);
    exchange_.start();
  }

  /// The end of the strip of the loop that computes the value, or uses the place.
  template <class Counter, class Limit>
  Counter strip(Counter at, Limit limit) const {
    return exchange_.strip(at, limit);
  }
  /// Elements below factor * counter + rest are final.
  template <class Counter>
  void produced(Counter counter, long long factor, long long rest) noexcept {
    if (exchange_.is_pipelined()) exchange_.produced(factor * static_cast<long long>(counter) + rest);
  }
  /// The same for the loop that uses the place, after waiting for the elements of its next iteration: those
  /// below factor * counter + rest, and below `least`.
  template <class Counter, class Limit>
  Counter arrived(Counter at, Limit limit, long long factor, long long rest, long long least) noexcept {
    const auto counter = static_cast<long long>(at);
    const long long end = delta_exchange::last_value<Counter>(limit);
    if (!exchange_.is_pipelined()) return static_cast<Counter>(end);
    const long long here = exchange_.arrived(std::max(factor * counter + rest, least));
    // The last iteration of whose elements all are there, and the one behind it.
    const long long behind = here < rest ? counter + 1 : (here - rest) / factor + 1;
    return static_cast<Counter>(std::min(std::max(behind, counter + 1), end));
  }

  /// The block is reached. The exchange is started, if it has not been.
  void reach() noexcept {
    has_reached_ = true;
    exchange_.is_pipelined() ? exchange_.reach() : execute(where_, statements_);
  }
  void complete() noexcept {
    if (!has_reached_) reach();
    exchange_.complete();
  }

 private:
  const site where_;
  const Statements statements_;
  delta_exchange exchange_;
  bool has_reached_ = false;
};

}  // namespace kanor::abi
