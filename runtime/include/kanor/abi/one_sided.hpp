// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the statements of blocks whose bindings only one side knows (`knows = sender`,
/// `knows = receiver`); included by block.hpp.
///
///     kanor_block.push({9, "hits[k]@to(k) <<= k@me where k in mine", "k", 0, "", "k"},
///       [&](auto kanor_at, const auto& k) { return kanor_at(hits[k]); },
///       [&](auto& kanor_bind) {
///         for (const auto k : kanor::abi::each(mine))
///           kanor_bind(to(k), me, [&](auto kanor_send) { return kanor_send(k); },
///                      [&](auto kanor_carry) { return kanor_carry(k); }, k); },
///       [&](auto kanor_bind) {
///         for (const auto k : kanor::abi::each(mine))
///           return kanor_bind(to(k), me, …, k);
///         __builtin_unreachable(); });
#pragma GCC system_header

#include "kanor/abi/bind.hpp"

namespace kanor::abi {

template <class... Names>
struct name_list {};

/// Given to a binding's `carry`, to learn the names' types.
struct name_types {
  template <class... Names>
  name_list<travelling_type<Names>...> operator()(const Names&...) const {
    return {};
  }
};

/// Given to a binding's `carry`: puts the names' values into the message.
class name_putter {
 public:
  name_putter(block& owner, int peer) : owner_(&owner), peer_(peer) {}

  template <class... Names>
  void operator()(const Names&... names) const {
    (static_cast<void>(value_sink(*owner_, peer_).carry(names)), ...);
  }

 private:
  block* owner_;
  int peer_;
};

/// The value of a name that has arrived with a binding.
template <class T>
class arrived_name {
 public:
  explicit arrived_name(block& owner) {
    static constexpr travelling how = travelling_of<T>();
    const term arrived = owner.take_name(how);
    if constexpr (flat_sequence<T>) {
      object_ = static_cast<T*>(lift_sequence<T>(arrived));
    } else {
      object_ = static_cast<T*>(arrived.data);
    }
  }
  ~arrived_name() {
    if constexpr (!flat<T>) delete_object<T>(object_);
  }
  arrived_name(const arrived_name&) = delete;
  arrived_name& operator=(const arrived_name&) = delete;

  const T& value() const { return *object_; }

 private:
  T* object_;
};

/// Calls `go` with the names' values in the order in which they stand in the message.
template <class Go, class... Read>
void with_names(block&, name_list<>, const Go& go, const Read&... read) {
  go(read...);
}
template <class First, class... Rest, class Go, class... Read>
void with_names(block& owner, name_list<First, Rest...>, const Go& go, const Read&... read) {
  const arrived_name<First> name(owner);
  with_names(owner, name_list<Rest...>(), go, read..., name.value());
}

/// Base of the stand-ins for binders: only() returns the set unchanged.
struct all_members {
  template <class Set>
  constexpr Set only(int, Set&& set) const {
    return static_cast<Set&&>(set);
  }
};

/// The binder of a statement whose sender knows, which its bindings call.
template <class Operation, class Place>
class push_binder : public binder_base {
 public:
  explicit push_binder(block& owner) : binder_base(owner) {}

  template <class Receiver, class Sender, class Value, class Carry, class... Names>
  void operator()(const Receiver& receiver, const Sender& sender, const Value& value, const Carry& carry,
                  const Names&... names) {
    const int to = rank_number(receiver), from = rank_number(sender);
    if (from != owner_->rank_ || !takes_part(*owner_, to, from, receiver, sender, names...)) return;
    using Sent = travelling_type<typename decltype(value(std::declval<value_sink>()))::type>;
    if (is_section_value<Sent> || owner_->checked_) evaluating(*owner_, names...);
    owner_->begin_record(to);
    carry(name_putter(*owner_, to));
    value(value_sink(*owner_, to));
  }

  /// The types of the statement's bindings, which the receiver knows without having seen a binding.
  template <class Value, class Names>
  struct kind;
  template <class Value, class... Names>
  struct kind<Value, name_list<Names...>> {
    using place = typename decltype(std::declval<const Place&>()(std::declval<place_sink>(),
                                                                 std::declval<const Names&>()...))::type;
    static constexpr const receiving& how = receiving_of<Operation, place, Value>();

    static void evaluate(block& owner, const void* function, int sender) {
      with_names(owner, name_list<Names...>(), [&](const Names&... names) {
        void* address = nullptr;
        if (is_section<place> || owner.checked_) evaluating(owner, names...);
        (*static_cast<const Place*>(function))(place_sink(owner, address), names...);
        add<how.may_fail>(owner, sender, address, how, names...);
      });
    }
  };

