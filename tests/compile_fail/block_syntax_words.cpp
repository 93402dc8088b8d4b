// RUN: %check_diagnostics
// Words that stand where the language has none: what a macro would have to supply, names that look like other clauses,
// and pieces that a block cannot hold.
#include <kanor/kanor.hpp>
#include <vector>

#define ARROW <<=
#define AT @
#define IN in
#define LET let k = 1
#define TO_ROOT a@0

void macros_supply_no_words(int a, int b) {
  @communicate { a@0 ARROW b@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' before 'ARROW'
// CHECK-NEXT:  @communicate { a@0 ARROW b@1 }
// CHECK-NEXT:                     ^~~~~
  @communicate { a AT 0 <<= b@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:25: error: expected '@' and the receiver's rank before '<<='
// CHECK-NEXT:  @communicate { a AT 0 <<= b@1 }
// CHECK-NEXT:                        ^~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { TO_ROOT <<= b@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:26: error: expected '@' and the receiver's rank before '<<='
// CHECK-NEXT:  @communicate { TO_ROOT <<= b@1 }
// CHECK-NEXT:                         ^~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@i <<= b@i where i IN world }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:38: error: expected 'in' after 'i', found 'IN'
// CHECK-NEXT:  @communicate { a@i <<= b@i where i IN world }
// CHECK-NEXT:                                     ^~
// CHECK-NEXT:kanorc: note: a clause is 'i in set', 'let name = expression' or a condition
  @communicate { a@i <<= b@i where i in world, LET }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:48: error: the filter 'LET' looks like a generator's name
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, LET }
// CHECK-NEXT:                                               ^~~
// CHECK-NEXT:kanorc: note: write '(LET)' for a filter, 'LET in set' for a generator
}

void filters_that_look_like_names(int a, int b, bool active) {
  @communicate { a@i <<= b@i where i in world, active }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:48: error: the filter 'active' looks like a generator's name
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, active }
// CHECK-NEXT:                                               ^~~~~~
// CHECK-NEXT:kanorc: note: write '(active)' for a filter, 'active in set' for a generator
  @communicate { a@i <<= b@i where i in {0 ... 3 ... 4} }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:50: error: unexpected '...' in a set
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in {0 ... 3 ... 4} }
// CHECK-NEXT:                                                 ^~~
// CHECK-NEXT:kanorc: note: a set is an interval '{first ... last}', a list '{a, b, c}' or a C++ range
}

void operators(int a, int b) {
  @communicate { a@0 << / << b@i where i in world }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:25: error: '/' is not a reduction operator
// CHECK-NEXT:  @communicate { a@0 << / << b@i where i in world }
// CHECK-NEXT:                        ^
// CHECK-NEXT:kanorc: note: the operators are + * & | ^ && || min max, and any callable 'op(a, b)'
  @communicate { a@0 << % << b@i where i in world }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:25: error: '%' is not a reduction operator
// CHECK-NEXT:  @communicate { a@0 << % << b@i where i in world }
// CHECK-NEXT:                        ^
// CHECK-NEXT:kanorc: note: the operators are + * & | ^ && || min max, and any callable 'op(a, b)'
  @communicate { a@0 << ! << b@i where i in world }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:25: error: '!' is not a reduction operator
// CHECK-NEXT:  @communicate { a@0 << ! << b@i where i in world }
// CHECK-NEXT:                        ^
// CHECK-NEXT:kanorc: note: the operators are + * & | ^ && || min max, and any callable 'op(a, b)'
  @communicate { a@0 << == << b@i where i in world }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:25: error: '==' is not a reduction operator
// CHECK-NEXT:  @communicate { a@0 << == << b@i where i in world }
// CHECK-NEXT:                        ^~
// CHECK-NEXT:kanorc: note: the operators are + * & | ^ && || min max, and any callable 'op(a, b)'
  @communicate { a@0 << << << b@i where i in world }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:22: error: expected an operator after '<<'
// CHECK-NEXT:  @communicate { a@0 << << << b@i where i in world }
// CHECK-NEXT:                     ^~~~~
// CHECK-NEXT:kanorc: note: a reduction is written '<< + <<', an assignment '<<='
}

