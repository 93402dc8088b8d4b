// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fdelta --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fdelta --explain %s | %not grep 'not pipelined'
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fdelta -fno-delta --explain %s | %not grep pipelined
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fdelta --emit-cpp %s | %FileCheck --check-prefix=EMIT %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fdelta -Wall -Wextra -Wshadow -Wconversion -Werror -c %s -o %t.o
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fdelta -std=gnu89 -Wdeclaration-after-statement -Wlong-long -Werror -c %s -o %t.o
// RUN: %kanorc --mpi-ranks=threads --host-cxx=clang-19 -fdelta -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %kanorc --mpi-ranks=threads --host-cxx=g++ -x c++ -fdelta -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %mpi_program --without=-fdelta --ranks 1,2,3,5,9 %s -- -fdelta -O2 -lm
// RUN: %mpi_program --without=-fdelta --ranks 2,5 --set KANOR_CHECK=1 %s -- -fdelta -O1 -g -lm
// RUN: %mpi_program --without=-fdelta --ranks 2,5 --set KANOR_DELTA=1K %s -- -fdelta -O2 -lm
// RUN: %mpi_program --without=-fdelta --ranks 3 --set KANOR_DISABLE=delta %s -- -fdelta -O2 -lm
// RUN: %kanor-mpicc -O2 -fdelta %s -o %t -lm
// RUN: %run_everywhere --ranks 2,4,5 %t
//
// Every message here is pipelined with a loop. Each function returns what the last rank has summed up.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#ifdef __cplusplus
#include <cstdlib>
using std::calloc;
using std::free;
using std::malloc;
#else
#include <stdlib.h>
#endif

#define ALL MPI_COMM_WORLD
#define N 6000
#define ROWS 30

static double heavy(double number) { return sqrt(number * number + 1) + sin(number); }

/* The buffers are local, static, or allocated. */
static double of_a_pair(int rank, int turn) {
  double a[N], sum = 0;
  int k;
  if (rank == 0) {
    for (k = 0; k < N; ++k) a[k] = heavy(k + turn);
    MPI_Send(a, N, MPI_DOUBLE, 1, 1, ALL);
  } else if (rank == 1) {
    MPI_Recv(a, N, MPI_DOUBLE, 0, 1, ALL, MPI_STATUS_IGNORE);
    for (k = 0; k < N; k++) sum += heavy(a[k]);
  }
  return sum;
}
// CHECK:      'MPI_Send' is pipelined with the loop at line [[@LINE-8]], which computes 'a'
// CHECK:      'MPI_Recv' is pipelined with the loop at line [[@LINE-5]], which uses 'a'
// EMIT:       KANOR_DELTA_SEND(kanor_delta_0, 8, 41, a, N, MPI_DOUBLE, 1, 1, ALL); for (k = 0; k < N; ) {
// EMIT-SAME:  const __typeof__(k) kanor_end_0 = KANOR_DELTA_STRIP(kanor_delta_0, k, N); { for (; k < kanor_end_0; ++k) a[k] = heavy(k + turn); }
// EMIT-SAME:  KANOR_DELTA_COMPUTED(kanor_delta_0, k, 1, 0); if (k < kanor_end_0) break; }
// EMIT-NEXT:  KANOR_DELTA_SENT(kanor_delta_0, a, N, MPI_DOUBLE, 1, 1, ALL);
// EMIT:       KANOR_DELTA_RECV(kanor_delta_1, 8, a, N, MPI_DOUBLE, 0, 1, ALL, MPI_STATUS_IGNORE);
// EMIT-NEXT:  for (k = 0; k < N; ) { const __typeof__(k) kanor_end_1 = KANOR_DELTA_ARRIVED(kanor_delta_1, k, N, 1, 1, 0);
// EMIT-SAME:  { for (; k < kanor_end_1; k++) sum += heavy(a[k]); } if (k < kanor_end_1) break; } ; kanor_delta_received(kanor_delta_1);

static double in[N], out[N];
static void begin(int turn) {
  int k;
  for (k = 0; k < N; ++k) in[k] = k + turn;
}
static double end_of_chain(void) {
  double sum = 0;
  int k;
  for (k = 0; k < N; ++k) sum += out[k];
  return sum;
}

