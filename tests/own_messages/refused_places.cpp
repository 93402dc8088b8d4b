// RUN: %kanorc --mpi-ranks=threads --host-cxx=g++ -fown-messages --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=g++ -fown-messages --explain %s | %FileCheck --check-prefix=ALL %s
//
// As refused_places.c, for what C++ alone has.
#include <mpi.h>

// ALL-NOT: [-Rpass=kanor]

namespace {
constexpr int N = 1000;
volatile double seen;
void use(double number) { seen += number; }

void counter_is_referred_to(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  int i = 0;
  int& other = ++i;
  for (int step = 0; step < 3; ++step) {
    for (i = 0; i < N; ++i) {
      out[i] = step;
      if (other == rank) other += 10;
    }
    MPI_Send(out, N, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

void counter_is_captured(int rank) {
  double out[N], in[N];
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  int i = 0;
  const auto skip = [&i, rank] { i += i == rank ? 10 : 0; };
  for (int step = 0; step < 3; ++step) {
    for (i = 0; i < N; ++i) {
      out[i] = step;
      skip();
    }
    MPI_Send(out, N, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  }
  MPI_Recv(in, N, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
// CHECK: 'MPI_Send' copies: 'out' is read again

namespace another {
void main(int rank) {
  static double out[N];
  double in[N];
  use(out[0]);
  for (int i = 0; i < N; ++i) out[i] = rank + i;
  MPI_Send(out, N, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  use(in[0]);
}
}  // namespace another
// CHECK: 'MPI_Send' copies: 'out' may be read before it is written in the next call
}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  counter_is_referred_to(argc);
  counter_is_captured(argc);
  another::main(argc);
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
