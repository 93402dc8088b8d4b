// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: sed 's|"[^"]*emit_clauses.cpp"|"emit_clauses.cpp"|' %t.cpp | grep -v '^#line' | %FileCheck --strict-whitespace --match-full-lines %s
// RUN: %kanorc --no-hoisting --emit-cpp %s -o %t.inner.cpp && ! grep "^[^/]*abi::once" %t.inner.cpp
// Clauses become loops, constants and conditions, in their order; each set is told which of its members this rank needs.
#include <kanor/kanor.hpp>

#include <array>
#include <vector>

void sets(int x, int n, const std::vector<int>& listed, const kanor::team& t, const kanor::team* p) {
  @communicate { x@i % n <<= x@0 where i in {0 ... n - 1} }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i % n <<= x@0 where i in {0 ... n - 1}", "i", 0, "i: 0 .. $0 - 1; to i % $0; from 0"}, {n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(0, n - 1)))
// CHECK-NEXT:        if (kanor_bind(i % n, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
  @communicate { x@i % n <<= x@0 where i in {-1...n} }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i % n <<= x@0 where i in {-1...n}", "i", 0, "i: -1 .. $0; to i % $0; from 0"}, {n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(-1, n)))
// CHECK-NEXT:        if (kanor_bind(i % n, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
  @communicate { x@i <<= x@0 where i in {2, n, 0} }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i <<= x@0 where i in {2, n, 0}", "i", 0, "i: {2, $0, 0}; to i; from 0"}, {n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::list(2, n, 0)))
// CHECK-NEXT:        if (kanor_bind(i, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
  @communicate { x@i <<= x@0 where i in world }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i <<= x@0 where i in world", "i", 0, "i: 0 .. $0 - 1; to i; from 0; is broadcast"}, {world.size()}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:        if (kanor_bind(i, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
  @communicate (team = t) { x@i <<= x@0 where i in t }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i <<= x@0 where i in t", "i", 0, "i: 0 .. $0 - 1; to i; from 0; is broadcast"}, {t.size()}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(t)))
// CHECK-NEXT:        if (kanor_bind(i, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
  @communicate (team = *p) { x@i <<= x@0 where i in *p }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i <<= x@0 where i in *p", "i", 0, "i: 0 .. $0 - 1; to i; from 0"}, {(*p).size()}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(*p)))
// CHECK-NEXT:        if (kanor_bind(i, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
  @communicate { x@i <<= x@0 where i in range(0, n) }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i <<= x@0 where i in range(0, n)", "i", 0, "i: 0 .. $0 - 1; to i; from 0"}, {n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(range(0, n))))
// CHECK-NEXT:        if (kanor_bind(i, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
  @communicate { x@i <<= x@0 where i in kanor::range(0, n, 2) }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i <<= x@0 where i in kanor::range(0, n, 2)", "i", 0, "i: 0 until $0 by 2; to i; from 0"}, {n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(kanor::range(0, n, 2))))
// CHECK-NEXT:        if (kanor_bind(i, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
  @communicate { x@i <<= x@0 where i in listed }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i <<= x@0 where i in listed", "i", 0, "i: ?; to i; from 0"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(listed)))
// CHECK-NEXT:        if (kanor_bind(i, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
  @communicate { x@i <<= x@0 where i in std::array{1, 2} }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@i <<= x@0 where i in std::array{1, 2}", "i", 0, "i: ?; to i; from 0"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(std::array{1, 2})))
// CHECK-NEXT:        if (kanor_bind(i, 0, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
}

