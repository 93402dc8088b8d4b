// RUN: %check_diagnostics
#include <kanor/kanor.hpp>

void f(int a, int b) {
  @communicate { a@i <<= b@i where i in world, i in {0, 1} }
// CHECK:{{.*}}name_bound_twice.cpp:[[@LINE-1]]:48: error: 'i' is bound twice in this statement
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, i in {0, 1} }
// CHECK-NEXT:                                               ^
// CHECK-NEXT:{{.*}}name_bound_twice.cpp:[[@LINE-4]]:36: note: first bound here
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, i in {0, 1} }
// CHECK-NEXT:                                   ^
// CHECK-NEXT:kanorc: note: rename one of them
  @communicate { a@i <<= b@i where i, j, i in world }
// CHECK:{{.*}}name_bound_twice.cpp:[[@LINE-1]]:42: error: 'i' is bound twice in this statement
// CHECK-NEXT:  @communicate { a@i <<= b@i where i, j, i in world }
// CHECK-NEXT:                                         ^
// CHECK-NEXT:{{.*}}name_bound_twice.cpp:[[@LINE-4]]:36: note: first bound here
// CHECK-NEXT:  @communicate { a@i <<= b@i where i, j, i in world }
// CHECK-NEXT:                                   ^
// CHECK-NEXT:kanorc: note: rename one of them
  @communicate { a@i <<= b@i where i in world, let i = 2 }
// CHECK:{{.*}}name_bound_twice.cpp:[[@LINE-1]]:52: error: 'i' is bound twice in this statement
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, let i = 2 }
// CHECK-NEXT:                                                   ^
// CHECK-NEXT:{{.*}}name_bound_twice.cpp:[[@LINE-4]]:36: note: first bound here
// CHECK-NEXT:  @communicate { a@i <<= b@i where i in world, let i = 2 }
// CHECK-NEXT:                                   ^
// CHECK-NEXT:kanorc: note: rename one of them
  @communicate { a@k <<= b@k where let k = 1, let k = 2 }
// CHECK:{{.*}}name_bound_twice.cpp:[[@LINE-1]]:51: error: 'k' is bound twice in this statement
// CHECK-NEXT:  @communicate { a@k <<= b@k where let k = 1, let k = 2 }
// CHECK-NEXT:                                                  ^
// CHECK-NEXT:{{.*}}name_bound_twice.cpp:[[@LINE-4]]:40: note: first bound here
// CHECK-NEXT:  @communicate { a@k <<= b@k where let k = 1, let k = 2 }
// CHECK-NEXT:                                       ^
// CHECK-NEXT:kanorc: note: rename one of them
  @communicate { a@i <<= b@i where i in world; b@i <<= a@i where i in world }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
