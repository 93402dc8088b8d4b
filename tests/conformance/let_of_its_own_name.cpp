// RUN: %kanorc %s -o %t && %run_everywhere --modes threads --ranks 2 %t
// XFAIL: *
// Known limit: in `let k = k + 1` the second k is the program's, since no clause has bound the name yet; kanorc takes it for
// the new one, as C++ does in `int k = k + 1`, and refuses.
#include "check.hpp"

int main() {
  const int k = 10;
  int got = 0;
  @communicate { got@i <<= k@i where i in world, let k = k + 1 }
  CHECK_EQ(got, 11);
  return check::finish("let_of_its_own_name");
}
