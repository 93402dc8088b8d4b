// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: which trivially copyable values are more than their bytes, because a class in them
/// has functions of its own that put it into archives. Part of kanor/abi/cereal.hpp.
#pragma GCC system_header

#include <cereal/cereal.hpp>
#include <memory>
#include <optional>
#include <variant>

#include "kanor/abi/codec.hpp"
#include "kanor/abi/parts.hpp"

namespace kanor::abi {

class value_writer;

template <class T, template <class...> class Template>
inline constexpr bool is_specialisation = false;
template <template <class...> class Template, class... Arguments>
inline constexpr bool is_specialisation<Template<Arguments...>, Template> = true;

/// Not one of cereal's archives: calls with it find only functions in the class's namespace, not those for
/// the library's types.
struct any_archive {};

/// True if the class or its namespace has functions that write it to archives.
template <class T>
inline constexpr bool has_own_functions =
    cereal::traits::has_member_serialize<T, value_writer>::value ||
    cereal::traits::has_member_versioned_serialize<T, value_writer>::value ||
    cereal::traits::has_member_save<T, value_writer>::value ||
    cereal::traits::has_member_versioned_save<T, value_writer>::value ||
    cereal::traits::has_member_save_minimal<T, value_writer>::value ||
    requires(any_archive& archive, T& value) {
  serialize(archive, value);
}
|| requires(any_archive& archive, T& value) { serialize(archive, value, 0u); }
|| requires(any_archive& archive, const T& value) { save(archive, value); }
|| requires(any_archive& archive, const T& value) { save(archive, value, 0u); }
|| requires(const any_archive& archive, const T& value) { save_minimal(archive, value); };

template <class T>
constexpr bool has_functions_inside();

/// Converts to types with functions inside, other than T, and to nothing else.
template <class T>
struct member_with_functions {
  template <class Member>
  requires(!std::is_same_v<Member, T> && has_functions_inside<Member>()) operator Member() const;
};

/// True if one of an aggregate's first fields has functions inside. (Structured bindings would be simpler,
/// but are errors for aggregates that cannot be decomposed, whose bytes can be sent all the same.)
template <class T>
concept fields_have_functions = requires(member_with_functions<T> m) {
  T{m};
}
|| requires(member_with_functions<T> m) { T{{}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m}; }
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
}
|| requires(member_with_functions<T> m) {
  T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, m};
};

template <class T>
inline constexpr bool arguments_have_functions = false;
template <template <class...> class Template, class... Arguments>
inline constexpr bool arguments_have_functions<Template<Arguments...>> = (has_functions_inside<Arguments>() ||
                                                                          ... || false);

/// Returns true if a trivially copyable value contains a class with functions of its own.
template <class T>
constexpr bool has_functions_inside() {
  if constexpr (!std::is_class_v<T>) {
    return false;
  } else if constexpr (fixed_array<T>) {
    return has_functions_inside<std::remove_all_extents_t<typename T::value_type>>();
  } else if constexpr (is_specialisation<T, std::optional> || is_specialisation<T, std::variant>) {
    return arguments_have_functions<T>;
  } else if constexpr (has_own_functions<T>) {
    return true;
  } else if constexpr (std::is_aggregate_v<T>) {
    return fields_have_functions<T>;
  } else {
    return false;
  }
}

template <class T>
requires(std::is_class_v<T>&& std::is_trivially_copyable_v<T>) struct more_than_bytes<T> {
  static constexpr bool value = has_functions_inside<T>();
};

/// The types that are being examined. A type that contains itself, such as a tree, is not examined again.
template <class... Types>
struct type_path {};
template <class T, class Path>
inline constexpr bool is_on_path = false;
template <class T, class... Types>
inline constexpr bool is_on_path<T, type_path<Types...>> = (std::is_same_v<T, Types> || ...);
template <class T, class Path>
struct path_through;
template <class T, class... Types>
struct path_through<T, type_path<Types...>> {
  using type = type_path<T, Types...>;
};

template <class T, class Path>
constexpr bool copies_shallowly();
template <class Path, class... Parts>
struct parts_copy_shallowly {
  static constexpr bool value =
      (copies_shallowly<std::remove_cv_t<std::remove_all_extents_t<Parts>>, Path>() || ... || false);
};
template <class Path>
struct fields_copy_shallowly {
  template <class... Fields>
  parts_copy_shallowly<Path, Fields...> operator()(const Fields&...) const {
    return {};
  }
};
/// The same for the parts that an aggregate describes, which are visited one by one.
template <class Path, bool found = false>
struct described_copy_shallowly {
  static constexpr bool value = found;
  template <class... Bases, class T>
  described_copy_shallowly<Path, found || parts_copy_shallowly<Path, Bases...>::value> bases(T&) const {
    return {};
  }
  template <class Member>
  described_copy_shallowly<Path, found || parts_copy_shallowly<Path, Member>::value> member(Member&) const {
    return {};
  }
  template <class Get, class Set>
  described_copy_shallowly bits(Get, Set) const {
    return {};
  }
};
template <class T, class Path>
inline constexpr bool arguments_copy_shallowly = false;
template <template <class...> class Template, class... Arguments, class Path>
inline constexpr bool arguments_copy_shallowly<Template<Arguments...>, Path> =
    parts_copy_shallowly<Path, Arguments...>::value;

/// True for a container whose allocator is the program's: it may have a rank's memory.
template <class T>
concept has_own_allocator = requires {
  typename T::allocator_type;
}
&&!is_specialisation<typename T::allocator_type, std::allocator>;

/// Returns true if a rank must make a T itself, from an archive, instead of getting another rank's copy.
/// Either this would share data that the class's own functions would copy; or a constructor, a destructor or
/// an allocator of the program's would run on the one rank and its counterpart on the other, and each may
/// use variables that are private to its rank. Examines aggregates, whose constructors are the compiler's,
/// and the arguments of templates.
template <class T, class Path>
constexpr bool copies_shallowly() {
  using Inside = typename path_through<T, Path>::type;
  if constexpr (!std::is_class_v<T> || is_on_path<T, Path>) {
    return false;
  } else if constexpr (std::is_trivially_copyable_v<T>) {
    return more_than_bytes<T>::value;
  } else if constexpr (fixed_array<T>) {
    return parts_copy_shallowly<Inside, typename T::value_type>::value;
  } else if constexpr (describes_parts<T>) {
    return decltype(visit_described(std::declval<T&>(), described_copy_shallowly<Inside>()))::value;
  } else if constexpr (has_own_functions<T> || has_own_allocator<T>) {
    return true;
  } else if constexpr (field_count<T>() >= 0) {
    return decltype(with_fields(std::declval<T&>(), fields_copy_shallowly<Inside>()))::value;
  } else {
    return arguments_copy_shallowly<T, Inside>;
  }
}

template <class T>
requires(std::is_class_v<T>) struct shallow_copy<T> {
  static constexpr bool value = copies_shallowly<T, type_path<>>();
};

}  // namespace kanor::abi
