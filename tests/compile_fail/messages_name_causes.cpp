// RUN: %not %kanorc -c %s -o %t.o 2>&1 | %check_output
// KIND: block_syntax, place_not_assignable, type_cannot_travel
// Messages that name what is in the way, and what can be done about it.
#include <kanor/kanor.hpp>

#include <ranges>
#include <system_error>

using kanor::world;

struct Constant {
  int k;
  const int c = 3;
};
struct Deleted {
  int k;
  Deleted& operator=(const Deleted&) = delete;
};
struct Nested {
  Constant inner;
};
struct Counted {
  std::ranges::iota_view<int, int> numbers;
  int k;
};

void modifiers(int x, const kanor::team& half) {
  KANOR_COMMUNICATE(copy, x@0 <<= x@1);
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:21: error: the modifiers of 'KANOR_COMMUNICATE' need parentheses of their own, but 'copy' has none
// CHECK:kanorc: note: write 'KANOR_COMMUNICATE((copy), ...)'
  KANOR_COMMUNICATE(knows = sender, x@0 <<= x@1);
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:21: error: the modifiers of 'KANOR_COMMUNICATE' need parentheses of their own, but 'knows' has none
// CHECK:kanorc: note: write 'KANOR_COMMUNICATE((knows = ...), ...)'
  KANOR_COMMUNICATE(team = half, x@0 <<= x@1);
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:21: error: the modifiers of 'KANOR_COMMUNICATE' need parentheses of their own, but 'team' has none
// CHECK:kanorc: note: write 'KANOR_COMMUNICATE((team = ...), ...)'
  KANOR_COMMUNICATE(async = p, x@0 <<= x@1);
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:21: error: the modifiers of 'KANOR_COMMUNICATE' need parentheses of their own, but 'async' has none
// CHECK:kanorc: note: write 'KANOR_COMMUNICATE((async = ...), ...)'
  KANOR_COMMUNICATE(delta, x@0 <<= x@1);
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:21: error: the modifiers of 'KANOR_COMMUNICATE' need parentheses of their own, but 'delta' has none
// CHECK:kanorc: note: write 'KANOR_COMMUNICATE((delta), ...)'
  int copy = 0;
  KANOR_COMMUNICATE((copy), copy@0 <<= copy@1);
}

void assignments(Constant constant, Deleted deleted, Nested nested) {
  @communicate { constant@0 <<= constant@1 }
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:18: error: a value of type 'Constant' cannot be assigned to 'constant' of type 'Constant'
// CHECK:kanorc: note: member 'c' of 'Constant' is const, so nothing can be assigned to the whole
  @communicate { deleted@0 <<= deleted@1 }
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:18: error: a value of type 'Deleted' cannot be assigned to 'deleted' of type 'Deleted'
// CHECK:kanorc: note: 'operator=' of 'Deleted' is deleted
  @communicate { nested@0 <<= nested@1 }
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:18: error: a value of type 'Nested' cannot be assigned to 'nested' of type 'Nested'
// CHECK:kanorc: note: member 'c' of 'Constant' is const, so nothing can be assigned to the whole
}

void libraries(std::error_code code, Counted counted) {
  @communicate { code@0 <<= code@1 }
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:29: error: a value of type 'std::error_code' cannot travel: 'std::error_code' is a class of the standard library that kanor does not know how to send
// CHECK:kanorc: note: send what it holds, in a type that travels
  @communicate { counted@0 <<= counted@1 }
// CHECK:{{.*}}messages_name_causes.cpp:[[@LINE-1]]:32: error: a value of type 'Counted' cannot travel: member 'numbers' of 'Counted' has type 'std::ranges::iota_view<int, int>', which is a class of the standard library that kanor does not know how to send
// CHECK:kanorc: note: send what it holds, in a type that travels
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
