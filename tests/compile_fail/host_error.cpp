// RUN: %check_diagnostics
// C++'s own errors in every piece of a block, and around the blocks, at the user's line and column.
#include <kanor/kanor.hpp>
#include <string>
#include <vector>

class Private {
  int hidden;
};

void names(int a, int b) {
  @communicate { missing@0 <<= b@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:18: error: use of undeclared identifier 'missing'
// CHECK-NEXT:  @communicate { missing@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~
  @communicate { a@missing <<= b@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:20: error: use of undeclared identifier 'missing'
// CHECK-NEXT:  @communicate { a@missing <<= b@1 }
// CHECK-NEXT:                   ^~~~~~~
  @communicate { a@0 <<= missing@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:26: error: use of undeclared identifier 'missing'
// CHECK-NEXT:  @communicate { a@0 <<= missing@1 }
// CHECK-NEXT:                         ^~~~~~~
  @communicate { a@0 <<= b@missing }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:28: error: use of undeclared identifier 'missing'
// CHECK-NEXT:  @communicate { a@0 <<= b@missing }
// CHECK-NEXT:                           ^~~~~~~
  @communicate { a@0[b] <<= b@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:21: error: subscripted value is not an array, pointer, or vector
// CHECK-NEXT:  @communicate { a@0[b] <<= b@1 }
// CHECK-NEXT:                    ^
// CHECK-NEXT:kanorc: note: the subscript of a place or value precedes the '@': 'a[k]@0'
  @communicate { a@0 <<= b@i where i in missing }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:41: error: use of undeclared identifier 'missing'
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in missing }
// CHECK-NEXT:                                        ^~~~~~~
  @communicate { a@0 <<= b@i where i in {0 ... missing} }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:48: error: use of undeclared identifier 'missing'
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in {0 ... missing} }
// CHECK-NEXT:                                               ^~~~~~~
  @communicate { a@0 <<= b@i where i in world, missing > 0 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:48: error: use of undeclared identifier 'missing'
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in world, missing > 0 }
// CHECK-NEXT:                                               ^~~~~~~
  @communicate { a@0 <<= b@k where let k = missing }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:44: error: use of undeclared identifier 'missing'; did you mean 'using'?
// CHECK-NEXT:  @communicate { a@0 <<= b@k where let k = missing }
// CHECK-NEXT:                                           ^~~~~~~
  @communicate { a@0 << missing << b@i where i in world }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:25: error: use of undeclared identifier 'missing'
// CHECK-NEXT:  @communicate { a@0 << missing << b@i where i in world }
// CHECK-NEXT:                        ^~~~~~~
  @communicate {
    a@0 <<= b@1;
    b@0
        <<= mising_in_the_second_line + a@1
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:13: error: use of undeclared identifier 'mising_in_the_second_line'
// CHECK-NEXT:        <<= mising_in_the_second_line + a@1
// CHECK-NEXT:            ^~~~~~~~~~~~~~~~~~~~~~~~~
  }
  @communicate { a@i <<= b@j where j in {i ... 3}, i in world }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:42: error: use of undeclared identifier 'i'
// CHECK-NEXT:  @communicate { a@i <<= b@j where j in {i ... 3}, i in world }
// CHECK-NEXT:                                         ^
}

void expressions(int a, int b, Private object, std::vector<int> list, std::string text) {
  @communicate { object.hidden@0 <<= b@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:25: error: 'hidden' is a private member of 'Private'
// CHECK-NEXT:  @communicate { object.hidden@0 <<= b@1 }
// CHECK-NEXT:                        ^~~~~~
// CHECK-NEXT:{{.*}}host_error.cpp:[[@LINE-64]]:7: note: implicitly declared private here
// CHECK-NEXT:  int hidden;
// CHECK-NEXT:      ^~~~~~
  @communicate { a@0 <<= list.sise()@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:31: error: no member named 'sise' in 'std::vector<int>'; did you mean 'size'?
// CHECK-NEXT:  @communicate { a@0 <<= list.sise()@1 }
// CHECK-NEXT:                              ^~~~
// CHECK-NEXT:{{.*}}stl_vector.h:{{[0-9]+:[0-9]+}}: note: 'size' declared here
// CHECK-NEXT:{{.+}}
// CHECK-NEXT:{{.+}}
  @communicate { a@0 <<= text * 2@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:31: error: invalid operands to binary expression ('std::string' (aka 'basic_string<char>') and 'int')
// CHECK-NEXT:  @communicate { a@0 <<= text * 2@1 }
// CHECK-NEXT:                              ^
  @communicate { a@0 <<= b +@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:28: error: expected expression
// CHECK-NEXT:  @communicate { a@0 <<= b +@1 }
// CHECK-NEXT:                           ^
  @communicate { a@0 <<= (int x)@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:31: error: expected ')'
// CHECK-NEXT:  @communicate { a@0 <<= (int x)@1 }
// CHECK-NEXT:                              ^
// CHECK-NEXT:{{.*}}host_error.cpp:[[@LINE-4]]:26: note: to match this '('
// CHECK-NEXT:  @communicate { a@0 <<= (int x)@1 }
// CHECK-NEXT:                         ^
  @communicate { a@0 <<= [&](int k) { return k + nowhere; }(b)@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:50: error: use of undeclared identifier 'nowhere'
// CHECK-NEXT:  @communicate { a@0 <<= [&](int k) { return k + nowhere; }(b)@1 }
// CHECK-NEXT:                                                 ^~~~~~~
  @communicate { a@0 <<= expressions(1)@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:26: error: no matching function for call to 'expressions'
// CHECK-NEXT:  @communicate { a@0 <<= expressions(1)@1 }
// CHECK-NEXT:                         ^~~~~~~~~~~
// CHECK-NEXT:{{.*}}host_error.cpp:[[@LINE-38]]:6: note: candidate function not viable: requires 5 arguments, but 1 was provided
// CHECK-NEXT:void expressions(int a, int b, Private object, std::vector<int> list, std::string text) {
// CHECK-NEXT:     ^~~~~~~~~~~
}

int after(int a) {
  @communicate { a@0 <<= a@1 } return unknown_after_a_block + a;
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:39: error: use of undeclared identifier 'unknown_after_a_block'
// CHECK-NEXT:  @communicate { a@0 <<= a@1 } return unknown_after_a_block + a;
// CHECK-NEXT:                                      ^~~~~~~~~~~~~~~~~~~~~
}

template <class T>
void generic(T value) {
  @communicate { value.number@0 <<= value.number@1 }
// CHECK:{{.*}}host_error.cpp:[[@LINE-1]]:23: error: member reference base type 'int' is not a structure or union
// CHECK-NEXT:  @communicate { value.number@0 <<= value.number@1 }
// CHECK-NEXT:                      ^
// CHECK-NEXT:{{.*}}host_error.cpp:[[@LINE+7]]:22: note: in instantiation of function template specialization 'generic<int>' requested here
// CHECK-NEXT:void instantiate() { generic(3); }
// CHECK-NEXT:                     ^~~~~~~
// CHECK:{{.*}}host_error.cpp:[[@LINE-7]]:42: error: member reference base type 'int' is not a structure or union
// CHECK-NEXT:  @communicate { value.number@0 <<= value.number@1 }
// CHECK-NEXT:                                         ^
}
void instantiate() { generic(3); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
