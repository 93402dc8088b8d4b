// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks have a stack and open files as processes have: an array of 100 MB if the stack is not limited, and 60
// files each.
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "check.h"

enum { files = 60, bytes = 100 << 20 };

__attribute__((noinline)) static int last_of(int length) {
  volatile char room[length];
  for (int i = 0; i < length; i += 4096) room[i] = 1;
  room[length - 1] = 7;
  return room[length - 1];
}

int main(int argc, char** argv) {
  FILE* opened[files];
  struct rlimit limit;
  MPI_Init(&argc, &argv);
  check_part("stack");
  CHECK_EQ(getrlimit(RLIMIT_STACK, &limit), 0);
  CHECK_EQ(last_of(limit.rlim_cur == RLIM_INFINITY ? bytes : 4096), 7);
  check_part("files");
  for (int i = 0; i < files; ++i) opened[i] = fopen("/dev/null", "w");
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < files; ++i) {
    CHECK(opened[i] != NULL);
    if (opened[i] != NULL) fclose(opened[i]);
  }
  return check_finish();
}
