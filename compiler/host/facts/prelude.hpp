// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace kanor::host {

/// Declarations for the functions that the shadows call: `kanor_each` gives a range whose element type tells
/// the type of the set's elements, and lets a name be declared, as int if need be, whatever the set is.
/// (Functions have bodies, as those of types without linkage must.) Any word of Clang's messages that begins
/// with `kanor_` comes from here or from the shadow, and every name here does: Clang would offer others in
/// place of the user's misspelt ones.
inline constexpr std::string_view prelude = R"(
namespace kanor_shadow {
template <class Element, class Declared> struct kanor_elements { const Declared* begin() const { return nullptr; } const Declared* end() const { return nullptr; } };
struct kanor_no_range {};
template <bool, class> struct kanor_declared { using type = int; };
template <class T> struct kanor_declared<true, T> { using type = T; };
template <class T, class Bare = __remove_cvref(T)> using kanor_elements_of = kanor_elements<Bare, typename kanor_declared<__is_scalar(Bare), Bare>::type>;
struct kanor_last {}; struct kanor_second : kanor_last {}; struct kanor_first : kanor_second {};
template <class R> auto kanor_find(R& r, kanor_first) -> kanor_elements_of<decltype(*r.begin())>;
template <class R> auto kanor_find(R& r, kanor_second) -> kanor_elements_of<decltype(*begin(r))>;
template <class T, decltype(sizeof(0)) N> kanor_elements_of<T> kanor_find(T (&)[N], kanor_second);
template <class R> kanor_elements<kanor_no_range, int> kanor_find(R&, kanor_last);
template <class R> auto kanor_each(R&& r) -> decltype(kanor_shadow::kanor_find(r, kanor_first{})) { return {}; }
template <class T> T kanor_make();
template <class...> struct kanor_common { using type = int; };
template <class T> struct kanor_common<T> : kanor_declared<__is_integral(T), T> {};
template <class T> requires((__is_enum(T) || __is_same(T, bool)) && requires(T t) { +t; }) struct kanor_common<T> { using type = decltype(+kanor_make<T>()); };
template <class A, class B, class... C> struct kanor_common<A, B, C...> : kanor_common<decltype(false ? kanor_make<typename kanor_common<A>::type>() : kanor_make<typename kanor_common<B>::type>()), C...> {};
template <class... T> auto kanor_list(const T&...) -> kanor_elements<void, typename kanor_common<T...>::type> { return {}; }
}
)";

}  // namespace kanor::host
