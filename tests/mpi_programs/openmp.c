// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP inside of the ranks: compile with -fopenmp.
//
// Threads of a rank see the rank's globals, have their own threadprivate ones, add with atomics,
// critical sections and reductions, and only the main thread calls MPI (MPI_THREAD_FUNNELED).
#include <mpi.h>
#include <omp.h>

#include "check.h"

enum { threads = 3, length = 10000 };

static int rank, size;
static int counter;
static double values[length];
static int of_thread = 5;
#pragma omp threadprivate(of_thread)

// There may be less threads than were asked for.
static void check_globals(void) {
  int ranks_seen = 0, seen = 0;
#pragma omp parallel num_threads(threads) reduction(+ : ranks_seen, seen)
  {
    ranks_seen += rank;
    seen += 1;
#pragma omp atomic
    counter += rank + 1;
#pragma omp critical(named)
    values[0] += 1;
  }
  CHECK(seen >= 1 && seen <= threads);
  CHECK_EQ(ranks_seen, seen * rank);
  CHECK_EQ(counter, seen * (rank + 1));
  CHECK_NUM(values[0], seen);
}

static void check_loops(void) {
  double sum = 0;
  int most = -1;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 100)
  for (int i = 0; i < length; ++i) values[i] = rank + i;
#pragma omp parallel for num_threads(threads) reduction(+ : sum) reduction(max : most)
  for (int i = 0; i < length; ++i) {
    sum += values[i];
    if (i % 7 == rank % 7 && i > most) most = i;
  }
  CHECK_NUM(sum, (double)rank * length + length * (length - 1.0) / 2);
  CHECK(most % 7 == rank % 7 && most > length - 8);
  double all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK_NUM(all, size * (size - 1) / 2.0 * length + size * (length * (length - 1.0) / 2));
}

static void check_private(void) {
  int wrong = 0;
  of_thread = 5;
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    {
      of_thread = rank * 100 + omp_get_thread_num();
#pragma omp barrier
      wrong += of_thread != rank * 100 + omp_get_thread_num();
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK_EQ(wrong, 0);
}

// The main thread exchanges while the others compute.
static void check_funneled(int provided) {
  if (provided < MPI_THREAD_FUNNELED) return;
  int got = -1, main_thread = 0;
  static int squares[threads];
#pragma omp parallel num_threads(threads)
  {
#pragma omp master
    {
      MPI_Is_thread_main(&main_thread);
      MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT,
                   (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    squares[omp_get_thread_num()] = (rank + 1) * (rank + 1);
  }
  CHECK(main_thread);
  CHECK_EQ(got, (rank + size - 1) % size);
  CHECK_EQ(squares[0], (rank + 1) * (rank + 1));
}

int main(int argc, char** argv) {
  int provided = -1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("globals");
  check_globals();
  check_part("loops");
  check_loops();
  check_part("threadprivate");
  check_private();
  check_part("funneled");
  check_funneled(provided);
  return check_finish();
}
