// RUN: %kanorc -Wno-kanor-nonuniform -c %s -o %t.o 2>&1 | %check_output
// Clauses and ranks may be evaluated any number of times: a warning, and the program is compiled.
#include <kanor/kanor.hpp>
#include <vector>

void f(int a, int b, int k, std::vector<int> list) {
  @communicate { a@k++ <<= b@0 }
// CHECK:{{.*}}side_effect.cpp:[[@LINE-1]]:20: warning: '++' in a block: on which ranks it happens, and how often, is not defined [-Wkanor-side-effect]
// CHECK-NEXT:  @communicate { a@k++ <<= b@0 }
// CHECK-NEXT:                   ^~~
// CHECK-NEXT:kanorc: note: do it before or after the block
  @communicate { a@0 <<= b@--k }
// CHECK:{{.*}}side_effect.cpp:[[@LINE-1]]:28: warning: '--' in a block: on which ranks it happens, and how often, is not defined [-Wkanor-side-effect]
// CHECK-NEXT:  @communicate { a@0 <<= b@--k }
// CHECK-NEXT:                           ^~~
// CHECK-NEXT:kanorc: note: do it before or after the block
  @communicate { a@i <<= b@i where i in {0 ... k += 2} }
// CHECK:{{.*}}side_effect.cpp:[[@LINE-1]]:48: warning: '+=' in a block: on which ranks it happens, and how often, is not defined [-Wkanor-side-effect]
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in {0 ... k += 2} }
// CHECK-NEXT:                                               ^~~~~~
// CHECK-NEXT:kanorc: note: do it before or after the block
  @communicate { a@i <<= b@i where i in world, (k = 1) > 0 }
// CHECK:{{.*}}side_effect.cpp:[[@LINE-1]]:49: warning: '=' in a block: on which ranks it happens, and how often, is not defined [-Wkanor-side-effect]
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, (k = 1) > 0 }
// CHECK-NEXT:                                                ^~~~~
// CHECK-NEXT:kanorc: note: do it before or after the block
  @communicate { a@0 <<= b@0 where let j = k++, j == j }
// CHECK:{{.*}}side_effect.cpp:[[@LINE-1]]:44: warning: '++' in a block: on which ranks it happens, and how often, is not defined [-Wkanor-side-effect]
// CHECK-NEXT:  @communicate { a@0 <<= b@0 where let j = k++, j == j }
// CHECK-NEXT:                                           ^~~
// CHECK-NEXT:kanorc: note: do it before or after the block
  @communicate { a@0 <<= k++@0 }
// CHECK:{{.*}}side_effect.cpp:[[@LINE-1]]:26: warning: '++' in a block: on which ranks it happens, and how often, is not defined [-Wkanor-side-effect]
// CHECK-NEXT:  @communicate { a@0 <<= k++@0 }
// CHECK-NEXT:                         ^~~
// CHECK-NEXT:kanorc: note: do it before or after the block
  @communicate { list[k++]@0 <<= b@0 }
// CHECK:{{.*}}side_effect.cpp:[[@LINE-1]]:23: warning: '++' in a block: on which ranks it happens, and how often, is not defined [-Wkanor-side-effect]
// CHECK-NEXT:  @communicate { list[k++]@0 <<= b@0 }
// CHECK-NEXT:                      ^~~
// CHECK-NEXT:kanorc: note: do it before or after the block
  @communicate { a@0 <<= b@0 where k == 1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
