// RUN: %check_diagnostics
// What one writes out of habit, as in C++ or in other languages: the message names the word, and the way out.
#include <kanor/kanor.hpp>

void f(int a, int b, int me, int n) {
  @communicate { a@0 += b@i where i in world }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' after the receiver's rank, found '+='
// CHECK-NEXT:  @communicate { a@0 += b@i where i in world }
// CHECK-NEXT:                     ^~
// CHECK-NEXT:kanorc: note: a reduction is written '<< + <<', and leaves out the place's old value
  @communicate { a@0 -= b@1 }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' after the receiver's rank, found '-='
// CHECK-NEXT:  @communicate { a@0 -= b@1 }
// CHECK-NEXT:                     ^~
// CHECK-NEXT:kanorc: note: an assignment is written 'place@receiver <<= value@sender'
  @communicate { a@0 -> b@1 }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' after the receiver's rank, found '->'
// CHECK-NEXT:  @communicate { a@0 -> b@1 }
// CHECK-NEXT:                     ^~
// CHECK-NEXT:kanorc: note: an assignment is written 'place@receiver <<= value@sender'
  @communicate { a@0 = b@1 }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' after the receiver's rank, found '='
// CHECK-NEXT:  @communicate { a@0 = b@1 }
// CHECK-NEXT:                     ^
// CHECK-NEXT:kanorc: note: an assignment is written 'place@receiver <<= value@sender'
  @communicate { return 0; }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:18: error: 'return' cannot begin a place or value
// CHECK-NEXT:  @communicate { return 0; }
// CHECK-NEXT:                 ^~~~~~
// CHECK-NEXT:kanorc: note: a block has no C++ statements: put them before or after it
  @communicate { a@0 <<= b@1; return 0; }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:31: error: 'return' cannot begin a place or value
// CHECK-NEXT:  @communicate { a@0 <<= b@1; return 0; }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: a block has no C++ statements: put them before or after it
  @communicate { a@1 if (me == 0) }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' before 'if'
// CHECK-NEXT:  @communicate { a@1 if (me == 0) }
// CHECK-NEXT:                     ^~
// CHECK-NEXT:kanorc: note: for a condition, use a filter: 'place@rank <<= value@rank where condition'
  @communicate { a@1 <<= b@0 if (n > 1) }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:30: error: unexpected 'if' in a rank
// CHECK-NEXT:  @communicate { a@1 <<= b@0 if (n > 1) }
// CHECK-NEXT:                             ^~
// CHECK-NEXT:kanorc: note: for a condition, use a filter: 'place@rank <<= value@rank where condition'
  @communicate { if (me == 0) { a@1 <<= b@0 } }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:18: error: 'if' cannot begin a place or value
// CHECK-NEXT:  @communicate { if (me == 0) { a@1 <<= b@0 } }
// CHECK-NEXT:                 ^~
// CHECK-NEXT:kanorc: note: for a condition, use a filter: 'place@rank <<= value@rank where condition'
  @communicate { for i in world a@i <<= b@0 }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:18: error: 'for' cannot begin a place or value
// CHECK-NEXT:  @communicate { for i in world a@i <<= b@0 }
// CHECK-NEXT:                 ^~~
// CHECK-NEXT:kanorc: note: for a loop, use a generator: 'place@rank <<= value@rank where i in set'
  @communicate { for (int i : kanor::world) { a@i <<= b@0; } }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:18: error: 'for' cannot begin a place or value
// CHECK-NEXT:  @communicate { for (int i : kanor::world) { a@i <<= b@0; } }
// CHECK-NEXT:                 ^~~
// CHECK-NEXT:kanorc: note: for a loop, use a generator: 'place@rank <<= value@rank where i in set'
  @communicate { a@i <<= b@0 for i in world }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:30: error: expected 'where', found 'for'
// CHECK-NEXT:  @communicate { a@i <<= b@0 for i in world }
// CHECK-NEXT:                             ^~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@1 <<= b@0 while (n > 1) }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:30: error: unexpected 'while' in a rank
// CHECK-NEXT:  @communicate { a@1 <<= b@0 while (n > 1) }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: for a loop, use a generator: 'place@rank <<= value@rank where i in set'
  @communicate { a@0 <<= b@n <<= b@1 }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:30: error: a second '<<=' in one statement
// CHECK-NEXT:  @communicate { a@0 <<= b@n <<= b@1 }
// CHECK-NEXT:                             ^~~
// CHECK-NEXT:kanorc: note: ';' separates two statements
  @communicate { a@[]() constexpr { return 0; }() <<= b@0 }
  @communicate { a@i <<= b@j where i in world and j in world }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:47: error: unexpected 'and' before 'j in'
// CHECK-NEXT:  @communicate { a@i <<= b@j where i in world and j in world }
// CHECK-NEXT:                                              ^~~
// CHECK-NEXT:kanorc: note: ',' separates the clauses
  @communicate { a@i <<= b@j where i in world && j in world }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:47: error: unexpected '&&' before 'j in'
// CHECK-NEXT:  @communicate { a@i <<= b@j where i in world && j in world }
// CHECK-NEXT:                                              ^~
// CHECK-NEXT:kanorc: note: ',' separates the clauses
  @communicate { a@i <<= b@0 where i in world if i > 2 }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:47: error: unexpected 'if' in a set
// CHECK-NEXT:  @communicate { a@i <<= b@0 where i in world if i > 2 }
// CHECK-NEXT:                                              ^~
// CHECK-NEXT:kanorc: note: a condition is a clause of its own, behind a ','
  @communicate { a@0 <<= + <<= b@i where i in world }
// CHECK:{{.*}}block_syntax_habits.cpp:[[@LINE-1]]:22: error: expected a value after '<<=', found '+'
// CHECK-NEXT:  @communicate { a@0 <<= + <<= b@i where i in world }
// CHECK-NEXT:                     ^~~~~~~~~
// CHECK-NEXT:kanorc: note: a reduction is written '<< + <<'
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
