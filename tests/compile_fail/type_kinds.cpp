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
struct Long {
  std::string m01, m02, m03, m04, m05, m06, m07, m08, m09, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22,
      m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, m33;
};
struct Refers {
  int& number;
};
struct Shares {
  std::vector<std::shared_ptr<int>> numbers;
};

void classes(Long many, HoldsEither& holds, Refers& refers, Shares shares) {
  int a = 0;
  @communicate { many@0 <<= many@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:29: error: a value of type 'Long' cannot travel: 'Long' has more than 32 members and is not trivially copyable
// CHECK-NEXT:  @communicate { many@0 <<= many@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: give 'Long' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
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
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:26: error: a value of type 'void' cannot travel: 'void' is no value
// CHECK-NEXT:  @communicate { a@0 <<= nothing()@1 }
// CHECK-NEXT:                         ^~~~~~~~~
// CHECK-NEXT:kanorc: note: send a value
  @communicate { a@0 <<= nothing@1 }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:26: error: a value of type 'void ()' cannot travel: 'void ()' is a function
// CHECK-NEXT:  @communicate { a@0 <<= nothing@1 }
// CHECK-NEXT:                         ^~~~~~~
// CHECK-NEXT:kanorc: note: send a value
  @communicate { a@0 << + << nothing()@i where i in world }
// CHECK:{{.*}}type_kinds.cpp:[[@LINE-1]]:30: error: a value of type 'void' cannot travel: 'void' is no value
// CHECK-NEXT:  @communicate { a@0 << + << nothing()@i where i in world }
// CHECK-NEXT:                             ^~~~~~~~~
// CHECK-NEXT:kanorc: note: send a value
}
