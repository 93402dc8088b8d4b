// RUN: %check_diagnostics
// KIND: type_cannot_travel
// What would travel between threads, and lose something on the way to another process: order, hash, allocator, and
// functions for archives that are no such functions.
#include <kanor/kanor.hpp>
#include <queue>
#include <set>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

struct Order {
  bool down;
  bool operator()(int a, int b) const { return down ? b < a : a < b; }
};
template <class T>
struct Arena : std::allocator<T> {
  int number = 0;
};
class Saved {
 public:
  Saved();
  Saved(const Saved&);
  Saved& operator=(const Saved&);
  void save(const std::string& path) const;
  void load(const std::string& path);
};
class Base {
 public:
  Base();
  template <class Archive>
  void serialize(Archive& archive);

 private:
  std::string text;
};
class Derived : public Base {
 public:
  Derived();
  int more;
};
class Protected {
 protected:
  Protected(const Protected&);
  Protected& operator=(const Protected&);
};
class Copied : public Protected {
 public:
  Copied();
  Copied(const Copied&);
  Copied& operator=(const Copied&);
};

void policies(std::set<int, Order> ordered, std::vector<int, Arena<int>> placed, std::set<int, bool (*)(int, int)> by, std::thread::id id) {
  @communicate { ordered@0 <<= ordered@1 }
// CHECK:{{.*}}type_unproved.cpp:[[@LINE-1]]:32: error: a value of type 'std::set<int, Order>' cannot travel: 'Order' is a container's comparator, hash or allocator with members, which do not travel
// CHECK-NEXT:  @communicate { ordered@0 <<= ordered@1 }
// CHECK-NEXT:                               ^~~~~~~
// CHECK-NEXT:kanorc: note: use a class without members instead, or send the elements in a vector
  @communicate { placed@0 <<= placed@1 }
// CHECK:{{.*}}type_unproved.cpp:[[@LINE-1]]:31: error: a value of type 'std::vector<int, Arena<int>>' cannot travel: 'Arena<int>' is a container's comparator, hash or allocator with members, which do not travel
// CHECK-NEXT:  @communicate { placed@0 <<= placed@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: use a class without members instead, or send the elements in a vector
  @communicate { by@0 <<= by@1 }
// CHECK:{{.*}}type_unproved.cpp:[[@LINE-1]]:27: error: a value of type 'std::set<int, bool (*)(int, int)>' cannot travel: 'bool (*)(int, int)' is a container's comparator, hash or allocator with members, which do not travel
// CHECK-NEXT:  @communicate { by@0 <<= by@1 }
// CHECK-NEXT:                          ^~
// CHECK-NEXT:kanorc: note: use a class without members instead, or send the elements in a vector
  @communicate { id@0 <<= id@1 }
// CHECK:{{.*}}type_unproved.cpp:[[@LINE-1]]:27: error: a value of type 'std::thread::id' cannot travel: 'std::thread::id' is a class of the standard library that kanor does not know how to send
// CHECK-NEXT:  @communicate { id@0 <<= id@1 }
// CHECK-NEXT:                          ^~
// CHECK-NEXT:kanorc: note: send what it holds, in a type that travels
}

void functions(Saved saved, Derived derived, Copied copied) {
  @communicate { saved@0 <<= saved@1 }
// CHECK:{{.*}}type_unproved.cpp:[[@LINE-1]]:30: error: a value of type 'Saved' cannot travel: 'Saved' is neither trivially copyable nor an aggregate
// CHECK-NEXT:  @communicate { saved@0 <<= saved@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: give 'Saved' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { derived@0 <<= derived@1 }
// CHECK:{{.*}}type_unproved.cpp:[[@LINE-1]]:32: error: a value of type 'Derived' cannot travel: 'Derived' is neither trivially copyable nor an aggregate
// CHECK-NEXT:  @communicate { derived@0 <<= derived@1 }
// CHECK-NEXT:                               ^~~~~~~
// CHECK-NEXT:kanorc: note: give 'Derived' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
  @communicate { copied@0 <<= copied@1 }
// CHECK:{{.*}}type_unproved.cpp:[[@LINE-1]]:31: error: a value of type 'Copied' cannot travel: 'Copied' is neither trivially copyable nor an aggregate
// CHECK-NEXT:  @communicate { copied@0 <<= copied@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: give 'Copied' a cereal 'serialize' function, or mark it {{\[\[}}kanor::same_address_space]] if it is only sent between ranks that share addresses
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
