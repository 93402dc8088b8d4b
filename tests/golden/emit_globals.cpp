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

template <class T>
T by_type = T(9);
template <>
inline long by_type<long> = 10;
template <class T>
inline T* by_type<T*> = nullptr;
template <class T>
static inline T by_type_inline = T(9);
template <class T>
struct Table {
  static T last;
};
template <class T>
T Table<T>::last = T(11);
template <>
char Table<char>::last = 'c';
static union {
  int bits;
  float number;
};
#define DECLARE(type, name) type name
DECLARE(int, by_macro) = 12;
[[maybe_unused]] alignas(32) static int aligned[3] = {13};
int static after_the_type = 14, *another = nullptr;
constinit int early = 15;
extern "C++" int in_cpp;

int next() {
  extern int declared_in_function;
  static int calls = 0;
  static const int fixed = 8;
  return ++calls + by_type_inline<int> + *by_type<int*> + fixed + elsewhere + for_all + *pointer + declared_in_function;
}

void block() {
  @communicate { counter@0 <<= elsewhere@1 }
  scale += counter + bits + after_the_type + *another;
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
// CHECK-NEXT:template <class T>
// CHECK-NEXT:thread_local T by_type = T(9);
// CHECK-NEXT:template <>
// CHECK-NEXT:inline thread_local long by_type<long> = 10;
// CHECK-NEXT:template <class T>
// CHECK-NEXT:inline thread_local T* by_type<T*> = nullptr;
// CHECK-NEXT:template <class T>
// CHECK-NEXT:thread_local static inline T by_type_inline = T(9);
// CHECK-NEXT:template <class T>
// CHECK-NEXT:struct Table {
// CHECK-NEXT:  thread_local static T last;
// CHECK-NEXT:};
// CHECK-NEXT:template <class T>
// CHECK-NEXT:thread_local T Table<T>::last = T(11);
// CHECK-NEXT:template <>
// CHECK-NEXT:thread_local char Table<char>::last = 'c';
// CHECK-NEXT:static union {
// CHECK-NEXT:  int bits;
// CHECK-NEXT:  float number;
// CHECK-NEXT:};
// CHECK-NEXT:#define DECLARE(type, name) type name
// CHECK-NEXT:DECLARE(thread_local int, by_macro) = 12;
// CHECK-NEXT:{{\[\[}}maybe_unused]] alignas(32) thread_local static int aligned[3] = {13};
// CHECK-NEXT:thread_local int static after_the_type = 14, *another = nullptr;
// CHECK-NEXT:thread_local constinit int early = 15;
// CHECK-NEXT:extern "C++" thread_local int in_cpp;
// CHECK-EMPTY:
// CHECK-NEXT:int next() {
// CHECK-NEXT:  thread_local extern int declared_in_function;
// CHECK-NEXT:  thread_local static int calls = 0;
// CHECK-NEXT:  static const int fixed = 8;
// CHECK-NEXT:  return ++calls + by_type_inline<int> + *by_type<int*> + fixed + elsewhere + for_all + *pointer + declared_in_function;
// CHECK-NEXT:}
// CHECK:namespace { thread_local const bool kanor_touched = ::kanor::abi::touch(); }
// CHECK-NEXT:namespace { const ::kanor::abi::rank_initialiser kanor_initialiser{[] { (void)&::dynamic; (void)&::pointer; (void)&kanor_touched; }}; }
// CHECK-NEXT:__attribute__((section(".kanor.note"), used)) static const char kanor_note[] = "kanor 1\nprivate\nobstacle\t(anonymous)\t{{.*}}emit_globals.cpp:43\tit is an anonymous union, which Clang makes private to no thread\n";

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
