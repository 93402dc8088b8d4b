// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fdelta --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fdelta --explain %s | %not grep 'is pipelined'
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fdelta --emit-cpp %s | diff %s -
//
// Messages that stay as they are: one reason for each function.
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL MPI_COMM_WORLD
#define N 5000

extern double unknown(double);
extern void lend(double*);
static double seen;
static void use(double number) { seen += number; }
static double twice(double number) { return 2 * number; }
static double barrier(double number) {
  MPI_Barrier(ALL);
  return number;
}
static double nested(double number) { return number > 3 ? barrier(number) : 1; }

static void not_by_a_loop(void) {
  double a[N];
  memset(a, 0, sizeof a);
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'a' is used here, outside of a loop

static void without_neighbours(int rank) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  if (rank == 0)
    if (rank < 5) MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: no loop before it computes 'a'

static void by_unknown_functions(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = unknown(k);
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'unknown' is called, which may send or wait

static void by_functions_that_wait(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = nested(k);
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'nested' is called, where 'barrier' is called, where 'MPI_Barrier' is called

static void by_pointers(double (*of)(double)) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = of(k);
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: a function is called by a pointer

static int spoiled[N];
static int compare(const void* one, const void* other) {
  spoiled[0] = 4711;
  return *(const int*)one - *(const int*)other;
}
static void by_a_callback(int* numbers) {
  for (int k = 0; k < N; ++k) spoiled[k] = k;
  qsort(numbers, 3, sizeof *numbers, compare);
  MPI_Send(spoiled, N, MPI_INT, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'qsort' is called, which may send or wait

static void with_output(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  printf("computed\n");
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'printf' is called, which may send or wait

static void with_an_exit(void) {
  double a[N];
  for (int k = 0; k < N; ++k) {
    if (seen > k) exit(0);
    a[k] = k;
  }
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'exit' is called, which may send or wait

static void by_a_counter_that_wraps(void) {
  static char a[20000];
  for (unsigned k = 4294957296u; k != 10000u; k++) a[k + 10000u] = 6;
  MPI_Send(a, 20000, MPI_CHAR, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: kanorc does not know what this loop counts

static void by_subscripts_that_wrap(unsigned from) {
  static char a[20000];
  MPI_Recv(a, 20000, MPI_CHAR, 0, 0, ALL, MPI_STATUS_IGNORE);
  for (unsigned k = 0; k < 9000u; k++) use(a[k - 4294957296u]);
  MPI_Recv(a, 20000, MPI_CHAR, 0, 0, ALL, MPI_STATUS_IGNORE);
  for (unsigned k = from; k < 4294967295u; k++) use(a[k + 10000u]);
}
// CHECK: 'MPI_Recv' is not pipelined: kanorc does not know which elements are used here
// CHECK: 'MPI_Recv' is not pipelined: kanorc does not know which elements are used here

static void before_another_send(void) {
  double a[N], b[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  memset(b, 0, sizeof b);
  MPI_Send(b, N, MPI_DOUBLE, 1, 0, ALL);
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'b' is used here, outside of a loop
// CHECK: 'MPI_Send' is not pipelined: 'MPI_Send' is called

static void left_early(void) {
  double a[N];
  for (int k = 0; k < N; ++k) {
    if (seen > k) return;
    a[k] = k;
  }
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its function is left here

static void in_a_loop_that_is_left(int turns) {
  double a[N];
  for (int turn = 0; turn < turns; ++turn) {
    for (int k = 0; k < N; ++k) a[k] = k;
    if (seen > turn) continue;
    MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
  }
}
// CHECK: 'MPI_Send' is not pipelined: it is left here

static void downwards(void) {
  double a[N];
  for (int k = N - 1; k >= 0; --k) a[k] = k;
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: kanorc does not know what this loop counts

static void in_another_order(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[N - 1 - k] = k;
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: kanorc does not know which elements are written here

static void written_behind(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  a[0] = 1;
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'a' is used here, outside of a loop

static void used_before(void) {
  double a[N];
  MPI_Recv(a, N, MPI_DOUBLE, 0, 0, ALL, MPI_STATUS_IGNORE);
  use(a[N - 1]);
  for (int k = 0; k < N; ++k) use(a[k]);
}
// CHECK: 'MPI_Recv' is not pipelined: 'a' is used here, outside of a loop

static void used_backwards(void) {
  double a[N];
  MPI_Recv(a, N, MPI_DOUBLE, 0, 0, ALL, MPI_STATUS_IGNORE);
  for (int k = 0; k < N; ++k) use(a[N - 1 - k]);
}
// CHECK: 'MPI_Recv' is not pipelined: kanorc does not know which elements are used here

static void another_name(void) {
  double a[N], *b = a;
  for (int k = 0; k < N; ++k) a[k] = k, b[0] = 7;
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: {{.*}}'a'

static double shared[N], *shared_too;
static void keep_name(void) { shared_too = shared; }
static void another_name_elsewhere(void) {
  for (int k = 0; k < N; ++k) shared[k] = k, shared_too[0] = 7;
  MPI_Send(shared, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'shared' may be used in another way: a pointer to it is stored

static double by_others[N];
static double spoil(int k) { return by_others[0] = k; }
static void written_by_a_function(void) {
  for (int k = 0; k < N; ++k) by_others[k] = spoil(k);
  MPI_Send(by_others, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: a function that uses 'by_others' may be called here

static void given_away(void) {
  double a[N];
  lend(a);
  for (int k = 0; k < N; ++k) a[k] = k;
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: 'a' may be used in another way: 'lend' gets it, but its body is not visible

static void of_the_caller(double* a) {
  for (int k = 0; k < N; ++k) a[k] = k;
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its buffer is the caller's

static void part_of_a_buffer(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  MPI_Send(a + 5, N - 5, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its buffer is a part of 'a'

static void arguments_change(int to, int tag) {
  double a[N];
  for (int k = 0; k < N; ++k) {
    a[k] = k;
    if (k > 100) tag = k;
  }
  MPI_Send(a, N, MPI_DOUBLE, to, tag, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its arguments change here

static int anywhere;
static void of_a_global(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  MPI_Send(a, N, MPI_DOUBLE, anywhere, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: kanorc does not know what may change 'anywhere'

static void declared_between(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  const int to = a[3] > 1;
  MPI_Send(a, N, MPI_DOUBLE, to, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its arguments change here

static void condition_changes(int rank) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  rank += 1;
  if (rank > 0) MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its arguments change here

static void condition_by_elements(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  if (a[0] > 0) MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: no loop before it computes 'a'

static void status_at_once(void) {
  double a[N];
  MPI_Status status;
  MPI_Recv(a, N, MPI_DOUBLE, 0, 0, ALL, &status);
  for (int k = 0; k < N; ++k) use(a[k] + status.MPI_TAG);
}
// CHECK: 'MPI_Recv' is not pipelined: its status is used here

static MPI_Status for_all;
static void status_of_all(void) {
  double a[N];
  MPI_Recv(a, N, MPI_DOUBLE, 0, 0, ALL, &for_all);
  for (int k = 0; k < N; ++k) use(a[k]);
}
// CHECK: 'MPI_Recv' is not pipelined: its status may be used at once

static int with_a_result(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  return MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its result is used

static void with_comments(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
  MPI_Send(a, N, MPI_DOUBLE, 1 /* the next */, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: there are comments or directives among its arguments

static void with_directives(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = k;
#define TAG 3
  MPI_Send(a, N, MPI_DOUBLE, 1, TAG, ALL);
#undef TAG
}
// CHECK: 'MPI_Send' is not pipelined: no loop before it computes 'a'

#define TAG 3
static void with_directives_inside(void) {
  double a[N];
  for (int k = 0; k < N; ++k) {
    a[k] = k;
#undef TAG
#define TAG 4
  }
  MPI_Send(a, N, MPI_DOUBLE, 1, TAG, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: a directive stands between it and the loop

static void of_other_kinds(void) {
  double a[N];
  MPI_Request open;
  for (int k = 0; k < N; ++k) a[k] = twice(k);
  MPI_Isend(a, N, MPI_DOUBLE, 1, 0, ALL, &open);
  MPI_Wait(&open, MPI_STATUS_IGNORE);
  for (int k = 0; k < N; ++k) a[k] = twice(k);
  MPI_Ssend(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Isend' is not pipelined: it is no MPI_Send or MPI_Recv
// CHECK: 'MPI_Ssend' is not pipelined: it is no MPI_Send or MPI_Recv

static void short_ones(void) {
  double a[1023];
  for (int k = 0; k < 1023; ++k) a[k] = twice(k);
  MPI_Send(a, 1023, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its 8184 bytes travel faster at once

static void in_a_switch(int rank) {
  double a[N];
  switch (rank) {
    case 0:
      for (int k = 0; k < N; ++k) a[k] = twice(k);
      MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
  }
}
// CHECK: 'MPI_Send' is not pipelined: it stands in a switch

static void with_labels(int rank) {
  double a[N];
again:
  for (int k = 0; k < N; ++k) a[k] = twice(k);
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
  if (rank > 5) goto again;
}
// CHECK: 'MPI_Send' is not pipelined: its function has labels ('a')

static void returns_twice(void) {
  static jmp_buf place;
  double a[N];
  if (setjmp(place)) return;
  for (int k = 0; k < N; ++k) a[k] = twice(k);
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its function calls one that returns twice ('a')

static void limit_changes(int n) {
  double a[N];
  for (int k = 0; k < n; ++k) {
    a[k] = twice(k);
    if (seen > 3) n = 100;
  }
  MPI_Send(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: this loop cannot be cut into strips

static void declared_constants(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = twice(k);
  const int tag = 5;
  MPI_Send(a, N, MPI_DOUBLE, 1, tag, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its arguments change here

static void by_line(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = twice(k);
  MPI_Send(a, N, MPI_DOUBLE, 1, __LINE__, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: kanorc does not know what may change '__LINE__'

static volatile int flag;
static void after_waiting(void) {
  double a[N];
  MPI_Recv(a, N, MPI_DOUBLE, 0, 0, ALL, MPI_STATUS_IGNORE);
  while (flag == 0) {
  }
  for (int k = 0; k < N; ++k) use(a[k]);
}
// CHECK: 'MPI_Recv' is not pipelined: another thread or process may change this, and be waited for

static void in_parentheses(void) {
  double a[N];
  for (int k = 0; k < N; ++k) a[k] = twice(k);
  (MPI_Send)(a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: its name is in parentheses

static void volatile_elements(void) {
  volatile double a[N];
  for (int k = 0; k < N; ++k) a[k] = twice(k);
  MPI_Send((void*)a, N, MPI_DOUBLE, 1, 0, ALL);
}
// CHECK: 'MPI_Send' is not pipelined: it is constant or volatile ('a')

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  not_by_a_loop(), without_neighbours(0), by_unknown_functions(), by_functions_that_wait(), by_pointers(twice);
  by_a_callback(0), with_output(), with_an_exit(), by_a_counter_that_wraps(), by_subscripts_that_wrap(4294957296u);
  before_another_send(), left_early(), in_a_loop_that_is_left(3), downwards(), in_another_order();
  written_behind(), used_before(), used_backwards(), another_name(), keep_name(), another_name_elsewhere();
  written_by_a_function(), given_away(), of_the_caller(0), part_of_a_buffer(), arguments_change(1, 2);
  of_a_global(), declared_between(), condition_changes(0), condition_by_elements(), status_at_once();
  status_of_all(), with_a_result(), with_comments(), with_directives(), with_directives_inside(), of_other_kinds(), short_ones();
  in_a_switch(0), with_labels(0), returns_twice(), limit_changes(5), volatile_elements();
  declared_constants(), by_line(), after_waiting(), in_parentheses();
  MPI_Finalize();
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
