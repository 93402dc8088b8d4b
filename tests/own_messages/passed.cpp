// RUN: %kanorc --mpi-ranks=threads --host-cxx=g++ -fown-messages --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=g++ -fown-messages=unit -Wall -Wextra -Werror -c %s -o %t.o
//
// C++: what is passed, and what is not.
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace {

constexpr int N = 1000;
double seen;

struct Particle {
  double position[3];
  int kind;
};

void passed(int rank, int size) {
  double out[N], in[N]{};
  for (int i = 0; i < N; ++i) out[i] = rank;
  ::MPI_Send(out, N, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD);
  MPI_Recv(in, N, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  seen += in[0];
}
// CHECK: 'MPI_Send' gives 'out' away
// CHECK: 'MPI_Recv' takes the sender's buffer for 'in'

Particle particles_out[N], particles_in[N];
void structures(int rank, int size) {
  for (int i = 0; i < N; ++i) particles_out[i] = Particle{{1, 2, 3}, rank};
  MPI_Request open;
  constexpr int bytes = static_cast<int>(sizeof particles_out);
  MPI_Isend(particles_out, bytes, MPI_BYTE, (rank + 1) % size, 2, MPI_COMM_WORLD, &open);
  MPI_Recv(particles_in, bytes, MPI_BYTE, (rank + size - 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&open, MPI_STATUS_IGNORE);
  seen += particles_in[N - 1].position[2];
}
// CHECK: 'MPI_Isend' gives 'particles_out' away
// CHECK: 'MPI_Recv' takes the sender's buffer for 'particles_in'

void allocated(int rank, int size, int n) {
  auto* out = static_cast<double*>(std::malloc(sizeof(double) * n));
  auto* in = static_cast<double*>(std::malloc(sizeof(double) * n));
  for (int i = 0; i < n; ++i) out[i] = rank;
  MPI_Send(out, n, MPI_DOUBLE, (rank + 1) % size, 3, MPI_COMM_WORLD);
  MPI_Recv(in, n, MPI_DOUBLE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  seen += in[0];
  std::free(in);
  std::free(out);
}
// CHECK: 'MPI_Send' gives 'out' away
// CHECK: 'MPI_Recv' takes the sender's buffer for 'in'

// Each of the rest has a tag of its own, and a receive that would pass.
template <int tag>
void take() {
  std::vector<double> in(N);
  MPI_Recv(in.data(), N, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
// CHECK: 'MPI_Recv' copies: its function is a template

void vector(int rank) {
  std::vector<double> out(N, rank);
  MPI_Send(out.data(), N, MPI_DOUBLE, 1, 10, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is a vector

void range_for(int rank) {
  double out[N];
  for (double& one : out) one = rank;
  MPI_Send(out, N, MPI_DOUBLE, 1, 11, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is used as a whole array

void reference(int rank) {
  double out[N];
  auto& same = out;
  for (int i = 0; i < N; ++i) out[i] = rank;
  MPI_Send(out, N, MPI_DOUBLE, 1, 12, MPI_COMM_WORLD);
  seen += same[0];
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is used as a whole array

void captured(int rank) {
  double out[N];
  const auto fill = [&] { std::fill(out, out + N, rank); };
  fill();
  MPI_Send(out, N, MPI_DOUBLE, 1, 13, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: {{several functions use it|a lambda captures it|it is used outside}}

void caught(int rank) {
  double out[N];
  for (int i = 0; i < N; ++i) out[i] = rank;
  try {
    MPI_Send(out, N, MPI_DOUBLE, 1, 14, MPI_COMM_WORLD);
    if (rank > 5) throw std::runtime_error("x");
  } catch (const std::exception&) {
    seen += out[0];
  }
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: its function catches exceptions

void new_array(int rank) {
  auto* out = new double[N];
  for (int i = 0; i < N; ++i) out[i] = rank;
  MPI_Send(out, N, MPI_DOUBLE, 1, 15, MPI_COMM_WORLD);
  delete[] out;
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: another pointer is assigned to it

struct Member {
  double out[N];
  void send(int rank) {
    for (int i = 0; i < N; ++i) out[i] = rank;
    MPI_Send(out, N, MPI_DOUBLE, 1, 16, MPI_COMM_WORLD);
  }
};
// CHECK: 'MPI_Send' copies: its buffer is not a variable

void deduced(int rank) {
  double out[N];
  decltype(out) other;
  for (int i = 0; i < N; ++i) out[i] = other[i] = rank;
  MPI_Send(out, N, MPI_DOUBLE, 1, 17, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is used outside of functions' statements

void in_switch(int rank) {
  switch (rank) {
    case 0:
      double out[N];
      for (int i = 0; i < N; ++i) out[i] = rank;
      MPI_Send(out, N, MPI_DOUBLE, 1, 18, MPI_COMM_WORLD);
      break;
  }
}
// CHECK: 'MPI_Send' copies: 'out' cannot change hands: it is declared where a jump may pass its declaration

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  passed(rank, size);
  structures(rank, size);
  allocated(rank, size, 1000);
  take<10>();
  vector(rank);
  range_for(rank);
  reference(rank);
  captured(rank);
  caught(rank);
  new_array(rank);
  Member().send(rank);
  deduced(rank);
  in_switch(rank);
  MPI_Finalize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
