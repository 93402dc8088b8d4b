// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the parts of an aggregate, its base classes and members. Most aggregates are
/// decomposed without help. To one that has base classes, bit-fields, unnamed structures or very many
/// members, kanorc adds two functions:
///
///   template <class Self, class Part>
///   static auto kanor_parts(Self& self, Part part) {
///     return part.template bases<A, B>(self).member(self.m).bits([&] { return self.f; },
///                                                                [&](auto bits) { self.f = bits; });
///   }
///   void kanor_has_parts() {}
///
/// or, where no template can stand, a `kanor_parts()` that returns such a function.
#pragma GCC system_header

#include <type_traits>
#include <utility>

#include "kanor/abi/reflect.hpp"

namespace kanor::abi {

template <class Class>
Class* class_of_member(void (Class::*)());

/// True if the class has such functions of its own: those of a base class describe the base class.
template <class T>
concept describes_parts = std::is_class_v<T> && requires {
  {class_of_member(&T::kanor_has_parts)};
  requires std::is_same_v<decltype(class_of_member(&T::kanor_has_parts)), T*>;
};

template <class T>
inline constexpr bool has_parts = describes_parts<T> || field_count<T>() >= 0;

/// Calls the class's function, and returns its result.
template <class T, class Part>
auto visit_described(T& value, Part part) {
  if constexpr (requires { std::remove_const_t<T>::kanor_parts(); })
    return std::remove_const_t<T>::kanor_parts()(value, part);
  else
    return std::remove_const_t<T>::kanor_parts(value, part);
}

enum class bit_fields { skip, read, change };

/// Calls `visit` with a reference to each part; a bit-field is passed as a copy, which is written back for
/// `change`.
template <class Visit, bit_fields how>
struct part_visitor {
  Visit& visit;

  template <class... Bases, class T>
  part_visitor bases(T& object) const {
    (visit(static_cast<std::conditional_t<std::is_const_v<T>, const Bases, Bases>&>(object)), ...);
    return *this;
  }
  template <class Member>
  part_visitor member(Member& member) const {
    visit(member);
    return *this;
  }
  template <class Get, class Set>
  part_visitor bits(Get get, Set set) const {
    if constexpr (how != bit_fields::skip) {
      auto bits = get();
      visit(bits);
      if constexpr (how == bit_fields::change) set(bits);
    }
    return *this;
  }
};

/// Calls `visit` with each part of an aggregate that has_parts, in their order, which is that of archives.
template <class T, class Visit>
void each_part(T& value, Visit&& visit) {
  constexpr bit_fields how = std::is_const_v<T> ? bit_fields::read : bit_fields::change;
  if constexpr (describes_parts<std::remove_const_t<T>>)
    visit_described(value, part_visitor<std::remove_reference_t<Visit>, how>{visit});
  else
    with_fields(value, [&visit](auto&... fields) { (visit(fields), ...); });
}

/// The same without bit-fields: the parts that are objects, and that may be places.
template <class T, class Visit>
void each_object(T& value, Visit&& visit) {
  if constexpr (describes_parts<std::remove_const_t<T>>)
    visit_described(value, part_visitor<std::remove_reference_t<Visit>, bit_fields::skip>{visit});
  else
    with_fields(value, [&visit](auto&... fields) { (visit(fields), ...); });
}

}  // namespace kanor::abi
