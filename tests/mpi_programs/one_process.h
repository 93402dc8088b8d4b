/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* For programs whose ranks are threads if nothing else is asked for (KANOR_MODE=auto). */
#ifndef KANOR_TESTS_MPI_PROGRAMS_ONE_PROCESS_H
#define KANOR_TESTS_MPI_PROGRAMS_ONE_PROCESS_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

CHECK_UNUSED static void check_one_process(void) {
  const char* mode = getenv("KANOR_MODE");
  long mine = syscall(SYS_getpid), least, most; /* getpid tells ranks apart */
  MPI_Allreduce(&mine, &least, 1, MPI_LONG, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  if (mode != NULL && strcmp(mode, "auto") == 0) CHECK_EQ(least, most);
}

#endif
