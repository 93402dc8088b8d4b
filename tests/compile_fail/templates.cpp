// RUN: %check_diagnostics
// KIND: section_bounds, set_not_range, operator_not_callable, rank_not_integer, filter_not_bool, lengths_differ
// What only an instantiation shows is told at the template's line, with the instantiation; those that are right stay silent.
#include <kanor/kanor.hpp>
#include <functional>
#include <string>
#include <vector>

template <int count>
void sections(int (&a)[4], std::vector<int> v) {
  @communicate { v[0 : count]@0 <<= a[:]@1 }
// CHECK:{{.*}}templates.cpp:[[@LINE-1]]:24: error: the count of a section cannot be negative, but this one is -2
// CHECK-NEXT:  @communicate { v[0 : count]@0 <<= a[:]@1 }
// CHECK-NEXT:                       ^~~~~
// CHECK-NEXT:{{.*}}templates.cpp:[[@LINE+5]]:3: note: in the instantiation 'sections<-2>', which is needed here
// CHECK-NEXT:  sections<-2>(a, v);
// CHECK-NEXT:  ^~~~~~~~
}
void sections_of(int (&a)[4], std::vector<int> v) {
  sections<-2>(a, v);
  sections<4>(a, v);
}

template <class Set>
void sets(Set set) {
  int a = 0;
  @communicate { a@i + 0 <<= a@0 where i in set }
// CHECK:{{.*}}templates.cpp:[[@LINE-1]]:45: error: a set must be a range of integers, but 'set' has type 'int'
// CHECK-NEXT:  @communicate { a@i + 0 <<= a@0 where i in set }
// CHECK-NEXT:                                            ^~~
// CHECK-NEXT:kanorc: note: an interval is written { 0 ... n - 1 }, a list { a, b, c }
// CHECK-NEXT:{{.*}}templates.cpp:[[@LINE+11]]:3: note: in the instantiation 'sets<int>', which is needed here
// CHECK-NEXT:  sets(3);
// CHECK-NEXT:  ^~~~
// CHECK:{{.*}}templates.cpp:[[@LINE-8]]:45: error: a set must be a range of integers, but the elements of 'set' have type 'std::string'
// CHECK-NEXT:  @communicate { a@i + 0 <<= a@0 where i in set }
// CHECK-NEXT:                                            ^~~
// CHECK-NEXT:{{.*}}templates.cpp:[[@LINE+6]]:3: note: in the instantiation 'sets<std::vector<std::basic_string<char>>>', which is needed here
// CHECK-NEXT:  sets(std::vector<std::string>());
// CHECK-NEXT:  ^~~~
}
void sets_of() {
  sets(3);
  sets(std::vector<std::string>());
  sets(std::vector<int>());
}

template <class Bound>
void intervals(Bound bound) {
  int a = 0;
  @communicate { a@i <<= a@0 where i in {0 ... bound} }
// CHECK:{{.*}}templates.cpp:[[@LINE-1]]:48: error: the members of a set must be integers, but 'bound' has type 'double'
// CHECK-NEXT:  @communicate { a@i <<= a@0 where i in {0 ... bound} }
// CHECK-NEXT:                                               ^~~~~
// CHECK-NEXT:{{.*}}templates.cpp:[[@LINE+5]]:3: note: in the instantiation 'intervals<double>', which is needed here
// CHECK-NEXT:  intervals(1.5);
// CHECK-NEXT:  ^~~~~~~~~
}
void intervals_of() {
  intervals(1.5);
  intervals(2l);
}

template <class Op>
void operators(Op op) {
  int a = 0;
  @communicate { a@0 << op << a@i where i in world }
// CHECK:{{.*}}templates.cpp:[[@LINE-1]]:25: error: 'op' cannot combine two values of type 'int' into one of that type
// CHECK-NEXT:  @communicate { a@0 << op << a@i where i in world }
// CHECK-NEXT:                        ^~
// CHECK-NEXT:{{.*}}templates.cpp:[[@LINE+5]]:3: note: in the instantiation 'operators<int>', which is needed here
// CHECK-NEXT:  operators(3);
// CHECK-NEXT:  ^~~~~~~~~
}
void operators_of() {
  operators(3);
  operators(std::plus<>());
}

template <class Rank>
void ranks(Rank rank) {
  int a = 0;
  @communicate { a@rank <<= a@0 }
// CHECK:{{.*}}templates.cpp:[[@LINE-1]]:20: error: a rank must be an integer, but 'rank' has type 'float'
// CHECK-NEXT:  @communicate { a@rank <<= a@0 }
// CHECK-NEXT:                   ^~~~
// CHECK-NEXT:{{.*}}templates.cpp:[[@LINE+5]]:3: note: in the instantiation 'ranks<float>', which is needed here
// CHECK-NEXT:  ranks(3.0f);
// CHECK-NEXT:  ^~~~~
}
void ranks_of() {
  ranks(3.0f);
  ranks(2u);
}

template <class Filter>
void filters(Filter filter) {
  int a = 0;
  @communicate { a@0 <<= a@1 where (filter) }
// CHECK:{{.*}}templates.cpp:[[@LINE-1]]:36: error: a filter must convert to 'bool', but '(filter)' has type 'std::string'
// CHECK-NEXT:  @communicate { a@0 <<= a@1 where (filter) }
// CHECK-NEXT:                                   ^~~~~~~~
// CHECK-NEXT:{{.*}}templates.cpp:[[@LINE+5]]:3: note: in the instantiation 'filters<std::basic_string<char>>', which is needed here
// CHECK-NEXT:  filters(std::string());
// CHECK-NEXT:  ^~~~~~~
}
void filters_of() {
  filters(std::string());
  filters(2);
}

template <class Value>
void values(Value& value) {
  int a[3];
  @communicate { a@0 <<= value@1 }
// CHECK:{{.*}}templates.cpp:[[@LINE-1]]:18: error: 'a' has 3 elements, 'value' has 4
// CHECK-NEXT:  @communicate { a@0 <<= value@1 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:{{.*}}templates.cpp:[[@LINE+8]]:3: note: in the instantiation 'values<int[4]>', which is needed here
// CHECK-NEXT:  values(four);
// CHECK-NEXT:  ^~~~~~
}
void values_of() {
  int four[4];
  double three[3];
  std::vector<int> any;
  values(four);
  values(three);
  values(any);
}

template <class Place>
void places(Place& place) {
  @communicate { place@0 <<= 3@1 }
// CHECK:{{.*}}templates.cpp:[[@LINE-1]]:18: error: 'place' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate { place@0 <<= 3@1 }
// CHECK-NEXT:                 ^~~~~
// CHECK-NEXT:{{.*}}templates.cpp:[[@LINE+8]]:3: note: in the instantiation 'places<const int>', which is needed here
// CHECK-NEXT:  places(fixed);
// CHECK-NEXT:  ^~~~~~
}
void places_of() {
  const int fixed = 3;
  std::string text;
  int free = 2;
  places(fixed);
  places(text);
  places(free);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
