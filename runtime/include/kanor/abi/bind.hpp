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

/// The base class of all binders. What is in a binder is compiled again for each statement, unless it is a
/// function of the library, or depends on few types and is not inlined.
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
  /// What `must_check` asks for. Ends the job if the binding is an error.
  template <class Receiver, class Sender, class... Names>
  [[gnu::noinline, gnu::cold]] static void check(block& owner, const Receiver& receiver, const Sender& sender,
                                                 const Names&... names) noexcept {
    const int to = rank_number(receiver), from = rank_number(sender);
    if (owner.checked_) {
      const named_value values[] = {named_value(names)..., named_value()};
      owner.check_binding(to, from, values, sizeof...(names));
      owner.evaluating(values, sizeof...(names));
    }
    takes_part(owner, to, from, receiver, sender, names...);
  }
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

/// The binder of a statement, which its bindings call.
class binder final : public binder_base {
 public:
  /// Begins a binding. Returns false if it does not concern this rank. A rank outside the team is an error.
  template <class Receiver, class Sender, class... Names>
  [[gnu::noinline]] bool operator()(const Receiver& receiver, const Sender& sender, const Names&... names) {
    const unsigned found = begin(rank_number(receiver), rank_number(sender));
    if (found & must_check) [[unlikely]]
      check(*owner_, receiver, sender, names...);
    return found != 0;
  }
  /// Stores the names' values for messages: evaluating a section checks it, which may fail.
  template <class... Names>
  void note_names(const Names&... names) const {
    evaluating(*owner_, names...);
  }
  bool sends() const { return tasks_ & must_send; }
  bool receives() const { return tasks_ & must_receive; }

  /// Puts the value into the receiver's message. Returns its type.
  template <class T>
  [[gnu::noinline]] auto send(const T& value) const {
    return with_type(value_sink(*owner_, to_)(value));
  }
  template <class T>
  requires(is_buffer<T>) [[gnu::noinline]] auto send(T&& value) const {
    return with_type(value_sink(*owner_, to_)(static_cast<T&&>(value)));
  }
  /// The value's type where there is no value.
  class unsent {
   public:
    explicit unsent(const binder& bind) : bind_(&bind) {}
    template <class T>
    operator std::type_identity<T>() const {
      return bind_->with_type(std::type_identity<T>());
    }

   private:
    const binder* bind_;
  };
  unsent nothing() const { return unsent(*this); }

  template <class Base, class Index>
  constexpr decltype(auto) element(Base&& base, Index index) const {
    return checked_element(owner_->checked_, static_cast<Base&&>(base), index);
  }
  template <class Range, class Index = decltype(the_index_itself)>
  index_list value_indices(Range&& range, const Index& index = the_index_itself) const {
    return value_sink(*owner_, to_).value_indices(static_cast<Range&&>(range), index);
  }
  template <class Range, class Index = decltype(the_index_itself)>
  index_list place_indices(Range&& range, const Index& index = the_index_itself) const {
    void* none = nullptr;
    return place_sink(*owner_, none).place_indices(static_cast<Range&&>(range), index);
  }

  /// Adds the place of a binding that this rank receives; `Sent` is the value's type.
  template <class Place, class Sent, class... Names>
  [[gnu::noinline]] void assign(Place&& place, std::type_identity<Sent>, const Names&... names) const {
    add_place<void, travelling_type<Sent>>(static_cast<Place&&>(place), names...);
  }
  /// The same for a reduction with such an operation.
  template <class Place, class Sent, class Operation, class... Names>
  [[gnu::noinline]] void reduce(Place&& place, std::type_identity<Sent>, std::type_identity<Operation>,
                                const Names&... names) const {
    add_place<Operation, travelling_type<Sent>>(static_cast<Place&&>(place), names...);
  }

 private:
  friend class block;

  explicit binder(block& owner) : binder_base(owner) {}

  /// What this rank has to do for a binding.
  enum task : unsigned {
    must_send = 1,     ///< it is the sender, and values are put
    must_receive = 2,  ///< it is the receiver, and places are found
    must_check = 4,    ///< in checked mode; and a rank outside the team is an error
  };
  /// Returns the tasks, a combination, of the binding that begins: for a rank outside the team only
  /// `must_check`.
  unsigned begin(int to, int from) noexcept;

  /// Checked mode: records the type of the value.
  template <class T>
  std::type_identity<T> with_type(std::type_identity<T> type) const {
    if (owner_->checked_) [[unlikely]]
      owner_->check_type(value_text<travelling_type<T>>());
    return type;
  }

  template <class Operation, class Value, class Place, class... Names>
  void add_place(Place&& place, const Names&... names) const {
    using PlaceType = typename decltype(std::declval<place_sink>()(static_cast<Place&&>(place)))::type;
    constexpr const receiving& how = receiving_of<Operation, PlaceType, Value>();
    void* address = nullptr;
    place_sink(*owner_, address)(static_cast<Place&&>(place));
    add<how.may_fail>(*owner_, from_, address, how, names...);
  }

  // The binding that has begun.
  int to_ = 0, from_ = 0;
  unsigned tasks_ = 0;
};

template <class Bindings, class Binder>
void visit_bindings(const void* bindings, binder_base& bind) {
  (*static_cast<const Bindings*>(bindings))(static_cast<Binder&>(bind));
}

template <class Bindings, class Operation>
void visit_reduction(const void* bindings, binder_base& bind) {
  (*static_cast<const Bindings*>(bindings))(static_cast<binder&>(bind), std::type_identity<Operation>());
}

template <class Bindings>
void block::assign(const statement_site& where, std::initializer_list<leaf> leaves,
                   const Bindings& bindings) noexcept {
  statement(where, leaves, nullptr, &visit_bindings<Bindings, binder>, &bindings);
}

template <class Statements>
void write_statements(const void* statements, block& to) {
  (*static_cast<const Statements*>(statements))(to);
}

template <class Statements>
void execute(const site& where, const Statements& statements) noexcept {
  block::execute(where.file, where.line, where.function, nullptr, &write_statements<Statements>, &statements);
}

template <class Statements>
void execute(const site& where, const modifiers& how, const Statements& statements) noexcept {
  block::execute(where.file, where.line, where.function, &how, &write_statements<Statements>, &statements);
}

template <class Statements>
[[nodiscard]] pending start(const site& where, const Statements& statements) noexcept {
  return block::start(where, nullptr, &write_statements<Statements>, &statements);
}

template <class Statements>
[[nodiscard]] pending start(const site& where, const modifiers& how, const Statements& statements) noexcept {
  return block::start(where, &how, &write_statements<Statements>, &statements);
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
  void* const kept = kept_operation_of(static_cast<Operation&&>(operation));
  statement(where, leaves, kept, &visit_reduction<Bindings, std::remove_reference_t<Operation>>, &bindings);
}

}  // namespace kanor::abi
