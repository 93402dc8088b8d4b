// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: variables in regions as values and places of blocks; included by globalised.hpp.
#pragma GCC system_header

#include "kanor/abi/block.hpp"
#include "kanor/abi/globalised.hpp"
#include "kanor/abi/region_terms.hpp"

namespace kanor::abi {

template <class T>
inline constexpr bool is_region_value<globalised<T>> = true;
template <class T>
inline constexpr bool is_region_value<given<T>> = true;

/// The type of a value that is sent with its region where possible.
template <class T>
struct in_region {
  using object = T;
};
template <class T>
struct travels_as<globalised<T>> {
  using type = in_region<T>;
};
template <class T>
struct travels_as<given<T>> {
  using type = in_region<T>;
};

template <class T>
inline constexpr bool is_given<given<T>> = true;

template <class T>
const region_handle& variable_of(const globalised<T>& value) {
  return value;
}
template <class T>
const region_handle& variable_of(const given<T>& value) {
  return *value.handle;
}

/// The value's type without its region.
template <class Value>
struct plain_value {
  using type = Value;
  static constexpr bool shared = false;
};
template <class T>
struct plain_value<in_region<T>> {
  using type = T;
  static constexpr bool shared = true;
};

/// The variable's type of a place `globalised<T>&`.
template <class Place>
struct place_in_region {
  using object = void;
};
template <class T>
struct place_in_region<globalised<T>&> {
  using object = T;
};

template <class T>
term term_in_region(void* object) {
  if constexpr (flat<T>) {
    return {object, 1};
  } else {
    auto& vector = *static_cast<T*>(object);
    return {vector.data(), vector.size()};
  }
}

/// The type of the objects at a term's data: a vector's elements.
template <class T>
struct folded_at_once {
  using type = T;
};
template <class T>
requires(!flat<T>) struct folded_at_once<T> {
  using type = typename T::value_type;
};

template <class T>
constexpr travelling travelling_with_region() {
  travelling how{layout::region, sizeof(T), alignof(T), nullptr, nullptr};
  how.plain = &plain_travelling<T>;
  how.in_region = &term_in_region<T>;
  how.needs_addresses = !flat<T>;
  return how;
}

/// Assigns to a whole variable, in a region that nobody else uses: the old value need not be kept.
template <class T, class Value>
void assign_over_region(void* place, term value) {
  T& object = *static_cast<globalised<T>*>(place)->overwrite();
  if constexpr (assigns_bytes<T&, Value>) {
    __builtin_memcpy(__builtin_addressof(object), value.data, sizeof(T));
  } else {
    assign_term<T&, Value>(__builtin_addressof(object), value);
  }
}

template <class T, class Value>
void assign_lifted_over_region(void* place, term value) {
  assign_value(*static_cast<globalised<T>*>(place)->overwrite(), *static_cast<Value*>(value.data));
}

/// Passes the storage that is the variable's own to `sink`: other variables may refer to its region.
template <class T>
void handle_extents(const void* place, const extent_sink& sink) {
  const declaration& own = static_cast<const globalised<T>*>(place)->where();
  sink(__builtin_addressof(own), sizeof(own));
}

/// Returns memory for `bytes` bytes until the block ends, or null if they should be in a new region.
void* result_room(std::size_t bytes, std::size_t alignment) noexcept;
/// Returns memory for an object in a new region.
void* new_room(const region_kind& kind) noexcept;

/// Like combine_terms(), but only reads values that others use; the result is then in memory of the block, or
/// if it is large, in a new region.
template <class Operation, class T>
void combine_regions(void* operation, term& into, term& other) {
  using Element = typename folded_at_once<T>::type;
  auto& callable = kept_operation<Operation>(operation);
  if (!flat<T> && into.count != other.count) fail_fold_lengths(into.count, other.count);
  const term first = into;
  const std::size_t count = flat<T> ? 1 : first.count;
  const bool is_elsewhere = !is_own(first);
  if (is_elsewhere) {
    into.data = result_room(count * sizeof(Element), alignof(Element));
    into.object = nullptr;
    if (!into.data) {
      void* const object = new_room(kind_of_region<T>);
      if constexpr (flat<T>) {
        construct_default<T>(object);
      } else {
        const auto* const elements = static_cast<const Element*>(first.data);
        ::new (object) T(elements, elements + count);
      }
      into = term_in_region<T>(object);
      into.object = object;
    }
  }
  fold_elements(callable, static_cast<Element*>(into.data), static_cast<const Element*>(first.data),
                static_cast<const Element*>(other.data), count);
  if (is_elsewhere) let_go(first);
}

/// The element type that the operation takes whole, at any depth of nested arrays.
template <class Operation, class T>
struct folded_element {
  using type = T;
};
template <class Operation, class T>
requires(listed<T> && !folds_whole<Operation, T>()) struct folded_element<Operation, T>
    : folded_element<Operation, typename element_of<T>::type> {
};

/// True if a sequence is made an object before it is folded.
template <class Operation, class Value>
inline constexpr bool folds_lifted = flat_sequence<Value>&& folds_whole<Operation, Value>();

/// The receiver's operations if the place or the value is a variable in a region. `Operation` is void for an
/// assignment.
template <class Place, class Value, class Operation>
constexpr receiving receiving_with_regions() {
  using Plain = typename plain_value<Value>::type;
  using Object = typename place_in_region<Place>::object;
  constexpr bool is_reduction = !std::is_void_v<Operation>;
  receiving how{};
  if constexpr (is_reduction) {
    // Of a place in a region the operations below assign; only a section is no place for its own kind.
    using InRegion = std::conditional_t<is_section_value<Plain>, Object, Plain>;
    how =
        reduction_of<std::conditional_t<std::is_void_v<Object>, Place, std::add_lvalue_reference_t<InRegion>>,
                     Plain, Operation>();
  } else if constexpr (std::is_void_v<Object>) {
    how = assignment_of<Place, Plain>();
  } else {
    check_value<Plain>();
    how.value = travelling_of<Plain>();
    how.may_fail = assignment_may_fail<Object&, Plain>;
  }
  if constexpr (!std::is_void_v<Object>) {
    how.assign = &assign_over_region<Object, Plain>;
    if constexpr (is_reduction) {
      if constexpr (folds_lifted<Operation, Plain>) how.assign = &assign_lifted_over_region<Object, Plain>;
    }
    how.extents = &handle_extents<Object>;
    how.elements = nullptr;
    how.deep = {};
    how.object_bytes = sizeof(region_handle);
    how.place_in_region = true;
    if constexpr (plain_value<Value>::shared && std::is_same_v<Object, Plain>)
      how.adopt = &globalised<Object>::adopt_into;
  }
  if constexpr (plain_value<Value>::shared) {
    how.value = travelling_with_region<Plain>();
    if constexpr (is_reduction) {
      if constexpr (!folds_lifted<Operation, Plain>) how.combine = &combine_regions<Operation, Plain>;
      if constexpr (flat<Plain> && !folds_whole<Operation, Plain>()) {
        using Element = typename folded_element<Operation, Plain>::type;
        how.combine_apart = &combine_elements_apart<Operation, Element>;
        how.folds_plainly = folds_plainly<Operation, Element>;
        how.apart_bytes = sizeof(Element);
      }
    }
  }
  return how;
}

template <class T>
void adopt_elements_over_region(void* place, void* elements) {
  adopt_elements<T>(static_cast<globalised<T>*>(place)->overwrite(), elements);
}

/// The same for the value of `std::move(b)`.
template <class T, class Buffer, class Operation>
constexpr receiving receiving_given_in_region() {
  constexpr bool is_folded_whole = [] {
    if constexpr (std::is_void_v<Operation>)
      return false;
    else
      return folds_whole<Operation, Buffer>();
  }();
  receiving how = receiving_with_regions<globalised<T>&, Buffer, Operation>();
  how.value = travelling_given<Buffer>();
  if constexpr (!std::is_void_v<Operation> && !is_folded_whole)
    how.combine = &combine_given<Operation, Buffer>;
  if constexpr (std::is_same_v<T, Buffer> && !is_folded_whole) how.adopt = &adopt_elements_over_region<T>;
  return how;
}

template <class T, class Value>
inline constexpr receiving assignment<globalised<T>&, Value> =
    receiving_with_regions<globalised<T>&, Value, void>();
template <class Place, class T>
inline constexpr receiving assignment<Place, in_region<T>> =
    receiving_with_regions<Place, in_region<T>, void>();
template <class T, class Other>
inline constexpr receiving assignment<globalised<T>&, in_region<Other>> =
    receiving_with_regions<globalised<T>&, in_region<Other>, void>();

template <class T, class Buffer>
inline constexpr receiving assignment<globalised<T>&, given_away<Buffer>> =
    receiving_given_in_region<T, Buffer, void>();

template <class T, class Value, class Operation>
inline constexpr receiving reduction<globalised<T>&, Value, Operation> =
    receiving_with_regions<globalised<T>&, Value, Operation>();
template <class Place, class T, class Operation>
inline constexpr receiving reduction<Place, in_region<T>, Operation> =
    receiving_with_regions<Place, in_region<T>, Operation>();
template <class T, class Other, class Operation>
inline constexpr receiving reduction<globalised<T>&, in_region<Other>, Operation> =
    receiving_with_regions<globalised<T>&, in_region<Other>, Operation>();
template <class T, class Buffer, class Operation>
inline constexpr receiving reduction<globalised<T>&, given_away<Buffer>, Operation> =
    receiving_given_in_region<T, Buffer, Operation>();

}  // namespace kanor::abi

#include "kanor/abi/exchange.hpp"
#include "kanor/abi/moved_block.hpp"
