// RUN: %check_diagnostics
// What a block that does not parse is told, one mistake a block: the message, the line and the caret.
#include <kanor/kanor.hpp>
#include <vector>

void arrows(int a, int b, int n) {
  @communicate { a@0 = b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' after the receiver's rank, found '='
// CHECK-NEXT:  @communicate { a@0 = b@1 }
// CHECK-NEXT:                     ^
  @communicate { a@0 <- b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' after the receiver's rank, found '<'
// CHECK-NEXT:  @communicate { a@0 <- b@1 }
// CHECK-NEXT:                     ^
  @communicate { a@0 << b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected a second '<<' after the operator, found '@'
// CHECK-NEXT:  @communicate { a@0 << b@1 }
// CHECK-NEXT:                     ^~
// CHECK-NEXT:kanorc: note: a reduction is written '<< + <<', an assignment '<<='
  @communicate { a@0 b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' before 'b'
// CHECK-NEXT:  @communicate { a@0 b@1 }
// CHECK-NEXT:                     ^
  @communicate { a@0 >>= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' after the receiver's rank, found '>>='
// CHECK-NEXT:  @communicate { a@0 >>= b@1 }
// CHECK-NEXT:                     ^~~
  @communicate { a@0 << + b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected a second '<<' after the operator, found '@'
// CHECK-NEXT:  @communicate { a@0 << + b@1 }
// CHECK-NEXT:                     ^~
// CHECK-NEXT:kanorc: note: a reduction is written '<< + <<', an assignment '<<='
  @communicate { a@0 << << b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected an operator after '<<'
// CHECK-NEXT:  @communicate { a@0 << << b@1 }
// CHECK-NEXT:                     ^~~~~
// CHECK-NEXT:kanorc: note: a reduction is written '<< + <<', an assignment '<<='
  @communicate { a@0 << - << b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:25: error: '-' is not a reduction operator
// CHECK-NEXT:  @communicate { a@0 << - << b@1 }
// CHECK-NEXT:                        ^
// CHECK-NEXT:kanorc: note: the operators are + * & | ^ && || min max, and any callable 'op(a, b)'
  @communicate { a@n << 2 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: '<<' in a rank needs parentheses
// CHECK-NEXT:  @communicate { a@n << 2 <<= b@1 }
// CHECK-NEXT:                     ^~
// CHECK-NEXT:kanorc: note: parenthesise the shift
  @communicate { a@0 <<= b@n << 1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:30: error: '<<' in a rank needs parentheses
// CHECK-NEXT:  @communicate { a@0 <<= b@n << 1 }
// CHECK-NEXT:                             ^~
// CHECK-NEXT:kanorc: note: parenthesise the shift
}

void pieces(int a, int b, int n) {
  @communicate { a <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:20: error: expected '@' and the receiver's rank before '<<='
// CHECK-NEXT:  @communicate { a <<= b@1 }
// CHECK-NEXT:                   ^~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@0 <<= b }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:26: error: expected '@' and the sender's rank after this value
// CHECK-NEXT:  @communicate { a@0 <<= b }
// CHECK-NEXT:                         ^
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@0 <<= b where i in world }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:26: error: expected '@' and the sender's rank after this value
// CHECK-NEXT:  @communicate { a@0 <<= b where i in world }
// CHECK-NEXT:                         ^
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { @0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:18: error: expected a place before '@'
// CHECK-NEXT:  @communicate { @0 <<= b@1 }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@ <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:19: error: expected a rank after '@', found '<<='
// CHECK-NEXT:  @communicate { a@ <<= b@1 }
// CHECK-NEXT:                  ^
  @communicate { a@0 <<= @1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected a value after '<<=', found '@'
// CHECK-NEXT:  @communicate { a@0 <<= @1 }
// CHECK-NEXT:                     ^~~
  @communicate { a@0 <<= b@ }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:27: error: expected a rank after '@', found the end of the block
// CHECK-NEXT:  @communicate { a@0 <<= b@ }
// CHECK-NEXT:                          ^
  @communicate { a }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:18: error: expected '@' and the receiver's rank after this place
// CHECK-NEXT:  @communicate { a }
// CHECK-NEXT:                 ^
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@0 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:18: error: expected '<<=' or '<< op <<' after the receiver's rank, found the end of the block
// CHECK-NEXT:  @communicate { a@0 }
// CHECK-NEXT:                 ^~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@0 <<= b@1@2 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:29: error: expected ';' before '@'
// CHECK-NEXT:  @communicate { a@0 <<= b@1@2 }
// CHECK-NEXT:                            ^
// CHECK-NEXT:kanorc: note: ';' separates two statements
  @communicate { a@0 where i in world <<= b@i }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected '<<=' or '<< op <<' before 'where'
// CHECK-NEXT:  @communicate { a@0 where i in world <<= b@i }
// CHECK-NEXT:                     ^~~~~
// CHECK-NEXT:kanorc: note: the clauses follow the sender's rank
  @communicate { a@0 <<= (b@1) }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:28: error: stray '@' inside brackets
// CHECK-NEXT:  @communicate { a@0 <<= (b@1) }
// CHECK-NEXT:                           ^
// CHECK-NEXT:kanorc: note: write the '@' of a place or value outside of brackets
  @communicate { a@0 <<= b;@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:26: error: expected '@' and the sender's rank after this value
// CHECK-NEXT:  @communicate { a@0 <<= b;@1 }
// CHECK-NEXT:                         ^
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
}

void statements(int a, int b) {
  @communicate { }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:16: error: a block without statements
// CHECK-NEXT:  @communicate { }
// CHECK-NEXT:               ^~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { ; }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:16: error: a block without statements
// CHECK-NEXT:  @communicate { ; }
// CHECK-NEXT:               ^~~~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@0 <<= b@1;; }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:30: error: an empty statement before ';'
// CHECK-NEXT:  @communicate { a@0 <<= b@1;; }
// CHECK-NEXT:                             ^
// CHECK-NEXT:kanorc: note: separate statements with one ';'
  @communicate { a@0 <<= b@1 b@0 <<= a@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:30: error: expected ';' before 'b'
// CHECK-NEXT:  @communicate { a@0 <<= b@1 b@0 <<= a@1 }
// CHECK-NEXT:                             ^
// CHECK-NEXT:kanorc: note: ';' separates two statements
  @communicate {
    a@0 <<= b@1
    b@0 <<= a@1
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:5: error: expected ';' before 'b'
// CHECK-NEXT:    b@0 <<= a@1
// CHECK-NEXT:    ^
// CHECK-NEXT:kanorc: note: ';' separates two statements
  }
  @communicate { if (a) a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:18: error: 'if' cannot begin a place or value
// CHECK-NEXT:  @communicate { if (a) a@0 <<= b@1 }
// CHECK-NEXT:                 ^~
// CHECK-NEXT:kanorc: note: for a condition, use a filter: 'place@rank <<= value@rank where condition'
  @communicate { a@0 <<= {1, 2}@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:26: error: a braced list cannot be a place or value
// CHECK-NEXT:  @communicate { a@0 <<= {1, 2}@1 }
// CHECK-NEXT:                         ^
// CHECK-NEXT:kanorc: note: name its type: 'std::vector<int>{1, 2}'
  @communicate { int c = 0; a@0 <<= c@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:18: error: expected '@' and the receiver's rank after this place
// CHECK-NEXT:  @communicate { int c = 0; a@0 <<= c@1 }
// CHECK-NEXT:                 ^~~~~~~~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { @communicate { a@0 <<= b@1 } }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:16: error: '{' is not closed before the next block
// CHECK-NEXT:  @communicate { @communicate { a@0 <<= b@1 } }
// CHECK-NEXT:               ^
// CHECK-NEXT:{{.*}}block_syntax.cpp:[[@LINE-4]]:18: note: the next block begins here
// CHECK-NEXT:  @communicate { @communicate { a@0 <<= b@1 } }
// CHECK-NEXT:                 ^~~~~~~~~~~~
}

void clauses(int a, int b, int n, bool active, std::vector<int> set) {
  @communicate { a@0 <<= b@i where }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:30: error: expected a clause after 'where', found the end of the block
// CHECK-NEXT:  @communicate { a@0 <<= b@i where }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: a clause is 'i in set', 'let name = expression' or a condition
  @communicate { a@0 <<= b@i where i in }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:38: error: expected a set after 'in', found the end of the block
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in }
// CHECK-NEXT:                                     ^~
// CHECK-NEXT:kanorc: note: a set is an interval '{first ... last}', a list '{a, b, c}' or a C++ range
  @communicate { a@0 <<= b@i where i in {} }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:41: error: an empty set
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in {} }
// CHECK-NEXT:                                        ^~
// CHECK-NEXT:kanorc: note: a statement without bindings sends nothing: leave it out
  @communicate { a@0 <<= b@i where i in {0 ... } }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:44: error: expected an expression in the set after '...'
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in {0 ... } }
// CHECK-NEXT:                                           ^~~
// CHECK-NEXT:kanorc: note: an interval is written '{first ... last}'
  @communicate { a@0 <<= b@i where i in { ... n} }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:43: error: expected an expression in the set before '...'
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in { ... n} }
// CHECK-NEXT:                                          ^~~
// CHECK-NEXT:kanorc: note: a set is an interval '{first ... last}', a list '{a, b, c}' or a C++ range
  @communicate { a@0 <<= b@i where i in {0 ... n, 4} }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:49: error: unexpected ',' in a set
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in {0 ... n, 4} }
// CHECK-NEXT:                                                ^
// CHECK-NEXT:kanorc: note: a set is an interval '{first ... last}', a list '{a, b, c}' or a C++ range
  @communicate { a@0 <<= b@i where i in {0 .. n} }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:41: error: an interval needs three dots
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in {0 .. n} }
// CHECK-NEXT:                                        ^~~~~~~~
// CHECK-NEXT:kanorc: note: write '{first ... last}'
  @communicate { a@0 <<= b@i where i in 0 ... n }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:41: error: an interval needs braces
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in 0 ... n }
// CHECK-NEXT:                                        ^~~~~~~
// CHECK-NEXT:kanorc: note: write '{first ... last}'
  @communicate { a@0 <<= b@i where i in [0, n] }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:41: error: a set needs braces
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in [0, n] }
// CHECK-NEXT:                                        ^~~~~~
// CHECK-NEXT:kanorc: note: write '{first ... last}' for an interval, and '{a, b, c}' for a list
  @communicate { a@0 <<= b@i where i in {0, 1} {2} }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:48: error: unexpected '{' after a set's '}'
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in {0, 1} {2} }
// CHECK-NEXT:                                               ^
  @communicate { a@0 <<= b@i where i = 0 in world }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:42: error: 'in' follows a list of names
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i = 0 in world }
// CHECK-NEXT:                                         ^~
// CHECK-NEXT:kanorc: note: a clause is 'i in set', 'let name = expression' or a condition
  @communicate { a@0 <<= b@i where i, in world }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:39: error: expected a name before 'in'
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i, in world }
// CHECK-NEXT:                                      ^~
// CHECK-NEXT:kanorc: note: a clause is 'i in set', 'let name = expression' or a condition
  @communicate { a@0 <<= b@i where , i in world }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:30: error: expected a clause after 'where', found ','
// CHECK-NEXT:  @communicate { a@0 <<= b@i where , i in world }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: a clause is 'i in set', 'let name = expression' or a condition
  @communicate { a@0 <<= b@i where i in world, }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:46: error: expected a clause after ',', found the end of the block
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in world, }
// CHECK-NEXT:                                             ^
// CHECK-NEXT:kanorc: note: a clause is 'i in set', 'let name = expression' or a condition
  @communicate { a@0 <<= b@i where i in world; j in world }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:48: error: expected '@' and the receiver's rank after this place
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in world; j in world }
// CHECK-NEXT:                                               ^~~~~~~~~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  @communicate { a@0 <<= b@i where i in world where j in world }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:47: error: a second 'where' in one statement
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i in world where j in world }
// CHECK-NEXT:                                              ^~~~~
// CHECK-NEXT:kanorc: note: ',' separates the clauses
  @communicate { a@0 <<= b@i where i of world }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:38: error: expected 'in' after 'i', found 'of'
// CHECK-NEXT:  @communicate { a@0 <<= b@i where i of world }
// CHECK-NEXT:                                     ^~
// CHECK-NEXT:kanorc: note: a clause is 'i in set', 'let name = expression' or a condition
  @communicate { a@0 <<= b@i where let k }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:40: error: expected '=' after 'let k'
// CHECK-NEXT:  @communicate { a@0 <<= b@i where let k }
// CHECK-NEXT:                                       ^
// CHECK-NEXT:kanorc: note: a clause is 'i in set', 'let name = expression' or a condition
  @communicate { a@0 <<= b@k where let k = }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:42: error: expected an expression after '='
// CHECK-NEXT:  @communicate { a@0 <<= b@k where let k = }
// CHECK-NEXT:                                         ^
  @communicate { a@0 <<= b@i, i in world }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:29: error: expected 'where' after ','
// CHECK-NEXT:  @communicate { a@0 <<= b@i, i in world }
// CHECK-NEXT:                            ^
// CHECK-NEXT:kanorc: note: clauses follow 'where': write 'where' before the first one
  @communicate { a@0 <<= b@1, a@1 <<= b@0 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:29: error: expected 'where' after ','
// CHECK-NEXT:  @communicate { a@0 <<= b@1, a@1 <<= b@0 }
// CHECK-NEXT:                            ^
// CHECK-NEXT:kanorc: note: write ';' between statements, 'where' before clauses, and parentheses around template arguments with commas
  @communicate { a@0 <<= b@std::pair<int, int>(1, 2).first }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:41: error: expected 'where' after ','
// CHECK-NEXT:  @communicate { a@0 <<= b@std::pair<int, int>(1, 2).first }
// CHECK-NEXT:                                        ^
// CHECK-NEXT:kanorc: note: write ';' between statements, 'where' before clauses, and parentheses around template arguments with commas
}

void sections(std::vector<int> A, std::vector<int> B) {
  @communicate { A[0::2]@0 <<= B[0 : 2]@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:21: error: '::' is one token, not two ':' of a section
// CHECK-NEXT:  @communicate { A[0::2]@0 <<= B[0 : 2]@1 }
// CHECK-NEXT:                    ^~
// CHECK-NEXT:kanorc: note: a section is written 'base[first : count]', 'base[first : count : stride]', 'base[:]' or 'base[indices]'
  @communicate { A[0 : 2].size()@0 <<= B[0 : 2]@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:26: error: unexpected '.' after a section's last ']'
// CHECK-NEXT:  @communicate { A[0 : 2].size()@0 <<= B[0 : 2]@1 }
// CHECK-NEXT:                         ^
// CHECK-NEXT:kanorc: note: a section's elements travel whole: for a member of each, bind an index, such as 'a[k].x' with 'k in {0 ... 3}'
  @communicate { A[0 : 2] + 1@0 <<= B[0 : 2]@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:27: error: unexpected '+' after a section's last ']'
// CHECK-NEXT:  @communicate { A[0 : 2] + 1@0 <<= B[0 : 2]@1 }
// CHECK-NEXT:                          ^
  @communicate { [0 : 2]@0 <<= B[0 : 2]@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:18: error: a section needs a base before its '['
// CHECK-NEXT:  @communicate { [0 : 2]@0 <<= B[0 : 2]@1 }
// CHECK-NEXT:                 ^~~~~~~
// CHECK-NEXT:kanorc: note: a section is written 'base[first : count]', 'base[first : count : stride]', 'base[:]' or 'base[indices]'
  @communicate { A[0 : 2 : 1 : 1]@0 <<= B[0 : 2]@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:30: error: unexpected ':' in a section
// CHECK-NEXT:  @communicate { A[0 : 2 : 1 : 1]@0 <<= B[0 : 2]@1 }
// CHECK-NEXT:                             ^
// CHECK-NEXT:kanorc: note: a section is written 'base[first : count]', 'base[first : count : stride]', 'base[:]' or 'base[indices]'
  @communicate { A[: 2]@0 <<= B[0 : 2]@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: unexpected '2' in a section
// CHECK-NEXT:  @communicate { A[: 2]@0 <<= B[0 : 2]@1 }
// CHECK-NEXT:                     ^
// CHECK-NEXT:kanorc: note: a section is written 'base[first : count]', 'base[first : count : stride]', 'base[:]' or 'base[indices]'
  @communicate { A[0 :]@0 <<= B[0 : 2]@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:23: error: unexpected ']' in a section
// CHECK-NEXT:  @communicate { A[0 :]@0 <<= B[0 : 2]@1 }
// CHECK-NEXT:                      ^
// CHECK-NEXT:kanorc: note: a section is written 'base[first : count]', 'base[first : count : stride]', 'base[:]' or 'base[indices]'
  @communicate { A[0 : 2, 0 : 2]@0 <<= B[0 : 2]@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:25: error: a dimension of a section cannot contain ',': give each dimension its own brackets, and parenthesise other commas
// CHECK-NEXT:  @communicate { A[0 : 2, 0 : 2]@0 <<= B[0 : 2]@1 }
// CHECK-NEXT:                        ^
// CHECK-NEXT:kanorc: note: a section is written 'base[first : count]', 'base[first : count : stride]', 'base[:]' or 'base[indices]'
}

void modifiers(int a, int b) {
  @communicate () { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:16: error: the modifier list is empty
// CHECK-NEXT:  @communicate () { a@0 <<= b@1 }
// CHECK-NEXT:               ^~
// CHECK-NEXT:kanorc: note: remove the parentheses
  @communicate (fast) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:17: error: unknown modifier 'fast'
// CHECK-NEXT:  @communicate (fast) { a@0 <<= b@1 }
// CHECK-NEXT:                ^~~~
// CHECK-NEXT:kanorc: note: the modifiers are 'team = expression', 'async = name', 'knows = both | sender | receiver', 'delta' and 'copy'
  @communicate (copy, copy) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:23: error: modifier 'copy' is given twice
// CHECK-NEXT:  @communicate (copy, copy) { a@0 <<= b@1 }
// CHECK-NEXT:                      ^~~~
// CHECK-NEXT:{{.*}}block_syntax.cpp:[[@LINE-4]]:17: note: the first one is here
// CHECK-NEXT:  @communicate (copy, copy) { a@0 <<= b@1 }
// CHECK-NEXT:                ^~~~
  @communicate (copy = 1) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:24: error: modifier 'copy' takes no argument
// CHECK-NEXT:  @communicate (copy = 1) { a@0 <<= b@1 }
// CHECK-NEXT:                       ^
  @communicate (knows) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:17: error: modifier 'knows' needs an argument: knows = both, sender or receiver
// CHECK-NEXT:  @communicate (knows) { a@0 <<= b@1 }
// CHECK-NEXT:                ^~~~~
  @communicate (knows = nobody) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:25: error: 'knows' must be 'both', 'sender' or 'receiver', not 'nobody'
// CHECK-NEXT:  @communicate (knows = nobody) { a@0 <<= b@1 }
// CHECK-NEXT:                        ^~~~~~
  @communicate (async = 3) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:25: error: 'async' needs one name, not '3'
// CHECK-NEXT:  @communicate (async = 3) { a@0 <<= b@1 }
// CHECK-NEXT:                        ^
// CHECK-NEXT:kanorc: note: the block declares it as a 'kanor::pending'
  @communicate (copy delta) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: expected ',' or ')' in the modifier list, found 'delta'
// CHECK-NEXT:  @communicate (copy delta) { a@0 <<= b@1 }
// CHECK-NEXT:                     ^~~~~
  @communicate (copy,) { a@0 <<= b@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:21: error: expected a modifier after ','
// CHECK-NEXT:  @communicate (copy,) { a@0 <<= b@1 }
// CHECK-NEXT:                    ^
}

void spellings(int a, int b) {
  KANOR_COMMUNICATE();
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:20: error: a block without statements
// CHECK-NEXT:  KANOR_COMMUNICATE();
// CHECK-NEXT:                   ^~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  KANOR_COMMUNICATE((copy));
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:20: error: a block without statements
// CHECK-NEXT:  KANOR_COMMUNICATE((copy));
// CHECK-NEXT:                   ^~~~~~~~
// CHECK-NEXT:kanorc: note: a statement is written 'place@rank <<= value@rank where i in set' or 'place@rank << op << value@rank'
  KANOR_COMMUNICATE(a@0 = b@1);
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:25: error: expected '<<=' or '<< op <<' after the receiver's rank, found '='
// CHECK-NEXT:  KANOR_COMMUNICATE(a@0 = b@1);
// CHECK-NEXT:                        ^
  KANOR_COMMUNICATE((slow), a@0 <<= b@1);
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:22: error: unknown modifier 'slow'
// CHECK-NEXT:  KANOR_COMMUNICATE((slow), a@0 <<= b@1);
// CHECK-NEXT:                     ^~~~
// CHECK-NEXT:kanorc: note: the modifiers are 'team = expression', 'async = name', 'knows = both | sender | receiver', 'delta' and 'copy'
  @communicate { a@0 <<= b ` 1@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:28: error: stray '`' in a block
// CHECK-NEXT:  @communicate { a@0 <<= b ` 1@1 }
// CHECK-NEXT:                           ^
  @communicate { a@0 <<= 'x@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:26: error: this literal is not closed on its line
// CHECK-NEXT:  @communicate { a@0 <<= 'x@1 }
// CHECK-NEXT:                         ^~~~~~
  @communicate { a@0 <<= "x@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:26: error: this literal is not closed on its line
// CHECK-NEXT:  @communicate { a@0 <<= "x@1 }
// CHECK-NEXT:                         ^~~~~~
  @communicate { a@0 <<= b # 1@1 }
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:28: error: stray '#' in a block
// CHECK-NEXT:  @communicate { a@0 <<= b # 1@1 }
// CHECK-NEXT:                           ^
}

void forgotten_brace(int a, int b) {
  @communicate a@0 <<= b@1;
// CHECK:{{.*}}block_syntax.cpp:[[@LINE-1]]:16: error: expected '{' after '@communicate'
// CHECK-NEXT:  @communicate a@0 <<= b@1;
// CHECK-NEXT:               ^
// CHECK-NEXT:kanorc: note: a block is written '@communicate { statements }', or with modifiers '@communicate (modifiers) { statements }'
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
