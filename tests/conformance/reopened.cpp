// Programs that reopen standard streams or write wide characters have process ranks with the C library's own streams.
// RUN: %kanorc %s -o %t 2>&1 | %FileCheck %s --check-prefix=NOTE
// NOTE: will be processes, not threads: {{.*}} uses 'freopen'
// RUN: printf '42\n' > %t.in && %kanorrun -n 2 %t %t.in %t.out. && cat %t.out.0 %t.out.1 | %FileCheck %s
// CHECK: rank 0: 42
// CHECK-NEXT: its second line
// CHECK-NEXT: rank 1: 42
// CHECK-NEXT: its second line
// RUN: %kanorc -DWIDE %s -o %t.wide 2>&1 | %FileCheck %s --check-prefix=WIDE-NOTE
// WIDE-NOTE: will be processes, not threads: {{.*}} uses 'wprintf'
// RUN: %kanorrun -n 3 %t.wide | %FileCheck %s --check-prefix=WIDE
// WIDE: wide rank 1 of 3
#include <kanor/kanor.hpp>

#include <cstdio>
#include <cwchar>
#include <iostream>
#include <string>

int main(int, char** argv) {
  const int me = kanor::world.rank();
#ifdef WIDE
  (void)argv;
  if (me != 1) return 0;
  std::wprintf(L"wide rank %d ", me);
  return std::wprintf(L"of %d\n", kanor::world.size()) > 0 ? 0 : 1;
#else
  if (!std::freopen(argv[1], "r", stdin)) return 1;
  int number = 0;
  if (std::scanf("%d", &number) != 1) return 2;
  if (!std::freopen((argv[2] + std::to_string(me)).c_str(), "w", stdout)) return 3;
  std::printf("rank %d: ", me);
  std::cout << number << '\n' << "its second line\n";
  return 0;
#endif
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
