// REQUIRES: mpi
// RUN: %kanorc --globalize-from=0 %s -o %t
// MPI processes of one machine exchange whole variables without copying them, as forked processes do; with several ranks in each, too.
// RUN: env KANOR_STATS=1 %mpiexec -n 4 %t 2>&1 | %FileCheck %s --check-prefixes=MAPPED,SHARED
// RUN: env KANOR_STATS=1 KANOR_THREADS=2 %mpiexec -n 2 %t 2>&1 | %FileCheck %s --check-prefixes=MAPPED,SHARED
// RUN: %kanorrun -n 4 --mode processes %t | %FileCheck %s --check-prefix=RESULT
// AddressSanitizer's memory is elsewhere.
// RUN: %kanorc --globalize-from=0 -fsanitize=address %s -o %t.asan
// RUN: env KANOR_STATS=1 ASAN_OPTIONS=detect_leaks=0 %mpiexec -n 4 %t.asan 2>&1 | %FileCheck %s --check-prefixes=MAPPED,SHARED
// Elsewhere they copy, and compute the same.
// RUN: env KANOR_STATS=1 KANOR_DISABLE=node-memory %mpiexec -n 4 %t 2>&1 | %FileCheck %s --check-prefix=COPIED --implicit-check-not=memfd
// RUN: env KANOR_STATS=1 MPIR_CVAR_NOLOCAL=1 %mpiexec -n 4 %t 2>&1 | %FileCheck %s --check-prefix=COPIED --implicit-check-not=memfd
// RUN: env KANOR_REFERENCE=1 %mpiexec -n 4 %t | %FileCheck %s --check-prefix=RESULT --implicit-check-not=memfd
// Processes of a machine whose numbers are not consecutive, here the even and the odd ones, have memory of their own.
// RUN: env KANOR_STATS=1 MPIR_CVAR_NUM_CLIQUES=2 %mpiexec -n 4 %t 2>&1 | %FileCheck %s --check-prefix=COPIED --implicit-check-not=memfd
// Two machines: ranks 0 and 1, 2 and 3. So 0 hands over to 1, and 1 copies for 2.
// RUN: env KANOR_STATS=1 MPIR_CVAR_NUM_CLIQUES=2 MPIR_CVAR_CLIQUES_BY_BLOCK=1 %mpiexec -n 4 %t 2>&1 | %FileCheck %s --check-prefixes=MAPPED,MIXED
//
// MAPPED-DAG: /memfd:kanor (deleted)
// RESULT-DAG: sum 30720
// SHARED-DAG: sum 30720
// SHARED-DAG: rank 0: {{.*}}node_memory.cpp:[[#]]: copied 0, shared 0, handed over 24576,
// SHARED-DAG: rank 1: {{.*}}node_memory.cpp:[[#]]: copied 0, shared 0, handed over 24576,
// SHARED-DAG: rank 2: {{.*}}node_memory.cpp:[[#]]: copied 0, shared 0, handed over 24576,
// SHARED-DAG: rank 3: {{.*}}node_memory.cpp:[[#]]: copied 0, shared 0, handed over 24576,
// COPIED-DAG: sum 30720
// COPIED-DAG: rank 0: {{.*}}node_memory.cpp:[[#]]: copied 49152, shared 0, handed over 0,
// COPIED-DAG: rank 3: {{.*}}node_memory.cpp:[[#]]: copied 49152, shared 0, handed over 0,
// MIXED-DAG: sum 30720
// MIXED-DAG: rank 0: {{.*}}node_memory.cpp:[[#]]: copied 24576, shared 0, handed over 24576,
// MIXED-DAG: rank 1: {{.*}}node_memory.cpp:[[#]]: copied 24576, shared 0, handed over 0,
#include <kanor/kanor.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

using kanor::world;

int main() {
  double A[1024], B[1024];
  const int me = world.rank();
  double sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    for (int i = 0; i < 1024; ++i) A[i] = turn * me;
    @communicate { B@(i + 1) % world.size() <<= A@i where i in world }
    for (int i = 0; i < 1024; ++i) sum += B[i] + 1;
  }
  double all = 0;
  @communicate { all@0 << + << sum@i where i in world }
  if (me != 0) return 0;
  std::printf("sum %.0f\n", all);
  // What is mapped has no name, and what it was mapped by is closed.
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("memfd:kanor") != std::string::npos) std::cout << line << '\n';
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
