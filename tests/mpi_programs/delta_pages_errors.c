// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that break the rules of delta messages, or meet trouble while some are pending. Two or more ranks.
// Argument 1 names the case. With KANOR_DELTA=pages, `again`, `again-in-head`, `again-in-the-middle`, `too-long`,
// `exits`, `leaves`, `aborts` and `null` end the job with an error; all others pass. With -DNO_FORK, ranks can be
// threads.
#include <kanor/delta.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ring.h"

enum { n = 60000, tag = 3 };
static double *a, *b;
static MPI_Request sending;
static sigjmp_buf place;
static volatile sig_atomic_t faults;
static char* closed;  // a page that the program itself has closed

static void begin_send(void) { Delta_send_begin(a, n, MPI_DOUBLE, 1, tag, MPI_COMM_WORLD, &sending); }
static void begin_receive(void) {
  Delta_recv(b, n, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void compute(int from, int to) {
  for (int i = from; i < to; ++i) a[i] = 3.0 * i;
}
static int wrong(void) {
  int bad = 0;
  for (int i = 0; i < n; ++i) bad += b[i] != 3.0 * i;
  return bad;
}
static void transfer(void) {
  if (rank == 0) begin_send(), compute(0, n), Delta_wait(&sending, MPI_STATUS_IGNORE);
  if (rank == 1) begin_receive(), CHECK_EQ(wrong(), 0);
}

static int spot = n / 3;
static void again(void) {
  if (rank == 1) begin_receive(), wrong();
  if (rank != 0) return;
  begin_send(), compute(0, n);
  ((volatile double*)a)[spot] = 1;
  Delta_wait(&sending, MPI_STATUS_IGNORE);
}
static void again_in_head(void) {  // the elements before the first whole page
  double* const all = a;
  a = aligned_alloc(4096, (n * sizeof *a + 8191) / 4096 * 4096);
  a += 509, memset(a, 0, n * sizeof *a);
  spot = 1, again();
  free(a - 509), a = all;
}
static void again_in_the_middle(void) {
  if (rank == 1) begin_receive(), wrong();
  if (rank != 0) return;
  begin_send(), compute(0, n);
  compute(n / 2, n / 2 + 1);
  Delta_wait(&sending, MPI_STATUS_IGNORE);
}
static void again_in_tail(void) {  // the last page may not have been sent: then this is correct
  if (rank == 0) {
    begin_send(), compute(0, n);
    ((volatile double*)a)[n - 1] = 3.0 * (n - 1);
    Delta_wait(&sending, MPI_STATUS_IGNORE);
  }
  if (rank == 1) begin_receive(), CHECK_EQ(wrong(), 0);
}
static void too_long(void) {
  if (rank == 0) begin_send(), compute(0, n), Delta_wait(&sending, MPI_STATUS_IGNORE);
  if (rank == 1) {
    double sum = 0;
    Delta_recv(b, n / 2, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n / 2; ++i) sum += b[i];
    MPI_Barrier(MPI_COMM_SELF);
    printf("not reached %g\n", sum);
  }
}
static void too_long_returned(void) {  // with an error handler: the next call reports it
  if (rank == 0) begin_send(), compute(0, n), Delta_wait(&sending, MPI_STATUS_IGNORE);
  if (rank == 1) {
    int error, number;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    error = Delta_recv(b, n / 2, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!error) error = MPI_Comm_rank(MPI_COMM_WORLD, &number);
    CHECK(error == MPI_ERR_TRUNCATE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  }
}
static void leave(int aborts) {
  if (rank == 0) {
    begin_send(), compute(0, n / 2);
    if (aborts) abort();
    exit(3);
  }
  if (rank == 1) begin_receive(), printf("not reached: %d wrong\n", wrong());
}
static void exits(void) { leave(0); }
static void leaves(void) {
  if (rank == 0) begin_send(), compute(0, n / 2), exit(0);
  if (rank == 1) begin_receive(), printf("not reached: %d wrong\n", wrong());
}
static void aborts(void) { leave(1); }
static void null(void) {
  if (rank == 0) begin_send(), compute(0, n / 2);
  if (rank == 1) begin_receive();
  if (rank == 0) *(volatile int*)(uintptr_t)(faults * 8) = 1;
  if (rank == 1) printf("not reached: %d wrong\n", wrong());
}

static void handle(int number) {
  ++faults;
  siglongjmp(place, number);
}
static void opened(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  if ((char*)info->si_addr < closed || (char*)info->si_addr >= closed + 4096) _exit(9);
  ++faults;
  mprotect(closed, 4096, PROT_READ | PROT_WRITE);
}
static void fault_once(int how) {
  const int before = faults;
  if (how) mprotect(closed, 4096, PROT_NONE), closed[100] = 1;
  else if (sigsetjmp(place, 1) == 0) *(volatile int*)8 = 1;
  CHECK_EQ(faults, before + 1);
}
static void set_handler(int how) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  if (how) action.sa_sigaction = opened, action.sa_flags = SA_SIGINFO;
  else action.sa_handler = handle;
  CHECK_EQ(sigaction(SIGSEGV, &action, NULL), 0);
}
// The handler is set before the first delta, between two, or while one is pending. It gets the program's
// own faults alone.
static void handler(int when, int how) {
  struct sigaction old;
  closed = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (when == 1) transfer(), MPI_Barrier(MPI_COMM_WORLD);
  if (when < 2) set_handler(how), fault_once(how);
  if (rank == 0) begin_send(), compute(0, n / 3);
  if (rank == 1) begin_receive();
  if (when == 2) set_handler(how);
  if (rank < 2) fault_once(how);
  if (rank == 0) compute(n / 3, n), Delta_wait(&sending, MPI_STATUS_IGNORE);
  if (rank == 1) CHECK_EQ(wrong(), 0);
  CHECK_EQ(sigaction(SIGSEGV, NULL, &old), 0);
  if (how) CHECK(old.sa_sigaction == opened);
  else CHECK(old.sa_handler == handle);
  fault_once(how);
}
static void handler_before(void) { handler(0, 0), handler(0, 1); }
static void handler_between(void) { handler(1, 0), handler(1, 1); }
static void handler_pending(void) { handler(2, 0), handler(2, 1); }

#ifndef NO_FORK
static void forks(void) {
  if (rank == 0) begin_send(), compute(0, n / 2);
  if (rank == 1) begin_receive();
  const pid_t child = rank < 2 ? fork() : 0;
  if (rank < 2 && child == 0) {
    volatile double sum = 0;
    for (int i = 0; i < n / 2; ++i) sum += a[i];  // of rank 1: its own array, which no message has
    _exit(rank == 0 && a[5] != 15 ? 1 : 0);
  }
  int status = 0;
  if (rank < 2) CHECK_EQ(waitpid(child, &status, 0), child), CHECK_EQ(status, 0);
  if (rank == 0) compute(n / 2, n), Delta_wait(&sending, MPI_STATUS_IGNORE);
  if (rank == 1) CHECK_EQ(wrong(), 0);
}
static void fork_reads(void) {  // the child reads what the parent receives, or writes what it sends
  if (rank == 0) begin_send(), compute(0, n / 2);
  if (rank == 1) begin_receive();
  const pid_t child = rank < 2 ? fork() : 0;
  if (rank < 2 && child == 0) {
    if (rank == 0) compute(n / 2, n);
    _exit(rank == 1 ? wrong() != 0 : 0);
  }
  int status = 0;
  if (rank == 0) compute(n / 2, n), Delta_wait(&sending, MPI_STATUS_IGNORE);
  if (rank < 2) CHECK_EQ(waitpid(child, &status, 0), child), CHECK_EQ(status, 0);
  if (rank == 1) CHECK_EQ(wrong(), 0);
}
#endif
static void threads(void) {
  for (int turn = 0; turn < 20; ++turn) {
    int bad = 0;
    if (rank == 0) begin_send(), compute(0, n), Delta_wait(&sending, MPI_STATUS_IGNORE);
    if (rank == 1) begin_receive();
    if (rank == 1) {
#pragma omp parallel for num_threads(3) reduction(+ : bad) schedule(static, 700)
      for (int i = 0; i < n; ++i) bad += b[i] != 3.0 * i;
      CHECK_EQ(bad, 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    memset(a, turn, n * sizeof *a), memset(b, turn, n * sizeof *b);
  }
}

// For those that fail: when.
static void failing(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  fprintf(stderr, "failing at %lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {{"again", again}, {"again-in-head", again_in_head}, {"again-in-tail", again_in_tail},
               {"too-long", too_long}, {"too-long-returned", too_long_returned}, {"exits", exits},
               {"again-in-the-middle", again_in_the_middle}, {"leaves", leaves},
               {"aborts", aborts}, {"null", null},
               {"handler-before", handler_before}, {"handler-between", handler_between},
               {"handler-pending", handler_pending},
#ifndef NO_FORK
               {"fork", forks}, {"fork-reads", fork_reads},
#endif
               {"threads", threads}};
  begin_ring(&argc, &argv);
  a = calloc(n, sizeof *a), b = calloc(n, sizeof *b);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (argc > 1 && strcmp(argv[1], cases[i].name) == 0) check_part(cases[i].name), failing(), cases[i].run();
  MPI_Barrier(MPI_COMM_WORLD);
  free(a), free(b);
  return check_finish();
}
