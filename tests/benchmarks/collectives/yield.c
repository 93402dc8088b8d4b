/* MPICH's waits poll and never give the core away, so where ranks outnumber cores a rank polls for what
   another one cannot send before it has the core. Preloaded, this gives the core away after some polls that
   found nothing:

       cc -O2 -shared -fPIC yield.c -o yield.so -ldl
       LD_PRELOAD=./yield.so mpiexec -n 4 ./prog

   For MPICH over UCX (ch4:ucx), whose waits all call ucp_worker_progress. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>

enum { patience = 50 };

typedef unsigned (*Progress)(void*);

unsigned ucp_worker_progress(void* worker) {
  static Progress next = NULL;
  static _Thread_local unsigned idle = 0;
  if (next == NULL) {
    next = (Progress)dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (next == NULL) abort();
  }
  const unsigned found = next(worker);
  if (found != 0) {
    idle = 0;
  } else if (++idle >= patience) {
    idle = 0;
    sched_yield();
  }
  return found;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
