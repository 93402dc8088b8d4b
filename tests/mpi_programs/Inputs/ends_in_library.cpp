// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registered last, by a library: called first.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>

namespace {

void (*take_next_step)(int) = nullptr;

struct InLibrary {
  ~InLibrary() { take_next_step(3); }
};

}  // namespace

extern "C" void begin_in_library(void (*take_step)(int)) {
  take_next_step = take_step;
  static InLibrary third;
  std::atexit([] { take_next_step(2); });
}
