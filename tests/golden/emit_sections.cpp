// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: sed 's|"[^"]*emit_sections.cpp"|"emit_sections.cpp"|' %t.cpp | %FileCheck --strict-whitespace --match-full-lines %s
// RUN: %kanorc --dump=facts %s | %FileCheck --check-prefix=FACTS --strict-whitespace --match-full-lines %s
// A section is its base and one part a dimension; what it goes through is known before.
#include <kanor/kanor.hpp>

#include <vector>

void rows(double (&grid)[8][8], std::vector<double>& line, const int* p, int n) {
  @communicate { grid[1][0 : n]@(i + 1) % 4 <<= line[i * n : n]@i where i in {0 ... 3} }
  @communicate {
    grid[1 : 6][0 : 4 : 2]@0 << + <<
      line[:]@i where i in {0 ... 3}, let n = i;
    line@1 <<= grid[:]
      [((void)n, 2) : 3]@0;
    line[0 : 2]@2 <<= p[n : 2]@0
  }
}
void faces(double* p, std::vector<double>& line, int n) {
  @communicate { line[0 : 3 * n]@1 <<= kanor::section(p, n, 2, 3)[:][0 : 1][:]@0 }
}
void listed(double (&grid)[8][8], std::vector<double>& line, const std::vector<int>& order) {
  @communicate { line[order]@1 <<= grid[0 : 2][order]@0 }
}
// CHECK:void rows(double (&grid)[8][8], std::vector<double>& line, const int* p, int n) {
// CHECK-NEXT:  { ::kanor::abi::execute({"emit_sections.cpp", 12, __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:#line 12
// CHECK-NEXT:    kanor_block.assign({12, "grid[1][0 : n]@(i + 1) % 4 <<= line[i * n : n]@i where i in {0 ... 3}", "i", 0, "i: 0 .. 3; to (i + 1) % 4; from i"}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 12
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(0, 3)))
// CHECK-NEXT:#line 12
// CHECK-NEXT:        if (kanor_bind((i + 1) % 4, i, i)) { kanor_bind.note_names(i);
// CHECK-NEXT:#line 12
// CHECK-NEXT:          const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(::kanor::abi::section(line, ::kanor::abi::part(i * n, n))) : kanor_bind.nothing();
// CHECK-NEXT:#line 12
// CHECK-NEXT:          if (kanor_bind.receives()) kanor_bind.assign(::kanor::abi::section(grid[1], ::kanor::abi::part(0, n)), kanor_sent, i); } });
// CHECK-NEXT:#line 12
// CHECK-NEXT:    }); }
// CHECK-NEXT:  { ::kanor::abi::execute({"emit_sections.cpp", 13, __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:    kanor_block.reduce({14, "grid[1 : 6][0 : 4 : 2]@0 << + << line[:]@i where i in {0 ... 3}, let n = i", "i, n", 0, "i: 0 .. 3; to 0; from i"}, ::kanor::abi::add, [&](auto& kanor_bind, auto kanor_operation) {
// CHECK-NEXT:      for (const auto i : kanor_bind.only(0, ::kanor::abi::each(0, 3)))
// CHECK-NEXT:#line 15
// CHECK-NEXT:        if (const auto n = i; true)
// CHECK-NEXT:#line 14
// CHECK-NEXT:          if (kanor_bind(0,
// CHECK-NEXT:              i, i, n)) { kanor_bind.note_names(i, n);
// CHECK-NEXT:#line 15
// CHECK-NEXT:            const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(::kanor::abi::section(line, ::kanor::abi::whole)) : kanor_bind.nothing();
// CHECK-NEXT:#line 14
// CHECK-NEXT:            if (kanor_bind.receives()) kanor_bind.reduce(::kanor::abi::section(grid, ::kanor::abi::part(1, 6), ::kanor::abi::part(0, 4, 2)), kanor_sent, kanor_operation, i, n); } });
// CHECK-NEXT:#line 16
// CHECK-NEXT:    kanor_block.assign({16, "line@1 <<= grid[:] [((void)n, 2) : 3]@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 16
// CHECK-NEXT:      if (kanor_bind(1,
// CHECK-NEXT:          0)) {
// CHECK-NEXT:#line 16
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(::kanor::abi::section(grid, ::kanor::abi::whole, ::kanor::abi::part(
// CHECK-NEXT:          ((void)n, 2), 3))) : kanor_bind.nothing();
// CHECK-NEXT:#line 16
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(line, kanor_sent); } });
// CHECK-NEXT:#line 18
// CHECK-NEXT:    kanor_block.assign({18, "line[0 : 2]@2 <<= p[n : 2]@0", "", 0, "to 2; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 18
// CHECK-NEXT:      if (kanor_bind(2, 0)) {
// CHECK-NEXT:#line 18
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(::kanor::abi::section(p, ::kanor::abi::part(n, 2))) : kanor_bind.nothing();
// CHECK-NEXT:#line 18
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(::kanor::abi::section(line, ::kanor::abi::part(0, 2)), kanor_sent); } });
// CHECK-NEXT:#line 13
// CHECK-NEXT:    }); }
// CHECK-NEXT:#line 20
// CHECK-NEXT:}
// CHECK-NEXT:void faces(double* p, std::vector<double>& line, int n) {
// CHECK-NEXT:  { ::kanor::abi::execute({"emit_sections.cpp", 22, __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:#line 22
// CHECK-NEXT:    kanor_block.assign({22, "line[0 : 3 * n]@1 <<= kanor::section(p, n, 2, 3)[:][0 : 1][:]@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 22
// CHECK-NEXT:      if (kanor_bind(1, 0)) {
// CHECK-NEXT:#line 22
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(::kanor::abi::section(kanor::section(p, n, 2, 3), ::kanor::abi::whole, ::kanor::abi::part(0, 1), ::kanor::abi::whole)) : kanor_bind.nothing();
// CHECK-NEXT:#line 22
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(::kanor::abi::section(line, ::kanor::abi::part(0, 3 * n)), kanor_sent); } });
// CHECK-NEXT:#line 22
// CHECK-NEXT:    }); }
// CHECK-NEXT:}
// CHECK-NEXT:void listed(double (&grid)[8][8], std::vector<double>& line, const std::vector<int>& order) {
// CHECK-NEXT:  { ::kanor::abi::execute({"emit_sections.cpp", 25, __func__}, [&](::kanor::abi::block& kanor_block) {
// CHECK-NEXT:#line 25
// CHECK-NEXT:    kanor_block.assign({25, "line[order]@1 <<= grid[0 : 2][order]@0", "", 0, "to 1; from 0; is point_to_point"}, [&](auto& kanor_bind) {
// CHECK-NEXT:#line 25
// CHECK-NEXT:      if (kanor_bind(1, 0)) {
// CHECK-NEXT:#line 25
// CHECK-NEXT:        const auto kanor_sent = kanor_bind.sends() ? kanor_bind.send(::kanor::abi::listed_elements(grid, kanor_bind.value_indices(order), ::kanor::abi::part(0, 2))) : kanor_bind.nothing();
// CHECK-NEXT:#line 25
// CHECK-NEXT:        if (kanor_bind.receives()) kanor_bind.assign(::kanor::abi::listed_elements(line, kanor_bind.place_indices(order)), kanor_sent); } });
// CHECK-NEXT:#line 25
// CHECK-NEXT:    }); }
// CHECK-NEXT:}
// CHECK:__attribute__((section(".kanor.note"), used)) static const char kanor_note[] = "kanor 1\n";
// FACTS:  block
// FACTS-NEXT:    statement
// FACTS-NEXT:      place double modifiable
// FACTS-NEXT:        of double[8] fixed, int = 0, int
// FACTS-NEXT:      value double contiguous
// FACTS-NEXT:        of std::vector<double> vector, int, int
// FACTS-NEXT:      receiver int
// FACTS-NEXT:      sender int
// FACTS-NEXT:      fold whole
// FACTS-NEXT:      clause 0.0 int
// FACTS-NEXT:      clause 0.1 int
// FACTS-NEXT:  block
// FACTS-NEXT:    statement
// FACTS-NEXT:      place double modifiable
// FACTS-NEXT:        of double[8][8] fixed, int = 1, int = 6
// FACTS-NEXT:        of double[8] fixed, int = 0, int = 4, int = 2
// FACTS-NEXT:      value double contiguous
// FACTS-NEXT:        of std::vector<double> vector
// FACTS-NEXT:      receiver int = 0
// FACTS-NEXT:      sender int
// FACTS-NEXT:      fold elementwise
// FACTS-NEXT:      clause 0.0 int
// FACTS-NEXT:      clause 0.1 int
// FACTS-NEXT:    statement
// FACTS-NEXT:      place std::vector<double> modifiable
// FACTS-NEXT:      value double contiguous
// FACTS-NEXT:        of double[8][8] fixed
// FACTS-NEXT:        of double[8] fixed, int = 2, int = 3
// FACTS-NEXT:      receiver int = 1
// FACTS-NEXT:      sender int = 0
// FACTS-NEXT:      fold whole
// FACTS-NEXT:    statement
// FACTS-NEXT:      place double modifiable
// FACTS-NEXT:        of std::vector<double> vector, int = 0, int = 2
// FACTS-NEXT:      value int contiguous
// FACTS-NEXT:        of const int * pointer, int, int = 2
// FACTS-NEXT:      receiver int = 2
// FACTS-NEXT:      sender int = 0
// FACTS-NEXT:      fold whole
// FACTS-NEXT:  block
// FACTS-NEXT:    statement
// FACTS-NEXT:      place double modifiable
// FACTS-NEXT:        of std::vector<double> vector, int = 0, int
// FACTS-NEXT:      value double contiguous
// FACTS-NEXT:        of kanor::shaped<double, 3> shape
// FACTS-NEXT:        of kanor::shaped<double, 3> shape, int = 0, int = 1
// FACTS-NEXT:        of kanor::shaped<double, 3> shape
// FACTS-NEXT:      receiver int = 1
// FACTS-NEXT:      sender int = 0
// FACTS-NEXT:      fold whole
// FACTS-NEXT:  block
// FACTS-NEXT:    statement
// FACTS-NEXT:      place double modifiable
// FACTS-NEXT:        of std::vector<double> vector, listed by std::vector<int>
// FACTS-NEXT:      value double contiguous
// FACTS-NEXT:        of double[8][8] fixed, int = 0, int = 2
// FACTS-NEXT:        of double[8] fixed, listed by std::vector<int>
// FACTS-NEXT:      receiver int = 1
// FACTS-NEXT:      sender int = 0
// FACTS-NEXT:      fold whole

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
