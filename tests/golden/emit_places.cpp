// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: sed 's|"[^"]*emit_places.cpp"|"emit_places.cpp"|' %t.cpp | grep -v '^#line' | %FileCheck --strict-whitespace --match-full-lines %s
// Where a block may stand, and what may stand on its two sides: the value is evaluated by the
// sender and the place by the receiver, word for word.
#include <kanor/kanor.hpp>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

struct Cells {
  int number = 0;
  std::vector<bool> bits;
  void exchange(const std::vector<int>& values) {
    @communicate { number@0 <<= values[1]@1; bits[2]@1 <<= this->number > 0@0 }
// CHECK:    { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:      kanor_block.assign({[[@LINE-2]], "number@0 <<= values[1]@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:        if (kanor_bind(0, 1)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(kanor_bind.element(values, 1)) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(number, kanor_sent); } });
// CHECK-NEXT:      kanor_block.assign({[[@LINE-6]], "bits[2]@1 <<= this->number > 0@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:        if (kanor_bind(1, 0)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(this->number > 0) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(kanor_bind.element(bits, 2), kanor_sent); } });
  }
};

template <class T, int root>
T from_root(T value) {
  @communicate { value@i <<= value@root where i in world }
// CHECK:  { using ::kanor::world; ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "value@i <<= value@root where i in world", "i", 0, "i: 0 .. $0 - 1; to i; from $1; is broadcast"}, {world.size(), root}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:        if (kanor_bind(i, root, i)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(value) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(value, kanor_sent, i); } });
  return value;
}

int substatements(int a, int b) {
  const auto swap = [&] { @communicate { a@0 <<= b@1; b@1 <<= a@0 } };
// CHECK:  const auto swap = [&] { { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "a@0 <<= b@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(0, 1)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(b) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(a, kanor_sent); } });
// CHECK-NEXT:    kanor_block.assign({[[@LINE-6]], "b@1 <<= a@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(1, 0)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(a) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(b, kanor_sent); } });
  if (a > b) swap();
  for (int k = 0; k < 2; ++k) @communicate { a@k <<= k@0 }
// CHECK:  for (int k = 0; k < 2; ++k) { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "a@k <<= k@0", "", 0, "to $0; from 0; is point_to_point"}, {k}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(k, 0)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(k) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(a, kanor_sent); } });
  switch (a) {
    default: KANOR_COMMUNICATE(a@0 <<= b@2);
// CHECK:    default: { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:      kanor_block.assign({[[@LINE-2]], "a@0 <<= b@2", "", 0, "to 0; from 2; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:        if (kanor_bind(0, 2)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(b) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(a, kanor_sent); } });
  }
  return from_root<int, 1>(a);
}

void sides(std::map<std::string, int>& table, int* p, std::array<std::pair<int, double>, 2>& pairs, const std::string& text) {
  @communicate { table["a, @ where"]@0 <<= text.size()@1; *p@1 <<= p[3]@0 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "table[\"a, @ where\"]@0 <<= text.size()@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(0, 1)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(text.size()) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(table["a, @ where"], kanor_sent); } });
// CHECK-NEXT:    kanor_block.assign({[[@LINE-6]], "*p@1 <<= p[3]@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(1, 0)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(p[3]) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(*p, kanor_sent); } });
  @communicate { pairs[1].first@0 <<= std::pair<int, int>(1, 2).second@1 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "pairs[1].first@0 <<= std::pair<int, int>(1, 2).second@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(0, 1)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send((std::pair<int, int>(1, 2).second)) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(kanor_bind.element(pairs, 1).first, kanor_sent); } });
  @communicate { (p[0] > 0 ? p[1] : p[2])@0 <<= (p[0] > 0 ? 1 : 2)@1 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "(p[0] > 0 ? p[1] : p[2])@0 <<= (p[0] > 0 ? 1 : 2)@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(0, 1)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send((p[0] > 0 ? 1 : 2)) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign((p[0] > 0 ? p[1] : p[2]), kanor_sent); } });
  @communicate { pairs@0 <<= pairs@1 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "pairs@0 <<= pairs@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(0, 1)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(pairs) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(pairs, kanor_sent); } });
  @communicate { p[k]@0 <<= [&](int n) { return n + p[0]; }(k)@1 where k in {0 ... 3} }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "p[k]@0 <<= [&](int n) { return n + p[0]; }(k)@1 where k in {0 ... 3}", "k", 0, "k: 0 .. 3; to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto k : kanor_bind.only(0, ::kanor::abi::each(0, 3)))
// CHECK-NEXT:        if (kanor_bind(0, 1, k)) {
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send([&](int n) { return n + p[0]; }(k)) : kanor_bind.nothing();
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(p[k], kanor_sent, k); } });
}

// The language's words as names, a macro inside of an expression, digraphs.
#define NEXT(i) ((i) + 1)
int words(int where, int let, int in, int (&a)[2]) {
  @communicate { where@0 <<= let@in where in in {1 ... where}, let let = in }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "where@0 <<= let@in where in in {1 ... where}, let let = in", "in, let", 0, "in: 1 .. $0; to 0; from in"}, {where}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto in : kanor_bind.only(0, ::kanor::abi::each(1, where)))
// CHECK-NEXT:        if (const auto let = in; true)
// CHECK-NEXT:          if (kanor_bind(0, in, in, let)) {
// CHECK-NEXT:            const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(let) : kanor_bind.nothing();
// CHECK-NEXT:            if (kanor_bind.receives()) kanor_bind.assign(where, kanor_sent, in, let); } });
  @communicate <% a<:NEXT(0):>@0 <<= 1@1 %>
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "a<:NEXT(0):>@0 <<= 1@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(0, 1)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(1) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(a<:NEXT(0):>, kanor_sent); } });
  return let + in;
}

void gifts(kanor::buffer<int>& b) {
  @communicate { b@0 <<= std::move(b)@1 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "b@0 <<= std::move(b)@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      if (kanor_bind(0, 1)) {
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(std::move(b)) : kanor_bind.nothing();
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(b, kanor_sent); } });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
