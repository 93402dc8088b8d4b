// RUN: %check_diagnostics
// What has no sections, and what does not say how many elements it has.
#include <kanor/kanor.hpp>
#include <list>
#include <map>
#include <span>
#include <vector>

struct Row {
  int cells[4];
};

template <class T>
void in_template(T& list, std::vector<int>& v) {
  @communicate { v[:]@0 <<= list[:]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:29: error: 'list' has type 'int', which cannot have sections
// CHECK-NEXT:  @communicate { v[:]@0 <<= list[:]@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: use an array, std::array, std::vector, std::span or pointer
// CHECK-NEXT:{{.*}}section_base.cpp:[[@LINE+78]]:3: note: in the instantiation 'in_template<int>', which is needed here
// CHECK-NEXT:  in_template(x, v);
// CHECK-NEXT:  ^~~~~~~~~~~
// CHECK:{{.*}}section_base.cpp:[[@LINE-8]]:33: error: 'list' is a pointer, which does not say how many elements '[:]' are
// CHECK-NEXT:  @communicate { v[:]@0 <<= list[:]@1 }
// CHECK-NEXT:                                ^~~
// CHECK-NEXT:kanorc: note: give the first element and a count, as in 'list[0 : n]'
// CHECK-NEXT:{{.*}}section_base.cpp:[[@LINE+73]]:3: note: in the instantiation 'in_template<int *>', which is needed here
// CHECK-NEXT:  in_template(p, v);
// CHECK-NEXT:  ^~~~~~~~~~~
}

void f(int x, int* p, void* anything, std::vector<int> v, std::map<int, int> m, std::list<int> l, std::vector<int*> pointers, Row row) {
  @communicate { x[0 : 2]@0 <<= v[0 : 2]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:18: error: 'x' has type 'int', which cannot have sections
// CHECK-NEXT:  @communicate { x[0 : 2]@0 <<= v[0 : 2]@1 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: use an array, std::array, std::vector, std::span or pointer
  @communicate { v[:]@0 <<= m[0 : 2]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:29: error: 'm' has type 'std::map<int, int>', which cannot have sections
// CHECK-NEXT:  @communicate { v[:]@0 <<= m[0 : 2]@1 }
// CHECK-NEXT:                            ^
// CHECK-NEXT:kanorc: note: use an array, std::array, std::vector, std::span or pointer
  @communicate { v[:]@0 <<= l[:]@1; l[0 : 1]@0 <<= v[0 : 1]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:29: error: 'l' has type 'std::list<int>', which cannot have sections
// CHECK-NEXT:  @communicate { v[:]@0 <<= l[:]@1; l[0 : 1]@0 <<= v[0 : 1]@1 }
// CHECK-NEXT:                            ^
// CHECK-NEXT:kanorc: note: use an array, std::array, std::vector, std::span or pointer
// CHECK:{{.*}}section_base.cpp:[[@LINE-5]]:37: error: 'l' has type 'std::list<int>', which cannot have sections
// CHECK-NEXT:  @communicate { v[:]@0 <<= l[:]@1; l[0 : 1]@0 <<= v[0 : 1]@1 }
// CHECK-NEXT:                                    ^
// CHECK-NEXT:kanorc: note: use an array, std::array, std::vector, std::span or pointer
  @communicate { v[0 : 2][0 : 3]@0 <<= v[0 : 6]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:26: error: the elements of 'v[0 : 2]' have type 'int', which cannot have sections
// CHECK-NEXT:  @communicate { v[0 : 2][0 : 3]@0 <<= v[0 : 6]@1 }
// CHECK-NEXT:                         ^~~~~~~
// CHECK-NEXT:kanorc: note: use an array, std::array, std::vector, std::span or pointer
  @communicate { v[0 : 2]@0 <<= anything[0 : 2]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:33: error: 'anything' has type 'void *', which cannot have sections
// CHECK-NEXT:  @communicate { v[0 : 2]@0 <<= anything[0 : 2]@1 }
// CHECK-NEXT:                                ^~~~~~~~
// CHECK-NEXT:kanorc: note: use an array, std::array, std::vector, std::span or pointer
  @communicate { v[0 : 4]@0 <<= row[:]@1; v[0 : 4]@0 <<= row.cells[:]@2 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:33: error: 'row' has type 'Row', which cannot have sections
// CHECK-NEXT:  @communicate { v[0 : 4]@0 <<= row[:]@1; v[0 : 4]@0 <<= row.cells[:]@2 }
// CHECK-NEXT:                                ^~~
// CHECK-NEXT:kanorc: note: use an array, std::array, std::vector, std::span or pointer
  @communicate { v[0 : 2]@0 <<= p[:]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:34: error: 'p' is a pointer, which does not say how many elements '[:]' are
// CHECK-NEXT:  @communicate { v[0 : 2]@0 <<= p[:]@1 }
// CHECK-NEXT:                                 ^~~
// CHECK-NEXT:kanorc: note: give the first element and a count, as in 'p[0 : n]'
  @communicate { p[:]@0 <<= v[0 : 2]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:19: error: 'p' is a pointer, which does not say how many elements '[:]' are
// CHECK-NEXT:  @communicate { p[:]@0 <<= v[0 : 2]@1 }
// CHECK-NEXT:                  ^~~
// CHECK-NEXT:kanorc: note: give the first element and a count, as in 'p[0 : n]'
  @communicate { v[0 : 2]@0 <<= pointers[:][:]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:44: error: the elements of 'pointers[:]' are pointers, which do not say how many elements '[:]' are
// CHECK-NEXT:  @communicate { v[0 : 2]@0 <<= pointers[:][:]@1 }
// CHECK-NEXT:                                           ^~~
// CHECK-NEXT:kanorc: note: give the first element and a count, as in 'pointers[:][0 : n]'
  const auto shape = kanor::section(v, 2, x, 2);
  @communicate { v[0 : 4]@0 <<= shape[0 : 2][:]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:33: error: 'shape' has 3 dimensions, and this section has 2 dimensions
// CHECK-NEXT:  @communicate { v[0 : 4]@0 <<= shape[0 : 2][:]@1 }
// CHECK-NEXT:                                ^~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: write '[:]' for all of a dimension, and '[k : 1]' for one index of it
  @communicate { shape[0 : 2][:][:][:]@0 <<= v[0 : 4]@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:18: error: 'shape' has 3 dimensions, and this section has 4 dimensions
// CHECK-NEXT:  @communicate { shape[0 : 2][:][:][:]@0 <<= v[0 : 4]@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: a section has one pair of brackets for each dimension of its base
  @communicate { v[0 : 4]@0 <<= shape@1 }
// CHECK:{{.*}}section_base.cpp:[[@LINE-1]]:33: error: a value of type 'kanor::shaped<int, 3>' cannot travel: 'kanor::shaped<int, 3>' is a view of elements that it does not own
// CHECK-NEXT:  @communicate { v[0 : 4]@0 <<= shape@1 }
// CHECK-NEXT:                                ^~~~~
// CHECK-NEXT:kanorc: note: send the container that owns the elements
  in_template(x, v);
  in_template(v, v);
  in_template(p, v);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
