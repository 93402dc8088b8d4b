// RUN: %check_diagnostics
// Each message names the type, the member that is in the way, and what would make it travel.
#include <kanor/kanor.hpp>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct Node {
  int value;
  Node* next;
};
struct View {
  int size;
  std::string_view text;
};
struct Outer {
  double weight;
  Node node;
};
class Closed {
 public:
  Closed(const Closed& other) : text_(other.text_) {}
  Closed& operator=(const Closed&) { return *this; }

 private:
  std::string text_;
};
struct Polymorphic {
  virtual ~Polymorphic() = default;
  std::string text;
};
struct Listed {
  std::string name;
  std::vector<Node> nodes;
};
struct MoveOnly {
  MoveOnly(MoveOnly&&) = default;
  MoveOnly& operator=(MoveOnly&&) = default;
  int value;
};
struct Member {
  int number;
};

void pointers(int* p, const char* text, void* raw, int (*function)(int), int Member::*member) {
  @communicate { p@0 <<= p@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:26: error: a value of type 'int *' cannot travel: 'int *' is a pointer
// CHECK-NEXT:  @communicate { p@0 <<= p@1 }
// CHECK-NEXT:                         ^
// CHECK-NEXT:kanorc: note: send what it points to, such as 'p[0]' or '*p' for a pointer 'p'
  @communicate { text@0 <<= text@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:29: error: a value of type 'const char *' cannot travel: 'const char *' is a pointer
// CHECK-NEXT:  @communicate { text@0 <<= text@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: use a std::string for text: its characters travel
  @communicate { raw@0 <<= raw@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:28: error: a value of type 'void *' cannot travel: 'void *' is a pointer
// CHECK-NEXT:  @communicate { raw@0 <<= raw@1 }
// CHECK-NEXT:                           ^~~
// CHECK-NEXT:kanorc: note: send the object itself, in a variable of its own type
  @communicate { function@0 <<= function@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:33: error: a value of type 'int (*)(int)' cannot travel: 'int (*)(int)' is a pointer
// CHECK-NEXT:  @communicate { function@0 <<= function@1 }
// CHECK-NEXT:                                ^~~~~~~~
// CHECK-NEXT:kanorc: note: send a number or an enumerator, and let the receiver choose what it stands for
  @communicate { member@0 <<= member@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:31: error: a value of type 'int Member::*' cannot travel: 'int Member::*' is a pointer
// CHECK-NEXT:  @communicate { member@0 <<= member@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: send a number or an enumerator, and let the receiver choose what it stands for
}

void views(std::string_view text, std::span<int> span, std::vector<int>::iterator iterator, std::reference_wrapper<int> wrapper) {
  @communicate { text@0 <<= text@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:29: error: a value of type 'std::string_view' cannot travel: 'std::string_view' is a view of elements that it does not own
// CHECK-NEXT:  @communicate { text@0 <<= text@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: send the container that owns the elements
  @communicate { span@0 <<= span@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:29: error: a value of type 'std::span<int>' cannot travel: 'std::span<int>' is a view of elements that it does not own
// CHECK-NEXT:  @communicate { span@0 <<= span@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: send the container that owns the elements
  @communicate { iterator@0 <<= iterator@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:33: error: a value of type 'std::vector<int>::iterator' cannot travel: 'std::vector<int>::iterator' is an iterator, a pointer into one rank's memory
// CHECK-NEXT:  @communicate { iterator@0 <<= iterator@1 }
// CHECK-NEXT:                                ^~~~~~~~
// CHECK-NEXT:kanorc: note: send the element that it refers to, the container, or an index
  @communicate { wrapper@0 <<= wrapper@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:32: error: a value of type 'std::reference_wrapper<int>' cannot travel: 'std::reference_wrapper<int>' is a reference
// CHECK-NEXT:  @communicate { wrapper@0 <<= wrapper@1 }
// CHECK-NEXT:                               ^~~~~~~
// CHECK-NEXT:kanorc: note: send a value
}

void classes(Node node, View view, Outer outer, Closed closed, Polymorphic polymorphic, Listed listed, MoveOnly only) {
  @communicate { node@0 <<= node@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:29: error: a value of type 'Node' cannot travel: member 'next' of 'Node' is a pointer
// CHECK-NEXT:  @communicate { node@0 <<= node@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: give 'Node' a cereal 'serialize' function, or mark it {{[[][[]}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { view@0 <<= view@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:29: error: a value of type 'View' cannot travel: member 'text' of 'View' has type 'std::string_view', which is a view of elements that it does not own
// CHECK-NEXT:  @communicate { view@0 <<= view@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: send the container that owns the elements
  @communicate { outer@0 <<= outer@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:30: error: a value of type 'Outer' cannot travel: member 'next' of 'Node' is a pointer
// CHECK-NEXT:  @communicate { outer@0 <<= outer@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'Node' a cereal 'serialize' function, or mark it {{[[][[]}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { closed@0 <<= closed@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:31: error: a value of type 'Closed' cannot travel: 'Closed' is neither trivially copyable nor an aggregate
// CHECK-NEXT:  @communicate { closed@0 <<= closed@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: give 'Closed' a cereal 'serialize' function, or mark it {{[[][[]}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { polymorphic@0 <<= polymorphic@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:36: error: a value of type 'Polymorphic' cannot travel: 'Polymorphic' is neither trivially copyable nor an aggregate
// CHECK-NEXT:  @communicate { polymorphic@0 <<= polymorphic@1 }
// CHECK-NEXT:                                   ^~~~~~~~~~~
// CHECK-NEXT:kanorc: note: give 'Polymorphic' a cereal 'serialize' function, or mark it {{[[][[]}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { listed@0 <<= listed@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:31: error: a value of type 'Listed' cannot travel: member 'next' of 'Node' is a pointer
// CHECK-NEXT:  @communicate { listed@0 <<= listed@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: give 'Node' a cereal 'serialize' function, or mark it {{[[][[]}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { only@0 <<= only@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:29: error: a value of type 'MoveOnly' cannot travel: 'MoveOnly' cannot be copied
// CHECK-NEXT:  @communicate { only@0 <<= only@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: send what it holds, in a variable that can be copied
  @communicate { node.value@0 <<= node.value@1 }
}

void library(std::unique_ptr<int> unique, std::shared_ptr<int> shared, std::function<void()> call, std::map<int, int*> map,
             std::optional<Node> maybe, std::vector<const char*> words, std::pair<int, std::string_view> pair, int* row[3]) {
  @communicate { unique@0 <<= unique@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:31: error: a value of type 'std::unique_ptr<int>' cannot travel: 'std::unique_ptr<int>' is a smart pointer
// CHECK-NEXT:  @communicate { unique@0 <<= unique@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: send the object that it points to
  @communicate { shared@0 <<= shared@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:31: error: a value of type 'std::shared_ptr<int>' cannot travel: 'std::shared_ptr<int>' is a smart pointer
// CHECK-NEXT:  @communicate { shared@0 <<= shared@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: send the object that it points to
  @communicate { call@0 <<= call@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:29: error: a value of type 'std::function<void ()>' cannot travel: 'std::function<void ()>' is a class of the standard library that kanor does not know how to send
// CHECK-NEXT:  @communicate { call@0 <<= call@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: send what it holds, in a type that travels
  @communicate { map@0 <<= map@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:28: error: a value of type 'std::map<int, int *>' cannot travel: 'int *' is a pointer
// CHECK-NEXT:  @communicate { map@0 <<= map@1 }
// CHECK-NEXT:                           ^~~
// CHECK-NEXT:kanorc: note: send what it points to, such as 'p[0]' or '*p' for a pointer 'p'
  @communicate { maybe@0 <<= maybe@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:30: error: a value of type 'std::optional<Node>' cannot travel: member 'next' of 'Node' is a pointer
// CHECK-NEXT:  @communicate { maybe@0 <<= maybe@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'Node' a cereal 'serialize' function, or mark it {{[[][[]}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { words@0 <<= words@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:30: error: a value of type 'std::vector<const char *>' cannot travel: 'const char *' is a pointer
// CHECK-NEXT:  @communicate { words@0 <<= words@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: use a std::string for text: its characters travel
  @communicate { pair@0 <<= pair@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:29: error: a value of type 'std::pair<int, std::string_view>' cannot travel: 'std::string_view' is a view of elements that it does not own
// CHECK-NEXT:  @communicate { pair@0 <<= pair@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: send the container that owns the elements
  @communicate { row[0]@0 <<= row[1]@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:31: error: a value of type 'int *' cannot travel: 'int *' is a pointer
// CHECK-NEXT:  @communicate { row[0]@0 <<= row[1]@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: send what it points to, such as 'p[0]' or '*p' for a pointer 'p'
}

template <class T>
void generic(T value) {
  @communicate { value@0 <<= value@1 }
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-1]]:30: error: a value of type 'int *' cannot travel: 'int *' is a pointer
// CHECK-NEXT:  @communicate { value@0 <<= value@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: send what it points to, such as 'p[0]' or '*p' for a pointer 'p'
// CHECK-NEXT:{{.*}}type_cannot_travel.cpp:[[@LINE+14]]:3: note: in the instantiation 'generic<int *>', which is needed here
// CHECK-NEXT:  generic(pointer);
// CHECK-NEXT:  ^~~~~~~
// CHECK:{{.*}}type_cannot_travel.cpp:[[@LINE-8]]:30: error: a value of type 'int **' cannot travel: 'int **' is a pointer
// CHECK-NEXT:  @communicate { value@0 <<= value@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: send what it points to, such as 'p[0]' or '*p' for a pointer 'p'
// CHECK-NEXT:{{.*}}type_cannot_travel.cpp:[[@LINE+8]]:3: note: in the instantiation 'generic<int **>', which is needed here
// CHECK-NEXT:  generic(&pointer);
// CHECK-NEXT:  ^~~~~~~
}

void instantiations(int number, int* pointer) {
  generic(number);
  generic(pointer);
  generic(&pointer);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
