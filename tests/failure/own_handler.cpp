// A handler that was there before the runtime's comes after it, and has its time: a sanitizer's report on a busy
// machine takes some seconds.
//
// One that a rank sets itself takes the place of the runtime's: this one's comes from a library.
// RUN: mkdir -p %t.dir && %host_cxx -shared -fPIC -x c++ %S/Inputs/own_handler.cc -o %t.dir/libhandler.so
// RUN: %kanorc %s %t.dir/libhandler.so --thread-safe-library=handler -o %t
// RUN: %not %kanorrun -n 2 --mode threads %t 2>&1 | %FileCheck %s --check-prefixes=CHECK,THREADS
// RUN: %not %kanorrun -n 2 --mode processes %t 2>&1 | %FileCheck %s
// CHECK: kanor: rank 1: segmentation fault
// THREADS: kanor: the ranks are threads; with KANOR_MODE=processes each is a process with libraries of its own; with KANOR_CHECK=1 blocks check elements and lengths
// CHECK-NOT: the ranks are threads
// CHECK: the program's handler is done
#include <signal.h>

#include <kanor/kanor.hpp>

extern "C" void has_handler();

int main() {
  has_handler();
  if (kanor::world.rank() == 1) ::raise(SIGSEGV);
  int got = 0;
  @communicate { got@0 <<= got@1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
