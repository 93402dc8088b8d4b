// RUN: %check_diagnostics
#include <kanor/kanor.hpp>
#include <map>
#include <string>
#include <vector>

struct Metres {
  double value;
};
struct Feet {
  double value;
};
struct Fixed {
  Fixed& operator=(const Fixed&) = delete;
  int value;
};

void f(int number, std::string text, std::vector<int> list, Metres metres, Feet feet, int (&row)[3], std::map<int, int> map) {
  @communicate { number@0 <<= text@1 }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'std::string' cannot be assigned to 'number' of type 'int'
// CHECK-NEXT:  @communicate { number@0 <<= text@1 }
// CHECK-NEXT:                 ^~~~~~
  @communicate { text@0 <<= list@1 }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'std::vector<int>' cannot be assigned to 'text' of type 'std::string'
// CHECK-NEXT:  @communicate { text@0 <<= list@1 }
// CHECK-NEXT:                 ^~~~
  @communicate { list@0 <<= number@1 }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'int' cannot be assigned to 'list' of type 'std::vector<int>'
// CHECK-NEXT:  @communicate { list@0 <<= number@1 }
// CHECK-NEXT:                 ^~~~
  @communicate { metres@0 <<= feet@1 }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'Feet' cannot be assigned to 'metres' of type 'Metres'
// CHECK-NEXT:  @communicate { metres@0 <<= feet@1 }
// CHECK-NEXT:                 ^~~~~~
  @communicate { metres@0 <<= 3.0@1 }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'double' cannot be assigned to 'metres' of type 'Metres'
// CHECK-NEXT:  @communicate { metres@0 <<= 3.0@1 }
// CHECK-NEXT:                 ^~~~~~
  @communicate { row@0 <<= number@1 }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'int' cannot be assigned to 'row' of type 'int[3]'
// CHECK-NEXT:  @communicate { row@0 <<= number@1 }
// CHECK-NEXT:                 ^~~
  @communicate { number@0 <<= row@1 }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'int[3]' cannot be assigned to 'number' of type 'int'
// CHECK-NEXT:  @communicate { number@0 <<= row@1 }
// CHECK-NEXT:                 ^~~~~~
  @communicate { map@0 << + << number@i where i in world }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'int' cannot be assigned to 'map' of type 'std::map<int, int>'
// CHECK-NEXT:  @communicate { map@0 << + << number@i where i in world }
// CHECK-NEXT:                 ^~~
  @communicate { number@0 << + << text@i where i in world }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'std::string' cannot be assigned to 'number' of type 'int'
// CHECK-NEXT:  @communicate { number@0 << + << text@i where i in world }
// CHECK-NEXT:                 ^~~~~~
  char few[8] = {};
  @communicate { few@0 <<= text@1 }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'std::string' cannot be assigned to 'few' of type 'char[8]'
// CHECK-NEXT:  @communicate { few@0 <<= text@1 }
// CHECK-NEXT:                 ^~~
// CHECK-NEXT:kanorc: note: send as many characters as fit, 'text[0 : n]' to 'few[0 : n]', or receive them in a 'std::string'
  std::vector<int> whole_numbers(3);
  std::vector<double> numbers(3);
  @communicate { whole_numbers@0 <<= numbers@1 }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'std::vector<double>' cannot be assigned to 'whole_numbers' of type 'std::vector<int>'
// CHECK-NEXT:  @communicate { whole_numbers@0 <<= numbers@1 }
// CHECK-NEXT:                 ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: a section converts the elements: 'numbers[:]'
  @communicate { numbers@0 << + << whole_numbers@i where i in world }
// CHECK:{{.*}}place_not_assignable.cpp:[[@LINE-1]]:18: error: a value of type 'std::vector<int>' cannot be assigned to 'numbers' of type 'std::vector<double>'
// CHECK-NEXT:  @communicate { numbers@0 << + << whole_numbers@i where i in world }
// CHECK-NEXT:                 ^~~~~~~
// CHECK-NEXT:kanorc: note: a section converts the elements: 'whole_numbers[:]'
  @communicate { numbers@0 <<= row@1; row@1 <<= numbers@0 }
  @communicate { whole_numbers@0 <<= numbers[:]@1; numbers@0 << + << whole_numbers[:]@i where i in world }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
