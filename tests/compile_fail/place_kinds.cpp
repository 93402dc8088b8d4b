// RUN: %check_diagnostics
// KIND: place_not_modifiable, place_not_assignable
// Places that no value of another rank can reach, and sides of an assignment that do not fit.
#include <kanor/kanor.hpp>
#include <string>
#include <tuple>
#include <vector>

struct Flags {
  unsigned low : 3;
};
void function();
const std::vector<int>& constant_list();
Flags made();
std::vector<int> numbers();
struct Proxy {
  int* number;
  void operator=(int value) { *number = value; }
};

void places(int b, Flags flags, Flags* pointer, const Flags* constant, const int (&row)[3], const std::vector<std::vector<int>>& rows, std::tuple<int, const int> pair) {
  @communicate { flags.low@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'flags.low' is a bit-field, which cannot be a place
// CHECK-NEXT:  @communicate { flags.low@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~
// CHECK-NEXT:kanorc: note: communicate a variable, and assign it to the bit-field after the block
  @communicate { pointer->low@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'pointer->low' is a bit-field, which cannot be a place
// CHECK-NEXT:  @communicate { pointer->low@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: communicate a variable, and assign it to the bit-field after the block
  @communicate { function@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'function' is a function, not a place
// CHECK-NEXT:  @communicate { function@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~
  @communicate { constant->low@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'constant->low' is a bit-field, which cannot be a place
// CHECK-NEXT:  @communicate { constant->low@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: communicate a variable, and assign it to the bit-field after the block
  @communicate { row[2]@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'row[2]' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { row[2]@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~
  @communicate { rows[1][2]@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'rows[1][2]' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { rows[1][2]@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~~
  @communicate { constant_list()[0]@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'constant_list()[0]' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { constant_list()[0]@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~~~~~~
  @communicate { std::get<1>(pair)@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'std::get<1>(pair)' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { std::get<1>(pair)@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~~~~~
  @communicate { made().low@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'made().low' is a bit-field, which cannot be a place
// CHECK-NEXT:  @communicate { made().low@0 <<= b@1 }
// CHECK-NEXT:                 ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: communicate a variable, and assign it to the bit-field after the block
  @communicate { b++@0 <<= b@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'b++' is a temporary value of type 'int', not a place
// CHECK-NEXT:  @communicate { b++@0 <<= b@1 }
// CHECK-NEXT:                 ^~~
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-4]]:18: warning: '++' in a block: on which ranks it happens, and how often, is not defined [-Wkanor-side-effect]
// CHECK-NEXT:  @communicate { b++@0 <<= b@1 }
// CHECK-NEXT:                 ^~~
// CHECK-NEXT:kanorc: note: do it before or after the block
}

void fixed_lambda(int b) {
  int captured = 0;
  auto lambda = [captured] { @communicate { captured@0 <<= 1@1 } };
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:45: error: 'captured' is const, so nothing can be assigned to it
// CHECK-NEXT:  auto lambda = [captured] { @communicate { captured@0 <<= 1@1 } };
// CHECK-NEXT:                                            ^~~~~~~~
  lambda();
}

void assignments(std::vector<int> list, std::vector<bool> bits, std::string text, int number) {
  @communicate { bits[1]@0 <<= text@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: a value of type 'std::string' cannot be assigned to 'bits[1]' of type 'std::vector<bool>::reference'
// CHECK-NEXT:  @communicate { bits[1]@0 <<= text@1 }
// CHECK-NEXT:                 ^~~~~~~
  @communicate { list[1]@0 <<= list@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: a value of type 'std::vector<int>' cannot be assigned to 'list[1]' of type 'int'
// CHECK-NEXT:  @communicate { list[1]@0 <<= list@1 }
// CHECK-NEXT:                 ^~~~~~~
  @communicate { list@0 << + << number@i where i in world }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: a value of type 'int' cannot be assigned to 'list' of type 'std::vector<int>'
// CHECK-NEXT:  @communicate { list@0 << + << number@i where i in world }
// CHECK-NEXT:                 ^~~~
  @communicate { bits@0 <<= list@1 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: a value of type 'std::vector<int>' cannot be assigned to 'bits' of type 'std::vector<bool>'
// CHECK-NEXT:  @communicate { bits@0 <<= list@1 }
// CHECK-NEXT:                 ^~~~
}

/// What is assigned to them is lost, unless their assignment is one of their own.
void temporaries(int number, std::vector<std::vector<int>> rows) {
  @communicate { numbers()@0 <<= rows[0]@1; Proxy{&number}@1 <<= 3@0 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'numbers()' is a temporary value of type 'std::vector<int>', not a place
// CHECK-NEXT:  @communicate { numbers()@0 <<= rows[0]@1; Proxy{&number}@1 <<= 3@0 }
// CHECK-NEXT:                 ^~~~~~~~~
  @communicate { numbers()[1]@0 <<= number@1; rows[0][1]@1 <<= 3@0 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'numbers()[1]' is a temporary value of type 'int', not a place
// CHECK-NEXT:  @communicate { numbers()[1]@0 <<= number@1; rows[0][1]@1 <<= 3@0 }
// CHECK-NEXT:                 ^~~~~~~~~~~~
  @communicate { made()@0 <<= Flags{}@1; std::tie(number, rows[0])@1 <<= std::tuple(1, rows[1])@0 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'made()' is a temporary value of type 'Flags', not a place
// CHECK-NEXT:  @communicate { made()@0 <<= Flags{}@1; std::tie(number, rows[0])@1 <<= std::tuple(1, rows[1])@0 }
// CHECK-NEXT:                 ^~~~~~
  @communicate { std::make_tuple(number)@0 <<= std::tuple(1)@1; std::string()@1 <<= std::string("a")@0 }
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-1]]:18: error: 'std::make_tuple(number)' is a temporary value of type 'std::tuple<int>', not a place
// CHECK-NEXT:  @communicate { std::make_tuple(number)@0 <<= std::tuple(1)@1; std::string()@1 <<= std::string("a")@0 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~~~~~~~~~~~
// CHECK:{{.*}}place_kinds.cpp:[[@LINE-4]]:65: error: 'std::string()' is a temporary value of type 'std::string', not a place
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
