// RUN: %check_diagnostics
// A name that would end with the block: a declaration without braces around it.
#include <kanor/kanor.hpp>

void conditions(int a, int b, int n) {
  if (n > 0) @communicate (async = later) { a@0 <<= b@1 }
// CHECK:{{.*}}async_without_braces.cpp:[[@LINE-1]]:28: error: 'async' declares 'later', but this block is the substatement of an 'if', a loop or a label
// CHECK-NEXT:  if (n > 0) @communicate (async = later) { a@0 <<= b@1 }
// CHECK-NEXT:                           ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: put braces around the block and the statements up to its wait
}

void loops(int a, int b, int n) {
  for (int k = 0; k < n; ++k)
    KANOR_COMMUNICATE((copy, async = later), a@0 <<= b@1);
// CHECK:{{.*}}async_without_braces.cpp:[[@LINE-1]]:30: error: 'async' declares 'later', but this block is the substatement of an 'if', a loop or a label
// CHECK-NEXT:    KANOR_COMMUNICATE((copy, async = later), a@0 <<= b@1);
// CHECK-NEXT:                             ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: put braces around the block and the statements up to its wait
}

void labels(int a, int b, int n) {
  switch (n) {
    case 0:
      @communicate (async = later) { a@0 <<= b@1 }
// CHECK:{{.*}}async_without_braces.cpp:[[@LINE-1]]:21: error: 'async' declares 'later', but this block is the substatement of an 'if', a loop or a label
// CHECK-NEXT:      @communicate (async = later) { a@0 <<= b@1 }
// CHECK-NEXT:                    ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: put braces around the block and the statements up to its wait
  }
}

template <class T>
void templates(T a, T b) {
  while (true) @communicate (async = later) { a@0 <<= b@1 }
// CHECK:{{.*}}async_without_braces.cpp:[[@LINE-1]]:30: error: 'async' declares 'later', but this block is the substatement of an 'if', a loop or a label
// CHECK-NEXT:  while (true) @communicate (async = later) { a@0 <<= b@1 }
// CHECK-NEXT:                             ^~~~~~~~~~~~~
// CHECK-NEXT:kanorc: note: put braces around the block and the statements up to its wait
}

void braced(int a, int b, int n) {
  if (n > 0) {
    @communicate (async = later) { a@0 <<= b@1 }
    [&] { @communicate (async = later) { a@0 <<= b@1 } }();
  }
  switch (n) {
    case 0: {
      @communicate (async = later) { a@0 <<= b@1 }
    }
  }
  templates(a, b);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
