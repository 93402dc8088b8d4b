// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: sed 's|"[^"]*emit_statements.cpp"|"emit_statements.cpp"|' %t.cpp | %FileCheck --strict-whitespace --match-full-lines %s
// A block as the host compiler sees it: the user's expressions word for word, `#line` before them, one call a statement.
#include <kanor/kanor.hpp>

#include <numeric>
#include <vector>

int shift(int mine, std::vector<int>& all) {
  int left = -1;
  @communicate { left@(i + 1) % world.size() <<= mine@i where i in world }
  @communicate {
    all[k]@0 <<= mine * 2@i where i in world, let k = i / 2, k % 2 == 0;
    left@0 << + << mine@i where i, j in {0 ... 3}, i < j;
    left@1 << std::gcd << mine@i where i in {2, 3}
  }
  if (left > 0) KANOR_COMMUNICATE(left@0 <<= left@1); else return 0;
  return left;
}
// CHECK:int shift(int mine, std::vector<int>& all) {
// CHECK-NEXT:  int left = -1;
// CHECK-NEXT:  { using ::kanor::world; ::kanor::abi::execute({"emit_statements.cpp", 13, __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:#line 13
// CHECK-NEXT:    kanor_block.assign({13, "left@(i + 1) % world.size() <<= mine@i where i in world", "i", 0, "i: 0 .. $0 - 1; to (i + 1) % $0; from i; is shift"}, {world.size()}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 13
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:#line 13
// CHECK-NEXT:        if (kanor_bind((i + 1) % world.size(), i, i)) {
// CHECK-NEXT:#line 13
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(mine) : kanor_bind.nothing();
// CHECK-NEXT:#line 13
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(left, kanor_sent, i); } });
// CHECK-NEXT:#line 13
// CHECK-NEXT:    }); }
// CHECK-NEXT:  { using ::kanor::world; ::kanor::abi::execute({"emit_statements.cpp", 14, __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({15, "all[k]@0 <<= mine * 2@i where i in world, let k = i / 2, k % 2 == 0", "i, k", 0, "i: 0 .. $0 - 1; if i / 2 % 2 == 0; to 0; from i"}, {world.size()}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 15
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:#line 15
// CHECK-NEXT:        if (const auto k = i / 2; true) if (k % 2 == 0)
// CHECK-NEXT:#line 15
// CHECK-NEXT:            if (kanor_bind(0, i, i, k)) {
// CHECK-NEXT:#line 15
// CHECK-NEXT:              const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(mine * 2) : kanor_bind.nothing();
// CHECK-NEXT:#line 15
// CHECK-NEXT:              if (kanor_bind.receives()) kanor_bind.assign(kanor_bind.element(all, k), kanor_sent, i, k); } });
// CHECK-NEXT:    kanor_block.reduce({16, "left@0 << + << mine@i where i, j in {0 ... 3}, i < j", "i, j", 0, "i: 0 .. 3; j: 0 .. 3; if i < j; to 0; from i"}, ::kanor::abi::add, [&](auto& kanor_bind, auto kanor_operation) {
// CHECK-NEXT:#line 16
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(0, 3)))
// CHECK-NEXT:#line 16
// CHECK-NEXT:        for (const auto j : kanor_bind.only(1, ::kanor::abi::each(0, 3))) if (i < j)
// CHECK-NEXT:#line 16
// CHECK-NEXT:            if (kanor_bind(0, i, i, j)) {
// CHECK-NEXT:#line 16
// CHECK-NEXT:              const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(mine) : kanor_bind.nothing();
// CHECK-NEXT:#line 16
// CHECK-NEXT:              if (kanor_bind.receives()) kanor_bind.reduce(left, kanor_sent, kanor_operation, i, j); } });
// CHECK-NEXT:    kanor_block.reduce({17, "left@1 << std::gcd << mine@i where i in {2, 3}", "i", 0, "i: {2, 3}; to 1; from i"}, [&](const auto& kanor_a, const auto& kanor_b) -> decltype(std::gcd(kanor_a, kanor_b)) { return std::gcd(kanor_a, kanor_b); }, [&](auto& kanor_bind, auto kanor_operation) {
// CHECK-NEXT:#line 17
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::list(2, 3)))
// CHECK-NEXT:#line 17
// CHECK-NEXT:        if (kanor_bind(1, i, i)) {
// CHECK-NEXT:#line 17
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(mine) : kanor_bind.nothing();
// CHECK-NEXT:#line 17
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.reduce(left, kanor_sent, kanor_operation, i); } });
// CHECK-NEXT:#line 14
// CHECK-NEXT:    }); }
// CHECK-NEXT:#line 19
// CHECK-NEXT:  if (left > 0) { ::kanor::abi::execute({"emit_statements.cpp", 19, __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:#line 19
// CHECK-NEXT:    kanor_block.assign({19, "left@0 <<= left@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 19
// CHECK-NEXT:      if (kanor_bind(0, 1)) {
// CHECK-NEXT:#line 19
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(left) : kanor_bind.nothing();
// CHECK-NEXT:#line 19
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(left, kanor_sent); } });
// CHECK-NEXT:#line 19
// CHECK-NEXT:    }); }
// CHECK-NEXT:#line 19
// CHECK-NEXT:                                                      else return 0;
// CHECK-NEXT:  return left;
// CHECK-NEXT:}
// CHECK:__attribute__((section(".kanor.note"), used)) static const char kanor_note[] = "kanor 1\n";

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
