// RUN: %kanorc --mpi-ranks=threads --host-cxx=g++ -fdelta --explain %s | %FileCheck %s
// RUN: %kanorc --mpi-ranks=threads --host-cxx=g++ -fdelta -Wall -Wextra -Wshadow -Wold-style-cast -Werror -c %s -o %t.o
// RUN: %kanorc --mpi-ranks=threads --host-cxx=clang++-19 -fdelta -Wall -Wextra -Werror -c %s -o %t.o
// RUN: %mpi_program --without=-fdelta --ranks 1,2,3,9 %s -- -fdelta -O2
// RUN: %mpi_program --without=-fdelta --ranks 2,3 --set KANOR_CHECK=1 %s -- -fdelta -O1 -fsanitize=undefined -D_GLIBCXX_ASSERTIONS
//
// Messages of vectors: which are pipelined, and why others are not.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {

double heavy(double number) { return std::sqrt(number * number + 1) + std::sin(number); }
double total(const std::vector<double>& all) {
  double sum = 0;
  for (const double one : all) sum += one;
  return sum;
}

double of_a_chain(int rank, int size, int n) {
  std::vector<double> in(static_cast<std::size_t>(n)), out(in.size(), 1.0);
  double sum = 0;
  for (int turn = 0; turn < 5; ++turn) {
    if (rank > 0)
      MPI_Recv(&in[0], static_cast<int>(in.size()), MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t k = 0; k < in.size(); ++k) sum += in[k];
    for (int k = 0; k < n; ++k) out[static_cast<std::size_t>(k)] = heavy(k + turn) + std::max(rank, 3);
    if (rank + 1 < size)
      MPI_Send(out.data(), static_cast<int>(out.size()), MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
    sum += total(out);
  }
  return sum;
}
// CHECK: 'MPI_Recv' is pipelined with the loop at line [[@LINE-8]], which uses 'in'
// CHECK: 'MPI_Send' is pipelined with the loop at line [[@LINE-8]], which computes 'out'

double of_a_pair(int rank) {
  static std::vector<float> few(20000);
  double sum = 0;
  if (rank == 0) {
    for (std::size_t k = 0; k < few.size(); ++k) few[k] = static_cast<float>(k % 17);
    MPI_Send(few.data(), 20000, MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(few.data(), 20000, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t k = 2; k < few.size(); ++k) sum += few[k] * few[k - 2];
  }
  return sum;
}
// CHECK: 'MPI_Send' is pipelined with the loop at line [[@LINE-8]], which computes 'few'
// CHECK: 'MPI_Recv' is pipelined with the loop at line [[@LINE-5]], which uses 'few'

void that_grow(int rank) {
  std::vector<double> a(2);
  if (rank != 0) return;
  for (int k = 0; k < 3000; ++k) a.push_back(k);
  MPI_Send(a.data(), static_cast<int>(a.size()), MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' is not pipelined: kanorc does not know which elements are written here

void that_throw(int rank) {
  std::vector<double> a(3000);
  if (rank != 0) return;
  for (std::size_t k = 0; k < 3000; ++k) a.at(k) = 1;
  MPI_Send(a.data(), 3000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' is not pipelined: 'std::vector<double>::at' is called, which may send or wait

void with_a_throw(int rank) {
  std::vector<double> a(3000);
  if (rank != 0) return;
  for (std::size_t k = 0; k < 3000; ++k) {
    if (rank == 3) throw std::runtime_error("three");
    a[k] = 1;
  }
  MPI_Send(a.data(), 3000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' is not pipelined: kanorc does not know what this does

void with_another_name(int rank) {
  std::vector<double> a(3000);
  auto& b = a;
  if (rank != 0) return;
  for (std::size_t k = 0; k < 3000; ++k) a[k] = b[0] = 1;
  MPI_Send(a.data(), 3000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' is not pipelined: 'a' may be used in another way

void with_a_local_object(int rank) {
  std::vector<double> a(3000);
  if (rank != 0) return;
  for (std::size_t k = 0; k < 3000; ++k) {
    const std::vector<double> one(1, 5);
    a[k] = one[0];
  }
  MPI_Send(a.data(), 3000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' is not pipelined: kanorc does not know what the variable's type or initialisation does

double begin_late();
thread_local double late = begin_late();
double begin_late() {
  MPI_Barrier(MPI_COMM_SELF);
  return 1;
}
void with_a_late_variable(int rank) {
  std::vector<double> a(3000);
  if (rank != 0) return;
  for (std::size_t k = 0; k < 3000; ++k) a[k] = late;
  MPI_Send(a.data(), 3000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' is not pipelined: the first use of this variable initialises it

template <class Number>
void of_a_template(int rank) {
  std::vector<double> a(3000);
  if (rank != 0) return;
  for (std::size_t k = 0; k < 3000; ++k) a[k] = Number(1);
  MPI_Send(a.data(), 3000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' is not pipelined: its function is a template

struct Virtual {
  virtual ~Virtual() = default;
  virtual double number() const { return 1; }
};
void by_a_virtual_function(int rank, const Virtual& object) {
  std::vector<double> a(3000);
  if (rank != 0) return;
  for (std::size_t k = 0; k < 3000; ++k) a[k] = object.number();
  MPI_Send(a.data(), 3000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
}
// CHECK: 'MPI_Send' is not pipelined: {{.*}}number' is called, which may send or wait

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double chain = of_a_chain(rank, size, 20000);
  const double pair = size > 1 ? of_a_pair(rank) : 0;
  if (size > 1000) {
    that_grow(rank), that_throw(rank), with_a_throw(rank), with_another_name(rank), with_a_local_object(rank);
    with_a_late_variable(rank), of_a_template<float>(rank), by_a_virtual_function(rank, Virtual());
  }
  double sums[2] = {chain, pair}, all[2];
  MPI_Reduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%.10g %.10g\n", all[0], all[1]);
  MPI_Finalize();
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
