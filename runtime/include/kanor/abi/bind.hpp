// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the definitions of block.hpp's templates; included by it.
#pragma GCC system_header

#include "kanor/abi/block.hpp"
#include "kanor/abi/sinks.hpp"

namespace kanor::abi {

/// A rank that several loops have in common: evaluated when it is first asked for, if it ever is.
template <class Function>
class once {
 public:
  explicit constexpr once(const Function& function) : function_(function) {}
  constexpr const auto& value() const {
    if (!is_known_) {
      value_ = function_();
      is_known_ = true;
    }
    return value_;
  }

 private:
  const Function function_;
  mutable std::remove_cvref_t<decltype(std::declval<const Function&>()())> value_{};
  mutable bool is_known_ = false;
};

template <class Rank>
constexpr const Rank& rank_value(const Rank& rank) {
  return rank;
}
template <class Function>
constexpr const auto& rank_value(const once<Function>& rank) {
  return rank.value();
}

/// The name of a type, within other text.
template <class T>
constexpr const char* type_text() {
  return __PRETTY_FUNCTION__;
}

/// The type by which checked mode compares what members send: a value's, or a sequence's or section's
/// elements'.
template <class T>
constexpr const char* value_text() {
  if constexpr (flat_sequence<T> || is_section_value<T>) {
    return type_text<typename T::value_type>();
  } else if constexpr (requires { typename T::element; }) {
    return type_text<std::remove_cv_t<typename T::element>>();
  } else {
    return type_text<T>();
  }
}

/// The base class of all binders.
class binder_base {
 public:
  /// The members that may concern this rank in the set of the form's name number `name`, in the set's order:
  /// perhaps too many, never too few. The result refers to a set given by reference.
  template <class Set>
  auto only(int name, Set&& set) {
    using Integer = typename progression_of<std::remove_cvref_t<Set>>::type;
    if constexpr (std::is_void_v<Integer>) {
      return noted_members<Set>(static_cast<Set&&>(set), plan_ ? block::value_of(plan_, name) : nullptr);
    } else {
      return candidates<Integer>([&](candidate_run& all) { return choose<Integer>(name, set, all); });
    }
  }

 protected:
  explicit binder_base(block& owner) : owner_(&owner) {}

  /// What this rank has to do for a binding. A function of the library finds it: what is in the binder is
  /// compiled again for each statement.
  enum task : unsigned {
    sends = 1,        ///< it is the sender, and values are put
    receives = 2,     ///< it is the receiver, and places are found
    needs_check = 4,  ///< in checked mode; and a rank outside the team is an error
  };
  /// Returns a combination of tasks: for a rank outside the team only `needs_check`.
  unsigned tasks(int to, int from) const noexcept;

  template <class Integer, class Set>
  [[gnu::noinline]] candidate_list choose(int name, const Set& set, candidate_run& all) {
    return noted_ ? *noted_++ : block::only(plan_, name, members_of<Integer>(set), all);
  }

  /// Returns true if a binding has a sender and a receiver. A rank outside the team is an error.
  template <class Receiver, class Sender, class... Names>
  static bool takes_part(block& owner, int to, int from, const Receiver& receiver, const Sender& sender,
                         const Names&... names) noexcept {
    const block::ends ends = owner.ends_of(to, from);
    if (ends == block::ends::outside) fail_ranks(owner, receiver, sender, names...);
    return ends == block::ends::in_team;
  }

  template <class Operation, class Place, class Value>
  static constexpr const receiving& receiving_of() {
    if constexpr (std::is_void_v<Operation>) {
      return assignment<Place, Value>;
    } else {
      return reduction<Place, Value, Operation>;
    }
  }

  /// Adds a binding that this rank receives.
  template <bool keep_names, class... Names>
  static void add(block& owner, int sender, void* place, const receiving& how,
                  const Names&... names) noexcept {
    if constexpr (keep_names && sizeof...(names) != 0) {
      add_named(owner, sender, place, how, names...);
    } else if (owner.checked_) {
      add_named(owner, sender, place, how, names...);
    } else {
      owner.add(sender, place, how);
    }
  }

  // What the names are kept for is rare, and depends on their types alone: out of the statements' code.
  template <class Receiver, class Sender, class... Names>
  [[noreturn, gnu::noinline, gnu::cold]] static void fail_ranks(block& owner, const Receiver& receiver,
                                                                const Sender& sender,
                                                                Names... names) noexcept {
    const named_value values[] = {named_value(names)..., named_value()};
    owner.fail_ranks(named_value(receiver), named_value(sender), values, sizeof...(names));
  }
  /// What `needs_check` asks for. Ends the job if the binding is an error.
  template <class Receiver, class Sender, class... Names>
  [[gnu::noinline, gnu::cold]] static void check(block& owner, const char* type, const Receiver& receiver,
                                                 const Sender& sender, const Names&... names) noexcept {
    const int to = rank_number(receiver), from = rank_number(sender);
    if (owner.checked_) {
      const named_value values[] = {named_value(names)..., named_value()};
      owner.check_binding(type, to, from, values, sizeof...(names));
      owner.evaluating(values, sizeof...(names));
    }
    takes_part(owner, to, from, receiver, sender, names...);
  }
  /// Stores the names' values for messages: evaluating a section checks it, which may fail.
  template <class... Names>
  [[gnu::noinline]] static void evaluating(block& owner, Names... names) noexcept {
    const named_value values[] = {named_value(names)..., named_value()};
    owner.evaluating(values, sizeof...(names));
  }
  template <class... Names>
  [[gnu::noinline]] static void add_named(block& owner, int sender, void* place, const receiving& how,
                                          Names... names) noexcept {
    const named_value values[] = {named_value(names)..., named_value()};
    owner.add(sender, place, how, values, sizeof...(names));
  }

