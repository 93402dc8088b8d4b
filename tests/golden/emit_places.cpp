// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: sed 's|"[^"]*emit_places.cpp"|"emit_places.cpp"|' %t.cpp | grep -v '^#line' | %FileCheck --strict-whitespace --match-full-lines %s
// Where a block may stand, and what may stand on its two sides: every expression of the user's goes into a function of its
// own, word for word, for the receiver or the sender to call.
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
// CHECK-NEXT:        kanor_bind(0, [&](auto kanor_at) { return kanor_at(number); },
// CHECK-NEXT:            1, [&](auto kanor_send) { return kanor_send(kanor_send.element(values, 1)); }); });
// CHECK-NEXT:      kanor_block.assign({[[@LINE-5]], "bits[2]@1 <<= this->number > 0@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:        kanor_bind(1, [&](auto kanor_at) { return kanor_at(kanor_at.element(bits, 2)); },
// CHECK-NEXT:            0, [&](auto kanor_send) { return kanor_send(this->number > 0); }); });
  }
};

template <class T, int root>
T from_root(T value) {
  @communicate { value@i <<= value@root where i in world }
// CHECK:  { using ::kanor::world; ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "value@i <<= value@root where i in world", "i", 0, "i: 0 .. $0 - 1; to i; from $1; is broadcast"}, {world.size(), root}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(world)))
// CHECK-NEXT:        kanor_bind(i, [&](auto kanor_at) { return kanor_at(value); },
// CHECK-NEXT:            root, [&](auto kanor_send) { return kanor_send(value); }, i); });
  return value;
}

int substatements(int a, int b) {
  const auto swap = [&] { @communicate { a@0 <<= b@1; b@1 <<= a@0 } };
// CHECK:  const auto swap = [&] { { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "a@0 <<= b@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(0, [&](auto kanor_at) { return kanor_at(a); },
// CHECK-NEXT:          1, [&](auto kanor_send) { return kanor_send(b); }); });
// CHECK-NEXT:    kanor_block.assign({[[@LINE-5]], "b@1 <<= a@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(1, [&](auto kanor_at) { return kanor_at(b); },
// CHECK-NEXT:          0, [&](auto kanor_send) { return kanor_send(a); }); });
  if (a > b) swap();
  for (int k = 0; k < 2; ++k) @communicate { a@k <<= k@0 }
// CHECK:  for (int k = 0; k < 2; ++k) { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "a@k <<= k@0", "", 0, "to $0; from 0; is point_to_point"}, {k}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(k, [&](auto kanor_at) { return kanor_at(a); },
// CHECK-NEXT:          0, [&](auto kanor_send) { return kanor_send(k); }); });
  switch (a) {
    default: KANOR_COMMUNICATE(a@0 <<= b@2);
// CHECK:    default: { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:      kanor_block.assign({[[@LINE-2]], "a@0 <<= b@2", "", 0, "to 0; from 2; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:        kanor_bind(0, [&](auto kanor_at) { return kanor_at(a); },
// CHECK-NEXT:            2, [&](auto kanor_send) { return kanor_send(b); }); });
  }
  return from_root<int, 1>(a);
}

void sides(std::map<std::string, int>& table, int* p, std::array<std::pair<int, double>, 2>& pairs, const std::string& text) {
  @communicate { table["a, @ where"]@0 <<= text.size()@1; *p@1 <<= p[3]@0 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "table[\"a, @ where\"]@0 <<= text.size()@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(0, [&](auto kanor_at) { return kanor_at(table["a, @ where"]); },
// CHECK-NEXT:          1, [&](auto kanor_send) { return kanor_send(text.size()); }); });
// CHECK-NEXT:    kanor_block.assign({[[@LINE-5]], "*p@1 <<= p[3]@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(1, [&](auto kanor_at) { return kanor_at(*p); },
// CHECK-NEXT:          0, [&](auto kanor_send) { return kanor_send(p[3]); }); });
  @communicate { pairs[1].first@0 <<= std::pair<int, int>(1, 2).second@1 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "pairs[1].first@0 <<= std::pair<int, int>(1, 2).second@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(0, [&](auto kanor_at) { return kanor_at(kanor_at.element(pairs, 1).first); },
// CHECK-NEXT:          1, [&](auto kanor_send) { return kanor_send((std::pair<int, int>(1, 2).second)); }); });
  @communicate { (p[0] > 0 ? p[1] : p[2])@0 <<= (p[0] > 0 ? 1 : 2)@1 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "(p[0] > 0 ? p[1] : p[2])@0 <<= (p[0] > 0 ? 1 : 2)@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(0, [&](auto kanor_at) { return kanor_at((p[0] > 0 ? p[1] : p[2])); },
// CHECK-NEXT:          1, [&](auto kanor_send) { return kanor_send((p[0] > 0 ? 1 : 2)); }); });
  @communicate { pairs@0 <<= pairs@1 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "pairs@0 <<= pairs@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(0, [&](auto kanor_at) { return kanor_at(pairs); },
// CHECK-NEXT:          1, [&](auto kanor_send) { return kanor_send(pairs); }); });
  @communicate { p[k]@0 <<= [&](int n) { return n + p[0]; }(k)@1 where k in {0 ... 3} }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "p[k]@0 <<= [&](int n) { return n + p[0]; }(k)@1 where k in {0 ... 3}", "k", 0, "k: 0 .. 3; to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto k : kanor_bind.only(0, ::kanor::abi::each(0, 3)))
// CHECK-NEXT:        kanor_bind(0, [&](auto kanor_at) { return kanor_at(p[k]); },
// CHECK-NEXT:            1, [&](auto kanor_send) { return kanor_send([&](int n) { return n + p[0]; }(k)); }, k); });
}

// The language's words as names, a macro inside of an expression, digraphs.
#define NEXT(i) ((i) + 1)
int words(int where, int let, int in, int (&a)[2]) {
  @communicate { where@0 <<= let@in where in in {1 ... where}, let let = in }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "where@0 <<= let@in where in in {1 ... where}, let let = in", "in, let", 0, "in: 1 .. $0; to 0; from in"}, {where}, [&](auto& kanor_bind) {
// CHECK-NEXT:      for (const auto in : kanor_bind.only(0, ::kanor::abi::each(1, where)))
// CHECK-NEXT:        if (const auto let = in; true)
// CHECK-NEXT:          kanor_bind(0, [&](auto kanor_at) { return kanor_at(where); },
// CHECK-NEXT:              in, [&](auto kanor_send) { return kanor_send(let); }, in, let); });
  @communicate <% a<:NEXT(0):>@0 <<= 1@1 %>
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "a<:NEXT(0):>@0 <<= 1@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(0, [&](auto kanor_at) { return kanor_at(a<:NEXT(0):>); },
// CHECK-NEXT:          1, [&](auto kanor_send) { return kanor_send(1); }); });
  return let + in;
}

void gifts(kanor::buffer<int>& b) {
  @communicate { b@0 <<= std::move(b)@1 }
// CHECK:  { ::kanor::abi::execute({"emit_places.cpp", [[@LINE-1]], __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.assign({[[@LINE-2]], "b@0 <<= std::move(b)@1", "", 0, "to 0; from 1; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:      kanor_bind(0, [&](auto kanor_at) { return kanor_at(b); },
// CHECK-NEXT:          1, [&](auto kanor_send) { return kanor_send(std::move(b)); }); });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
