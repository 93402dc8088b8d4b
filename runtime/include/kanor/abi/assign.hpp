// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: what `place <<= value` does at the receiver.
#pragma GCC system_header

#include "kanor/abi/codec.hpp"
#include "kanor/abi/extent.hpp"
#include "kanor/abi/follow.hpp"
#include "kanor/abi/section_assign.hpp"

namespace kanor::abi {

template <class>
inline constexpr bool never = false;

template <class Place, class Value>
void assign_value(Place&& place, Value& value);

/// Assigns `count` elements one by one.
template <class Place, class Elements>
void assign_elements(Place& place, Elements&& elements, std::size_t count) {
  if constexpr (vector_like<Place>) {
    place.resize(count);
  } else {
    if (length_of(place) != count) fail_lengths(length_of(place), count);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (requires { place.flip(); }) {
      place[i] = static_cast<bool>(elements[i]);
    } else {
      assign_value(place[i], elements[i]);
    }
  }
}

/// `place = value` as in C++, moving from the value; if one of the two is an array, or both are, assigns
/// element by element. A vector takes the value's length; any other place must have the same length.
template <class Place, class Value>
void assign_value(Place&& place, Value& value) {
  using Object = std::remove_reference_t<Place>;
  static_assert(!std::is_const_v<Object>, "the place of a block's statement is const");
  static_assert(!address_like<Object>,
                "a pointer cannot be a place: an address has no meaning on another rank");
  static_assert(!view<Object>, "a view cannot be a place: name the elements, or a section");
  if constexpr (is_section<Object>) {
    assign_to_section(place, value);
  } else if constexpr (is_section_value<Value>) {
    assign_from_section(place, value.data(), value.size());
  } else if constexpr (std::is_array_v<Object>) {
    static_assert(listed<Value>, "an array can only be assigned an array, a std::array or a vector");
    assign_elements(place, value, length_of(value));
  } else if constexpr (std::is_array_v<Value> && text<Object>) {
    // As from a literal: up to the first NUL, but never past the array's end.
    std::size_t length = 0;
    while (length < std::extent_v<Value> && value[length] != std::remove_extent_t<Value>{}) ++length;
    place.assign(value, value + length);
  } else if constexpr (std::is_array_v<Value> && std::is_scalar_v<Object>) {
    static_assert(never<Object>, "an array cannot be assigned to a place that is not an array");
  } else if constexpr (std::is_assignable_v<Place&&, Value&&>) {
    static_cast<Place&&>(place) = static_cast<Value&&>(value);
  } else if constexpr (listed<Object> && listed<Value> && !(vector_like<Object> && vector_like<Value>)) {
    assign_elements(place, value, length_of(value));
  } else {
    static_assert(never<Object>, "the value's type cannot be assigned to the place's type");
  }
}

template <class Object, class Element>
concept vector_of = vector_like<Object> && std::is_same_v<typename Object::value_type, Element>;

/// The same from a sequence's elements. Constructs the sequence only if the place needs it.
template <class Sequence, class Place>
void assign_sequence(Place&& place, typename Sequence::value_type* elements, std::size_t count) {
  using Object = std::remove_reference_t<Place>;
  using Element = typename Sequence::value_type;
  if constexpr (vector_of<Object, Element>) {
    place.assign(elements, elements + count);
  } else if constexpr (is_section<Object>) {
    assign_sequence_to_section(place, elements, count);
  } else if constexpr (is_section_value<Sequence>) {
    assign_from_section(place, elements, count);
  } else if constexpr (std::is_array_v<Object> || (listed<Object> && !vector_like<Object> &&
                                                   !std::is_assignable_v<Place&&, Sequence&&>)) {
    assign_elements(place, elements, count);
  } else {
    Sequence sequence(elements, elements + count);
    assign_value(static_cast<Place&&>(place), sequence);
  }
}

template <class T>
struct neighbours {
  [[no_unique_address]] T first;
  char second;
};

/// True if all bytes of an object are its own, wherever it is. The last bytes of a base class or of a
/// [[no_unique_address]] member, and all bytes of an empty one, may belong to another member.
template <class T>
inline constexpr bool owns_its_bytes = true;
template <class T>
requires(std::is_class_v<T> ||
         std::is_union_v<T>) inline constexpr bool owns_its_bytes<T> = (sizeof(neighbours<T>) > sizeof(T));

/// True if copying the bytes is the whole assignment. `Place` is `T&`, or a proxy's type.
template <class Place, class Value>
inline constexpr bool assigns_bytes = std::is_same_v<Place, Value&>&& flat<Value>&& owns_its_bytes<Value>&&
    std::is_trivially_copy_assignable_v<std::remove_all_extents_t<Value>>;

/// True if an assignment leaves the value unchanged: it copies bytes, or assigns elements to elements of the
/// same type, and calls no function of the program.
template <class Place, class Value>
inline constexpr bool assigning_only_reads = assigns_bytes<Place, Value>;
template <class Place, class Value>
requires(flat_sequence<Value>) inline constexpr bool assigning_only_reads<Place, Value> = [] {
  using Object = std::remove_reference_t<Place>;
  using Element = typename Value::value_type;
  if constexpr (!std::is_trivially_copy_assignable_v<std::remove_all_extents_t<Element>>)
    return false;
  else if constexpr (is_section<Object>)
    return std::is_same_v<typename Object::element, Element>;
  else
    return vector_of<Object, Element>;
}();

/// True if an assignment may find different lengths.
template <class Place, class Value>
inline constexpr bool assignment_may_fail =
    !std::is_arithmetic_v<std::remove_reference_t<Place>> || !std::is_arithmetic_v<Value>;

template <class Place, class Value>
void assign_term(void* place, term value) {
  using Object = std::remove_reference_t<Place>;
  auto&& target = static_cast<Place&&>(*static_cast<Object*>(place));
  if constexpr (flat_sequence<Value>) {
    assign_sequence<Value>(static_cast<Place&&>(target), static_cast<typename Value::value_type*>(value.data),
                           value.count);
  } else {
    assign_value(static_cast<Place&&>(target), *static_cast<Value*>(value.data));
  }
}

template <class Sequence>
storage elements_of(const void* place) {
  const auto& sequence = *static_cast<const Sequence*>(place);
  return {sequence.data(), sequence.size(), sizeof(typename Sequence::value_type)};
}

template <class Proxy>
void destroy_proxy(void* proxy) {
  static_cast<Proxy*>(proxy)->~Proxy();
}

/// The receiver's operations for `place <<= value`.
template <class Place, class Value>
constexpr receiving assignment_of() {
  check_value<Value>();
  receiving how{};
  how.value = travelling_of<Value>();
  if constexpr (!assigns_bytes<Place, Value>) how.assign = &assign_term<Place, Value>;
  how.only_reads = assigning_only_reads<Place, Value>;
  how.may_fail = !assigns_bytes<Place, Value> && assignment_may_fail<Place, Value>;
  using Object = std::remove_cvref_t<Place>;
  if constexpr (std::is_reference_v<Place> || is_section<Place>) how.extents = &place_extents<Place>;
  if constexpr (std::is_reference_v<Place> && vector_like<Object> &&
                requires(Object & place) { place.data(); })
    how.elements = &elements_of<Object>;
  if constexpr (std::is_reference_v<Place> && owns_deeply<Object>) {
    if constexpr (transparent<Object>) {
      how.deep.give_pieces = &give_pieces_of<Object>;
      how.deep.replace = &replace_object<Object>;
    } else {
      how.deep.set_aside = &set_object_aside<Object>;
      how.deep.destroy_aside = &delete_object<Object>;
    }
  }
  if constexpr (elements_own<Place>) {
    how.deep.give_pieces = &give_section_pieces<Place>;
    how.deep.replace = &replace_section<Place>;
  }
  if constexpr (std::is_reference_v<Place>) how.object_bytes = sizeof(Object);
  if constexpr (is_section<Place>) how.object_bytes = sizeof(*std::declval<Place&>().root);
  if constexpr (!std::is_reference_v<Place>) {
    how.proxy_bytes = sizeof(Place);
    how.proxy_has_root = is_section<Place>;
    if constexpr (!std::is_trivially_destructible_v<Place>) how.destroy_proxy = &destroy_proxy<Place>;
  }
  return how;
}

template <class Place, class Value>
inline constexpr receiving assignment = assignment_of<Place, Value>();

}  // namespace kanor::abi
