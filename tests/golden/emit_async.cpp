// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: sed 's|"[^"]*emit_async.cpp"|"emit_async.cpp"|' %t.cpp | %FileCheck --strict-whitespace --match-full-lines %s
// RUN: %kanorc --dump=shadow %s | %FileCheck --check-prefix=SHADOW --strict-whitespace --match-full-lines %s
// A block that ends later becomes a declaration: its statements stand in a function that starts the exchange. Where
// they speak of another thing with the declared name, that function is declared before the name.
#include <kanor/kanor.hpp>

int shift(int mine) {
  int left = -1;
  @communicate (async = later, copy) {
    left@(i + 1) % world.size() <<= mine@i where i in world
  }
  KANOR_COMMUNICATE((async = other), left@0 <<= mine@1);
  {
    @communicate (async = mine) { left@0 <<= mine@0 }
  }
  later.wait();
  return mine;
}
// CHECK:int shift(int mine) {
// CHECK-NEXT:  int left = -1;
// CHECK-NEXT:  ::kanor::pending later = [&](const ::kanor::abi::site& kanor_site) { using ::kanor::world; return ::kanor::abi::start(kanor_site, {.copy = true}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({13, "left@(i + 1) % world.size() <<= mine@i where i in world", "i", ::kanor::abi::lasting_value, "i: 0 .. $0 - 1; to (i + 1) % $0; from i; is shift"}, {world.size()}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 13
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:#line 13
// CHECK-NEXT:        if (kanor_bind((i + 1) % world.size(), i, i)) {
// CHECK-NEXT:#line 13
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(mine) : kanor_bind.nothing();
// CHECK-NEXT:#line 13
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(left, kanor_sent, i); } });
// CHECK-NEXT:#line 12
// CHECK-NEXT:    }); }({"emit_async.cpp", 12, __func__});
// CHECK-NEXT:#line 15
// CHECK-NEXT:  ::kanor::pending other = [&](const ::kanor::abi::site& kanor_site) { return ::kanor::abi::start(kanor_site, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:#line 15
// CHECK-NEXT:    kanor_block.assign({15, "left@0 <<= mine@1", "", ::kanor::abi::lasting_value, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 15
// CHECK-NEXT:      if (kanor_bind(0, 1)) {
// CHECK-NEXT:#line 15
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(mine) : kanor_bind.nothing();
// CHECK-NEXT:#line 15
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(left, kanor_sent); } });
// CHECK-NEXT:#line 15
// CHECK-NEXT:    }); }({"emit_async.cpp", 15, __func__});
// CHECK-NEXT:  {
// CHECK-NEXT:    const auto kanor_pending_mine = [&](const ::kanor::abi::site& kanor_site) { return ::kanor::abi::start(kanor_site, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:#line 17
// CHECK-NEXT:      kanor_block.assign({17, "left@0 <<= mine@0", "", ::kanor::abi::lasting_value, "to 0; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 17
// CHECK-NEXT:        if (kanor_bind(0, 0)) {
// CHECK-NEXT:#line 17
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(mine) : kanor_bind.nothing();
// CHECK-NEXT:#line 17
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(left, kanor_sent); } });
// CHECK-NEXT:#line 17
// CHECK-NEXT:      }); }; ::kanor::pending mine = kanor_pending_mine({"emit_async.cpp", 17, __func__});
// CHECK-NEXT:  }
// CHECK-NEXT:  later.wait();
// CHECK-NEXT:  return mine;
// CHECK-NEXT:}
// CHECK:__attribute__((section(".kanor.note"), used)) static const char kanor_note[] = "kanor 1\n";
// SHADOW:int shift(int mine) {
// SHADOW-NEXT:  int left = -1;
// SHADOW-NEXT:  do { for (const auto i : ::kanor_shadow::kanor_each(world)) { (void)((i + 1) % world.size()); (void)(i); (void)(left); (void)(mine); } 
// SHADOW-EMPTY:
// SHADOW-NEXT:} while (false); ::kanor::pending later;
// SHADOW-NEXT:  do { { (void)(0); (void)(1); (void)(left); (void)(mine); } } while (false); ::kanor::pending other;
// SHADOW-NEXT:  {
// SHADOW-NEXT:    do { { (void)(0); (void)(0); (void)(left); (void)(mine); } } while (false); ::kanor::pending mine;
// SHADOW-NEXT:  }
// SHADOW-NEXT:  later.wait();
// SHADOW-NEXT:  return mine;
// SHADOW-NEXT:}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
