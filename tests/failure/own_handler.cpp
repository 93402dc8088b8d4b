// A handler that was there before the runtime's comes after it, and has its time: a sanitizer's report on a busy
// machine takes some seconds.
//
// RUN: %kanorc %s -o %t
// RUN: %not %kanorrun -n 2 --mode threads %t 2>&1 | %FileCheck %s
// RUN: %not %kanorrun -n 2 --mode processes %t 2>&1 | %FileCheck %s
// CHECK: kanor: rank 1: segmentation fault
// CHECK: the program's handler is done
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <kanor/kanor.hpp>

namespace {

void handle(int) {
  ::usleep(2'500'000);
  constexpr char words[] = "the program's handler is done\n";
  (void)!::write(STDERR_FILENO, words, std::strlen(words));
  ::_exit(3);
}

[[gnu::constructor]] void install() { ::signal(SIGSEGV, handle); }

}  // namespace

int main() {
  if (kanor::world.rank() == 1) ::raise(SIGSEGV);
  int got = 0;
  @communicate { got@0 <<= got@1 }
}
