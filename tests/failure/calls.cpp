// Mistakes in MPI's calls end the job, as MPI_ERRORS_ARE_FATAL says; so do MPI_Abort, and waiting for a rank
// that has ended.
//
// RUN: %kanorc %s -o %t
// RUN: %check_failure --message 'rank 2: MPI_Send on rank 2: there is no rank 4 in a communicator of 4' %t rank
// RUN: %check_failure --message 'rank 2: MPI_Isend on rank 2: the tag is -1' --status 1 %t tag
// RUN: %check_failure --message 'rank 2: MPI_Irecv on rank 2: the count is -3' --status 1 %t count
// RUN: %check_failure --message 'rank 2: MPI_Recv on rank 2 has room for 4 bytes, .* rank 2 sent 400' %t long
// RUN: %check_failure --message 'rank 2: OPI_Itake at .*calls.cpp:[0-9]+ on rank 2 has room for 4 ' %t wait
// RUN: %check_failure --message 'rank 2: MPI_Send on rank 2: the tag is -1' --status 1 %t fatal-again
// RUN: %check_failure --message 'rank 2: MPI_Abort with status 7' --status 7 %t abort
// RUN: %check_failure --message 'rank 2: MPI_Abort with status 0' --status 1 %t abort-0
// RUN: %check_failure --message 'rank 3: MPI_Recv waits for a message with tag 0 from rank 2, which has ended without sending it' %t ended
// RUN: %check_failure --message 'rank 3: OPI_Take at .*calls.cpp:[0-9]+ waits for a message with any tag, and all other ranks have ended' %t all-ended
// RUN: %check_failure --message 'rank 2: .*no rank 4 among 4' %t throw
//
// It is said once, in checked mode too.
// RUN: env KANOR_CHECK=1 %not %kanorrun -n 4 %t rank 2>&1 | %FileCheck --check-prefix=ONCE %s
// RUN: env KANOR_CHECK=1 %not %kanorrun -n 4 %t wait 2>&1 | %FileCheck --check-prefix=ONCE %s
// ONCE: kanor: rank 2: {{.*}} on rank 2
// ONCE-NOT: kanor: rank 2
//
// Where the program asks for answers, and for OPI's calls always, nothing ends.
// RUN: %kanorrun -n 4 %t answers
#include <kanor/opi.h>

#include <cstdio>
#include <ctime>
#include <kanor/kanor.hpp>
#include <string>
#include <utility>

int main(int, char** argv) {
  const std::string how = argv[1];
  int me = 0, numbers[100] = {};
  int* taken = nullptr;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Barrier(MPI_COMM_WORLD);
  const bool waits_for_end = how == "ended" || how == "all-ended";
  if (me == (waits_for_end ? 3 : 2)) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
  }
  if (how == "ended" && me == 3) MPI_Recv(numbers, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (how == "all-ended" && me == 3)
    OPI_Take(&taken, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (waits_for_end) return 0;

  if (me == 2) {
    if (how == "answers" || how == "fatal-again") MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (how == "answers" || how == "fatal-again")
      if (MPI_Send(numbers, 1, MPI_INT, 4, 0, MPI_COMM_WORLD) != MPI_ERR_RANK) return 2;
    if (how == "answers") return OPI_Alloc(nullptr, 1) == MPI_SUCCESS;
    if (how == "fatal-again") MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (how == "fatal-again") MPI_Send(numbers, 1, MPI_INT, 2, -1, MPI_COMM_WORLD);
    if (how == "rank") MPI_Send(numbers, 1, MPI_INT, 4, 0, MPI_COMM_WORLD);
    if (how == "tag") MPI_Isend(numbers, 1, MPI_INT, 1, -1, MPI_COMM_WORLD, &request);
    if (how == "count") MPI_Irecv(numbers, -3, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    if (how == "long" || how == "wait") MPI_Send(numbers, 100, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (how == "long") MPI_Recv(numbers, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (how == "wait") OPI_Itake(&taken, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    if (how == "wait") MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (how == "abort") MPI_Abort(MPI_COMM_WORLD, 7);
    if (how == "abort-0") MPI_Abort(MPI_COMM_WORLD, 0);
    if (how == "throw") kanor::give(kanor::buffer<int>(3), 4);
  }
  if (how == "answers") return 0;
  // The others wait for what does not come.
  if (me == 1) MPI_Barrier(MPI_COMM_WORLD);
  OPI_Take(&taken, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::fprintf(stderr, "rank %d survived\n", me);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
