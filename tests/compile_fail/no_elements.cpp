// RUN: %kanorc -c %s -o %t.o 2>&1 | %check_output
// RUN: %not %kanorc -Werror=kanor-no-elements -c %s -o %t.o
// An element of a container that certainly has none.
#include <kanor/kanor.hpp>

#include <array>
#include <string>
#include <vector>

void fill(std::vector<int>& v);
std::vector<int> sized_row();

void f(int n, int a) {
  std::vector<int> unsized;
  @communicate { unsized[n]@0 <<= a@1 }
// CHECK:{{.*}}no_elements.cpp:[[@LINE-1]]:18: warning: 'unsized' has no elements here, but 'unsized[n]' accesses one [-Wkanor-no-elements]
// CHECK-NEXT:  @communicate { unsized[n]@0 <<= a@1 }
// CHECK-NEXT:                 ^~~~~~~~~~
// CHECK-NEXT:{{.*}}no_elements.cpp:[[@LINE-5]]:20: note: declared without elements, and nothing adds one before the block
// CHECK-NEXT:  std::vector<int> unsized;
// CHECK-NEXT:                   ^~~~~~~
// CHECK-NEXT:kanorc: note: give it a size: 'unsized(n)' where it is declared, or 'unsized.resize(n)'
  std::vector<std::vector<int>> rows;
  for (int turn = 0; turn < n; ++turn) {
    @communicate { a@0 <<= rows[turn][0]@1 }
// CHECK:{{.*}}no_elements.cpp:[[@LINE-1]]:28: warning: 'rows' has no elements here, but 'rows[turn][0]' accesses one [-Wkanor-no-elements]
// CHECK-NEXT:    @communicate { a@0 <<= rows[turn][0]@1 }
// CHECK-NEXT:                           ^~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}no_elements.cpp:[[@LINE-6]]:33: note: declared without elements, and nothing adds one before the block
// CHECK-NEXT:  std::vector<std::vector<int>> rows;
// CHECK-NEXT:                                ^~~~
// CHECK-NEXT:kanorc: note: give it a size: 'rows(n)' where it is declared, or 'rows.resize(n)'
    std::string text;
    @communicate { text[0]@0 <<= 'a'@1 }
// CHECK:{{.*}}no_elements.cpp:[[@LINE-1]]:20: warning: 'text' has no elements here, but 'text[0]' accesses one [-Wkanor-no-elements]
// CHECK-NEXT:    @communicate { text[0]@0 <<= 'a'@1 }
// CHECK-NEXT:                   ^~~~~~~
// CHECK-NEXT:{{.*}}no_elements.cpp:[[@LINE-5]]:17: note: declared without elements, and nothing adds one before the block
// CHECK-NEXT:    std::string text;
// CHECK-NEXT:                ^~~~
// CHECK-NEXT:kanorc: note: give it a size: 'text(n)' where it is declared, or 'text.resize(n)'
    text = "again";
  }
  std::vector<std::vector<int>> columns(3);
  std::array<std::vector<int>, 2> pair;
  std::vector<int> both[2];
  @communicate { columns[0][n]@0 <<= a@1 }
// CHECK:{{.*}}no_elements.cpp:[[@LINE-1]]:18: warning: 'columns[0]' has no elements here, but 'columns[0][n]' accesses one [-Wkanor-no-elements]
// CHECK-NEXT:  @communicate { columns[0][n]@0 <<= a@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~
// CHECK-NEXT:{{.*}}no_elements.cpp:[[@LINE-7]]:33: note: declared without elements, and nothing adds one before the block
// CHECK-NEXT:  std::vector<std::vector<int>> columns(3);
// CHECK-NEXT:                                ^~~~~~~
// CHECK-NEXT:kanorc: note: give it a size: 'columns[0].resize(n)'
  @communicate { a@0 <<= pair[1][n]@1; both[n][0]@0 <<= a@1 }
// CHECK:{{.*}}no_elements.cpp:[[@LINE-1]]:26: warning: 'pair[1]' has no elements here, but 'pair[1][n]' accesses one [-Wkanor-no-elements]
// CHECK-NEXT:  @communicate { a@0 <<= pair[1][n]@1; both[n][0]@0 <<= a@1 }
// CHECK-NEXT:                         ^~~~~~~~~~
// CHECK-NEXT:{{.*}}no_elements.cpp:[[@LINE-14]]:35: note: declared without elements, and nothing adds one before the block
// CHECK-NEXT:  std::array<std::vector<int>, 2> pair;
// CHECK-NEXT:                                  ^~~~
// CHECK-NEXT:kanorc: note: give it a size: 'pair[1].resize(n)'
// CHECK:{{.*}}no_elements.cpp:[[@LINE-8]]:40: warning: 'both[n]' has no elements here, but 'both[n][0]' accesses one [-Wkanor-no-elements]
// CHECK-NEXT:  @communicate { a@0 <<= pair[1][n]@1; both[n][0]@0 <<= a@1 }
// CHECK-NEXT:                                       ^~~~~~~~~~
// CHECK-NEXT:{{.*}}no_elements.cpp:[[@LINE-20]]:20: note: declared without elements, and nothing adds one before the block
// CHECK-NEXT:  std::vector<int> both[2];
// CHECK-NEXT:                   ^~~~
// CHECK-NEXT:kanorc: note: give it a size: 'both[n].resize(n)'
  // It may have some.
  std::vector<std::vector<int>> filled_rows(3, sized_row()), some(2);
  some[1].resize(3);
  @communicate { filled_rows[0][n]@0 <<= some[1][0]@1 }
  std::vector<int> sized(3), filled, later, chosen, listed{1, 2}, whole, pushed;
  fill(filled);
  if (n > 3) chosen.resize(4);
  @communicate { sized[0]@0 <<= filled[0]@1; chosen[0]@0 <<= listed[1]@1; whole@0 <<= sized@1 }
  for (int turn = 0; turn < n; ++turn) {
    if (turn > 0) @communicate { later[0]@0 <<= a@1 }
    later.resize(3);
  }
  const auto grow = [&] { pushed.push_back(1); };
  grow();
  @communicate { pushed[0]@0 <<= whole[0]@1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