void names(int x, int n, bool active) {
  @communicate { x@j <<= x@i where i, j in world, i < j }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@j <<= x@i where i, j in world, i < j", "i, j", 0, "i: 0 .. $0 - 1; j: 0 .. $0 - 1; if i < j; to j; from i"}, {world.size()}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:        for (const auto j : kanor_bind.only(1, ::kanor::abi::each(world))) if (i < j)
// CHECK-NEXT:            if (kanor_bind(j, i, i, j)) {
// CHECK-NEXT:              const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:              if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i, j); } });
  @communicate { x@j <<= x@i where i in world, j in {i ... n} }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@j <<= x@i where i in world, j in {i ... n}", "i, j", 0, "i: 0 .. $0 - 1; j: i .. $1; to j; from i"}, {world.size(), n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:        for (const auto j : kanor_bind.only(1, ::kanor::abi::each(i, n)))
// CHECK-NEXT:          if (kanor_bind(j, i, i, j)) {
// CHECK-NEXT:            const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:            if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i, j); } });
  @communicate { x@to <<= x@i where i in world, let to = (i + 1) % n, let unused = to, to != 0 }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@to <<= x@i where i in world, let to = (i + 1) % n, let unused = to, to != 0", "i, to, unused", 0, "i: 0 .. $0 - 1; if (i + 1) % $1 != 0; to (i + 1) % $1; from i"}, {world.size(), n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:        if (const auto to = (i + 1) % n; true) if (const auto unused = to; true) if (to != 0)
// CHECK-NEXT:              if (kanor_bind(to, i, i, to, unused)) {
// CHECK-NEXT:                const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:                if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i, to, unused); } });
  @communicate { x@0 <<= x@1 where (active), let k = n, k > 0 }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@0 <<= x@1 where (active), let k = n, k > 0", "k", 0, "if $0 != 0; if $1 > 0; to 0; from 1; is point_to_point"}, {active, n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (active) if (const auto k = n; true) if (k > 0)
// CHECK-NEXT:            if (kanor_bind(0, 1, k)) {
// CHECK-NEXT:              const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:              if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, k); } });
  @communicate { x@t | 3 <<= x@t where q in world, let t = (1 / 1) % n, (t | 3) < n }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@t | 3 <<= x@t where q in world, let t = (1 / 1) % n, (t | 3) < n", "q, t", 0, "q: 0 .. $0 - 1; if ($1 | 3) < $2; to 1 % $2 | 3; from 1 % $2; is point_to_point"}, {world.size(), (1 / 1) % n, n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto q : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:        if (const auto t = (1 / 1) % n; true) if ((t | 3) < n)
// CHECK-NEXT:            if (kanor_bind(t | 3, t, q, t)) {
// CHECK-NEXT:              const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:              if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, q, t); } });
  @communicate { x@no_rank <<= x@i where i in {0 ... n} }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@no_rank <<= x@i where i in {0 ... n}", "i", 0, "i: 0 .. $0; to -2147483648; from i"}, {n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(0, n)))
// CHECK-NEXT:        if (kanor_bind(no_rank, i, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i); } });
}

// A rank is evaluated before the loops that do not change it, when it is first needed.
void ranks_of_outer_loops(int x, int n) {
  @communicate { x@(i + 1) % n <<= x@n - 1 where i in world, k in {1 ... n} }
// CHECK:    kanor_block.assign({[[@LINE-1]], "x@(i + 1) % n <<= x@n - 1 where i in world, k in {1 ... n}", "i, k", 0, "i: 0 .. $0 - 1; k: 1 .. $1; to (i + 1) % $1; from $1 - 1"}, {world.size(), n}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (const auto kanor_sender = ::kanor::abi::once([&] { return n - 1; }); true)
// CHECK-NEXT:        for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:          if (const auto kanor_receiver = ::kanor::abi::once([&] { return (i + 1) % n; }); true)
// CHECK-NEXT:            for (const auto k : kanor_bind.only(1, ::kanor::abi::each(1, n)))
// CHECK-NEXT:              if (kanor_bind(kanor_receiver.value(), kanor_sender.value(), i, k)) {
// CHECK-NEXT:                const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(x) : kanor_bind.nothing();
// CHECK-NEXT:                if (kanor_bind.receives()) kanor_bind.assign(x, kanor_sent, i, k); } });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
