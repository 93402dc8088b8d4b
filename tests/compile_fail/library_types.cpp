// RUN: %not %kanorc -c %s -o %t.o 2> %t.error
// RUN: %FileCheck %s < %t.error
// RUN: %not %kanorc -DUNORDERED -c %s -o %t.o 2> %t.unordered
// RUN: %FileCheck --check-prefix=UNORDERED %s < %t.unordered
// Calls of the library with types that it cannot use: the message leads to the call in the program.
#include <kanor/std/sort.hpp>

#include <string>
#include <vector>

struct Name {
  int key = 0;
#ifndef UNORDERED
  std::string* text = nullptr;
  bool operator<(const Name& other) const { return key < other.key; }
#endif
};

template <class T>
void order(std::vector<T>& values) {
  const auto call = [](auto& all) { kanor::sort(all); };
  call(values);
}
// UNORDERED: {{.*}}library_types.cpp:[[@LINE-3]]:37: error: no matching function for call to 'sort'
// UNORDERED: note: because 'std::strict_weak_order<std::less<void>, const Name &, const Name &>' evaluated to false

void names(std::vector<Name>& values) { order(values); }
// CHECK: {{.*}}sort.hpp:{{.*}}: error: elements of type 'Name' cannot travel: member 'text' of 'Name' is a pointer
// CHECK: {{.*}}sort.hpp:{{.*}}: note: in the instantiation 'kanor::detail::sort_sorted<Name, std::less<void>>', which is needed here
// CHECK: {{.*}}library_types.cpp:[[@LINE-9]]:44: note: in the instantiation 'kanor::sort<Name, std::less<void>>', which is needed here
// CHECK: {{.*}}library_types.cpp:[[@LINE-4]]:41: note: in the instantiation 'order<Name>', which is needed here

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
