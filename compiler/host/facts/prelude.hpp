#pragma once

#include <string_view>

namespace kanor::host {

/// What the shadows' generators call: `kanor_each` gives a range whose element type tells what the set's
/// elements are, and lets a name be declared, as int if need be, whatever the set is. Any word of Clang's
/// messages that begins with `kanor_` comes from here or from the shadow.
inline constexpr std::string_view prelude = R"(
namespace kanor_shadow {
template <class Element, class Declared> struct elements { const Declared* begin() const; const Declared* end() const; };
struct no_range {};
template <bool, class> struct declared { using type = int; };
template <class T> struct declared<true, T> { using type = T; };
template <class T, class Bare = __remove_cvref(T)> using elements_of = elements<Bare, typename declared<__is_scalar(Bare), Bare>::type>;
struct last {}; struct second : last {}; struct first : second {};
template <class R> auto kanor_find(R& r, first) -> elements_of<decltype(*r.begin())>;
template <class R> auto kanor_find(R& r, second) -> elements_of<decltype(*begin(r))>;
template <class T, decltype(sizeof(0)) N> elements_of<T> kanor_find(T (&)[N], second);
template <class R> elements<no_range, int> kanor_find(R&, last);
template <class R> auto kanor_each(R&& r) -> decltype(kanor_shadow::kanor_find(r, first{}));
template <class T> T make();
template <class...> struct common { using type = int; };
template <class T> struct common<T> : declared<__is_integral(T), T> {};
template <class A, class B, class... C> struct common<A, B, C...> : common<decltype(false ? make<typename common<A>::type>() : make<typename common<B>::type>()), C...> {};
template <class... T> auto kanor_list(const T&...) -> elements<void, typename common<T...>::type>;
}
)";

}  // namespace kanor::host
