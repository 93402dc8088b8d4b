// Checked mode says at the end of a rank what its calls have left undone, and where; the status stays as it is.
// Without it, and of calls that are complete, nothing is said.
//
// RUN: %kanorc %s -o %t
// RUN: env KANOR_CHECK=1 %kanorrun -n 2 --mode threads %t leaves 2>&1 | %FileCheck %s
// RUN: env KANOR_CHECK=1 %kanorrun -n 2 --mode processes %t leaves 2>&1 | %FileCheck %s
// RUN: env KANOR_CHECK=1 %kanorrun -n 2 %t completes 2>&1 | %FileCheck --allow-empty --check-prefix=NONE %s
// RUN: %kanorrun -n 2 %t leaves 2>&1 | %FileCheck --allow-empty --check-prefix=NONE %s
// RUN: env KANOR_CHECK=1 %kanorrun -n 2 --mode threads %t many 2>&1 | %FileCheck --check-prefix=MANY %s
//
// NONE-NOT: kanor:
// The most_messages that are told one by one, and two more.
// MANY-COUNT-10: 4 bytes that rank {{[0-9]}} sent by MPI_Send with tag {{[0-9]}} were not received
// MANY-NOT: tag
// MANY: kanor: rank 1: checked mode: warning: 2 more messages were neither received nor taken
// CHECK-DAG: kanor: rank 1: checked mode: warning: 4000 bytes that rank 0 sent or gave at leftovers.cpp:40 with tag 1 were neither received nor taken
// CHECK-DAG: kanor: rank 1: checked mode: warning: 8 bytes that rank 0 sent or gave at leftovers.cpp:42 with tag 2 were neither received nor taken
// CHECK-DAG: kanor: rank 1: checked mode: warning: 40 bytes that rank 0 sent by MPI_Send with tag 3 were not received
// CHECK-DAG: kanor: rank 1: checked mode: warning: elements that rank 0 lent with tag 4 were not borrowed
// CHECK-DAG: kanor: rank 1: checked mode: warning: 1 request of OPI_Itake at {{.*}}leftovers.cpp:54 has not completed: no whole message has arrived
// CHECK-DAG: kanor: rank 1: checked mode: warning: 2 requests of MPI_Irecv have not completed: no whole message has arrived
// CHECK-DAG: kanor: rank 1: checked mode: warning: elements borrowed by OPI_Borrow at {{.*}}leftovers.cpp:52 were not returned
// CHECK-DAG: kanor: rank 1: checked mode: warning: 3 buffers (48 bytes) of OPI_Alloc at {{.*}}leftovers.cpp:53 were neither freed nor given away
// CHECK-DAG: kanor: rank 0: checked mode: warning: 1 buffer (4000 bytes) of OPI_Alloc at {{.*}}leftovers.cpp:44 was neither freed nor given away
// CHECK-DAG: kanor: rank 0: checked mode: warning: elements lent by OPI_Lend at {{.*}}leftovers.cpp:46 were not returned
// CHECK-DAG: kanor: rank 0: checked mode: warning: elements lent by OPI_Lend at {{.*}}leftovers.cpp:47 were not returned
// CHECK-NOT: kanor:
#include <kanor/opi.h>

#include <string>

int main(int, char** argv) {
  int me = 0, numbers[10] = {};
  int *buffer = nullptr, *small = nullptr;
  MPI_Request requests[3];
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  if (std::string(argv[1]) == "leaves" && me == 0) {
    OPI_Alloc(&buffer, 4000);
    // Told by rank 1.
    OPI_Give(&buffer, 1000, MPI_INT, 1, 1, MPI_COMM_WORLD);
    OPI_Alloc(&small, 8);
    OPI_Give(&small, 2, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Send(numbers, 10, MPI_INT, 1, 3, MPI_COMM_WORLD);
    OPI_Alloc(&buffer, 4000);
    // One that nobody borrows, and one that is kept.
    OPI_Lend(buffer, 0, 10, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[0]);
    OPI_Lend(buffer, 40, 10, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[1]);
  }
  if (std::string(argv[1]) == "leaves" && me == 1) {
    for (int i = 0; i < 2; ++i)
      MPI_Irecv(numbers, 1, MPI_INT, MPI_ANY_SOURCE, 100 + i, MPI_COMM_WORLD, &requests[0]);
    OPI_Borrow(&buffer, 10, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) OPI_Alloc(&buffer, 16);
    OPI_Itake(&buffer, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &requests[0]);
  }
  if (std::string(argv[1]) == "many" && me == 0)
    for (int tag = 0; tag < 12; ++tag) MPI_Send(numbers, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  if (std::string(argv[1]) == "completes") {
    OPI_Alloc(&buffer, 4000);
    OPI_Igive(&buffer, 1000, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, &requests[0]);
    OPI_Itake(&buffer, 1000, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    OPI_Lend(buffer, 0, 1000, MPI_INT, me, 2, MPI_COMM_WORLD, &requests[2]);
    OPI_Borrow(&small, 1000, MPI_INT, me, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    OPI_Return(&small);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    if (me == 1) OPI_Free(&buffer);
    OPI_Bcast(&buffer, 1000, MPI_INT, 0, MPI_COMM_WORLD);
    OPI_Free(&buffer);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
