// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: values that a block moves out of variables that are not read again; included by
/// region_block.hpp.
///
///     rows[i]@r <<= parts[r]@s     kanor_bind.send(::kanor::abi::moved(parts[r])) where parts is a vector of
///                                  vectors that is not used again
#pragma GCC system_header

#include "kanor/abi/region_block.hpp"

namespace kanor::abi {

/// A value that is moved out of its object if the receiver shares addresses; other ranks get a copy.
/// Evaluated once for each object in a block.
template <class T>
struct moved_value {
  T* object;
};
template <class T>
moved_value<T> moved(T& value) {
  return {__builtin_addressof(value)};
}
template <class T>
inline constexpr bool is_moved<moved_value<T>> = true;

/// The type of a value that is sent as an object in a region where possible.
template <class T>
struct in_moved {};

// What is no sequence of plain bytes goes by a pointer to an object anyway.
template <class T>
struct travels_as<moved_value<T>> {
  using type = std::conditional_t<shareable_vector<T>, in_moved<T>, T>;
};

template <class Object>
void value_sink::put_moved(Object& object) const {
  if constexpr (shareable_vector<Object>) {
    const std::size_t bytes = bytes_of_value(object);
    if (!owner_->moves_elements(receiver_, bytes)) return put<Object>(object);
    void* const room = new_room(kind_of_region<Object>);
    ::new (room) Object(static_cast<Object&&>(object));
    owner_->put_moved(receiver_, room, bytes);
  } else if constexpr (!flat<Object> && !flat_sequence<Object> && !always_archived<Object>) {
    if (!owner_->moves_objects(receiver_)) return put<Object>(object);
    std::size_t weight = sizeof(Object);
    if constexpr (has_archive_form<Object>) weight = archive_form<Object>::weight(object);
    void* const room = ::operator new(sizeof(Object), std::align_val_t(alignof(Object)));
    owner_->put_pointer(receiver_, ::new (room) Object(static_cast<Object&&>(object)), weight);
  } else {
    put<Object>(object);
  }
}

template <class T>
void take_over(void* place, void* object) {
  T& from = *static_cast<T*>(object);
  T& to = *static_cast<T*>(place);
  const term value{from.data(), from.size(), object};
  if (is_own(value))
    to = static_cast<T&&>(from);
  else
    to = from;
  let_go(value);
}

template <class Place, class T>
constexpr receiving assignment_of_moved() {
  receiving how = receiving_with_regions<Place, in_region<T>, void>();
  if constexpr (std::is_same_v<Place, T&>) how.adopt = &take_over<T>;
  return how;
}

template <class Place, class T>
inline constexpr receiving assignment<Place, in_moved<T>> = assignment_of_moved<Place, T>();
template <class T, class Other>
inline constexpr receiving assignment<globalised<T>&, in_moved<Other>> =
    receiving_with_regions<globalised<T>&, in_region<Other>, void>();

}  // namespace kanor::abi
