// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: what takes places and values; included by bind.hpp.
#pragma GCC system_header

#include "kanor/abi/block.hpp"
#include "kanor/abi/sanitize.hpp"

namespace kanor::abi {

/// `base[index]` in a place or value. Checks the index in checked mode.
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

/// Puts a value into the receiver's message. Its result tells the type.
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
  index_list value_indices(Range&& range, const Index& index = the_index_itself) const {
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
    } else {
      put_archive<Value>(value);
    }
  }

  /// `written` is the value, or the section that becomes it.
  template <class Value, class Written>
  void put_archive(const Written& written) const {
    if constexpr (has_archive_form<Value>) {
      archive_writer writer = owner_->begin_archive(receiver_);
      archive_form<Value>::encode(writer, written);
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
    } else {
      put_archive<Value>(section);
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

/// Keeps an lvalue's address, or a copy of a proxy. Its result tells the type: `T&`, or the proxy's.
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
  index_list place_indices(Range&& range, const Index& index = the_index_itself) const {
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

}  // namespace kanor::abi
