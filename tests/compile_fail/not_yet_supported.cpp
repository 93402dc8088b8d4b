// RUN: %check_diagnostics
// Parts of the language that are understood and not compiled: an error at the construct, never a wrong program.
#include <kanor/kanor.hpp>
#include <vector>

void f(int a, int b, std::vector<int> A, std::vector<int> B) {
  @communicate (copy, knows = both) { a@0 <<= b@1 }
  struct { unsigned low : 3, high : 5; } fields{1, 2};
  auto [low, high] = fields;
  @communicate { a@0 <<= low + high@1 }
// CHECK:{{.*}}not_yet_supported.cpp:[[@LINE-1]]:26: error: 'low' is a structured binding to a bit-field, which is not yet supported in a block
// CHECK-NEXT:  @communicate { a@0 <<= low + high@1 }
// CHECK-NEXT:                         ^~~
// CHECK-NEXT:kanorc: note: copy it to a variable before the block
// CHECK:{{.*}}not_yet_supported.cpp:[[@LINE-5]]:32: error: 'high' is a structured binding to a bit-field, which is not yet supported in a block
// CHECK-NEXT:  @communicate { a@0 <<= low + high@1 }
// CHECK-NEXT:                               ^~~~
// CHECK-NEXT:kanorc: note: copy it to a variable before the block
  @communicate { a@0 <<= fields.high@1 }
}

struct Add {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct First {
  template <class T>
  T operator()(const T& a, const T&) const {
    return a;
  }
};
template <class Operation>
void folded(std::vector<int> value, Operation operation) {
  @communicate { value@0 << operation << value@i where i in world }
// CHECK:{{.*}}not_yet_supported.cpp:[[@LINE-1]]:29: error: 'operation' combines whole lists in one instantiation of the template, and their elements in another, which is not yet supported
// CHECK-NEXT:  @communicate { value@0 << operation << value@i where i in world }
// CHECK-NEXT:                            ^~~~~~~~~
// CHECK-NEXT:kanorc: note: declare its parameters with the types of their arguments
}
template void folded(std::vector<int>, Add);
template void folded(std::vector<int>, First);

template <class Index>
void selected(std::vector<int> value, Index index) {
  @communicate { value@0 <<= value[index]@1 }
// CHECK:{{.*}}not_yet_supported.cpp:[[@LINE-1]]:36: error: 'index' is an index in one instantiation of the template, and a list of indices in another, which is not yet supported
// CHECK-NEXT:  @communicate { value@0 <<= value[index]@1 }
// CHECK-NEXT:                                   ^~~~~
// CHECK-NEXT:kanorc: note: tell them apart with 'if constexpr', in two blocks
// CHECK-NEXT:{{.*}}not_yet_supported.cpp:[[@LINE+4]]:15: note: in the instantiation 'selected<int>', which is needed here
// CHECK-NEXT:template void selected(std::vector<int>, int);
// CHECK-NEXT:              ^~~~~~~~
}
template void selected(std::vector<int>, int);
template void selected(std::vector<int>, std::vector<int>);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
