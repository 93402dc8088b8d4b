// What the programs of fuzz.py include: classes, and a value of any type from a number, the same on every rank.
#pragma once
#include "classes.hpp"

template <class T>
struct Maker {
  static T make(Random& random) {
    if constexpr (std::is_same_v<T, bool>)
      return random() % 2 == 0;
    else if constexpr (std::is_enum_v<T>)
      return static_cast<T>(random() % 200);
    else if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(static_cast<double>(random() % 100000) / 64);
    else if constexpr (std::is_arithmetic_v<T>)
      return static_cast<T>(random());
    else
      return T::make(random);
  }
};
template <class T>
T make(Random& random) {
  return Maker<T>::make(random);
}
template <class T>
struct MakeNumbers {
  static T make(Random& random) {
    T made;
    for (std::uint64_t left = random() % 4; left > 0; --left)
      made.insert(made.end(), ::make<typename T::value_type>(random));
    return made;
  }
};
template <class T, class A>
struct Maker<std::vector<T, A>> : MakeNumbers<std::vector<T, A>> {};
template <class T>
struct Maker<std::list<T>> : MakeNumbers<std::list<T>> {};
template <class T>
struct Maker<std::deque<T>> : MakeNumbers<std::deque<T>> {};
template <class T, class O, class A>
struct Maker<std::set<T, O, A>> : MakeNumbers<std::set<T, O, A>> {};
template <class T>
struct Maker<std::multiset<T>> : MakeNumbers<std::multiset<T>> {};
template <class T>
struct Maker<std::unordered_set<T>> : MakeNumbers<std::unordered_set<T>> {};
template <class T>
struct Maker<std::unordered_multiset<T>> : MakeNumbers<std::unordered_multiset<T>> {};
template <class T>
struct MakeEntries {
  static T make(Random& random) {
    T made;
    for (std::uint64_t left = random() % 4; left > 0; --left) {
      auto key = ::make<typename T::key_type>(random);
      made.insert({key, ::make<typename T::mapped_type>(random)});
    }
    return made;
  }
};
template <class K, class T, class O, class A>
struct Maker<std::map<K, T, O, A>> : MakeEntries<std::map<K, T, O, A>> {};
template <class K, class T>
struct Maker<std::multimap<K, T>> : MakeEntries<std::multimap<K, T>> {};
template <class K, class T>
struct Maker<std::unordered_map<K, T>> : MakeEntries<std::unordered_map<K, T>> {};
template <class K, class T>
struct Maker<std::unordered_multimap<K, T>> : MakeEntries<std::unordered_multimap<K, T>> {};
template <class C, class A>
struct Maker<std::basic_string<C, std::char_traits<C>, A>> {
  static std::basic_string<C, std::char_traits<C>, A> make(Random& random) {
    const std::size_t length = random() % 40;
    return std::basic_string<C, std::char_traits<C>, A>(length, static_cast<C>('a' + random() % 26));
  }
};
template <class T>
struct Maker<std::forward_list<T>> {
  static std::forward_list<T> make(Random& random) {
    std::forward_list<T> made;
    for (std::uint64_t left = random() % 4; left > 0; --left) made.push_front(::make<T>(random));
    return made;
  }
};
template <class T, std::size_t n>
struct Maker<std::array<T, n>> {
  static std::array<T, n> make(Random& random) {
    std::array<T, n> made{};
    for (T& element : made) element = ::make<T>(random);
    return made;
  }
};
template <class A, class B>
struct Maker<std::pair<A, B>> {
  static std::pair<A, B> make(Random& random) {
    A first = ::make<A>(random);
    return {std::move(first), ::make<B>(random)};
  }
};
template <class... T>
struct Maker<std::tuple<T...>> {
  static std::tuple<T...> make(Random& random) { return std::tuple<T...>{::make<T>(random)...}; }
};
template <class T>
struct Maker<std::optional<T>> {
  static std::optional<T> make(Random& random) {
    if (random() % 3 == 0) return std::nullopt;
    return ::make<T>(random);
  }
};
template <>
struct Maker<std::monostate> {
  static std::monostate make(Random&) { return {}; }
};
template <class A, class B>
struct Maker<std::variant<A, B>> {
  static std::variant<A, B> make(Random& random) {
    if (random() % 2 == 0) return std::variant<A, B>(std::in_place_index<0>, ::make<A>(random));
    return std::variant<A, B>(std::in_place_index<1>, ::make<B>(random));
  }
};
template <class T>
struct MakeByPushing {
  static T make(Random& random) {
    T made;
    for (std::uint64_t left = random() % 5; left > 0; --left) made.push(::make<typename T::value_type>(random));
    return made;
  }
};
template <class T, class C>
struct Maker<std::stack<T, C>> : MakeByPushing<std::stack<T, C>> {};
template <class T, class C>
struct Maker<std::queue<T, C>> : MakeByPushing<std::queue<T, C>> {};
template <class T, class C, class O>
struct Maker<std::priority_queue<T, C, O>> : MakeByPushing<std::priority_queue<T, C, O>> {};
template <class T>
struct Maker<std::valarray<T>> {
  static std::valarray<T> make(Random& random) {
    std::valarray<T> made(random() % 6);
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = ::make<T>(random);
    return made;
  }
};
template <std::size_t n>
struct Maker<std::bitset<n>> {
  static std::bitset<n> make(Random& random) { return (std::bitset<n>(random()) << n / 2) ^ std::bitset<n>(random()); }
};
template <class T>
struct Maker<std::complex<T>> {
  static std::complex<T> make(Random& random) { return {::make<T>(random), ::make<T>(random)}; }
};
template <class R, class P>
struct Maker<std::chrono::duration<R, P>> {
  static std::chrono::duration<R, P> make(Random& random) { return std::chrono::duration<R, P>(random() % 100000); }
};
template <class C, class D>
struct Maker<std::chrono::time_point<C, D>> {
  static std::chrono::time_point<C, D> make(Random& random) { return std::chrono::time_point<C, D>(::make<D>(random)); }
};
template <>
struct Maker<std::chrono::year_month_day> {
  static std::chrono::year_month_day make(Random& random) {
    return std::chrono::year_month_day(std::chrono::sys_days(std::chrono::days(random() % 10000)));
  }
};
template <>
struct Maker<std::mt19937> {
  static std::mt19937 make(Random& random) { return std::mt19937(static_cast<unsigned>(random())); }
};
inline Named Named::make(Random& random) {
  std::string name = ::make<std::string>(random);
  return {name, Point::make(random)};
}
inline NamedBits NamedBits::make(Random& random) {
  NamedBits made{};
  static_cast<Named&>(made) = Named::make(random);
  made.low = random() % 16, made.high = random() % 4096, made.inner = static_cast<int>(random());
  made.other = static_cast<short>(random());
  made.list = ::make<std::vector<int>>(random);
  return made;
}
inline Serialised Serialised::make(Random& random) {
  Serialised made;
  made.text_ = ::make<std::string>(random);
  made.number_ = static_cast<long>(random());
  return made;
}
inline Split Split::make(Random& random) {
  Split made;
  made.values_ = ::make<std::map<int, std::string>>(random);
  return made;
}
inline Outside Outside::make(Random& random) {
  Outside made;
  made.lines = ::make<std::vector<std::string>>(random);
  return made;
}