  /// Stand-in for the binder where only types are needed.
  struct types : all_members {
    template <class Receiver, class Sender, class Value, class Carry, class... Names>
    auto operator()(const Receiver&, const Sender&, const Value& value, const Carry& carry,
                    const Names&...) const {
      using Sent = travelling_type<typename decltype(value(std::declval<value_sink>()))::type>;
      return kind<Sent, decltype(carry(name_types()))>();
    }
  };
};

/// The binder of a statement whose receiver knows, which its bindings call.
template <class Operation, class Value>
class pull_binder : public binder_base {
 public:
  explicit pull_binder(block& owner) : binder_base(owner) {}

  template <class Receiver, class Sender, class Place, class Carry, class... Names>
  void operator()(const Receiver& receiver, const Sender& sender, const Place& place, const Carry& carry,
                  const Names&... names) {
    const int to = rank_number(receiver), from = rank_number(sender);
    if (to != owner_->rank_ || !takes_part(*owner_, to, from, receiver, sender, names...)) return;
    using PlaceType = typename decltype(place(std::declval<place_sink>()))::type;
    using Sent = typename kind<decltype(carry(name_types()))>::sent;
    constexpr const receiving& how = receiving_of<Operation, PlaceType, Sent>();
    void* address = nullptr;
    if (is_section<PlaceType> || owner_->checked_) evaluating(*owner_, names...);
    place(place_sink(*owner_, address));
    add<how.may_fail>(*owner_, from, address, how, names...);
    owner_->begin_record(from);
    carry(name_putter(*owner_, from));
  }

  template <class Names>
  struct kind;
  template <class... Names>
  struct kind<name_list<Names...>> {
    using sent = travelling_type<typename decltype(std::declval<const Value&>()(
        std::declval<value_sink>(), std::declval<const Names&>()...))::type>;

    static void evaluate(block& owner, const void* function, int receiver) {
      with_names(owner, name_list<Names...>(), [&](const Names&... names) {
        if (is_section_value<sent> || owner.checked_) evaluating(owner, names...);
        (*static_cast<const Value*>(function))(value_sink(owner, receiver), names...);
      });
    }
  };

  struct types : all_members {
    template <class Receiver, class Sender, class Place, class Carry, class... Names>
    auto operator()(const Receiver&, const Sender&, const Place&, const Carry& carry, const Names&...) const {
      return kind<decltype(carry(name_types()))>();
    }
  };
};

/// A copy of the user's function, which outlives the statement.
template <class Function>
void* block::kept_function(const Function& function) noexcept {
  void* room = keep(sizeof(Function), alignof(Function),
                    std::is_trivially_destructible_v<Function> ? nullptr : &destroy_proxy<Function>);
  return ::new (room) Function(function);
}

template <class Operation, class Place, class Bindings, class Types>
void block::push_statement(const statement_site& where, std::initializer_list<leaf> leaves, void* operation,
                           const Place& place, const Bindings& bindings, const Types& types) noexcept {
  using Binder = push_binder<Operation, Place>;
  using Kind = decltype(types(typename Binder::types()));
  Binder bind(*this);
  one_sided_statement(where, leaves, operation, &Kind::evaluate, kept_function(place), &Kind::how,
                      &visit_bindings<Bindings, Binder>, &bindings, bind);
}

template <class Operation, class Value, class Bindings, class Types>
void block::pull_statement(const statement_site& where, std::initializer_list<leaf> leaves, void* operation,
                           const Value& value, const Bindings& bindings, const Types& types) noexcept {
  using Binder = pull_binder<Operation, Value>;
  using Kind = decltype(types(typename Binder::types()));
  Binder bind(*this);
  one_sided_statement(where, leaves, operation, &Kind::evaluate, kept_function(value), nullptr,
                      &visit_bindings<Bindings, Binder>, &bindings, bind);
}

template <class Place, class Bindings, class Types>
void block::push(const statement_site& where, std::initializer_list<leaf> leaves, const Place& place,
                 const Bindings& bindings, const Types& types) noexcept {
  push_statement<void>(where, leaves, nullptr, place, bindings, types);
}

template <class Operation, class Place, class Bindings, class Types>
void block::push_reduce(const statement_site& where, std::initializer_list<leaf> leaves,
                        Operation&& operation, const Place& place, const Bindings& bindings,
                        const Types& types) noexcept {
  void* const kept = kept_operation_of(static_cast<Operation&&>(operation));
  push_statement<std::remove_reference_t<Operation>>(where, leaves, kept, place, bindings, types);
}

template <class Value, class Bindings, class Types>
void block::pull(const statement_site& where, std::initializer_list<leaf> leaves, const Value& value,
                 const Bindings& bindings, const Types& types) noexcept {
  pull_statement<void>(where, leaves, nullptr, value, bindings, types);
}

template <class Operation, class Value, class Bindings, class Types>
void block::pull_reduce(const statement_site& where, std::initializer_list<leaf> leaves,
                        Operation&& operation, const Value& value, const Bindings& bindings,
                        const Types& types) noexcept {
  void* const kept = kept_operation_of(static_cast<Operation&&>(operation));
  pull_statement<std::remove_reference_t<Operation>>(where, leaves, kept, value, bindings, types);
}

}  // namespace kanor::abi
