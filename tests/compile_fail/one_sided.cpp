// RUN: %check_diagnostics
// Where one side knows, the names that the other side needs travel to it, so they must be able to.
#include <kanor/kanor.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct Node {
  int value;
  Node* next;
};

void pushes(std::map<std::string_view, int> words, std::vector<int> numbers, Node* list, int n) {
  @communicate (knows = sender) {
    numbers[word.size()]@i <<= n@n where i in world, let word = std::string_view("abc")
// CHECK:{{.*}}one_sided.cpp:[[@LINE-1]]:65: error: 'word' is used by the receiver's place, but a value of type 'std::string_view' cannot travel: 'std::string_view' is a view of elements that it does not own
// CHECK-NEXT:    numbers[word.size()]@i <<= n@n where i in world, let word = std::string_view("abc")
// CHECK-NEXT:                                                                ^~~~~~~~~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: send the container that owns the elements
  }
  @communicate (knows = sender) { words["abc"]@0 <<= node->value@n where let node = list }
  @communicate (knows = sender) { node.next->value@0 <<= 1@n where let node = *list }
// CHECK:{{.*}}one_sided.cpp:[[@LINE-1]]:79: error: 'node' is used by the receiver's place, but a value of type 'Node' cannot travel: member 'next' of 'Node' is a pointer
// CHECK-NEXT:  @communicate (knows = sender) { node.next->value@0 <<= 1@n where let node = *list }
// CHECK-NEXT:                                                                              ^~~~~
// CHECK-NEXT:kanorc: note: give 'Node' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate (knows = both) { node->value@0 <<= 1@n where let node = list }
}

template <class T>
void pulls(T t, int n) {
  @communicate (knows = receiver) { n@0 <<= *p@1 where let p = t }
// CHECK:{{.*}}one_sided.cpp:[[@LINE-1]]:64: error: 'p' is used by the sender's value, but a value of type 'int *' cannot travel: 'int *' is a pointer
// CHECK-NEXT:  @communicate (knows = receiver) { n@0 <<= *p@1 where let p = t }
// CHECK-NEXT:                                                               ^
// CHECK-NEXT:kanorc: note: send what it points to, such as 'p[0]' or '*p' for a pointer 'p'
// CHECK-NEXT:{{.*}}one_sided.cpp:[[@LINE+6]]:29: note: in the instantiation 'pulls<int *>', which is needed here
// CHECK-NEXT:void instantiates(int* p) { pulls(p, 3); }
// CHECK-NEXT:                            ^~~~~
  @communicate (knows = receiver) { p[0]@0 <<= n@1 where let p = t }
}

void instantiates(int* p) { pulls(p, 3); }

void names(int a, int n) {
  @communicate (knows = sender) { k@0 <<= a@1 where k in {0 ... n} }
// CHECK:{{.*}}one_sided.cpp:[[@LINE-1]]:35: error: 'k' is const, so nothing can be assigned to it
// CHECK-NEXT:  @communicate (knows = sender) { k@0 <<= a@1 where k in {0 ... n} }
// CHECK-NEXT:                                  ^
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
