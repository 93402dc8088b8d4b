// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: grep '^  {.*kanor::abi::execute' %t.cpp | sed 's|"[^"]*emit_modifiers.cpp"|"emit_modifiers.cpp"|' | %FileCheck --strict-whitespace --match-full-lines %s
// What stands in the parentheses is the block's second argument, in the runtime's order.
#include <kanor/kanor.hpp>

int f(int a, const kanor::team* t) {
  @communicate (team = *t) { a@0 <<= a@1 }
// CHECK:  { ::kanor::abi::execute({"emit_modifiers.cpp", [[@LINE-1]], __func__}, {.team = *t}, [&](::kanor::abi::block& kanor_block) {
  @communicate (copy, team = t[0].split(a, 1)) { a@0 <<= a@1 }
// CHECK-NEXT:  { ::kanor::abi::execute({"emit_modifiers.cpp", [[@LINE-1]], __func__}, {.team = t[0].split(a, 1), .copy = true}, [&](::kanor::abi::block& kanor_block) {
  KANOR_COMMUNICATE((copy), a@0 <<= a@1);
// CHECK-NEXT:  { ::kanor::abi::execute({"emit_modifiers.cpp", [[@LINE-1]], __func__}, {.copy = true}, [&](::kanor::abi::block& kanor_block) {
  @communicate (knows = both) { a@0 <<= a@1 }
// CHECK-NEXT:  { ::kanor::abi::execute({"emit_modifiers.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
  @communicate (team = world) { a@0 <<= a@1 }
// CHECK-NEXT:  { using ::kanor::world; ::kanor::abi::execute({"emit_modifiers.cpp", [[@LINE-1]], __func__}, {.team = world}, [&](::kanor::abi::block& kanor_block) {
  return a;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
