// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the definitions of block.hpp's templates; included by it.
#pragma GCC system_header

#include "kanor/abi/block.hpp"
#include "kanor/abi/sanitize.hpp"

namespace kanor::abi {

/// `base[index]`, as called by a place's or value's lambda. Checks the index in checked mode.
template <class Base, class Index>
constexpr decltype(auto) checked_element(bool checked, Base&& base, Index index) {
  if (checked) [[unlikely]] {
    std::size_t count = 0;
    if constexpr (std::is_array_v<std::remove_reference_t<Base>>)
      count = std::extent_v<std::remove_reference_t<Base>>;
    else
      count = base.size();
    if (static_cast<std::size_t>(index) >= count) fail_element(static_cast<long long>(index), count);
  }
  return static_cast<Base&&>(base)[index];
}

inline constexpr auto the_index_itself = [](const auto& index) { return index; };

/// True for a vector or array of the program, an lvalue, whose elements are as a list has them.
template <class Range, class Index>
inline constexpr bool is_list_itself = false;
template <class Range>
requires(vector_like<std::remove_cv_t<Range>> || std::is_array_v<Range>) inline constexpr bool is_list_itself<
    Range&, std::remove_const_t<decltype(the_index_itself)>> = [] {
  if constexpr (!bit_row<Range>) {
    using Element = std::remove_const_t<typename element_of_row<Range>::type>;
    return integer<Element> && sizeof(Element) == sizeof(long long);
  } else {
    return false;
  }
}();

/// The indices of a section: those of a place (`lasts`) in the block's memory until it ends, others until the
/// next list, there or where the program has them.
template <class Range, class Index>
index_list list_indices(block& owner, bool lasts, Range&& range, const Index& index) {
  if constexpr (is_list_itself<Range, Index>) {
    if (!lasts) {
      const auto* const indices = reinterpret_cast<const listed_index*>(elements_of_row(range));
      return {indices, length_of_row(range)};
    }
  }
  long long capacity = known_length(range);
  long long* room = owner.room_for_indices(capacity);
  index_list list{nullptr, 0};
  for (auto&& element : range) {
    using Integer = std::remove_cvref_t<decltype(index(element))>;
    static_assert(integer<Integer>, "the indices of a section are integers");
    if (list.count == capacity) [[unlikely]]
      room = owner.room_for_indices(capacity = 2 * capacity + 16);
    // Negative numbers need no clamping: inside() finds them.
    const auto value = number(static_cast<Integer>(index(element)));
    if constexpr (std::is_signed_v<decltype(value)> && sizeof(value) <= sizeof(long long))
      room[list.count++] = value;
    else
      room[list.count++] = index_of(value);
  }
  list.indices = room;
  if (lasts) list.indices = owner.keep_indices(list.count);
  return list;
}

/// Given to the value's lambda: puts the value into the receiver's message. Its result tells the type.
class value_sink {
 public:
  value_sink(block& owner, int receiver) : owner_(&owner), receiver_(receiver) {}

  // By const reference, which a bit-field binds to.
  template <class T>
  std::type_identity<T> operator()(const T& value) const {
    using Value = travelling_type<T>;
    if constexpr (is_section<T> || std::is_same_v<T, Value>) {
      touch<touching::reads>(value);
      if (owner_->checked_) [[unlikely]]
        owner_->note_value(__builtin_addressof(value), is_section<T> ? sizeof(T) : 0, &place_extents<T>);
    }
    if constexpr (is_buffer<T>) {
      if (owner_->checked_) [[unlikely]]
        owner_->check_given(given_memory::of(value));
    }
    return carry(value);
  }

  template <class Base, class Index>
  constexpr decltype(auto) element(Base&& base, Index index) const {
    return checked_element(owner_->checked_, static_cast<Base&&>(base), index);
  }

  /// The list of a section's last dimension: `index` of each element of the range.
  template <class Range, class Index = decltype(the_index_itself)>
  index_list indices(Range&& range, const Index& index = the_index_itself) const {
    return list_indices(*owner_, owner_->checked_, range, index);
  }

  /// Puts the value of `std::move(b)`.
  template <class T>
  requires(is_buffer<T>) std::type_identity<given_away<T>>
  operator()(T&& value) const {
    using Element = typename T::value_type;
    term elements;
    if (!owner_->put_given(receiver_, given_memory::of(value), sizeof(Element), elements)) {
      std::byte* const room =
          owner_->put_sequence(receiver_, elements.count, sizeof(Element), alignof(Element));
      if (room && elements.count) __builtin_memcpy(room, elements.data, elements.count * sizeof(Element));
    }
    return {};
  }

