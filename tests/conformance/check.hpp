#pragma once
// What every conformance program uses: CHECK and CHECK_EQ print the rank, the place and both values,
// and `check::finish` makes the exit status and one line for the comparison between kinds of ranks.
// It is compiled by kanorc like the program itself, so that `failures` is private to each rank.
#include <kanor/kanor.hpp>

#include <complex>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace check {

inline int failures = 0;
inline std::uint64_t digest = 14695981039346656037ull;

template <class T>
std::string show(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    return std::to_string(static_cast<long long>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    char text[64];
    std::snprintf(text, sizeof text, "%.21Lg", static_cast<long double>(value));
    return text;
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    const std::string_view text = value;
    return '"' + std::string(text.substr(0, 60)) + (text.size() > 60 ? "\"..." : "\"");
  } else if constexpr (requires { value.real(); value.imag(); }) {
    return '(' + show(value.real()) + ',' + show(value.imag()) + ')';
  } else if constexpr (requires { value.has_value(); *value; }) {
    return value.has_value() ? show(*value) : "nothing";
  } else if constexpr (requires { value.first; value.second; }) {
    return show(value.first) + ':' + show(value.second);
  } else if constexpr (requires { std::begin(value); std::end(value); }) {
    std::string text = "{";
    for (const auto& element : value) {
      if (text.size() > 1) text += ", ";
      if (text.size() > 200) return text + "...}";
      text += show(static_cast<const std::remove_cvref_t<decltype(element)>&>(element));
    }
    return text + '}';
  } else {
    return "(a value without a text)";
  }
}

inline void failed(const char* file, int line, const char* what, const std::string& actual, const std::string& expected) {
  ++failures;
  std::fprintf(stderr, "rank %d of %d: %s:%d: %s: got %s, expected %s\n", kanor::world.rank(), kanor::world.size(), file, line,
               what, actual.c_str(), expected.c_str());
}

/// Compares with ==; `digest` compares the printed values between kinds of ranks, floating point with all its digits.
template <class A, class B>
void equal(const char* file, int line, const char* what, const A& actual, const B& expected) {
  if (!(actual == expected)) failed(file, line, what, show(actual), show(expected));
  for (const char byte : show(actual)) digest = (digest ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
}

inline void holds(const char* file, int line, const char* what, bool condition) {
  if (!condition) failed(file, line, what, "false", "true");
}

/// Prints `name rank r of n: ok <digest of all checked values>` and gives main's return value.
inline int finish(const char* name) {
  std::printf("%s rank %d of %d: %s %016llx\n", name, kanor::world.rank(), kanor::world.size(), failures ? "FAILED" : "ok",
              static_cast<unsigned long long>(digest));
  return failures ? 1 : 0;
}

}  // namespace check

#define CHECK_EQ(actual, ...) check::equal(__FILE__, __LINE__, #actual, actual, __VA_ARGS__)
#define CHECK(...) check::holds(__FILE__, __LINE__, #__VA_ARGS__, static_cast<bool>(__VA_ARGS__))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