void sections(std::vector<int> A, int (&B)[4][4], int k) {
  @communicate { A[0 : 4]@0 <<= B[0 : 4][k][0]@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:44: error: unexpected '[' after a section's last ']'
// CHECK-NEXT:  @communicate { A[0 : 4]@0 <<= B[0 : 4][k][0]@1 }
// CHECK-NEXT:                                           ^
// CHECK-NEXT:kanorc: note: write '[i : 1]' for a single index of a dimension
  @communicate { A[0 : 4]@0 <<= (B[0 : 4])@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:35: error: a section can only be a whole place or a whole value
// CHECK-NEXT:  @communicate { A[0 : 4]@0 <<= (B[0 : 4])@1 }
// CHECK-NEXT:                                  ^~~~~~~
}

void modifiers(int a, int b) {
  @communicate (team) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:17: error: modifier 'team' needs an argument: team = expression
// CHECK-NEXT:  @communicate (team) { a@0 <<= b@1 }
// CHECK-NEXT:                ^~~~
  @communicate (async) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:17: error: modifier 'async' needs an argument: async = name
// CHECK-NEXT:  @communicate (async) { a@0 <<= b@1 }
// CHECK-NEXT:                ^~~~~
  @communicate (team = ) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:22: error: expected an expression after '='
// CHECK-NEXT:  @communicate (team = ) { a@0 <<= b@1 }
// CHECK-NEXT:                     ^
  @communicate (delta = 3) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:25: error: modifier 'delta' takes no argument
// CHECK-NEXT:  @communicate (delta = 3) { a@0 <<= b@1 }
// CHECK-NEXT:                        ^
  @communicate (knows = sender, knows = both) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:33: error: modifier 'knows' is given twice
// CHECK-NEXT:  @communicate (knows = sender, knows = both) { a@0 <<= b@1 }
// CHECK-NEXT:                                ^~~~~
// CHECK-NEXT:{{.*}}block_syntax_words.cpp:[[@LINE-4]]:17: note: the first one is here
// CHECK-NEXT:  @communicate (knows = sender, knows = both) { a@0 <<= b@1 }
// CHECK-NEXT:                ^~~~~~~~~~~~~~
  @communicate (team = pick<1, 2>(a)) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:30: error: expected a modifier after ','
// CHECK-NEXT:  @communicate (team = pick<1, 2>(a)) { a@0 <<= b@1 }
// CHECK-NEXT:                             ^
// CHECK-NEXT:kanorc: note: parenthesise template arguments with commas
  KANOR_COMMUNICATE((async = one two), a@0 <<= b@1);
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:30: error: 'async' needs one name, not 'one two'
// CHECK-NEXT:  KANOR_COMMUNICATE((async = one two), a@0 <<= b@1);
// CHECK-NEXT:                             ^~~~~~~
// CHECK-NEXT:kanorc: note: the block declares it as a 'kanor::pending'
  @communicate { a@0 <<= b@1 where i : world }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:38: error: expected 'in' after 'i', found ':'
// CHECK-NEXT:  @communicate { a@0 <<= b@1 where i : world }
// CHECK-NEXT:                                     ^
// CHECK-NEXT:kanorc: note: a generator is written 'i in {first ... last}' or 'i in world'
  @communicate { a@0 <<= b@1 where i = {0 ... 3} }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:38: error: expected 'in' after 'i', found '='
// CHECK-NEXT:  @communicate { a@0 <<= b@1 where i = {0 ... 3} }
// CHECK-NEXT:                                     ^
// CHECK-NEXT:kanorc: note: a generator is written 'i in {first ... last}' or 'i in world'
  @communicate { a@0, b@1 <<= c@2 }
// CHECK:{{.*}}block_syntax_words.cpp:[[@LINE-1]]:21: error: unexpected ',' in a rank
// CHECK-NEXT:  @communicate { a@0, b@1 <<= c@2 }
// CHECK-NEXT:                    ^
// CHECK-NEXT:kanorc: note: a statement has one place: write a statement for each
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
