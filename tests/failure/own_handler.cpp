// A handler that was there before the runtime's comes after it, and has its time: a sanitizer's report on a busy
// machine takes some seconds.
//
// A program that sets one itself has process ranks: this one's comes from a library.
// RUN: %host_cxx -shared -fPIC -x c++ %S/Inputs/own_handler.cc -o %t.so
// RUN: %kanorc %s %t.so -o %t
// RUN: %not %kanorrun -n 2 --mode threads %t 2>&1 | %FileCheck %s
// RUN: %not %kanorrun -n 2 --mode processes %t 2>&1 | %FileCheck %s
// CHECK: kanor: rank 1: segmentation fault
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
