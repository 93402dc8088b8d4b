// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: grep '^ *kanor_block' %t.cpp | grep -o 'kanor_block\.[a-z]*({[^}]*}' | %FileCheck --match-full-lines %s
// Where all ranks send to all, a value of many elements that stays what it is until the block ends says so.
#include <kanor/kanor.hpp>

#include <map>
#include <memory>
#include <vector>

using Row = std::vector<double>;
struct Lazy {
  Row row;
  Row& operator[](int) { return row; }
};
struct Field {
  Row own;
  void exchange(Row& in, int n);
};

Row made(int);

void f(Row& in, Row& out, std::vector<Row>& rows, std::map<int, Row>& by_rank, std::unique_ptr<Row[]>& owned, Lazy& lazy,
       double* first, double (&wide)[64][1000], double (&narrow)[64][10], int n) {
  @communicate { in[s * n : n]@r <<= out[r * n : n]@s where r, s in world }
// CHECK: kanor_block.assign({[[@LINE-1]], {{.*}}, "r, s", ::kanor::abi::lent_value, {{.*}}; is all_to_all"}
  @communicate { rows[s]@r <<= by_rank[r]@s where r, s in world }
// CHECK-NEXT: kanor_block.assign({[[@LINE-1]], {{.*}}, "r, s", ::kanor::abi::lent_value, {{.*}}; is all_to_all"}
  @communicate { rows[s]@r <<= owned[0]@s where r, s in world }
// CHECK-NEXT: kanor_block.assign({[[@LINE-1]], {{.*}}, "r, s", ::kanor::abi::lent_value, {{.*}}; is all_gather"}
  @communicate { in[:]@r << + << first[0 : n]@s where r, s in world }
// CHECK-NEXT: kanor_block.reduce({[[@LINE-1]], {{.*}}, "r, s", ::kanor::abi::lent_value, {{.*}}; is all_reduce"}
  @communicate { wide[s][:]@r <<= wide[r][:]@s where r, s in world }
// CHECK-NEXT: kanor_block.assign({[[@LINE-1]], {{.*}}, "r, s", ::kanor::abi::lent_value, {{.*}}; is all_to_all"}
  // Few bytes, ...
  @communicate { narrow[s]@r <<= narrow[r]@s where r, s in world }
// CHECK-NEXT: kanor_block.assign({[[@LINE-1]], {{.*}}, "r, s", 0, {{.*}}; is all_to_all"}
  // ... what a function returns, or an operator that is not the library's, ...
  @communicate { rows[s]@r <<= made(r)@s where r, s in world }
// CHECK-NEXT: kanor_block.assign({[[@LINE-1]], {{.*}}, "r, s", 0, {{.*}}; is all_to_all"}
  @communicate { rows[s]@r <<= lazy[r]@s where r, s in world }
// CHECK-NEXT: kanor_block.assign({[[@LINE-1]], {{.*}}, "r, s", 0, {{.*}}; is all_to_all"}
  // ... and where not all send to all.
  @communicate { rows[s]@0 <<= rows[0]@s where s in world }
// CHECK-NEXT: kanor_block.assign({[[@LINE-1]], {{.*}}, "s", 0, {{.*}}; is gather"}
}

void Field::exchange(Row& in, int n) {
  @communicate { in[s * n : n]@r <<= own[r * n : n]@s where r, s in world }
// CHECK-NEXT: kanor_block.assign({[[@LINE-1]], {{.*}}, "r, s", ::kanor::abi::lent_value, {{.*}}; is all_to_all"}
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
