// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: grep 'kanor_block.reduce' %t.cpp | %FileCheck --strict-whitespace --match-full-lines %s
// What stands between the two arrows: the runtime's function for each operator, under each of its spellings; a callable as
// it is, or called by its name where that stands for several functions.
#include <kanor/kanor.hpp>

#include <functional>
#include <numeric>

int larger(int a, int b);

void operators(int a, bool b) {
  @communicate { a@0 << + << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << + << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::add, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << * << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << * << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::multiply, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << & << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << & << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::bit_and, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << | << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << | << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::bit_or, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << ^ << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << ^ << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::bit_xor, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { b@0 << && << b@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "b@0 << && << b@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::logical_and, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { b@0 << || << b@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "b@0 << || << b@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::logical_or, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << min << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << min << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::min, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << max << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << max << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::max, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << bitand << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << bitand << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::bit_and, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << bitor << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << bitor << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::bit_or, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << xor << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << xor << a@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::bit_xor, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { b@0 << and << b@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "b@0 << and << b@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::logical_and, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { b@0 << or << b@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "b@0 << or << b@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::logical_or, [&](auto& kanor_bind, auto kanor_operation) {
}

void callables(int a, std::function<int(int, int)> call) {
  int (*const pointer)(int, int) = larger;
  const auto min = [](int x, int y) { return x * y; };
  @communicate { a@0 << larger << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << larger << a@1", "", 0, "to 0; from 1; is point_to_point"}, larger, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << pointer << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << pointer << a@1", "", 0, "to 0; from 1; is point_to_point"}, pointer, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << call << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << call << a@1", "", 0, "to 0; from 1; is point_to_point"}, call, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << (min) << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << (min) << a@1", "", 0, "to 0; from 1; is point_to_point"}, (min), [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << std::plus<>() << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << std::plus<>() << a@1", "", 0, "to 0; from 1; is point_to_point"}, std::plus<>(), [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << std::multiplies<int>{} << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << std::multiplies<int>{} << a@1", "", 0, "to 0; from 1; is point_to_point"}, std::multiplies<int>{}, [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << [&](int x, int y) { return larger(x, y) << 1; } << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << [&](int x, int y) { return larger(x, y) << 1; } << a@1", "", 0, "to 0; from 1; is point_to_point"}, [&](int x, int y) { return larger(x, y) << 1; }, [&](auto& kanor_bind, auto kanor_operation) {
  std::vector<int> list{a};
  @communicate { list@0 << [](auto x, auto y) { return x + y; } << list@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "list@0 << [](auto x, auto y) { return x + y; } << list@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::combining_lists<0>([](auto x, auto y) { return x + y; }), [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { list@0 << (std::max) << list@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "list@0 << (std::max) << list@1", "", 0, "to 0; from 1; is point_to_point"}, ::kanor::abi::combining_lists<1>([&](const auto& kanor_a, const auto& kanor_b) -> decltype((std::max)(kanor_a, kanor_b)) { return (std::max)(kanor_a, kanor_b); }), [&](auto& kanor_bind, auto kanor_operation) {
  @communicate { a@0 << std::gcd << a@1 }
// CHECK:    kanor_block.reduce({[[@LINE-1]], "a@0 << std::gcd << a@1", "", 0, "to 0; from 1; is point_to_point"}, [&](const auto& kanor_a, const auto& kanor_b) -> decltype(std::gcd(kanor_a, kanor_b)) { return std::gcd(kanor_a, kanor_b); }, [&](auto& kanor_bind, auto kanor_operation) {
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
