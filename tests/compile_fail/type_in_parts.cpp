// RUN: %check_diagnostics
// Types that travel or not by what they consist of: their members, and what a receiver must make first.
#include <kanor/kanor.hpp>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

struct Member {
  int number;
};
struct Unmade {
  explicit Unmade(int value) : number(value) {}
  int number;
};
struct Holder {
  Unmade unmade;
  std::string name;
};
struct Fields {
  unsigned low : 3;
  std::string name;
};
struct Overlaid {
  union {
    int number;
    float real;
  };
  std::string name;
};
struct Owner {
  std::unique_ptr<int> number;
};
struct Locked {
  std::mutex mutex;
  int number;
};
struct Extended : Member {
  std::vector<int> more;
};
struct Based : Holder {
  std::vector<int> more;
};
struct Listed : std::deque<Unmade> {
  int more;
};
struct Nested : Member {
  std::string name;
  struct {
    int one;
    union {
      int two;
      float three;
    };
  };
};

struct Fixed {
  std::string name;
  const int number;
};
struct Held {
  kanor::buffer<int> memory;
};

void members(std::pair<Unmade, std::string> pair, std::tuple<int, Unmade> tuple, std::deque<Unmade> deque,
             std::map<int, Unmade> map, std::vector<std::optional<Unmade>> optionals, Holder holder, Fields fields, Overlaid
             overlaid, Owner& owner, Locked& locked, Extended extended, Based based, Listed& listed, Nested nested,
             std::vector<kanor::buffer<int>>& held, Held& holds, std::vector<Fixed> fixed) {
  @communicate { pair@0 <<= pair@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:29: error: a value of type 'std::pair<Unmade, std::string>' cannot travel: 'Unmade' has no default constructor
// CHECK-NEXT:  @communicate { pair@0 <<= pair@1 }
// CHECK-NEXT:                            ^~~~
// CHECK-NEXT:kanorc: note: give 'Unmade' a default constructor, which receivers need
  @communicate { tuple@0 <<= tuple@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:30: error: a value of type 'std::tuple<int, Unmade>' cannot travel: 'Unmade' has no default constructor
// CHECK-NEXT:  @communicate { tuple@0 <<= tuple@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'Unmade' a default constructor, which receivers need
  @communicate { deque@0 <<= deque@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:30: error: a value of type 'std::deque<Unmade>' cannot travel: 'Unmade' has no default constructor
// CHECK-NEXT:  @communicate { deque@0 <<= deque@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'Unmade' a default constructor, which receivers need
  @communicate { map@0 <<= map@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:28: error: a value of type 'std::map<int, Unmade>' cannot travel: 'Unmade' has no default constructor
// CHECK-NEXT:  @communicate { map@0 <<= map@1 }
// CHECK-NEXT:                           ^~~
// CHECK-NEXT:kanorc: note: give 'Unmade' a default constructor, which receivers need
  @communicate { optionals@0 <<= optionals@1 }
  @communicate { holder@0 <<= holder@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:31: error: a value of type 'Holder' cannot travel: member 'unmade' of 'Holder' has type 'Unmade', which has no default constructor
// CHECK-NEXT:  @communicate { holder@0 <<= holder@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: give 'Unmade' a default constructor, which receivers need
  @communicate { fields@0 <<= fields@1 }
  @communicate { overlaid@0 <<= overlaid@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:33: error: a value of type 'Overlaid' cannot travel: 'Overlaid' has an anonymous union, whose active member is unknown, and is not trivially copyable
// CHECK-NEXT:  @communicate { overlaid@0 <<= overlaid@1 }
// CHECK-NEXT:                                ^~~~~~~~
// CHECK-NEXT:kanorc: note: give 'Overlaid' a cereal 'serialize' function, or mark it {{[[][[]}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { owner@0 <<= owner@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:30: error: a value of type 'Owner' cannot travel: member 'number' of 'Owner' has type 'std::unique_ptr<int>', which is a smart pointer
// CHECK-NEXT:  @communicate { owner@0 <<= owner@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: send the object that it points to
  @communicate { owner@0 <<= std::move(owner)@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:30: error: a value of type 'Owner' cannot travel: member 'number' of 'Owner' has type 'std::unique_ptr<int>', which is a smart pointer
// CHECK-NEXT:  @communicate { owner@0 <<= std::move(owner)@1 }
// CHECK-NEXT:                             ^~~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: send the object that it points to
  @communicate { locked@0 <<= locked@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:31: error: a value of type 'Locked' cannot travel: member 'mutex' of 'Locked' has type 'std::mutex', which cannot be copied
// CHECK-NEXT:  @communicate { locked@0 <<= locked@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: give 'Locked' a copy constructor, or send the members that can be copied
  @communicate { held@0 <<= std::move(held)@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:29: error: a value of type 'std::vector<kanor::buffer<int>>' cannot travel: 'kanor::buffer<int>' cannot be copied
// CHECK-NEXT:  @communicate { held@0 <<= std::move(held)@1 }
// CHECK-NEXT:                            ^~~~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: send what it holds, in a variable that can be copied
  @communicate { fixed@0 <<= fixed@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:30: error: a value of type 'std::vector<Fixed>' cannot travel: member 'number' of 'Fixed' is const, so a receiver cannot fill it in
// CHECK-NEXT:  @communicate { fixed@0 <<= fixed@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: remove the const, or send the members one by one
  @communicate { holds@0 <<= holds@1; held[0]@1 <<= std::move(held[1])@0 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:30: error: a value of type 'Held' cannot travel: member 'memory' of 'Held' has type 'kanor::buffer<int>', which cannot be copied
// CHECK-NEXT:  @communicate { holds@0 <<= holds@1; held[0]@1 <<= std::move(held[1])@0 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'Held' a copy constructor, or send the members that can be copied
  @communicate { extended@0 <<= extended@1 }
  @communicate { based@0 <<= based@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:30: error: a value of type 'Based' cannot travel: member 'unmade' of 'Holder' has type 'Unmade', which has no default constructor
// CHECK-NEXT:  @communicate { based@0 <<= based@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'Unmade' a default constructor, which receivers need
  @communicate { listed@0 <<= listed@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:31: error: a value of type 'Listed' cannot travel: 'Unmade' has no default constructor
// CHECK-NEXT:  @communicate { listed@0 <<= listed@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: give 'Unmade' a default constructor, which receivers need
  @communicate { nested@0 <<= nested@1 }
// CHECK:{{.*}}type_in_parts.cpp:[[@LINE-1]]:31: error: a value of type 'Nested' cannot travel: 'Nested' has an anonymous union, whose active member is unknown, and is not trivially copyable
// CHECK-NEXT:  @communicate { nested@0 <<= nested@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: give 'Nested' a cereal 'serialize' function, or mark it {{[[][[]}}kanor::same_address_space]] if it is only sent between ranks that share addresses
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