  block* owner_;
  rt::plan::Plan* plan_ = nullptr;  ///< null: all bindings are enumerated
  /// The plan's answer to the next question; null: it must be asked.
  const candidate_list* noted_ = nullptr;
  bool sends_ = true;     ///< values are put where this rank is the sender
  bool receives_ = true;  ///< places are found where it is the receiver

 private:
  friend class block;
};

/// The binder of a statement, which its bindings call. `Operation` is void for an assignment.
template <class Operation>
class binder : public binder_base {
 public:
  explicit binder(block& owner) : binder_base(owner) {}

  template <class Receiver, class Place, class Sender, class Value, class... Names>
  void operator()(const Receiver& receiver_or_once, const Place& place, const Sender& sender_or_once,
                  const Value& value, const Names&... names) {
    const auto& receiver = rank_value(receiver_or_once);
    const auto& sender = rank_value(sender_or_once);
    using PlaceType = typename decltype(place(std::declval<place_sink>()))::type;
    using ValueType = travelling_type<typename decltype(value(std::declval<value_sink>()))::type>;
    block& owner = *owner_;
    const int to = rank_number(receiver), from = rank_number(sender);
    const unsigned mine = tasks(to, from);
    if (mine & needs_check) [[unlikely]]
      check(owner, value_text<ValueType>(), receiver, sender, names...);
    if constexpr (is_section<PlaceType> || is_section_value<ValueType>) {
      if (mine & (sends | receives)) evaluating(owner, names...);
    }
    if (mine & sends) value(value_sink(owner, to));
    if (mine & receives) {
      constexpr const receiving& how = receiving_of<Operation, PlaceType, ValueType>();
      void* address = nullptr;
      place(place_sink(owner, address));
      add<how.may_fail>(owner, from, address, how, names...);
    }
  }
};

template <class Bindings, class Binder>
void visit_bindings(const void* bindings, binder_base& bind) {
  (*static_cast<const Bindings*>(bindings))(static_cast<Binder&>(bind));
}

template <class Bindings>
void block::assign(const statement_site& where, std::initializer_list<leaf> leaves,
                   const Bindings& bindings) noexcept {
  using Binder = binder<void>;
  Binder bind(*this);
  statement(where, leaves, nullptr, &visit_bindings<Bindings, Binder>, &bindings, bind);
}

template <class Statements>
[[gnu::noinline, gnu::noclone]] void execute(site where, const Statements& statements) noexcept {
  block once(where);
  statements(once);
  once.run();
}

template <class Statements>
[[gnu::noinline, gnu::noclone]] void execute(site where, const modifiers& how,
                                             const Statements& statements) noexcept {
  block once(where, how);
  statements(once);
  once.run();
}

template <class Statements>
[[nodiscard, gnu::noinline, gnu::noclone]] pending start(site where, const Statements& statements) noexcept {
  block once(where);
  statements(once);
  return once.start();
}

template <class Statements>
[[nodiscard, gnu::noinline, gnu::noclone]] pending start(site where, const modifiers& how,
                                                         const Statements& statements) noexcept {
  block once(where, how);
  statements(once);
  return once.start();
}

template <class Operation>
void* block::kept_operation_of(Operation&& operation) noexcept {
  using Kept = std::remove_reference_t<Operation>;
  if constexpr (std::is_function_v<Kept>) {
    return reinterpret_cast<void*>(&operation);
  } else if constexpr (std::is_reference_v<Operation>) {
    return const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(operation)));
  } else {
    void* room = keep(sizeof(Kept), alignof(Kept),
                      std::is_trivially_destructible_v<Kept> ? nullptr : &destroy_proxy<Kept>);
    return ::new (room) Kept(static_cast<Kept&&>(operation));
  }
}

template <class Operation, class Bindings>
void block::reduce(const statement_site& where, std::initializer_list<leaf> leaves, Operation&& operation,
                   const Bindings& bindings) noexcept {
  using Binder = binder<std::remove_reference_t<Operation>>;
  void* const kept = kept_operation_of(static_cast<Operation&&>(operation));
  Binder bind(*this);
  statement(where, leaves, kept, &visit_bindings<Bindings, Binder>, &bindings, bind);
}

}  // namespace kanor::abi
