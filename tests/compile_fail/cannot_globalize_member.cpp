// RUN: %not %kanorc -c %s -o %t.o 2>&1 | %check_output
// A data member is part of its object, whose memory is not the block's to share.
#include <kanor/kanor.hpp>

struct Grid {
  [[kanor::globalize]] double cells[1024];
// CHECK:{{.*}}cannot_globalize_member.cpp:[[@LINE-1]]:31: error: this variable is marked {{\[\[}}kanor::globalize]], and its memory cannot be shared between ranks
// CHECK:kanorc: note: it is a data member: only variables that are local to a function are shared
};

void spread(Grid& grid) {
  @communicate { grid.cells@1 <<= grid.cells@0 }
}
