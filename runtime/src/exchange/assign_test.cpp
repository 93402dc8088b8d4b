// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `place <<= value` does for one place and one value, and how operations apply to values and elements.
#include "kanor/abi/assign.hpp"

#include <gtest/gtest.h>

#include <any>
#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <deque>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "kanor/abi/reduce.hpp"

namespace kanor::abi {
namespace {

struct Point {
  int x, y;
  bool operator==(const Point&) const = default;
};
struct Named : std::vector<int> {
  std::string name;
};

// How types travel.
static_assert(flat<int> && flat<double[3][2]> && flat<Point> && flat<Point[4]> && flat<std::array<Point, 3>>);
static_assert(flat<std::complex<double>> && flat<std::chrono::seconds> && flat<std::bitset<70>>);
static_assert(flat<std::optional<int>> && flat<std::variant<int, double>>);
static_assert(!flat<int*> && !flat<int* [3]> && !flat<int Point::*> && !flat<std::nullptr_t>);
static_assert(!flat<std::span<int>> && !flat<std::string_view>);
static_assert(flat_sequence<std::vector<int>> && flat_sequence<std::string> &&
              flat_sequence<std::vector<bool>>);
static_assert(flat_sequence<std::vector<Point>> && flat_sequence<std::u32string>);
static_assert(!flat_sequence<std::vector<std::string>> && !flat_sequence<std::vector<int*>>);
static_assert(!flat_sequence<Named> && !flat_sequence<std::deque<int>> && !flat_sequence<std::list<int>>);
static_assert(!flat_sequence<std::map<int, int>> && !vector_like<std::unique_ptr<int>>);
static_assert(text<std::string> && !text<std::vector<char>>);
static_assert(std::is_same_v<travelling_type<std::vector<bool>::reference>, bool>);
static_assert(std::is_same_v<travelling_type<std::bitset<3>::reference>, bool>);
static_assert(std::is_same_v<travelling_type<const std::bitset<3>&>, std::bitset<3>>);
static_assert(std::is_same_v<travelling_type<const char (&)[6]>, char[6]>);
static_assert(view<std::span<int>> && view<std::string_view> && !view<std::string> &&
              !view<std::vector<int>>);

// Which assignments are copies of bytes, for which nothing is compiled.
static_assert(assigns_bytes<int&, int> && assigns_bytes<Point&, Point> &&
              assigns_bytes<double (&)[2][3], double[2][3]>);
static_assert(!assigns_bytes<long&, int> && !assigns_bytes<std::vector<bool>::reference, bool>);

// Bytes at the end of these may be a neighbour's.
struct Padded {
  explicit Padded(int value) : number(value) {}
  int number;
  char tag = 1;
};
struct Hollow {};
static_assert(!assigns_bytes<Padded&, Padded> && !assigns_bytes<Hollow&, Hollow>);

template <class Place, class Value>
void assign(Place&& place, Value value) {
  assign_value(static_cast<Place&&>(place), value);
}

template <class Place, class Element, std::size_t count>
void assign_array(Place&& place, const Element (&array)[count]) {
  Element value[count];
  std::copy(array, array + count, value);
  assign_value(static_cast<Place&&>(place), value);
}

TEST(Assign, ConvertsArithmetic) {
  int i = 0;
  assign(i, 3.9);
  EXPECT_EQ(i, 3);
  double d = 0;
  assign(d, 7);
  EXPECT_EQ(d, 7.0);
  bool b = false;
  assign(b, 2);
  EXPECT_TRUE(b);
  unsigned char c = 0;
  assign(c, 257);
  EXPECT_EQ(c, 1);
  volatile int v = 0;
  assign(v, 5);
  EXPECT_EQ(v, 5);
}

TEST(Assign, ArraysElementByElement) {
  double d[3] = {};
  assign_array(d, {1, 2, 3});
  EXPECT_EQ(d[2], 3.0);
  assign(d, std::array<float, 3>{4, 5, 6});
  EXPECT_EQ(d[0], 4.0);
  assign(d, std::vector<int>{7, 8, 9});
  EXPECT_EQ(d[1], 8.0);
  std::array<long, 2> a{};
  assign(a, std::array<int, 2>{1, 2});
  EXPECT_EQ(a, (std::array<long, 2>{1, 2}));
  assign_array(a, {5, 6});
  EXPECT_EQ(a, (std::array<long, 2>{5, 6}));
  std::string words[2];
  const char* texts[2] = {"x", "yy"};
  assign_array(words, {std::string(texts[0]), std::string(texts[1])});
  EXPECT_EQ(words[1], "yy");
}

TEST(Assign, ArraysOfSeveralDimensions) {
  double place[2][3] = {};
  float value[2][3] = {{1, 2, 3}, {4, 5, 6}};
  assign_value(place, value);
  EXPECT_EQ(place[1][2], 6.0);
  EXPECT_EQ(place[0][1], 2.0);
  std::array<std::array<int, 2>, 2> nested{};
  assign(nested, std::vector<std::array<short, 2>>{{1, 2}, {3, 4}});
  EXPECT_EQ(nested[1][0], 3);
}

TEST(Assign, VectorsTakeTheLength) {
  std::vector<double> v(10);
  assign(v, std::array<int, 2>{1, 2});
  EXPECT_EQ(v, (std::vector<double>{1, 2}));
  assign_array(v, {1.5, 2.5, 3.5});
  EXPECT_EQ(v, (std::vector<double>{1.5, 2.5, 3.5}));
  assign(v, std::array<float, 1>{4});
  EXPECT_EQ(v, std::vector<double>{4});
  std::vector<bool> b;
  assign(b, std::array<int, 3>{1, 0, 2});
  EXPECT_EQ(b, (std::vector<bool>{true, false, true}));
  std::vector<std::vector<double>> nested;
  assign(nested, std::array<std::array<int, 2>, 2>{{{1, 4}, {2, 3}}});
  EXPECT_EQ(nested[1], (std::vector<double>{2, 3}));
}

TEST(Assign, StringsFromArraysUpToTheEnd) {
  std::string s = "old";
  assign_array(s, "hello");
  EXPECT_EQ(s, "hello");
  const char full[3] = {'a', 'b', 'c'};
  assign_array(s, full);
  EXPECT_EQ(s, "abc");
  const char padded[8] = "hi";
  assign_array(s, padded);
  EXPECT_EQ(s, "hi");
  assign(s, std::string("moved"));
  EXPECT_EQ(s, "moved");
}

TEST(Assign, WhateverCppAssigns) {
  std::optional<double> o;
  assign(o, 3);
  EXPECT_EQ(o, 3.0);
  std::variant<int, std::string> v;
  assign(v, std::string("text"));
  EXPECT_EQ(std::get<1>(v), "text");
  std::any any;
  assign(any, 5);
  EXPECT_EQ(std::any_cast<int>(any), 5);
  std::pair<long, double> p;
  assign(p, std::pair<int, float>{1, 2});
  EXPECT_EQ(p, (std::pair<long, double>{1, 2}));
  std::filesystem::path path;
  assign(path, std::string("a/b"));
  EXPECT_EQ(path.filename(), "b");
  std::unique_ptr<int> place;
  auto value = std::make_unique<int>(7);
  assign_value(place, value);
  EXPECT_EQ(*place, 7);
}

TEST(Assign, Proxies) {
  std::vector<bool> bits(3);
  assign(bits[1], true);
  EXPECT_EQ(bits, (std::vector<bool>{false, true, false}));
  std::bitset<4> set;
  assign(set[2], 1);
  EXPECT_EQ(set.to_ulong(), 4u);
  int x = 0;
  std::string y;
  assign(std::tie(x, y), std::tuple<int, std::string>{4, "t"});
  EXPECT_EQ(x, 4);
  EXPECT_EQ(y, "t");
}

TEST(Assign, SequencesWithoutMakingThem) {
  int elements[] = {1, 2, 3};
  std::vector<int> v;
  assign_sequence<std::vector<int>>(v, elements, 3);
  EXPECT_EQ(v, (std::vector{1, 2, 3}));
  double d[3];
  assign_sequence<std::vector<int>>(d, elements, 3);
  EXPECT_EQ(d[2], 3.0);
  std::array<short, 3> a;
  assign_sequence<std::vector<int>>(a, elements, 3);
  EXPECT_EQ(a[0], 1);
  std::optional<std::vector<int>> o;
  assign_sequence<std::vector<int>>(o, elements, 3);
  EXPECT_EQ(o->size(), 3u);
  bool truth[] = {true, false};
  std::vector<bool> bits;
  assign_sequence<std::vector<bool>>(bits, truth, 2);
  EXPECT_EQ(bits, (std::vector<bool>{true, false}));
}

// Reductions of two values.

template <class Operation, class Value>
Value folded(Operation operation, Value a, Value b) {
  fold(operation, a, b);
  return a;
}

TEST(Fold, ListedOperations) {
  EXPECT_EQ(folded(add, 2, 3), 5);
  EXPECT_EQ(folded(multiply, 2.5, 3.0), 7.5);
  EXPECT_EQ(folded(bit_and, 6, 3), 2);
  EXPECT_EQ(folded(bit_or, 6, 3), 7);
  EXPECT_EQ(folded(bit_xor, 6, 3), 5);
  EXPECT_TRUE(folded(logical_and, true, true));
  EXPECT_EQ(folded(logical_or, 0, 7), 1);
  EXPECT_EQ(folded(min, 3, 2), 2);
  EXPECT_EQ(folded(max, 3, 2), 3);
  EXPECT_EQ(folded(add, std::string("ab"), std::string("c")), "abc");
  EXPECT_EQ(folded(max, std::string("ab"), std::string("c")), "c");
  EXPECT_TRUE(folded(add, true, true));
}

TEST(Fold, InTheValuesType) {
  EXPECT_EQ(folded(add, std::int8_t{100}, std::int8_t{100}), -56);
  EXPECT_EQ(folded(multiply, std::uint16_t{65535}, std::uint16_t{65535}), 1);
  EXPECT_EQ(folded(add, std::uint8_t{200}, std::uint8_t{100}), 44);
  EXPECT_EQ(folded([](double a, double b) { return a + b; }, 1, 2), 3);
}

TEST(Fold, ListsElementByElement) {
  EXPECT_EQ(folded(add, std::vector{1, 2}, std::vector{3, 4}), (std::vector{4, 6}));
  EXPECT_EQ(folded(min, std::array{1, 9}, std::array{3, 4}), (std::array{1, 4}));
  EXPECT_EQ(
      folded(max, std::vector<std::vector<int>>{{1}, {5, 2}}, std::vector<std::vector<int>>{{3}, {4, 4}}),
      (std::vector<std::vector<int>>{{3}, {5, 4}}));
  EXPECT_EQ(folded(bit_xor, std::vector{true, true}, std::vector{true, false}), (std::vector{false, true}));
  EXPECT_EQ(folded(add, std::vector<std::string>{"a"}, std::vector<std::string>{"b"}),
            (std::vector<std::string>{"ab"}));
  int a[2][2] = {{1, 2}, {3, 4}}, b[2][2] = {{10, 20}, {30, 40}};
  fold(add, a, b);
  EXPECT_EQ(a[1][1], 44);
}

TEST(Fold, CallablesWholeWhereTheyAcceptIt) {
  using Vector = std::vector<int>;
  const auto whole = [](const Vector& a, const Vector& b) { return a.size() > b.size() ? a : b; };
  EXPECT_EQ(folded(whole, Vector{1, 2}, Vector{3}), (Vector{1, 2}));
  const auto element = [](int a, int b) { return a - b; };
  EXPECT_EQ(folded(element, Vector{5, 6}, Vector{1, 2}), (Vector{4, 4}));
  // The body of a generic lambda may not compile for vectors: it must not be asked.
  const auto generic = [](auto a, auto b) { return a < b ? a + 0 : b + 0; };
  EXPECT_EQ(folded(combining_lists<0>(generic), Vector{5, 2}, Vector{1, 9}), (Vector{1, 2}));
  EXPECT_EQ(folded(combining_lists<0>(generic), std::vector{Vector{5, 2}}, std::vector{Vector{1, 9}}),
            (std::vector{Vector{1, 2}}));
  EXPECT_EQ(folded(combining_lists<0>(generic), 4, 3), 3);
  const auto smaller = [](auto a, auto b) { return a < b ? a : b; };
  EXPECT_EQ(folded(combining_lists<1>(smaller), Vector{5, 2}, Vector{1, 9}), (Vector{1, 9}));
  EXPECT_EQ(folded(combining_lists<1>(smaller), std::vector{Vector{5, 2}, Vector{0, 3}},
                   std::vector{Vector{1, 9}, Vector{4, 0}}),
            (std::vector{Vector{1, 9}, Vector{0, 3}}));
  EXPECT_EQ(folded(combining_lists<0>(std::plus<>()), Vector{5, 2}, Vector{1, 9}), (Vector{6, 11}));
  EXPECT_EQ(folded(std::plus<>(), std::string("x"), std::string("y")), "xy");
  const auto strings = [](const std::string& a, const std::string& b) { return b + a; };
  EXPECT_EQ(folded(strings, std::string("x"), std::string("y")), "yx");
  EXPECT_EQ(folded(
                +[](int a, int b) { return a * b; }, std::array{2, 3}, std::array{4, 5}),
            (std::array{8, 15}));
}

int larger(int a, int b) { return a > b ? a : b; }
std::vector<int> larger(const std::vector<int>& a, const std::vector<int>&) { return a; }

TEST(Fold, OverloadSets) {
  const auto set = [](const auto& a, const auto& b) -> decltype(larger(a, b)) { return larger(a, b); };
  EXPECT_EQ(folded(set, 3, 4), 4);
  EXPECT_EQ(folded(combining_lists<1>(set), std::vector{1}, std::vector{2}), std::vector{1});
  EXPECT_EQ(folded(combining_lists<0>(set), std::array{1}, std::array{2}), std::array{2});
}

}  // namespace
}  // namespace kanor::abi