// Equality, also where the library has none, or one that only compares element by element.
template <class T>
bool same(const T& a, const T& b);
template <class T>
bool same(const std::valarray<T>& a, const std::valarray<T>& b);
template <class T, class C, class O>
bool same(std::priority_queue<T, C, O> a, std::priority_queue<T, C, O> b);
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b);
template <class T>
bool same(const std::list<T>& a, const std::list<T>& b);
template <class T>
bool same(const std::optional<T>& a, const std::optional<T>& b);
template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}
template <class T>
bool same(const std::valarray<T>& a, const std::valarray<T>& b) {
  return a.size() == b.size() && std::equal(std::begin(a), std::end(a), std::begin(b));
}
template <class T, class C, class O>
bool same(std::priority_queue<T, C, O> a, std::priority_queue<T, C, O> b) {
  if (a.size() != b.size()) return false;
  for (; !a.empty(); a.pop(), b.pop())
    if (!(a.top() == b.top())) return false;
  return true;
}

template <class T>
bool same_elements(const T& a, const T& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) { return same(x, y); });
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return same_elements(a, b);
}
template <class T>
bool same(const std::list<T>& a, const std::list<T>& b) {
  return same_elements(a, b);
}
template <class T>
bool same(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || same(*a, *b));
}

/// Rank `rank`'s value in nest `nest`.
template <class T>
T value_of(int nest, int rank) {
  Random random{static_cast<std::uint64_t>(nest) * 1000003u + static_cast<std::uint64_t>(rank)};
  return make<T>(random);
}
inline void check(bool holds, const char* type, const char* how) {
  if (!holds) std::printf("%s: other value %s\n", type, how);
}
/// An object for blocks that are compiled, or not, and never executed.
template <class T>
T& hold();

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
