// RUN: %not %kanorc -c %s -o %t.o 2> %t.error
// RUN: %FileCheck %s < %t.error
// RUN: %not %kanorc -DUNORDERED -c %s -o %t.o 2> %t.unordered
// RUN: %FileCheck --check-prefix=UNORDERED %s < %t.unordered
// RUN: %not %kanorc -DOTHERS -c %s -o %t.o 2> %t.others
// RUN: %FileCheck --check-prefix=OTHERS %s < %t.others
// Calls of the library with types that it cannot use: the message leads to the call in the program.
#include <kanor/std/by_key.hpp>
#include <kanor/std/dealt.hpp>
#include <kanor/std/exchange_map.hpp>
#include <kanor/std/merge.hpp>
#include <kanor/std/migrate.hpp>
#include <kanor/std/reorder.hpp>
#include <kanor/std/sort.hpp>
#include <kanor/std/transpose.hpp>
#include <kanor/std/unique.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
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

#ifdef OTHERS
void keys(std::vector<std::pair<std::plus<>, int>>& pairs) {
  kanor::group_by_key(pairs, [](std::plus<>) { return 0; });
}
// OTHERS: {{.*}}library_types.cpp:[[@LINE-2]]:3: error: no matching function for call to 'group_by_key'
// OTHERS: note: because 'a < b' would be invalid

struct Started {
  explicit Started(int at) : key(at) {}
  int key;
  bool operator<(const Started& other) const { return key < other.key; }
};
void started(std::vector<Started>& values) { kanor::sort(values); }
// OTHERS: {{.*}}library_types.cpp:[[@LINE-1]]:46: error: no matching function for call to 'sort'
// OTHERS: note: because 'Started' does not satisfy 'default_initializable'

void pointers(std::vector<std::unique_ptr<int>>& values) {
  kanor::sort(values);
  kanor::stable_sort(values);
}
// OTHERS: {{.*}}library_types.cpp:[[@LINE-3]]:3: error: no matching function for call to 'sort'
// OTHERS: note: because 'std::unique_ptr<int>' does not satisfy 'copyable'
// OTHERS: {{.*}}library_types.cpp:[[@LINE-4]]:3: error: no matching function for call to 'stable_sort'

void pairs_as_keys(std::vector<std::pair<std::pair<int, int>, int>>& pairs, std::vector<Started>& values) {
  kanor::group_by_key(pairs);
  kanor::reduce_by_key(pairs, std::plus<>());
  kanor::unique(values);
}
// OTHERS: {{.*}}library_types.cpp:[[@LINE-4]]:3: error: no matching function for call to 'group_by_key'
// OTHERS: note: because 'detail::hash_of<std::hash<std::pair<int, int> >, std::pair<int, int> >' evaluated to false
// OTHERS: {{.*}}library_types.cpp:[[@LINE-5]]:3: error: no matching function for call to 'reduce_by_key'
// OTHERS: {{.*}}library_types.cpp:[[@LINE-5]]:3: error: no matching function for call to 'unique'

void extents(kanor::dealt<int, 2>& matrix) {
  const kanor::dealt<int, 2> vector({4});
  matrix.section({{0, 4}});
}
// OTHERS: {{.*}}library_types.cpp:[[@LINE-3]]:30: error: no matching constructor for initialization of 'const kanor::dealt<int, 2>'
// OTHERS: {{.*}}library_types.cpp:[[@LINE-3]]:10: error: no matching member function for call to 'section'

void bits(std::vector<bool>& values) {
  kanor::migrate(values, [](bool) { return 0; });
  kanor::transpose(values, 4, 3);
}
// OTHERS: {{.*}}library_types.cpp:[[@LINE-3]]:3: error: no matching function for call to 'migrate'
// OTHERS: note: because '!std::same_as<_Bool, _Bool>' evaluated to false
// OTHERS: {{.*}}library_types.cpp:[[@LINE-4]]:3: error: no matching function for call to 'transpose'

void other_calls(std::vector<Started>& values, std::vector<std::pair<int, Started>> pairs) {
  kanor::rotate(values, 1);
  kanor::merge_by_key(pairs, pairs);
  kanor::dealt<Started> array(10);
}
// OTHERS: {{.*}}library_types.cpp:[[@LINE-4]]:3: error: no matching function for call to 'rotate'
// OTHERS: {{.*}}library_types.cpp:[[@LINE-4]]:3: error: no matching function for call to 'merge_by_key'
// OTHERS: {{.*}}library_types.cpp:[[@LINE-4]]:10: error: constraints not satisfied for class template 'dealt'

void flags(const kanor::exchange_map& map, const std::vector<bool>& own, std::vector<bool>& ghosts) {
  map.gather(own, ghosts);
}
// OTHERS: error: {{.*}}an exchange_map cannot exchange elements of type bool: use char
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
