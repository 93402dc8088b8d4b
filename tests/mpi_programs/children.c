// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A child has a number of its own, and finds its rank's as its parent's.
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const pid_t mine = getpid();
  const pid_t child = fork();
  if (child == 0) _exit((getpid() != mine && getppid() == mine) ? 7 : 1);
  int status = 0;
  check_part("child");
  CHECK(child > 0);
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 7);
  return check_finish();
}
