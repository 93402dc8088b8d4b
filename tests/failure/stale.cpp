// Checked mode: a pointer to a buffer that was given away, freed or returned can neither be read nor written, and
// one that several ranks read cannot be written. The fault says which buffer it was and what became of it.
//
// RUN: %kanorc %s -o %t
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: use after give: byte 8 of a buffer of 4000 bytes was read; the buffer was given to rank 2 at .*stale.cpp:54$' %t give-read
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: use after give: byte 3996 of a buffer of 4000 bytes was written; the buffer was given to rank 2 at .*stale.cpp:54$' %t give-write
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: use after give: byte 0 of a buffer of 4000 bytes was read; the buffer was given to rank 0 at .*stale.cpp:57$' %t igive
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: use after give: byte 0 of a buffer of 4 bytes was written; the buffer was given to rank 1 at .*stale.cpp:62$' %t few
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: use after give: byte 0 of a buffer of 40 bytes was read; the buffer was given to rank 0 at .*stale.cpp:[0-9]+$' %t scatter
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: use after free: byte 8 of a buffer of 4000 bytes was read; the buffer was freed by OPI_Free at .*stale.cpp:[0-9]+$' %t free
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: use after free: byte 4 of a buffer of 4000 bytes was written; the buffer was freed by OPI_Free at .*stale.cpp:[0-9]+$' %t taken
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: write to a shared buffer: byte 4 of a buffer of 4000 bytes was written; several ranks read it since OPI_Bcast at .*stale.cpp:[0-9]+; call OPI_Own before writing it$' %t root-writes
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: write to a shared buffer: byte 4 of a buffer of 4000 bytes was written; several ranks read it since OPI_Bcast at .*stale.cpp:[0-9]+; call OPI_Own' %t reader-writes
// RUN: %check_failure --set KANOR_CHECK=1 --status 11-255 --message 'rank 1: segmentation fault: use after return: byte 4 of a buffer of 4000 bytes was written; its elements were returned to rank 0 at .*stale.cpp:[0-9]+$' %t borrower
// RUN: %check_failure --set KANOR_CHECK=1 --status 1 --message 'rank 1: checked mode: elements that were lent by OPI_Lend at .*stale.cpp:[0-9]+ were written by this rank before they were returned' %t lender
//
// What is right is so in checked mode too, and without it these mistakes pass.
// RUN: %run_everywhere --modes threads,processes,mpi,checked --ranks 3 %t right
//
// AddressSanitizer's handler comes after the runtime's.
// RUN: %kanorc -g -fsanitize=address %s -o %t.asan
// RUN: env KANOR_CHECK=1 %not %kanorrun -n 3 --mode threads %t.asan give-read 2>&1 | %FileCheck --check-prefix=ASAN %s
// RUN: env KANOR_CHECK=1 %not %kanorrun -n 3 --mode processes %t.asan free 2>&1 | %FileCheck --check-prefix=ASAN %s
// ASAN: kanor: rank 1: segmentation fault: use after
// ASAN: ERROR: AddressSanitizer: SEGV
// ASAN: SUMMARY: AddressSanitizer: SEGV {{.*}}stale.cpp
#include <kanor/opi.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

int main(int, char** argv) {
  enum { tag = 3, count = 1000 };
  const std::string how = argv[1];
  int me = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 1) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::fprintf(stderr, "failing at %lld.%09ld\n", static_cast<long long>(now.tv_sec), now.tv_nsec);
  }

  int *buffer = nullptr, *parts[8] = {};
  OPI_Alloc(&buffer, count * sizeof(int));
  for (int i = 0; i < count; ++i) buffer[i] = i;
  volatile int* stale = buffer;
  MPI_Request request;
  if (me == 1) {
    if (how == "give-read" || how == "give-write") {
      OPI_Give(&buffer, count, MPI_INT, 2, tag, MPI_COMM_WORLD);
      how == "give-read" ? (void)stale[2] : (void)(stale[count - 1] = 0);
    } else if (how == "igive") {
      OPI_Igive(&buffer, 10, MPI_INT, 0, tag, MPI_COMM_WORLD, &request);
      (void)stale[0];
    } else if (how == "few") {
      OPI_Alloc(&parts[0], sizeof(int));
      stale = parts[0];
      OPI_Give(&parts[0], 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
      stale[0] = 1;
    } else if (how == "free") {
      OPI_Free(&buffer);
      (void)stale[2];
    } else if (how == "taken") {
      OPI_Give(&buffer, count, MPI_INT, 1, tag, MPI_COMM_WORLD);
      OPI_Take(&buffer, count, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      stale = buffer;
      OPI_Free(&buffer);
      stale[1] = 2;
    }
  }
  if (how == "scatter") {
    if (me == 1)
      for (int i = 0; i < size; ++i) OPI_Alloc(&parts[i], 40);
    stale = parts[0];
    OPI_Scatter(parts, 10, MPI_INT, &buffer, 1, MPI_COMM_WORLD);
    if (me == 1) (void)stale[0];
  }
  if (how == "root-writes" || how == "reader-writes") {
    OPI_Bcast(&buffer, count, MPI_INT, how == "root-writes" ? 1 : 0, MPI_COMM_WORLD);
    if (me == 1) buffer[1] = 7;
  }
  if (how == "borrower" && me == 0) {
    OPI_Lend(buffer, 0, count, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (how == "borrower" && me == 1) {
    OPI_Borrow(&buffer, count, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    stale = buffer;
    buffer[1] = 8;
    OPI_Return(&buffer);
    stale[1] = 9;
  }
  if (how == "lender" && me == 1) {
    OPI_Lend(buffer, 40, 10, MPI_INT, 0, tag, MPI_COMM_WORLD, &request);
    buffer[9] = buffer[20] = 5;  // others than those that are lent
    buffer[19] = 5;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (how == "lender" && me == 0) {
    OPI_Borrow(&buffer, 10, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    OPI_Return(&buffer);
  }
  if (how != "right") MPI_Barrier(MPI_COMM_WORLD);

  // Each buffer is used only while it is its rank's.
  OPI_Bcast(&buffer, count, MPI_INT, 0, MPI_COMM_WORLD);
  OPI_Own(&buffer);
  buffer[3] = me;
  OPI_Give(&buffer, count, MPI_INT, (me + 1) % size, tag, MPI_COMM_WORLD);
  OPI_Take(&buffer, count, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  buffer[4] = buffer[3];
  std::printf("%d has %d %d\n", me, buffer[4], buffer[count - 1]);
  OPI_Free(&buffer);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
