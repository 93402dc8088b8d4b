// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: which types travel and how their values are put into messages.
///
/// Standard containers are recognised by their members, so that a program pays for no header it does not
/// include itself. kanorc has checked the types before and reports what does not travel at the user's line;
/// the checks here are the second net.
#pragma GCC system_header

#include <new>
#include <type_traits>
#include <utility>

#include "kanor/abi/core.hpp"

namespace kanor::rt {
class Execution;
}

namespace kanor::abi {

/// The proxy for an element of vector<bool> or bitset, which is sent as a bool.
template <class T>
concept bit_reference = std::is_class_v<T> && std::is_convertible_v<T, bool> && requires(T bit) {
  bit.flip();
};

/// Spans and string views: they refer to elements that they do not own.
template <class T>
concept view = std::is_class_v<T> &&(
    requires(T v) { v.remove_prefix(1); } || requires(T v) { v.subspan(0); });

template <class Class>
Class owner_of_member(void (Class::*)());

/// True for kanor::buffer: specialised by kanor/abi/buffer_block.hpp.
template <class T>
inline constexpr bool is_buffer = false;

/// std::vector (also of bool), std::basic_string, and look-alikes that hold nothing but their elements. The
/// owner of a member is checked to exclude derived classes, which may hold more.
template <class T>
concept vector_like = is_buffer<T> ||
    std::is_class_v<T> && requires(T& v, const typename T::value_type* first) {
  typename T::allocator_type;
  v.assign(first, first);
  {owner_of_member(&T::shrink_to_fit)};
  requires std::is_same_v<decltype(owner_of_member(&T::shrink_to_fit)), T>;
  requires requires { v.data(); } || requires {
    v.flip();
  };
};

/// std::basic_string: a sequence that reductions fold whole.
template <class T>
concept text = vector_like<T> && requires {
  typename T::traits_type;
};

/// std::array and look-alikes.
template <class T>
concept fixed_array = std::is_class_v<T> && requires(T& a) {
  std::tuple_size<T>::value;
  typename T::value_type;
  a.data();
  a[0];
};

/// Reaches the protected container of std::queue, stack and priority_queue, which the standard names `c`.
template <class T>
struct adaptor_access : T {
  template <class Access = adaptor_access>
  static constexpr auto member() -> decltype(&Access::c) {
    return &Access::c;
  }
};

/// These adaptors of the standard library, and look-alikes that hold nothing but another container.
template <class T>
concept adaptor = std::is_class_v<T> && !std::is_final_v<T> && requires(T & object) {
  typename T::container_type;
  object.pop();
  requires std::is_same_v<decltype(adaptor_access<T>::member()), typename T::container_type T::*>;
};

template <class T>
auto& adapted(T& object) {
  return object.*adaptor_access<std::remove_const_t<T>>::member();
}

/// std::variant and look-alikes.
template <class T>
concept variant_like = std::is_class_v<T> && requires(T& object) {
  object.index();
  object.valueless_by_exception();
};

/// Types that are folded, and if necessary assigned, element by element.
template <class T>
concept listed = std::is_array_v<T> || fixed_array<T> || vector_like<T>;

template <class List>
struct element_of {
  using type = typename List::value_type;
};
template <class Element, std::size_t length>
struct element_of<Element[length]> {
  using type = Element;
};

template <class List>
constexpr std::size_t length_of(const List& list) {
  if constexpr (std::is_array_v<List>) {
    return std::extent_v<List>;
  } else {
    return list.size();
  }
}

template <class T>
inline constexpr bool address_like =
    std::is_pointer_v<T> || std::is_member_pointer_v<T> || std::is_null_pointer_v<T> || std::is_function_v<T>;

/// True if a trivially copyable class is more than its bytes, because it has functions of its own for
/// archives. Specialised by kanor/abi/cereal.hpp, which kanorc includes where such a class travels.
template <class T>
struct more_than_bytes {
  static constexpr bool value = false;
};

/// True if a type contains such a class, whose copy would share data with the original that the class's own
/// functions would copy; or a class or an allocator of the program's, whose constructors and destructors
/// belong on the rank that has the object. Specialised by kanor/abi/own_functions.hpp.
template <class T>
struct shallow_copy {
  static constexpr bool value = false;
};

/// True if the bytes are the value. (Pointers inside classes are found by kanorc.)
template <class T>
inline constexpr bool flat = false;
template <class T>
requires(std::is_trivially_copyable_v<T> && !address_like<std::remove_all_extents_t<T>> &&
         !view<T>) inline constexpr bool flat<T> = !more_than_bytes<std::remove_all_extents_t<T>>::value;

template <class T>
inline constexpr bool flat_sequence = false;
template <vector_like T>
inline constexpr bool flat_sequence<T> = flat<typename T::value_type>;

template <class T>
struct travels_as {
  using type = std::conditional_t<bit_reference<T>, bool, T>;
};

/// True for a variable in a region, or its value given away: specialised by kanor/abi/globalised.hpp.
template <class T>
inline constexpr bool is_region_value = false;
template <class T>
inline constexpr bool is_given = false;
/// True for a value that is moved out of its object: specialised by kanor/abi/moved_block.hpp.
template <class T>
inline constexpr bool is_moved = false;

/// Returns the size in bytes of a flat value, or of a sequence's flat elements.
template <class T>
std::size_t bytes_of_value(const T& value) {
  if constexpr (flat<T>) {
    return sizeof(T);
  } else {
    return value.size() * sizeof(typename T::value_type);
  }
}

/// The type of the value that travels for an expression of type T.
template <class T>
using travelling_type = typename travels_as<std::remove_cvref_t<T>>::type;

/// The archive form of objects: weight(value), encode(writer, value), decode(reader, value) and `available`.
/// Defined by kanor/abi/cereal.hpp, which kanorc includes in the programs whose types need it.
template <class T>
struct archive_form;

template <class T>
inline constexpr bool has_archive_form = false;
template <class T>
requires(archive_form<T>::available) inline constexpr bool has_archive_form<T> = true;

/// True if each rank must make an object of this type, or such elements of an array, itself, and can.
template <class T>
inline constexpr bool made_by_its_rank = shallow_copy<T>::value&& std::is_default_constructible_v<T>;
template <class T>
requires(std::is_array_v<T>) inline constexpr bool made_by_its_rank<T> =
    made_by_its_rank<std::remove_all_extents_t<T>>;

/// True if every rank makes its value from an archive, also between ranks that share addresses.
template <class T>
inline constexpr bool always_archived = has_archive_form<T>&& made_by_its_rank<T>;

/// Appends bytes to the message that is being written.
class archive_writer {
 public:
  void write(const void* data, std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(end_ - at_)) grow(bytes);
    if (bytes != 0) __builtin_memcpy(at_, data, bytes);  // nothing may lie nowhere
    at_ += bytes;
  }

