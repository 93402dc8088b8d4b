// RUN: %kanorc -Wall -Wextra -Werror %s -o %t && %run_everywhere %t
// RUN: %kanorc -std=c++20 -Wall -Wextra -Werror %s -o %t && %t
// Whatever is an integer, or becomes one by itself, is a rank and a member of a set.
#include "check.hpp"

#include <vector>

namespace {
enum Role : int { root, helper };
enum { nameless = 0 };
}  // namespace

int main() {
  const int n = kanor::world.size(), me = kanor::world.rank();
  int a = -1, b = -1, c = -1, d = -1, e = -1;
  const bool second = n > 1;
  const std::vector<Role> roles(1, root);
  @communicate {
    a@nameless <<= 10 + me@root;
    b@second <<= 20 + me@false;
    c@r <<= 30 + r@root where r in {root, helper}, r < n;
    d@r <<= 40 + r@r where r in {root ... n - 1};
    e@r <<= 50 + r@r where r in roles;
    e@r <<= 60 + r@r where r in {helper ... helper}, r < n
  }
  // So are the compiler's own, in standard C++ too.
  const __int128 one = 1;
  int f = -1, g = -1;
  @communicate {
    f@(r + one) % n <<= 70 + r@r where r in world;
    g@r <<= 80 + static_cast<int>(r)@0 where r in {one - 1 ... one * n - 1}
  }
  CHECK_EQ(f, 70 + (me + n - 1) % n);
  CHECK_EQ(g, 80 + me);
  CHECK_EQ(a, me == 0 ? 10 : -1);
  CHECK_EQ(b, me == (second ? 1 : 0) ? 20 : -1);
  CHECK_EQ(c, me < 2 ? 30 + me : -1);
  CHECK_EQ(d, 40 + me);
  CHECK_EQ(e, me == 0 ? 50 : me == 1 ? 61 : -1);
  return check::finish("ranks");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
