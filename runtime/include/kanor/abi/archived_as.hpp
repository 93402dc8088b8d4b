// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: how a value of each type is represented in an archive; part of
/// kanor/abi/cereal.hpp.
#pragma GCC system_header

#include <cereal/cereal.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/forward_list.hpp>
#include <cereal/types/list.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/unordered_map.hpp>
#include <cereal/types/unordered_set.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>

#include "kanor/abi/codec.hpp"
#include "kanor/abi/own_functions.hpp"
#include "kanor/abi/parts.hpp"

namespace kanor::abi {

class value_writer;
class value_reader;

}  // namespace kanor::abi

CEREAL_SETUP_ARCHIVE_TRAITS(kanor::abi::value_reader, kanor::abi::value_writer)

namespace kanor::abi {

/// Containers whose equal elements have an order, which cereal's hinted insertion would reverse.
template <class T>
inline constexpr bool keeps_equals =
    is_specialisation<T, std::multimap> || is_specialisation<T, std::multiset>;

/// Containers whose iteration order depends on more than their elements: they are rebuilt with the order that
/// a copy would have.
template <class T>
inline constexpr bool hashed =
    is_specialisation<T, std::unordered_map> || is_specialisation<T, std::unordered_set> ||
    is_specialisation<T, std::unordered_multimap> || is_specialisation<T, std::unordered_multiset>;

/// Reaches the comparison object of a std::priority_queue, if it has state. A queue constructed from it and
/// the elements could order equal elements differently from a copy.
template <class T>
struct order_access : T {
  template <class Access = order_access>
  static constexpr auto member() -> decltype(&Access::comp) {
    return &Access::comp;
  }
};
template <class T>
concept keeps_order = adaptor<T> && requires(T& object) {
  requires !std::is_empty_v<std::remove_cvref_t<decltype(object.*order_access<T>::member())>>;
};

/// True for types that cereal's archives handle without a function.
template <class T>
inline constexpr bool handled_by_archive =
    is_specialisation<T, cereal::base_class> || is_specialisation<T, cereal::virtual_base_class> ||
    is_specialisation<T, cereal::DeferredData>;

/// std::valarray. cereal's header for it would include <valarray> in every program.
template <class T>
concept valarray_like = std::is_class_v<T> && requires(T& numbers) {
  typename T::value_type;
  numbers.cshift(1);
  numbers.sum();
  numbers.resize(1);
};

/// The element type of a map or set, without const.
template <class T>
struct element_to_load {
  using type = typename T::key_type;
};
template <class T>
requires requires { typename T::mapped_type; }
struct element_to_load<T> {
  using type = std::pair<typename T::key_type, typename T::mapped_type>;
};

/// True unless loading a container would have to default-construct elements that have no default constructor.
template <class T>
inline constexpr bool makes_elements = true;
template <class T>
requires(std::is_class_v<T>&& requires(T& c) {
  typename T::value_type;
  c.resize(1);
}) inline constexpr bool makes_elements<T> = std::is_default_constructible_v<typename T::value_type>;

/// The representation of one kind of value in an archive. Both directions use it, so that they agree.
enum class form {
  bytes,
  nothing,
  truth,
  array,
  named,
  size,
  blob,
  sequence,
  equals,
  hash,
  numbers,
  adapted,
  own,
  fields,
  none
};

template <class T, class Writer, class Reader>
constexpr form form_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return form::truth;
  } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return form::bytes;
  } else if constexpr (address_like<T> || view<T>) {
    return form::none;
  } else if constexpr (std::is_array_v<T>) {
    return form::array;
  } else if constexpr (is_specialisation<T, cereal::NameValuePair>) {
    return form::named;
  } else if constexpr (is_specialisation<T, cereal::SizeTag>) {
    return form::size;
  } else if constexpr (is_specialisation<T, cereal::BinaryData>) {
    return form::blob;
  } else if constexpr (describes_parts<T> && !flat<T>) {
    // Functions for archives that it has are a base class's.
    return form::fields;
  } else if constexpr (flat_sequence<T>) {
    return form::sequence;
  } else if constexpr (keeps_equals<T>) {
    return form::equals;
  } else if constexpr (hashed<T>) {
    return form::hash;
  } else if constexpr (valarray_like<T> && !has_own_functions<T>) {
    return form::numbers;
  } else if constexpr (adaptor<T> && !has_own_functions<T>) {
    return form::adapted;
  } else if constexpr (handled_by_archive<T>) {
    return form::own;
  } else if constexpr (!makes_elements<T>) {
    return form::none;
  } else if constexpr (cereal::traits::detail::count_output_serializers<T, Writer>::value != 0 ||
                       cereal::traits::detail::count_input_serializers<T, Reader>::value != 0) {
    // If they are too many or do not fit together, cereal explains it.
    return form::own;
  } else if constexpr (std::is_empty_v<T>) {
    return form::nothing;
  } else if constexpr (flat<T>) {
    return form::bytes;
  } else if constexpr (has_parts<T>) {
    return form::fields;
  } else {
    return form::none;
  }
}

template <class T>
inline constexpr form archived_as = form_of<T, value_writer, value_reader>();

}  // namespace kanor::abi
