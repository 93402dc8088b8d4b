// RUN: %kanorc --dump=flow %s | %FileCheck --check-prefix=FLOW %s
// RUN: %kanorc --dump=sema %s | %FileCheck --check-prefix=SEMA %s
// What a function does to its variables, and which values of a block all ranks agree on.
#include <kanor/kanor.hpp>

#include <vector>

static int half_of(int n) { return n / 2; }

int main(int argc, char**) {
  int root = kanor::world.rank();
  std::vector<int> list(3);
  for (int k = 0; k < argc; ++k) list.push_back(root);
  @communicate { root@i <<= root@0 where i in world }
  const int half = half_of(root);
  @communicate { root@0 <<= root@half where k in list }
}

// FLOW:variable n parameter of half_of
// FLOW-NEXT:variable half_of__ result of half_of
// FLOW-NEXT:variable argc parameter of main
// FLOW-NEXT:variable _ parameter of main
// FLOW-NEXT:variable main__ result of main
// FLOW-NEXT:variable list local of main
// FLOW-NEXT:variable list.size__ local of main
// FLOW-NEXT:variable root local of main
// FLOW-NEXT:variable k local of main
// FLOW-NEXT:variable half_of__#2 result of main
// FLOW-NEXT:variable half local of main
// FLOW-NEXT:function half_of (n) -> half_of__ entry 0 exit 2
// FLOW-NEXT:  node 0: 1
// FLOW-NEXT:  node 1: 2
// FLOW-NEXT:    overwrite half_of__ <- n "n / 2"
// FLOW-NEXT:  node 2:
// FLOW-NEXT:function main (argc, _) -> main__ entry 0 exit 19
// FLOW-NEXT:  node 0: 1
// FLOW-NEXT:  node 1: 2
// FLOW-NEXT:    overwrite root <- !rank "kanor::world.rank()" "kanor::world.rank()"
// FLOW-NEXT:    overwrite list.size__ "list(3)"
// FLOW-NEXT:    overwrite list "list(3)"
// FLOW-NEXT:    overwrite k "0"
// FLOW-NEXT:  node 2 level 1: 3 6 if k, argc "k < argc"
// FLOW-NEXT:  node 3 level 1: 4
// FLOW-NEXT:    write list <- root "list.push_back(root)"
// FLOW-NEXT:    write list.size__ "list.push_back(root)"
// FLOW-NEXT:  node 4 level 1: 2
// FLOW-NEXT:    write k "++k"
// FLOW-NEXT:  node 5: 6
// FLOW-NEXT:  node 6: 9
// FLOW-NEXT:    block 0
// FLOW-NEXT:      set 0 "world"
// FLOW-NEXT:      receiver 0 "i"
// FLOW-NEXT:      sender 0 "0"
// FLOW-NEXT:    receive root "root"
// FLOW-NEXT:  node 7 level 1: 8
// FLOW-NEXT:  node 8 level 1: 9
// FLOW-NEXT:  node 9 level 1: 7 10 if
// FLOW-NEXT:  node 10: 11
// FLOW-NEXT:  node 11: 13
// FLOW-NEXT:    call half_of__#2 = half_of (root) "half_of(root)"
// FLOW-NEXT:    overwrite half <- half_of__#2 "half_of(root)"
// FLOW-NEXT:  node 12: 13
// FLOW-NEXT:  node 13: 16
// FLOW-NEXT:    block 1
// FLOW-NEXT:      set 0 <- list, list.size__ "list"
// FLOW-NEXT:      receiver 0 "0"
// FLOW-NEXT:      sender 0 <- half "half"
// FLOW-NEXT:    write root <- !received "root" "root"
// FLOW-NEXT:  node 14 level 1: 15
// FLOW-NEXT:  node 15 level 1: 16
// FLOW-NEXT:  node 16 level 1: 14 17 if
// FLOW-NEXT:  node 17: 18
// FLOW-NEXT:  node 18: 19
// FLOW-NEXT:  node 19:

// SEMA:block line 14 reached: uniform
// SEMA-NEXT:  set world: uniform
// SEMA-NEXT:  receiver i: uniform
// SEMA-NEXT:  sender 0: uniform
// SEMA-NEXT:block line 16 reached: uniform
// SEMA-NEXT:  set list: list is not uniform
// SEMA-NEXT:  receiver 0: uniform
// SEMA-NEXT:  sender half: uniform

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