  /// Puts a value without checks, as is done for names' values.
  template <class T>
  std::type_identity<T> carry(const T& value) const {
    using Value = travelling_type<T>;
    if constexpr (is_section<T>) {
      check_value<typename Value::value_type>();
      put_section<Value>(value);
    } else if constexpr (is_region_value<T>) {
      put_region<typename Value::object>(value);
    } else if constexpr (is_moved<T>) {
      put_moved(*value.object);
    } else if constexpr (check_value<Value>(); !std::is_same_v<T, Value>) {
      const Value copy = value;
      put<Value>(copy);
    } else {
      put<Value>(value);
    }
    return {};
  }

 private:
  template <class Value>
  void put(const Value& value) const {
    if constexpr (flat<Value>) {
      owner_->put_flat(receiver_, __builtin_addressof(value), sizeof(Value), alignof(Value));
    } else if constexpr (flat_sequence<Value>) {
      using Element = typename Value::value_type;
      const std::size_t count = value.size();
      if constexpr (requires { value.data(); }) {
        if (lend(value.data(), count)) return;
      }
      std::byte* room = owner_->put_sequence(receiver_, count, sizeof(Element), alignof(Element));
      if (!room) return;
      if constexpr (requires { value.data(); }) {
        if (count) __builtin_memcpy(room, value.data(), count * sizeof(Element));
      } else {
        for (std::size_t i = 0; i < count; ++i) room[i] = static_cast<std::byte>(static_cast<bool>(value[i]));
      }
    } else if (!always_archived<Value> && owner_->by_pointer(receiver_)) {
      std::size_t weight = sizeof(Value);
      if constexpr (has_archive_form<Value>) weight = archive_form<Value>::weight(value);
      owner_->put_pointer(receiver_, new_copy<Value>(value), weight);
    } else if constexpr (has_archive_form<Value>) {
      archive_writer writer = owner_->begin_archive(receiver_);
      archive_form<Value>::encode(writer, value);
      owner_->end_archive(writer);
    } else {
      owner_->fail_no_archive(receiver_);
    }
  }

  /// Puts a reference to the region if the receiver shares it, else the object.
  template <class Object, class Variable>
  void put_region(const Variable& value) const {
    auto& variable = variable_of(value);
    const Object& object = *static_cast<const Object*>(owner_->object_of(variable));
    const std::size_t bytes = bytes_of_value(object);
    constexpr bool given = is_given<Variable>;
    bool refers;
    if constexpr (flat<Object>) {
      refers = owner_->put_region(receiver_, variable,
                                  {__builtin_addressof(object), bytes, 0, alignof(Object), false, given});
    } else {
      using Element = typename Object::value_type;
      refers = owner_->put_region(receiver_, variable,
                                  {object.data(), bytes, sizeof(Element), alignof(Element), true, given});
    }
    if (!refers) put<Object>(object);
  }

  template <class Object>
  void put_moved(Object& object) const;

  template <class Value, class Section>
  void put_section(const Section& section) const {
    using Element = typename Value::value_type;
    const std::size_t count = section.size();
    if constexpr (flat<Element>) {
      if (count * sizeof(Element) >= least_lent_bytes && lend(contiguous_elements(section), count)) return;
      std::byte* room = owner_->put_sequence(receiver_, count, sizeof(Element), alignof(Element));
      if (room) copy_section(section, room);
    } else if (!always_archived<Value> && owner_->by_pointer(receiver_)) {
      std::size_t weight = count * sizeof(Element);
      if constexpr (has_archive_form<Value>) weight = archive_form<Value>::weight(section);
      void* room = ::operator new(sizeof(Value), std::align_val_t(alignof(Value)));
      owner_->put_pointer(receiver_, ::new (room) Value(section, count), weight);
    } else if constexpr (has_archive_form<Value>) {
      archive_writer writer = owner_->begin_archive(receiver_);
      archive_form<Value>::encode(writer, section);
      owner_->end_archive(writer);
    } else {
      owner_->fail_no_archive(receiver_);
    }
  }

  template <class Element>
  bool lend(const Element* elements, std::size_t count) const {
    return elements && count * sizeof(Element) >= least_lent_bytes &&
           owner_->lend(receiver_, elements, count, sizeof(Element), alignof(Element));
  }

