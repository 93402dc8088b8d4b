// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=cc -fown-messages --explain %s | %FileCheck --check-prefix=ALL %s
//
// One reason for each function. No message is passed here.
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

// ALL-NOT: [-Rpass=kanor]

enum { N = 1000 };
static volatile double seen;
static void use(double number) { seen += number; }

static void read_after_send(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  use(out[1]);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again before all of it is written

static void partly_written(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  for (int step = 0; step < 3; ++step) {
    for (int i = 1; i < N; ++i) out[i] = step;
    MPI_Send(out, N, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void every_other_element(int rank) {
  double out[N], in[N];
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < N; i += 2) out[i] = step;
    MPI_Send(out, N, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void written_in_one_branch(int rank) {
  double out[N], in[N];
  for (int step = 0; step < 3; ++step) {
    if (rank == step)
      for (int i = 0; i < N; ++i) out[i] = step;
    MPI_Send(out, N, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void written_until_a_break(int rank) {
  double out[N], in[N];
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < N; ++i) {
      if (i == rank) break;
      out[i] = step;
    }
    MPI_Send(out, N, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void carried_by_the_loop(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  for (int step = 0; step < 3; ++step) {
    MPI_Send(out, N, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD);
    for (int i = 0; i < N; ++i) out[i] += 1;
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void sent_twice(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  for (int to = 0; to < 3; ++to) MPI_Send(out, N, MPI_DOUBLE, to, 7, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void read_before_wait(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Request open;
  MPI_Isend(out, N, MPI_DOUBLE, 1, 8, MPI_COMM_WORLD, &open);
  use(out[0]);
  MPI_Wait(&open, MPI_STATUS_IGNORE);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Isend' copies: 'out' is read again

static void alias(int rank) {
  double out[N], in[N];
  double* other = out;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD);
  use(other[0]);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: a variable refers to it

static void alias_of_allocated(int rank) {
  double *out = malloc(N * sizeof *out), *in = malloc(N * sizeof *in), *other;
  other = out;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 10, MPI_COMM_WORLD);
  use(other[0]);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
  free(out);
  free(in);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: a pointer to it is stored

static void pointer_arithmetic(int rank) {
  double *out = malloc(N * sizeof *out), in[N];
  for (int i = 0; i < N; ++i) *out++ = i;
  out -= N;
  MPI_Send(out, N, MPI_DOUBLE, 1, 11, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
  free(out);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: the pointer itself is used

static void moved_pointer(int rank) {
  double *out = malloc(2 * N * sizeof *out), in[N];
  out = out + 1;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 12, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: another pointer is assigned to it

static void end_of_array(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  for (double* at = out; at != out + N; ++at) *at = rank;
  MPI_Send(out, N, MPI_DOUBLE, 1, 13, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 13, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way

static double* kept;
static void address_escapes(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  kept = out;
  MPI_Send(out, N, MPI_DOUBLE, 1, 14, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: a pointer to it is stored

static void address_of_pointer(int rank) {
  double *out = malloc(N * sizeof *out), in[N];
  double** where = &out;
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 15, MPI_COMM_WORLD);
  use(**where);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 15, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
  free(out);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: the pointer itself is used

void unseen(double*);
static void given_to_unseen(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  unseen(out);
  MPI_Send(out, N, MPI_DOUBLE, 1, 16, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 16, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: 'unseen' gets it

static double* held;
static void keep(double* one) { held = one; }
static void kept_by_callee(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  keep(out);
  MPI_Send(out, N, MPI_DOUBLE, 1, 17, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: a pointer to it is stored

static double sum(const double* from) {
  double all = 0;
  for (int i = 0; i < N; ++i) all += from[i];
  return all;
}
static void read_by_callee(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 18, MPI_COMM_WORLD);
  use(sum(out));
  MPI_Recv(in, N, MPI_DOUBLE, 0, 18, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

static void (*action)(double*);
static void through_function_pointer(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  action(out);
  MPI_Send(out, N, MPI_DOUBLE, 1, 19, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 19, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be used in another way: an unknown function gets it

static void callers_buffer(double* out, int rank) {
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 100, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: its buffer is the caller's

static void part_of_it(int rank) {
  double out[2 * N], in[N];
  for (int i = 0; i < 2 * N; ++i) out[i] = rank;
  MPI_Send(out + N, N, MPI_DOUBLE, 1, 20, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its buffer is a part of 'out'

static void received_in_part(int rank) {
  double out[N], in[2 * N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 21, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'MPI_Recv' may match it
// CHECK: 'MPI_Recv' copies: it is not known to fill all of 'in'

static void other_count(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N - 1, MPI_DOUBLE, 1, 22, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'MPI_Recv' may match it, directly or over others, and is not known to have as many elements

static void other_type(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_LONG, 1, 23, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 23, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'MPI_Recv' may match it, directly or over others, and is not known to have as many elements

static void own_type(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Send(out, N / 2, pair, 1, 24, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 24, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its datatype is not a predefined one

static void count_changes(int rank) {
  int n = N;
  double *out = malloc(n * sizeof *out), in[N];
  for (int i = 0; i < n; ++i) out[i] = rank;
  n = rank;
  MPI_Send(out, n, MPI_DOUBLE, 1, 25, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 25, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
  free(out);
}
// CHECK: 'MPI_Send' copies: its number of elements may change

static void synchronous_partner(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 26, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i) out[i] = i;
  MPI_Ssend(out, N, MPI_DOUBLE, 1, 26, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 26, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'MPI_Ssend' may match it, directly or over others, and copies
// CHECK: 'MPI_Ssend' copies: 'MPI_Ssend' always copies

static void volatile_elements(int rank) {
  volatile double out[N];
  double in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send((void*)out, N, MPI_DOUBLE, 1, 27, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 27, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is constant or volatile

static void union_member(int rank) {
  union {
    double numbers[N];
    char bytes[N * 8];
  } out;
  double in[N];
  for (int i = 0; i < N; ++i) out.numbers[i] = rank;
  MPI_Send(out.numbers, N, MPI_DOUBLE, 1, 28, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 28, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its buffer is a part of 'out'

static void structure_member(int rank) {
  struct {
    double numbers[N];
  } out;
  double in[N];
  for (int i = 0; i < N; ++i) out.numbers[i] = rank;
  MPI_Send(out.numbers, N, MPI_DOUBLE, 1, 29, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 29, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its buffer is a part of 'out'

static void goto_around(int rank) {
  double out[N], in[N];
again:
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 30, MPI_COMM_WORLD);
  if (rank == 7) goto again;
  MPI_Recv(in, N, MPI_DOUBLE, 0, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its function has labels

static jmp_buf place;
static void returns_twice(int rank) {
  double out[N], in[N];
  if (setjmp(place) == 0) {
    for (int i = 0; i < N; ++i) out[i] = rank + i;
    MPI_Send(out, N, MPI_DOUBLE, 1, 31, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its function calls one that returns twice

static void assembler(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  __asm__ volatile("" : : : "memory");
  MPI_Send(out, N, MPI_DOUBLE, 1, 32, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 32, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its function has assembler

static void variable_length(int rank) {
  double out[rank + N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 33, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 33, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its length is not constant

#define SENT(buffer, tag) MPI_Send(buffer, N, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD)
static void in_a_macro(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  SENT(out, 34);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 34, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: the call stands in a macro or a header

static void whole_array_used(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  double(*all)[N] = &out;
  use((*all)[0]);
  MPI_Send(out, N, MPI_DOUBLE, 1, 35, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 35, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is used as a whole array

static double shared_out[N];
static double first_of_shared(void) { return shared_out[0]; }
static void used_by_others(int rank) {
  double in[N];
  for (int i = 0; i < N; ++i) shared_out[i] = rank + i;
  MPI_Send(shared_out, N, MPI_DOUBLE, 1, 36, MPI_COMM_WORLD);
  use(first_of_shared());
  MPI_Recv(in, N, MPI_DOUBLE, 0, 36, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'shared_out' cannot change hands: several functions use it

static void kept_from_call_to_call(int rank) {
  static double out[N];
  double in[N];
  use(out[0]);
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 37, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 37, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' may be read before it is written in the next call

static void calls_itself(int rank) {
  static double out[N];
  double in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  if (rank > 0) calls_itself(rank - 1);
  MPI_Send(out, N, MPI_DOUBLE, 1, 38, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 38, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is static, and its function may call itself

static void small(int rank) {
  double out[10], in[10];
  for (int i = 0; i < 10; ++i) out[i] = rank;
  MPI_Send(out, 10, MPI_DOUBLE, 1, 39, MPI_COMM_WORLD);
  MPI_Recv(in, 10, MPI_DOUBLE, 0, 39, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is copied faster than it changes hands

static void initialised(int rank) {
  double out[N] = {1}, in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 40, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its initialiser is not all zero

static void one_number(int rank) {
  double out = rank, in[N];
  MPI_Send(&out, 1, MPI_DOUBLE, 1, 41, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 41, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: its buffer is a part of 'out', or not an array

static void nobody_receives(int rank) {
  double out[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 42, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: no receive of the program takes it

static void to_nobody(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, MPI_PROC_NULL, 43, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: it is with MPI_PROC_NULL

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double buffer[N];
  read_after_send(argc);
  partly_written(argc);
  every_other_element(argc);
  written_in_one_branch(argc);
  written_until_a_break(argc);
  carried_by_the_loop(argc);
  sent_twice(argc);
  read_before_wait(argc);
  alias(argc);
  alias_of_allocated(argc);
  pointer_arithmetic(argc);
  moved_pointer(argc);
  end_of_array(argc);
  address_escapes(argc);
  address_of_pointer(argc);
  given_to_unseen(argc);
  kept_by_callee(argc);
  read_by_callee(argc);
  through_function_pointer(argc);
  part_of_it(argc);
  received_in_part(argc);
  other_count(argc);
  other_type(argc);
  own_type(argc);
  count_changes(argc);
  synchronous_partner(argc);
  volatile_elements(argc);
  union_member(argc);
  structure_member(argc);
  goto_around(argc);
  returns_twice(argc);
  assembler(argc);
  variable_length(argc);
  in_a_macro(argc);
  whole_array_used(argc);
  used_by_others(argc);
  kept_from_call_to_call(argc);
  calls_itself(argc);
  small(argc);
  initialised(argc);
  one_number(argc);
  nobody_receives(argc);
  to_nobody(argc);
  callers_buffer(buffer, argc);
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
