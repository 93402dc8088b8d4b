// RUN: %kanorc --emit-cpp %s -o %t.cpp
// RUN: %host_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: %clang_cxx -std=c++20 -Wall -Wextra -Werror -I%include -fsyntax-only %t.cpp
// RUN: sed 's|"[^"]*emit_globals.cpp"|"emit_globals.cpp"|' %t.cpp | %FileCheck --strict-whitespace --match-full-lines %s
// Which variables become private to a rank, and which stay.
#include <kanor/kanor.hpp>

#include <string>

int counter = 0;
static double scale = 1.5;
const int constant = 3;
inline constexpr int compile_time = 4;
const std::string dynamic(3, 'x');
int* pointer = &counter;
inline const int* const to_constant = &constant;
[[kanor::shared]] int for_all = 0;
thread_local int already = 1;
extern int elsewhere;
struct Owner {
  static int defined_below;
  static inline int in_class = 5;
  [[kanor::shared]] static inline int shared_member = 6;
};
int Owner::defined_below = 7;

int next() {
  static int calls = 0;
  static const int fixed = 8;
  return ++calls + fixed + elsewhere + for_all + *pointer;
}

void block() {
  @communicate { counter@0 <<= elsewhere@1 }
  scale += counter;
}
// CHECK:thread_local int counter = 0;
// CHECK-NEXT:thread_local static double scale = 1.5;
// CHECK-NEXT:const int constant = 3;
// CHECK-NEXT:inline constexpr int compile_time = 4;
// CHECK-NEXT:thread_local const std::string dynamic(3, 'x');
// CHECK-NEXT:thread_local int* pointer = &counter;
// CHECK-NEXT:inline const int* const to_constant = &constant;
// CHECK-NEXT:                  int for_all = 0;
// CHECK-NEXT:thread_local int already = 1;
// CHECK-NEXT:thread_local extern int elsewhere;
// CHECK-NEXT:struct Owner {
// CHECK-NEXT:  thread_local static int defined_below;
// CHECK-NEXT:  thread_local static inline int in_class = 5;
// CHECK-NEXT:                    static inline int shared_member = 6;
// CHECK-NEXT:};
// CHECK-NEXT:thread_local int Owner::defined_below = 7;
// CHECK-EMPTY:
// CHECK-NEXT:int next() {
// CHECK-NEXT:  thread_local static int calls = 0;
// CHECK-NEXT:  static const int fixed = 8;
// CHECK-NEXT:  return ++calls + fixed + elsewhere + for_all + *pointer;
// CHECK-NEXT:}
// CHECK:namespace { const ::kanor::abi::rank_initialiser kanor_initialiser{[] { (void)&::dynamic; (void)&::pointer; }}; }
// CHECK-NEXT:__attribute__((section(".kanor.note"), used)) static const char kanor_note[] = "kanor 1\nprivate\n";