/* The ranks form a chain; other functions use the buffers too. */
static double of_a_chain(int rank, int size, int turn) {
  double sum = 0;
  int k;
  if (rank > 0)
    MPI_Recv(in, N, MPI_DOUBLE, rank - 1, 2, ALL, MPI_STATUS_IGNORE);
  else
    begin(turn);
  for (k = 0; k < N; ++k) out[k] = heavy(in[k]) + rank;
  if (rank + 1 < size) {
    MPI_Send(out, N, MPI_DOUBLE, rank + 1, 2,
             ALL);
  } else {
    sum = end_of_chain();
  }
  return sum;
}
// CHECK:      'MPI_Recv' is pipelined with the loop at line [[@LINE-9]], which uses 'in'
// CHECK:      'MPI_Send' is pipelined with the loop at line [[@LINE-10]], which computes 'out'
// EMIT:       KANOR_DELTA_NONE(kanor_delta_2); if (rank > 0)
// EMIT-NEXT:  KANOR_DELTA_RECV_INTO(kanor_delta_2, 8, in, N, MPI_DOUBLE, rank - 1, 2, ALL, MPI_STATUS_IGNORE);
// EMIT:       KANOR_DELTA_SEND_IF((rank + 1 < size), kanor_delta_3, 8, {{[0-9]+}}, out, N, MPI_DOUBLE, rank + 1, 2, {{ *}}ALL);
// EMIT-SAME:  const __typeof__(k) kanor_end_2 = KANOR_DELTA_ARRIVED(kanor_delta_2, k, N, 1, 1, 0);
// EMIT-SAME:  const __typeof__(k) kanor_end_3 = KANOR_DELTA_STRIP(kanor_delta_3, k, kanor_end_2); { for (; k < kanor_end_3; ++k)

/* The other branch, dimensions, a stencil, a status that is used later, and another order of the two loops. */
static double table[ROWS][400];
static double of_rows(int rank, int turn) {
  double sum = 0;
  int i, j, count = 0;
  MPI_Status status;
  if (rank < 2) {
    for (i = 0; i < ROWS; i++)
      for (j = 0; j <= 399; j++) table[i][j] = heavy(i * j + turn);
    if (rank != 0)
      sum = 1;
    else
      MPI_Send(&table[0][0], ROWS * 400, MPI_DOUBLE, 1, 3, ALL);
    if (rank == 1) {
      MPI_Recv(table, sizeof table / sizeof **table, MPI_DOUBLE, MPI_ANY_SOURCE, 3, ALL, &status);
      for (i = 1; i < ROWS - 1; ++i)
        for (j = 0; j < 400; j += 3) {
          if (table[i][j] < -1000) continue;
          sum += table[i - 1][j] * table[i + 1][j];
        }
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      sum += status.MPI_SOURCE + count;
    }
  }
  return sum;
}
// CHECK:      'MPI_Send' is pipelined with the loop at line [[@LINE-19]], which computes 'table'
// CHECK:      'MPI_Recv' is pipelined with the loop at line [[@LINE-12]], which uses 'table'
// EMIT:       KANOR_DELTA_SEND_IF(!(rank != 0), kanor_delta_4, 3200, {{[0-9]+}}, &table[0][0], ROWS * 400, MPI_DOUBLE, 1, 3, ALL);

/* Memory that is allocated; steps; limits of other types; statements between; a loop in a branch; a break. */
static double of_memory(int rank, int size, int turn) {
  const long n = N + turn;
  unsigned long k;
  long step;
  double sum = 0, begun = 0;
  int to = (rank + 1) % size;
  float* numbers = (float*)malloc(2 * (size_t)n * sizeof *numbers);
  float* more = (float*)calloc(2 * (size_t)n, sizeof(float));
  numbers[0] = numbers[1] = (float)rank;
  for (step = 1; step <= n - 1; step += 1) {
    numbers[2 * step + 1] = (float)heavy((double)step);
    numbers[2 * step] = (float)turn;
  }
  begun += MPI_Wtime();
  if (begun < 0) sum += 1;
  MPI_Send(numbers, (int)n * 2, MPI_FLOAT, to, 4, ALL);
  MPI_Recv(more, (int)n * 2, MPI_FLOAT, (rank + size - 1) % size, 4, ALL, MPI_STATUS_IGNORE);
  begun = 1;
  if (rank >= 0)
    for (k = 3; k < 2UL * (unsigned long)n; k += 4) {
      if (k > 11000 && more[0] < 0) break;
      sum += more[k];
    }
  free(numbers);
  free(more);
  return sum;
}
// CHECK:      'MPI_Send' is pipelined with the loop at line [[@LINE-18]], which computes 'numbers'
// CHECK:      'MPI_Recv' is pipelined with the loop at line [[@LINE-9]], which uses 'more'
// EMIT:       KANOR_DELTA_STRIP(kanor_delta_6, step, 1L + (n - 1)); { for (; step < kanor_end_6; step += 1) {
// EMIT:       KANOR_DELTA_COMPUTED(kanor_delta_6, step, 2, 0); if (step < kanor_end_6) break; }
// EMIT:       KANOR_DELTA_ARRIVED(kanor_delta_7, k, 2UL * (unsigned long)n, 1, 1, 1);

