// A mutable variable of an object that kanorc did not compile cannot be made private: `auto` takes processes
// and says why, `threads` is refused by name, and the answers are right.
// RUN: %host_cxx -x c -c %S/Inputs/foreign_counter.c -o %t.counter.o
// RUN: %kanorc %s %t.counter.o -o %t
// RUN: %kanorrun -n 4 %t > %t.out 2> %t.err
// RUN: %FileCheck %s --check-prefix=AUTO < %t.err
// RUN: %FileCheck %s --check-prefix=OUT < %t.out
// RUN: %not %kanorrun -n 4 --mode threads %t 2>&1 | %FileCheck %s --check-prefix=THREADS
// RUN: %run_everywhere --modes processes,mpi,mpi-net --ranks 1,3 %t
//
// The same through an archive, and compiled apart from the link.
// RUN: rm -f %t.a && ar rcs %t.a %t.counter.o
// RUN: %kanorc -c %s -o %t.main.o
// RUN: %kanorc %t.main.o %t.a -o %t.archived
// RUN: %not %kanorrun -n 2 --mode threads %t.archived 2>&1 | %FileCheck %s --check-prefix=THREADS
//
// AUTO: kanor:{{.*}}foreign_count{{.*}}
// AUTO-NOT: error
// OUT-COUNT-4: globals_foreign rank {{[0-3]}} of 4: ok
// THREADS: foreign_count
// THREADS-NOT: globals_foreign rank
#include "check.hpp"

extern "C" int foreign_next(void);

namespace {
int calls = 0;
}

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  int token = 0;
  for (int round = 1; round <= 10; ++round) {
    ++calls;
    CHECK_EQ(foreign_next(), calls);
    @communicate { token@i << + << me@s where i, s in world }
    CHECK_EQ(token, n * (n - 1) / 2);
  }
  return check::finish("globals_foreign");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
