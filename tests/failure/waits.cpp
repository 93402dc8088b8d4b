// A call that waits for ever is named, with its place and what it waits for: at once if whoever could end the wait
// has ended, also in checked mode and where the call only tests; else in checked mode's report.
//
// RUN: %kanorc %s -o %t
// RUN: %check_failure --set KANOR_CHECK=1 --within 2 --message 'rank 3: MPI_Recv waits for a message with tag 5 from rank 2, which has ended without sending it' %t receive
// RUN: %check_failure --set KANOR_CHECK=1 --within 2 --message 'rank 3: OPI_Take at .*waits.cpp:44 waits for a message with any tag, and all other ranks have ended' %t any
// RUN: %check_failure --message 'rank 3: MPI_Wait for OPI_Itake at .*waits.cpp:45 waits for a message with tag 6 from rank 2, which has ended without sending it' %t wait
// RUN: %check_failure --message 'rank 3: MPI_Test for OPI_Itake at .*waits.cpp:45 waits for a message with tag 6 from rank 2, which has ended without sending it' %t test
// RUN: %check_failure --set KANOR_CHECK=1 --within 2 --message 'rank 3: MPI_Testall for MPI_Irecv waits for a message with tag 7, and all other ranks have ended' %t test-any
// RUN: %check_failure --message 'rank 3: MPI_Barrier waits for a message from rank [0-2], which has ended without sending it' %t barrier
// RUN: %check_failure --set KANOR_CHECK=1 --message 'rank 3: MPI_Ssend waits until rank 1 receives its message, but that rank has ended' %t receipt
// RUN: %check_failure --message 'rank 3: MPI_Wait( for MPI_Issend)? waits until rank 1 receives its message, but that rank has ended' %t later-receipt
// RUN: %check_failure --message 'rank 3: OPI_Borrow at .*waits.cpp:50 waits for a message with tag 9 from rank 1, which has ended without sending it' %t borrow
// RUN: %check_failure --message 'rank 3: OPI_Gather at .*waits.cpp:51 waits for a message from rank [0-2], which has ended without sending it' %t gather
// RUN: %check_failure --message 'rank 3: take at .*waits.cpp:55 waits for a message with tag 0 from rank 1, which has ended without sending it' %t kanor
// RUN: %check_failure --set KANOR_INFLIGHT=10K --message 'rank 3: MPI_Send waits for room to send to rank 1, which has ended' %t room
// RUN: %check_failure --set KANOR_INFLIGHT=10K --set KANOR_DELTA=16K --message 'rank 3: MPI_Send waits for room to send to rank 1, which has ended' %t room
//
// RUN: %check_failure --at-once --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=1 --within 3 --message 'rank 0: waits in MPI_Recv for data from rank 3 with tag 8$' %t circle
// RUN: %check_failure --at-once --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=1 --within 3 --message 'rank 1: waits in OPI_Take at .*waits.cpp:[0-9]+ for data from rank 0 with tag 9$' %t circle
// RUN: %check_failure --at-once --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=1 --within 3 --message 'rank 2: waits in MPI_Waitall for OPI_Itake at .*waits.cpp:[0-9]+ for data from rank 1 with any tag$' %t circle
// RUN: %check_failure --at-once --set KANOR_CHECK=1 --set KANOR_HANG_SECONDS=1 --within 3 --message 'rank 3: waits in MPI_Barrier for data from rank [0-3]$' %t circle
#include <kanor/opi.h>

#include <cstdio>
#include <ctime>
#include <kanor/kanor.hpp>
#include <string>
#include <vector>

int main(int, char** argv) {
  const std::string how = argv[1];
  const bool circle = how == "circle";
  int me = 0, number = 0, flag = 0, *taken = nullptr, *all[4] = {};
  std::vector<int> many(20000);
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Barrier(MPI_COMM_WORLD);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (me == 3) std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
  if (me == 3 && !circle) {
    if (how == "receive") MPI_Recv(&number, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (how == "any") OPI_Take(&taken, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (how == "wait" || how == "test") OPI_Itake(&taken, 1, MPI_INT, 2, 6, MPI_COMM_WORLD, &request);
    if (how == "test-any") MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
    if (how == "wait") MPI_Wait(&request, MPI_STATUS_IGNORE);
    while (how == "test" && !flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    while (how == "test-any" && !flag) MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
    if (how == "borrow") OPI_Borrow(&taken, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (how == "gather") OPI_Alloc(&taken, 4), OPI_Gather(&taken, 1, MPI_INT, all, 3, MPI_COMM_WORLD);
    if (how == "receipt") MPI_Ssend(&number, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    if (how == "later-receipt") MPI_Issend(&number, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);
    if (how == "later-receipt") MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (how == "kanor") (void)kanor::take<int>(1);
    if (how == "barrier") MPI_Barrier(MPI_COMM_WORLD);
    while (how == "room") MPI_Send(many.data(), 20000, MPI_INT, 1, 0, MPI_COMM_WORLD);
    std::fprintf(stderr, "rank %d survived\n", me);
  }
  if (!circle) return 0;
  if (me == 0) MPI_Recv(&number, 1, MPI_INT, 3, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me == 1) OPI_Take(&taken, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (me == 2) OPI_Itake(&taken, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  if (me == 2) MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
