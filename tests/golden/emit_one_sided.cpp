// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: sed 's|"[^"]*emit_one_sided.cpp"|"emit_one_sided.cpp"|' %t.cpp | %FileCheck --strict-whitespace --match-full-lines %s
// Where one side knows, what the other evaluates is a function of the names that it uses, ahead of the bindings; these
// follow twice, the second time for their types alone. Only those who know look for bindings, so that the form is silent
// about the other rank, and no leaf comes from it: `to[k]` may be valid on senders alone.
#include <kanor/kanor.hpp>
#include <numeric>
#include <vector>

void sparse(std::vector<int>& hits, const std::vector<int>& to, int me) {
  @communicate (knows = sender) {
    hits[cell]@to[k] << std::gcd << k@me
      where k in kanor::range(0, 3), let cell = 2 * k, k != me;
  }
  @communicate (copy, knows = receiver, async = later) { hits[k]@me <<= to[k + me]@k where k in world }
}
// CHECK:void sparse(std::vector<int>& hits, const std::vector<int>& to, int me) {
// CHECK-NEXT:  { ::kanor::abi::execute({"emit_one_sided.cpp", 13, __func__}, {.knows = ::kanor::abi::knows::sender}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.push_reduce({14, "hits[cell]@to[k] << std::gcd << k@me where k in kanor::range(0, 3), let cell = 2 * k, k != me", "k, cell", 0, "k: 0 .. 2; if k != $0; to ?; from $0", "cell"}, {me}, [&](const auto& kanor_a, const auto& kanor_b) -> decltype(std::gcd(kanor_a, kanor_b)) { return std::gcd(kanor_a, kanor_b); }, 
// CHECK-NEXT:#line 14
// CHECK-NEXT:      [&](auto kanor_at, {{\[\[}}maybe_unused]] const auto& cell) { return kanor_at(kanor_at.element(hits, cell)); },
// CHECK-NEXT:#line 14
// CHECK-NEXT:      [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto k : kanor_bind.only(0, ::kanor::abi::each(kanor::range(0, 3))))
// CHECK-NEXT:#line 15
// CHECK-NEXT:        if (const auto cell = 2 * k; true) if (k != me)
// CHECK-NEXT:#line 14
// CHECK-NEXT:            kanor_bind(to[k], me, [&](auto kanor_send) { return kanor_send(k); }, [&](auto kanor_carry) { return kanor_carry(cell); }, k, cell); },
// CHECK-NEXT:#line 14
// CHECK-NEXT:      [&](auto kanor_bind) {
// CHECK-NEXT:      for (const auto k : kanor_bind.only(0, ::kanor::abi::each(kanor::range(0, 3))))
// CHECK-NEXT:#line 15
// CHECK-NEXT:        if (const auto cell = 2 * k; true) if (k != me)
// CHECK-NEXT:#line 14
// CHECK-NEXT:            return kanor_bind(to[k], me, [&](auto kanor_send) { return kanor_send(k); }, [&](auto kanor_carry) { return kanor_carry(cell); }, k, cell);
// CHECK-NEXT:#line 14
// CHECK-NEXT:      __builtin_unreachable(); });
// CHECK-NEXT:#line 13
// CHECK-NEXT:    }); }
// CHECK-NEXT:#line 17
// CHECK-NEXT:  ::kanor::pending later = [&](const ::kanor::abi::site& kanor_site) { using ::kanor::world; return ::kanor::abi::start(kanor_site, {.knows = ::kanor::abi::knows::receiver, .copy = true}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:#line 17
// CHECK-NEXT:    kanor_block.pull({17, "hits[k]@me <<= to[k + me]@k where k in world", "k", 0, "k: 0 .. $0 - 1; to $1; from ?", "k"}, {world.size(), me},
// CHECK-NEXT:#line 17
// CHECK-NEXT:      [&, me](auto kanor_send, {{\[\[}}maybe_unused]] const auto& k) { return kanor_send(kanor_send.element(to, k + me)); },
// CHECK-NEXT:#line 17
// CHECK-NEXT:      [&](auto& kanor_bind) {
// CHECK-NEXT:#line 17
// CHECK-NEXT:      for (const auto k : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:#line 17
// CHECK-NEXT:        kanor_bind(me, k, [&](auto kanor_at) { return kanor_at(kanor_at.element(hits, k)); }, [&](auto kanor_carry) { return kanor_carry(k); }, k); },
// CHECK-NEXT:#line 17
// CHECK-NEXT:      [&](auto kanor_bind) {
// CHECK-NEXT:#line 17
// CHECK-NEXT:      for (const auto k : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:#line 17
// CHECK-NEXT:        return kanor_bind(me, k, [&](auto kanor_at) { return kanor_at(kanor_at.element(hits, k)); }, [&](auto kanor_carry) { return kanor_carry(k); }, k);
// CHECK-NEXT:#line 17
// CHECK-NEXT:      __builtin_unreachable(); });
// CHECK-NEXT:#line 17
// CHECK-NEXT:    }); }({"emit_one_sided.cpp", 17, __func__});
// CHECK-NEXT:}
// CHECK:__attribute__((section(".kanor.note"), used)) static const char kanor_note[] = "kanor 1\n";

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
