// RUN: %not %kanorc -c %s -o %t.o 2>&1 | %check_output
// A data member is part of its object, whose memory is not the block's to share; and what is forbidden.
#include <kanor/kanor.hpp>

void contradicted() {
  [[kanor::globalize]] [[kanor::local]] double both[1024] = {};
  @communicate { both@1 <<= both@0 }
}
// CHECK:{{.*}}cannot_globalize_member.cpp:[[@LINE-3]]:48: error: 'both' is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK:{{.*}}cannot_globalize_member.cpp:[[@LINE-4]]:48: note: it is {{\[\[}}kanor::local]]

struct Grid {
  [[kanor::globalize]] double cells[1024];
// CHECK:{{.*}}cannot_globalize_member.cpp:[[@LINE-1]]:31: error: this declaration is marked {{\[\[}}kanor::globalize]], but its memory cannot be shared between ranks
// CHECK:kanorc: note: it is a data member: only variables that are local to a function are shared
};

void spread(Grid& grid) {
  @communicate { grid.cells@1 <<= grid.cells@0 }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
