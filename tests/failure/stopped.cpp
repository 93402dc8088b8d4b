// A process that stands still while others wait for it is told of, once for each time; nothing is ended.
// RUN: %kanorc %s -o %t
// RUN: env KANOR_HANG_SECONDS=1 %kanorrun -n 4 --mode processes %t block call > %t.out 2>&1
// RUN: %FileCheck %s --check-prefixes=BLOCK,CALL,END < %t.out
// RUN: env KANOR_HANG_SECONDS=1 %kanorrun -n 4 --mode processes %t any end > %t.out 2>&1
// RUN: %FileCheck %s --check-prefixes=ANY,LAST < %t.out
// RUN: %if mpi %{ env KANOR_HANG_SECONDS=1 %mpiexec -n 4 %t block call > %t.out 2>&1 %}
// RUN: %if mpi %{ %FileCheck %s --check-prefixes=BLOCK,CALL,END < %t.out %}
// RUN: %if mpi %{ env KANOR_HANG_SECONDS=1 KANOR_THREADS=2 %mpiexec -n 2 %t block > %t.out 2>&1 %}
// RUN: %if mpi %{ %FileCheck %s --check-prefixes=BLOCK,END < %t.out %}
// RUN: %if mpi %{ env KANOR_HANG_SECONDS=1 KANOR_DISABLE=node-memory %mpiexec -n 4 %t call computes > %t.out 2>&1 %}
// RUN: %if mpi %{ %FileCheck %s --check-prefixes=SILENT,END < %t.out %}
// RUN: env KANOR_HANG_SECONDS=1 %kanorrun -n 4 --mode processes %t computes > %t.out 2>&1
// RUN: %FileCheck %s --check-prefixes=END < %t.out
// RUN: env KANOR_HANG_SECONDS=0 %kanorrun -n 4 --mode processes %t call > %t.out 2>&1
// RUN: %FileCheck %s --check-prefixes=END < %t.out
//
// BLOCK: {{^}}kanor: rank {{[013]}} waits in the block at {{.*}}stopped.cpp:56 for rank [[RANK:[23]]], whose process is stopped; `kill -CONT {{[0-9]+}}` lets it go on{{$}}
// BLOCK-NOT: kanor:
// CALL: {{^}}kanor: rank 0 waits in MPI_Recv for rank 2, whose process is stopped; `kill -CONT {{[0-9]+}}` lets it go on{{$}}
// CALL-NOT: kanor:
// SILENT: {{^}}kanor: rank 0 waits in MPI_Recv for rank 2, whose process has not answered for 1 second: it is stopped, or its host is out of reach{{$}}
// ANY: {{^}}kanor: rank 0 waits in MPI_Recv for any rank, and the process of rank 2 is stopped; `kill -CONT {{[0-9]+}}` lets it go on{{$}}
// LAST: {{^}}kanor: the job waits for rank 2, whose process is stopped; `kill -CONT {{[0-9]+}}` lets it go on{{$}}
// END-NOT: kanor:
// END: rank 0 is done
#include <kanor/kanor.hpp>
#include <kanor/mpi.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

/// For so long a rank stands still, or computes.
constexpr unsigned seconds = 4;

void stand_still() {
  const pid_t process = getpid();
  if (fork() == 0) {
    sleep(seconds);
    kill(process, SIGCONT);
    _exit(0);
  }
  raise(SIGSTOP);
  sleep(2);  // somebody must see that it has gone on
}

int main(int, char** argv) {
  const int me = kanor::world.rank();
  int a = me, b = -1;
  for (char** how = argv + 1; *how; ++how) {
    @communicate { b@i <<= a@0 where i in world }
    if (me == 2) std::strcmp(*how, "computes") == 0 ? static_cast<void>(sleep(seconds)) : stand_still();
    if (std::strcmp(*how, "block") == 0 || std::strcmp(*how, "computes") == 0) {
      @communicate { b@i <<= a@2 where i in world }
    } else if (std::strcmp(*how, "end") != 0) {
      const int from = std::strcmp(*how, "any") == 0 ? MPI_ANY_SOURCE : 2;
      if (me == 2) MPI_Send(&a, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
      if (me == 0) MPI_Recv(&b, 1, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  if (me == 0) std::puts("rank 0 is done");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
