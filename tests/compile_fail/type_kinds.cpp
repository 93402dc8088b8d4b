// RUN: %check_diagnostics
// KIND: type_cannot_travel
// Classes that cannot be taken apart, and what is no value at all.
#include <kanor/kanor.hpp>
#include <memory>
#include <string>
#include <vector>

struct Later;
Later& later();
void nothing();

union Either {
  Either();
  Either(const Either&);
  Either& operator=(const Either&);
  ~Either();
  int number;
  std::string text;
};
struct HoldsEither {
  std::string name;
  Either either;
};
struct Root {
  int number;
};
struct Branch : Root {};
struct Twice : Branch, Root {
  std::string text;
};
struct Virtual : virtual Root {
  std::string text;
};
struct Inaccessible : private Root {
  std::string text;
};
#define DEFINE(name) \
  struct name : Root { \
    std::string text; \
  }
DEFINE(Spelled);
struct Hides : Root {
  std::string Root;
};
struct Called : decltype([] { return 1; }) {
  std::string text;
};
struct Refers {
  int& number;
};
struct Shares {
  std::vector<std::shared_ptr<int>> numbers;
};

void classes(Twice twice, Virtual virtually, Inaccessible inaccessible, Spelled spelled, Called called, Hides hides, HoldsEither& holds, Refers& refers, Shares shares) {
  int a = 0;
  @communicate { twice@0 <<= twice@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:30: error: a value of type 'Twice' cannot travel: 'Twice' has the same base class twice and is not trivially copyable
// CHECK-NEXT:  @communicate { twice@0 <<= twice@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'Twice' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { virtually@0 <<= virtually@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:34: error: a value of type 'Virtual' cannot travel: 'Virtual' is neither trivially copyable nor an aggregate
// CHECK-NEXT:  @communicate { virtually@0 <<= virtually@1 }
// CHECK-NEXT:                                 ^~~~~~~~~
// CHECK-NEXT:kanorc: note: give 'Virtual' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { inaccessible@0 <<= inaccessible@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:37: error: a value of type 'Inaccessible' cannot travel: 'Inaccessible' is neither trivially copyable nor an aggregate
// CHECK-NEXT:  @communicate { inaccessible@0 <<= inaccessible@1 }
// CHECK-NEXT:                                    ^~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: give 'Inaccessible' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { spelled@0 <<= spelled@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:32: error: a value of type 'Spelled' cannot travel: 'Spelled' has base classes, bit-fields, unnamed structures or more than 32 members, is not trivially copyable, and is defined where kanorc can add nothing: in a system header, by a macro, or with a base class that it cannot name
// CHECK-NEXT:  @communicate { spelled@0 <<= spelled@1 }
// CHECK-NEXT:                               ^~~~~~~
// CHECK-NEXT:kanorc: note: give 'Spelled' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { called@0 <<= called@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:31: error: a value of type 'Called' cannot travel: 'Called' has base classes, bit-fields, unnamed structures or more than 32 members, is not trivially copyable, and is defined where kanorc can add nothing: in a system header, by a macro, or with a base class that it cannot name
// CHECK-NEXT:  @communicate { called@0 <<= called@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: give 'Called' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { hides@0 <<= hides@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:30: error: a value of type 'Hides' cannot travel: 'Hides' has base classes, bit-fields, unnamed structures or more than 32 members, is not trivially copyable, and is defined where kanorc can add nothing: in a system header, by a macro, or with a base class that it cannot name
// CHECK-NEXT:  @communicate { hides@0 <<= hides@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'Hides' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { holds@0 <<= holds@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:30: error: a value of type 'HoldsEither' cannot travel: member 'either' of 'HoldsEither' has type 'Either', which is a union that is not trivially copyable
// CHECK-NEXT:  @communicate { holds@0 <<= holds@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'HoldsEither' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { a@0 <<= refers@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:26: error: a value of type 'Refers' cannot travel: member 'number' of 'Refers' is a reference
// CHECK-NEXT:  @communicate { a@0 <<= refers@1 }
// CHECK-NEXT:                         ^~~~~~
// CHECK-NEXT:kanorc: note: send a value
  @communicate { shares@0 <<= shares@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:31: error: a value of type 'Shares' cannot travel: member 'numbers' of 'Shares' has type 'std::vector<std::shared_ptr<int>>', and 'std::shared_ptr<int>' is a smart pointer
// CHECK-NEXT:  @communicate { shares@0 <<= shares@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: send the object that it points to
  @communicate { a@0 <<= later()@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:26: error: a value of type 'Later' cannot travel: 'Later' is not complete
// CHECK-NEXT:  @communicate { a@0 <<= later()@1 }
// CHECK-NEXT:                         ^~~~~~~
// CHECK-NEXT:kanorc: note: define the type before the block
  @communicate { a@0 <<= nothing()@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:26: error: a value of type 'void' cannot travel: 'void' is not a value
// CHECK-NEXT:  @communicate { a@0 <<= nothing()@1 }
// CHECK-NEXT:                         ^~~~~~~~~
// CHECK-NEXT:kanorc: note: send a value
  @communicate { a@0 <<= nothing@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:26: error: a value of type 'void ()' cannot travel: 'void ()' is a function
// CHECK-NEXT:  @communicate { a@0 <<= nothing@1 }
// CHECK-NEXT:                         ^~~~~~~
// CHECK-NEXT:kanorc: note: send a value
  @communicate { a@0 << + << nothing()@i where i in world }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:30: error: a value of type 'void' cannot travel: 'void' is not a value
// CHECK-NEXT:  @communicate { a@0 << + << nothing()@i where i in world }
// CHECK-NEXT:                             ^~~~~~~~~
// CHECK-NEXT:kanorc: note: send a value
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
