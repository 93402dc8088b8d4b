// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debug information: the copies of the program have none in memory, unless a debugger runs the program.
//
// With the argument `stop`, rank 1 stops for the debugger.
#include <dirent.h>
#include <mpi.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

// 16 MB, as a larger program has.
__asm__(".pushsection .debug_more,\"\",@progbits\n.fill 2000000,8,1\n.popsection");

static int rank;

static long bytes_of_copies(void) {
  long bytes = 0;
  DIR* folder = opendir("/proc/self/fd");
  CHECK(folder != NULL);
  if (folder == NULL) return 0;
  for (const struct dirent* one = readdir(folder); one != NULL; one = readdir(folder)) {
    char target[64] = "";
    struct stat file;
    if (readlinkat(dirfd(folder), one->d_name, target, sizeof target - 1) > 0 &&
        strncmp(target, "/memfd:program", 14) == 0 && fstatat(dirfd(folder), one->d_name, &file, 0) == 0)
      bytes += (long)file.st_blocks * 512;
  }
  closedir(folder);
  return bytes;
}

static void stop(int number) {
  if (number == 1) raise(SIGTRAP);
}

int main(int argc, char** argv) {
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1) stop(rank);
  check_part("memory");
  CHECK(bytes_of_copies() < (size - 1) * 4000000L + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  return check_finish();
}
