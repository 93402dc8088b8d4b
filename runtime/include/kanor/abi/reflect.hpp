// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For emitted code alone: the fields of an aggregate, found without the class's help.
#pragma GCC system_header

#include <type_traits>

namespace kanor::abi {

inline constexpr int most_fields = 32;

/// Converts to a proper base class of T, and to nothing else.
template <class T>
struct base_of {
  template <class Base>
  requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>) operator Base() const;
};

/// The number of an aggregate's fields; an array is one. -1 if they cannot be told apart: base classes, a
/// union, a field without a default, or more than most_fields of them.
///
/// An aggregate accepts as many empty initialisers as it has fields, and no more.
template <class T>
constexpr int field_count() {
  if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T>) {
    return -1;
  } else if constexpr (std::is_empty_v<T>) {
    return 0;
  } else if constexpr (requires { T{base_of<T>{}}; }) {
    return -1;
  } else if constexpr (!requires { T{{}, {}}; }) {
    return (requires { T{{}}; }) ? 1 : -1;
  } else if constexpr (!requires { T{{}, {}, {}}; }) {
    return 2;
  } else if constexpr (!requires { T{{}, {}, {}, {}}; }) {
    return 3;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}}; }) {
    return 4;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}}; }) {
    return 5;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}}; }) {
    return 6;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 7;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 8;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 9;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 10;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 11;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 12;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 13;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 14;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 15;
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    return 16;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 17;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 18;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 19;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 20;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 21;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 22;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 23;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 24;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 25;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 26;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 27;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 28;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 29;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 30;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 31;
  } else if constexpr (!requires {
                         T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {},
                           {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                       }) {
    return 32;
  } else {
    return -1;
  }
}

/// Calls `visit` with references to all fields in their order, and returns its result. `Aggregate` may be
/// const; field_count() is not -1.
template <class Aggregate, class Visit>
decltype(auto) with_fields(Aggregate& value, Visit&& visit) {
  constexpr int fields = field_count<std::remove_const_t<Aggregate>>();
  static_assert(fields >= 0);
  if constexpr (fields == 0) {
    return visit();
  } else if constexpr (fields == 1) {
    auto& [f1] = value;
    return visit(f1);
  } else if constexpr (fields == 2) {
    auto& [f1, f2] = value;
    return visit(f1, f2);
  } else if constexpr (fields == 3) {
    auto& [f1, f2, f3] = value;
    return visit(f1, f2, f3);
  } else if constexpr (fields == 4) {
    auto& [f1, f2, f3, f4] = value;
    return visit(f1, f2, f3, f4);
  } else if constexpr (fields == 5) {
    auto& [f1, f2, f3, f4, f5] = value;
    return visit(f1, f2, f3, f4, f5);
  } else if constexpr (fields == 6) {
    auto& [f1, f2, f3, f4, f5, f6] = value;
    return visit(f1, f2, f3, f4, f5, f6);
  } else if constexpr (fields == 7) {
    auto& [f1, f2, f3, f4, f5, f6, f7] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7);
  } else if constexpr (fields == 8) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8);
  } else if constexpr (fields == 9) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9);
  } else if constexpr (fields == 10) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10);
  } else if constexpr (fields == 11) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11);
  } else if constexpr (fields == 12) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12);
  } else if constexpr (fields == 13) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13);
  } else if constexpr (fields == 14) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14);
  } else if constexpr (fields == 15) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15);
  } else if constexpr (fields == 16) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16);
  } else if constexpr (fields == 17) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17);
  } else if constexpr (fields == 18) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18);
  } else if constexpr (fields == 19) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19);
  } else if constexpr (fields == 20) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20);
  } else if constexpr (fields == 21) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21] =
        value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21);
  } else if constexpr (fields == 22) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22);
  } else if constexpr (fields == 23) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23);
  } else if constexpr (fields == 24) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23, f24] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23, f24);
  } else if constexpr (fields == 25) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23, f24, f25] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23, f24, f25);
  } else if constexpr (fields == 26) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23, f24, f25, f26] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23, f24, f25, f26);
  } else if constexpr (fields == 27) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23, f24, f25, f26, f27] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23, f24, f25, f26, f27);
  } else if constexpr (fields == 28) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23, f24, f25, f26, f27, f28] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23, f24, f25, f26, f27, f28);
  } else if constexpr (fields == 29) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23, f24, f25, f26, f27, f28, f29] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23, f24, f25, f26, f27, f28, f29);
  } else if constexpr (fields == 30) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23, f24, f25, f26, f27, f28, f29, f30] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23, f24, f25, f26, f27, f28, f29, f30);
  } else if constexpr (fields == 31) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23, f24, f25, f26, f27, f28, f29, f30, f31] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31);
  } else if constexpr (fields == 32) {
    auto& [f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
           f22, f23, f24, f25, f26, f27, f28, f29, f30, f31, f32] = value;
    return visit(f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20,
                 f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31, f32);
  }
}

}  // namespace kanor::abi
