// RUN: %check_diagnostics
// Kinds of pointers, each with a way out that C++ has for it.
#include <kanor/kanor.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

void more(std::nullptr_t nothing, std::map<int, int>::iterator position) {
  @communicate { nothing@0 <<= nothing@1 }
// CHECK:{{.*}}type_cannot_travel_hints.cpp:[[@LINE-1]]:32: error: a value of type 'std::nullptr_t' cannot travel: 'std::nullptr_t' is a pointer
// CHECK-NEXT:  @communicate { nothing@0 <<= nothing@1 }
// CHECK-NEXT:                               ^~~~~~~
// CHECK-NEXT:kanorc: note: send the object itself, in a variable of its own type
  @communicate { position@0 <<= position@1 }
// CHECK:{{.*}}type_cannot_travel_hints.cpp:[[@LINE-1]]:33: error: a value of type 'std::map<int, int>::iterator' cannot travel: 'std::map<int, int>::iterator' is an iterator, a pointer into one rank's memory
// CHECK-NEXT:  @communicate { position@0 <<= position@1 }
// CHECK-NEXT:                                ^~~~~~~~
// CHECK-NEXT:kanorc: note: send the element that it refers to, the container, or an index
  auto pointing = [&nothing] { return &nothing; };
  @communicate { pointing@0 <<= pointing@1 }
// CHECK:{{.*}}type_cannot_travel_hints.cpp:[[@LINE-1]]:33: error: a value of type '(lambda)' cannot travel: a capture or unnamed member of '(lambda)' is a reference
// CHECK-NEXT:  @communicate { pointing@0 <<= pointing@1 }
// CHECK-NEXT:                                ^~~~~~~~
// CHECK-NEXT:kanorc: note: send a value
}

class Closed {
  template <class Archive>
  void serialize(Archive& archive) { archive(values); }
  std::map<int, int> values;
};

void closed(Closed one) {
  @communicate { one@0 <<= one@1 }
// CHECK:{{.*}}type_cannot_travel_hints.cpp:[[@LINE-1]]:28: error: a value of type 'Closed' cannot travel: 'Closed' has functions for cereal that are not public
// CHECK-NEXT:  @communicate { one@0 <<= one@1 }
// CHECK-NEXT:                           ^~~
// CHECK-NEXT:kanorc: note: include <cereal/access.hpp>, and declare 'friend class cereal::access;' in 'Closed'
}

void strings(std::string text, const char* letters, std::string_view view) {
  @communicate { text@0 <<= letters@1 }
// CHECK:{{.*}}type_cannot_travel_hints.cpp:[[@LINE-1]]:29: error: a value of type 'const char *' cannot travel: 'const char *' is a pointer
// CHECK-NEXT:  @communicate { text@0 <<= letters@1 }
// CHECK-NEXT:                            ^~~~~~~
// CHECK-NEXT:kanorc: note: send a string: 'std::string(letters)'
  @communicate { text@0 <<= view@1 }
// CHECK:{{.*}}type_cannot_travel_hints.cpp:[[@LINE-1]]:29: error: a value of type 'std::string_view' cannot travel: 'std::string_view' is a view of elements that it does not own
// CHECK-NEXT:  @communicate { text@0 <<= view@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: send a string: 'std::string(view)'
  // What the notes say.
  char few[8] = {};
  @communicate { text@0 <<= std::string(letters)@1; text@1 <<= std::string(view)@1; few[0 : 3]@0 <<= text[0 : 3]@0 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
