// RUN: %check_diagnostics
// A team names a record of the rank that split it.
#include <kanor/kanor.hpp>
#include <utility>
#include <vector>

struct Holder {
  int number = 0;
  kanor::team members;
};

void f(kanor::team t, Holder holder, kanor::grid<3> g, std::vector<kanor::team> teams) {
  int size = 0;
  @communicate { t@0 <<= t@1 }
// CHECK:{{.*}}team_cannot_travel.cpp:[[@LINE-1]]:26: error: a value of type 'kanor::team' cannot travel: 'kanor::team' is this rank's handle of a team
// CHECK-NEXT:  @communicate { t@0 <<= t@1 }
// CHECK-NEXT:                         ^
// CHECK-NEXT:kanorc: note: let the receivers call 'split' too, or send the members' numbers ('world_rank')
  @communicate { holder@0 <<= holder@1 }
// CHECK:{{.*}}team_cannot_travel.cpp:[[@LINE-1]]:31: error: a value of type 'Holder' cannot travel: member 'members' of 'Holder' has type 'kanor::team', which is this rank's handle of a team
// CHECK-NEXT:  @communicate { holder@0 <<= holder@1 }
// CHECK-NEXT:                              ^~~~~~
// CHECK-NEXT:kanorc: note: let the receivers call 'split' too, or send the members' numbers ('world_rank')
  @communicate { g@0 <<= g@1 }
// CHECK:{{.*}}team_cannot_travel.cpp:[[@LINE-1]]:26: error: a value of type 'kanor::grid<3>' cannot travel: 'kanor::grid<3>' is this rank's handle of a team
// CHECK-NEXT:  @communicate { g@0 <<= g@1 }
// CHECK-NEXT:                         ^
// CHECK-NEXT:kanorc: note: let the receivers call 'split' too, or send the members' numbers ('world_rank')
  @communicate { teams@0 <<= teams@1 }
// CHECK:{{.*}}team_cannot_travel.cpp:[[@LINE-1]]:30: error: a value of type 'std::vector<kanor::team>' cannot travel: 'kanor::team' is this rank's handle of a team
// CHECK-NEXT:  @communicate { teams@0 <<= teams@1 }
// CHECK-NEXT:                             ^~~~~
// CHECK-NEXT:kanorc: note: let the receivers call 'split' too, or send the members' numbers ('world_rank')
  @communicate { size@0 <<= t.size()@1 }
  @communicate { size@0 <<= g.extent(0)@1 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
