// mpiexec is killed while MPI_Init shares memory: the processes end, and the file of that memory goes too.
// REQUIRES: mpi, clang, one-host
// RUN: %clang_cxx -shared -fPIC %S/Inputs/late_attach.cpp -o %t.so
// RUN: %kanorc %s -o %t
// RUN: %check_failure --interrupt KILL --status 137 --ranks 2 --modes mpi --set LD_PRELOAD=%t.so %t
#include <kanor/kanor.hpp>

int main() { return kanor::world.rank() == 7; }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