 private:
  friend class block;
  void grow(std::size_t bytes);

  rt::Execution* execution_ = nullptr;
  std::byte* begin_ = nullptr;  ///< the memory that is being written
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
};

/// Takes bytes from an archive; running past its end ends the job.
class archive_reader {
 public:
  archive_reader(const std::byte* archive, std::size_t length_bytes)
      : begin_(archive), at_(archive), end_(archive + length_bytes) {}

  void read(void* data, std::size_t bytes) {
    if (bytes > left()) fail("it ends too early");
    if (bytes != 0) __builtin_memcpy(data, at_, bytes);
    at_ += bytes;
  }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  [[noreturn]] void fail(const char* what) const {
    fail_archive(what, static_cast<std::size_t>(at_ - begin_), static_cast<std::size_t>(end_ - begin_));
  }

 private:
  const std::byte* begin_;
  const std::byte* at_;
  const std::byte* end_;
};

/// Copy-constructs an object or an array at `to`.
template <class T>
void construct_copy(T* to, const T& value) {
  if constexpr (std::is_array_v<T>) {
    for (std::size_t i = 0; i < std::extent_v<T>; ++i) construct_copy(&(*to)[i], value[i]);
  } else {
    ::new (static_cast<void*>(to)) T(value);
  }
}

template <class T>
void destroy_in_place(T& value) {
  if constexpr (std::is_array_v<T>) {
    for (auto& element : value) destroy_in_place(element);
  } else {
    value.~T();
  }
}

template <class T>
void* new_copy(const T& value) {
  void* room = ::operator new(sizeof(T), std::align_val_t(alignof(T)));
  construct_copy(static_cast<T*>(room), value);
  return room;
}

template <class T>
void delete_object(void* object) {
  destroy_in_place(*static_cast<T*>(object));
  ::operator delete(object, std::align_val_t(alignof(T)));
}

/// Makes a new value from its archive: default-constructs it, then fills it.
template <class T>
void* new_from_archive(const std::byte* archive, std::size_t length_bytes) {
  void* room = ::operator new(sizeof(T), std::align_val_t(alignof(T)));
  archive_reader reader(archive, length_bytes);
  archive_form<T>::construct(room, reader);
  if (reader.left() != 0) reader.fail("bytes are left over");
  return room;
}

template <class T>
constexpr travelling travelling_of() {
  if constexpr (flat<T>) {
    return {layout::flat, sizeof(T), alignof(T), nullptr, nullptr};
  } else if constexpr (flat_sequence<T>) {
    using Element = typename T::value_type;
    return {layout::sequence, sizeof(Element), alignof(Element), nullptr, nullptr};
  } else if constexpr (has_archive_form<T>) {
    return {layout::object,       sizeof(T),         alignof(T),
            &new_from_archive<T>, &delete_object<T>, always_archived<T>};
  } else {
    return {layout::object, sizeof(T), alignof(T), nullptr, &delete_object<T>};
  }
}

template <class T>
inline constexpr bool copies = std::is_copy_constructible_v<std::remove_all_extents_t<T>>;

/// The checks that any value must pass, in words that make sense at the end of a compiler's error.
template <class T>
constexpr void check_value() {
  static_assert(!address_like<T>,
                "a pointer does not travel in a block: send what it points to (p[0 : n], p[k])");
  static_assert(!view<T>, "a view does not travel in a block: send the container, or a section of it");
  static_assert(copies<T> || is_buffer<T>, "a value that cannot be copied does not travel in a block");
}

}  // namespace kanor::abi