  block* owner_;
  int receiver_;
};

/// Given to the place's lambda: keeps an lvalue's address, or a copy of a proxy. Its result tells the type:
/// `T&`, or the proxy's.
class place_sink {
 public:
  place_sink(block& owner, void*& place) : owner_(&owner), place_(&place) {}

  template <class Base, class Index>
  constexpr decltype(auto) element(Base&& base, Index index) const {
    return checked_element(owner_->checked_, static_cast<Base&&>(base), index);
  }

  /// The list of a section's last dimension: `index` of each element of the range. An element must not be
  /// listed twice, which checked mode verifies.
  template <class Range, class Index = decltype(the_index_itself)>
  index_list indices(Range&& range, const Index& index = the_index_itself) const {
    const index_list list = list_indices(*owner_, true, range, index);
    if (owner_->checked_) [[unlikely]]
      owner_->check_listed_once(list.count);
    return list;
  }

  template <class T>
  std::type_identity<T> operator()(T&& place) const {
    if constexpr (std::is_reference_v<T> || is_section<T>) touch<touching::writes>(place);
    if constexpr (is_listed_section<T>) place.check();  // before anything is updated
    if constexpr (std::is_reference_v<T>) {
      *place_ = const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(place)));
    } else {
      *place_ = ::new (owner_->keep(sizeof(T), alignof(T), nullptr)) T(static_cast<T&&>(place));
    }
    return {};
  }

 private:
  block* owner_;
  void** place_;
};

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
  constexpr auto only(int name, Set&& set) {
    using Integer = typename progression_of<std::remove_cvref_t<Set>>::type;
    if constexpr (std::is_void_v<Integer>) {
      return noted_members<Set>(static_cast<Set&&>(set), plan_ ? block::value_of(plan_, name) : nullptr);
    } else {
      return candidates<Integer>([&](candidate_run& all) -> candidate_list {
        return noted_ ? *noted_++ : block::only(plan_, name, members_of<Integer>(set), all);
      });
    }
  }

 protected:
  explicit binder_base(block& owner) : owner_(&owner) {}

  /// Returns true if a binding has a sender and a receiver. A rank outside the team is an error.
  template <class Receiver, class Sender, class... Names>
  static bool takes_part(block& owner, int to, int from, const Receiver& receiver, const Sender& sender,
                         const Names&... names) noexcept {
    const auto size = static_cast<unsigned>(owner.size_);
    if (static_cast<unsigned>(to) < size && static_cast<unsigned>(from) < size) return true;
    if (to != no_rank && from != no_rank) fail_ranks(owner, receiver, sender, names...);
    return false;
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
  template <class... Names>
  [[gnu::noinline, gnu::cold]] static void check(block& owner, const char* type, int receiver, int sender,
                                                 Names... names) noexcept {
    const named_value values[] = {named_value(names)..., named_value()};
    owner.check_binding(type, receiver, sender, values, sizeof...(names));
    owner.evaluating(values, sizeof...(names));
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
    if (owner.checked_) [[unlikely]]
      check(owner, value_text<ValueType>(), to, from, names...);
    if (!takes_part(owner, to, from, receiver, sender, names...)) return;
    if constexpr (is_section<PlaceType> || is_section_value<ValueType>) {
      if (from == owner.rank_ || to == owner.rank_) evaluating(owner, names...);
    }
    if (from == owner.rank_ && sends_) value(value_sink(owner, to));
    if (to == owner.rank_ && receives_) {
      constexpr const receiving& how = receiving_of<Operation, PlaceType, ValueType>();
      void* address = nullptr;
      place(place_sink(owner, address));
      add<how.may_fail>(owner, from, address, how, names...);
    }
  }

 private:
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
[[gnu::noinline]] void execute(site where, const Statements& statements) noexcept {
  block once(where);
  statements(once);
  once.run();
}

template <class Statements>
[[gnu::noinline]] void execute(site where, const modifiers& how, const Statements& statements) noexcept {
  block once(where, how);
  statements(once);
  once.run();
}

template <class Statements>
[[nodiscard, gnu::noinline]] pending start(site where, const Statements& statements) noexcept {
  block once(where);
  statements(once);
  return once.start();
}

template <class Statements>
[[nodiscard, gnu::noinline]] pending start(site where, const modifiers& how,
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