/* Two buffers in one loop, one of them a part of what is received; two messages to one rank keep their order. */
static double of_two(int rank, int turn) {
  static int a[N], b[N];
  double sum = 0;
  int k;
  if (rank == 0) {
    for (k = 0; k < N; ++k) {
      a[k] = k + turn;
      b[k] = k * turn;
    }
    MPI_Send(a, N, MPI_INT, 1, 5, ALL);
    for (k = 0; k < N - 1000; ++k) b[k] = b[k + 1000] + turn;
    MPI_Send(b, N - 1000, MPI_INT, 1, 5, ALL);
  } else if (rank == 1) {
    MPI_Recv(a, N, MPI_INT, 0, 5, ALL, MPI_STATUS_IGNORE);
    for (k = 0; k < N; ++k) sum += a[k] % 7;
    for (k = 0; k < N; ++k) b[k] = -1;
    MPI_Recv(b, N, MPI_INT, 0, 5, ALL, MPI_STATUS_IGNORE);
    for (k = 0; k < N; ++k) sum += b[k] % 5;
  }
  return sum;
}
// CHECK:      'MPI_Send' is pipelined with the loop at line [[@LINE-16]], which computes 'a'
// CHECK:      'MPI_Send' is pipelined with the loop at line [[@LINE-12]], which computes 'b'
// CHECK:      'MPI_Recv' is pipelined with the loop at line [[@LINE-9]], which uses 'a'
// CHECK:      'MPI_Recv' is pipelined with the loop at line [[@LINE-7]], which uses 'b'

/* Messages on both sides of 8 KiB (least_pipelined_bytes). */
static double of_sizes(int rank, int turn) {
  static double a[1100];
  double sum = 0;
  int k, n;
  for (n = 1020; n < 1028; ++n) {
    if (rank == 0) {
      for (k = 0; k < n; ++k) a[k] = n + k + turn;
      MPI_Send(a, n, MPI_DOUBLE, 1, 6, ALL);
    }
    if (rank == 1) {
      MPI_Recv(a, n, MPI_DOUBLE, 0, 6, ALL, MPI_STATUS_IGNORE);
      for (k = 0; k < n; ++k) sum += a[k];
    }
  }
  return sum;
}
// CHECK:      'MPI_Send' is pipelined with the loop at line [[@LINE-10]], which computes 'a'
// CHECK:      'MPI_Recv' is pipelined with the loop at line [[@LINE-6]], which uses 'a'

/* The message ends within a row; the limit is more than the counter can be; few rows. */
static double of_parts(int rank, int turn) {
  static double rows[200][512], few[20][2000];
  const long most = 3000000000;
  double sum = 0;
  int i, j;
  if (rank == 0) {
    for (i = 0; i < 200; i++)
      for (j = 0; j < 512; j++) rows[i][j] = heavy(i * j + turn);
    MPI_Send(rows, 64 * 512 + 256, MPI_DOUBLE, 1, 7, ALL);
    for (i = 0; i < most; i++) {
      if (i == 20) break;
      for (j = 0; j < 2000; j++) few[i][j] = heavy(i - j + turn);
    }
    MPI_Send(few, 20 * 2000, MPI_DOUBLE, 1, 7, ALL);
  } else if (rank == 1) {
    MPI_Recv(rows, 200 * 512, MPI_DOUBLE, 0, 7, ALL, MPI_STATUS_IGNORE);
    for (i = 0; i < 64; i++)
      for (j = 0; j < 512; j++) sum += rows[i][j] + rows[i + 1][j / 2];
    MPI_Recv(few, 20 * 2000, MPI_DOUBLE, 0, 7, ALL, MPI_STATUS_IGNORE);
    for (i = 0; i < most; i++) {
      if (i == 20) break;
      for (j = 0; j < 2000; j++) sum += few[i][j];
    }
  }
  return sum;
}
// CHECK:      'MPI_Send' is pipelined with the loop at line [[@LINE-20]], which computes 'rows'
// CHECK:      'MPI_Send' is pipelined with the loop at line [[@LINE-18]], which computes 'few'
// CHECK:      'MPI_Recv' is pipelined with the loop at line [[@LINE-12]], which uses 'rows'
// CHECK:      'MPI_Recv' is pipelined with the loop at line [[@LINE-10]], which uses 'few'

int main(int argc, char** argv) {
  int rank, size, turn;
  double sums[6] = {0, 0, 0, 0, 0, 0}, all[6];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(ALL, &rank);
  MPI_Comm_size(ALL, &size);
  for (turn = 0; turn < 5; ++turn) {
    if (size > 1) {
      sums[0] += of_a_pair(rank, turn);
      sums[2] += of_rows(rank, turn);
      sums[4] += of_two(rank, turn);
      sums[5] += of_sizes(rank, turn) + of_parts(rank, turn);
    }
    sums[1] += of_a_chain(rank, size, turn);
    sums[3] += of_memory(rank, size, turn);
  }
  MPI_Reduce(sums, all, 6, MPI_DOUBLE, MPI_SUM, 0, ALL);
  if (rank == 0) printf("%.10g %.10g %.10g %.10g %.10g %.10g\n", all[0], all[1], all[2], all[3], all[4], all[5]);
  MPI_Finalize();
  return 0;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
