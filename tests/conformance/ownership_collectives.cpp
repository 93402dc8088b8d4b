// RUN: %kanorc -O1 %s -o %t && %run_everywhere --large %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 3 %t
// Buffers that all ranks scatter, gather, exchange and read together, and what is said of mistakes there.
#include <kanor/opi.h>

#include <string>
#include <vector>

#include "check.hpp"

namespace {

int me, n;
const MPI_Comm all = MPI_COMM_WORLD;

/// `count` numbers of which the last is `value`.
double* numbers(int count, double value) {
  double* made = nullptr;
  OPI_Alloc(&made, static_cast<std::size_t>(count) * sizeof *made);
  made[count - 1] = value;
  return made;
}

std::vector<double*> parts(int count, int first) {
  std::vector<double*> made;
  for (int i = 0; i < n; ++i) made.push_back(numbers(count, first + i));
  return made;
}

bool all_null(const std::vector<double*>& pointers) {
  for (const double* const pointer : pointers)
    if (pointer) return false;
  return true;
}

void scatter_and_gather(int count, int root) {
  std::vector<double*> given(static_cast<std::size_t>(n)), taken(static_cast<std::size_t>(n));
  if (me == root) given = parts(count, 100 * root);
  double* mine = nullptr;
  CHECK_EQ(OPI_Scatter(given.data(), count, MPI_DOUBLE, &mine, root, all), MPI_SUCCESS);
  CHECK(all_null(given));
  CHECK_EQ(mine[count - 1], 100.0 * root + me);
  CHECK_EQ(OPI_Gather(&mine, count, MPI_DOUBLE, taken.data(), root, all), MPI_SUCCESS);
  CHECK(mine == nullptr);
  if (me != root) return;
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(taken[static_cast<std::size_t>(i)][count - 1], 100.0 * root + i);
    OPI_Free(&taken[static_cast<std::size_t>(i)]);
  }
}

void all_to_all(int count) {
  std::vector<double*> buffers = parts(count, 1000 * me);
  CHECK_EQ(OPI_Alltoall(buffers.data(), count, MPI_DOUBLE, buffers.data(), all), MPI_SUCCESS);
  for (int i = 0; i < n; ++i) {
    double*& one = buffers[static_cast<std::size_t>(i)];
    CHECK_EQ(one[count - 1], 1000.0 * i + me);
    CHECK_EQ(OPI_Free(&one), MPI_SUCCESS);
  }
}

// Rank i gets i + 1 numbers, and asks for up to as many as anybody gets.
void all_to_all_of_unlike_lengths() {
  std::vector<double*> given, taken(static_cast<std::size_t>(n));
  std::vector<int> counts, most(static_cast<std::size_t>(n), n);
  for (int i = 0; i < n; ++i) {
    given.push_back(numbers(i + 1, 1000 * me + i));
    counts.push_back(i + 1);
  }
  CHECK_EQ(OPI_Alltoallv(given.data(), counts.data(), MPI_DOUBLE, taken.data(), most.data(), all), MPI_SUCCESS);
  CHECK(all_null(given));
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(taken[static_cast<std::size_t>(i)][me], 1000.0 * i + me);
    OPI_Free(&taken[static_cast<std::size_t>(i)]);
  }
}

void read_by_all(int count, int root) {
  double* one = me == root ? numbers(count, 7 + root) : nullptr;
  CHECK_EQ(OPI_Bcast(&one, count, MPI_DOUBLE, root, all), MPI_SUCCESS);
  CHECK_EQ(one[count - 1], 7.0 + root);
  MPI_Barrier(all);
  // Who owns it writes, and the others do not see that.
  if (me % 2 == 1) {
    CHECK_EQ(OPI_Own(&one), MPI_SUCCESS);
    one[count - 1] = -1;
  }
  MPI_Barrier(all);
  CHECK_EQ(one[count - 1], me % 2 == 1 ? -1.0 : 7.0 + root);
  double* copy = one;
  CHECK_EQ(OPI_Free(&one), MPI_SUCCESS);
  CHECK_EQ(OPI_Free(&copy), MPI_ERR_BUFFER);
}

// What is given away while others read it is given as a copy.
void given_while_others_read() {
  double* one = me == 0 ? numbers(500, 3) : nullptr;
  OPI_Bcast(&one, 500, MPI_DOUBLE, 0, all);
  MPI_Request lent;
  // Where all got copies of their own, each may lend its one.
  const int error = OPI_Lend(one, 0, 1, MPI_DOUBLE, me, 0, all, &lent);
  CHECK(error == MPI_SUCCESS || (n > 1 && error == MPI_ERR_BUFFER &&
                                 std::string(OPI_Error_text()).find("OPI_Own") != std::string::npos));
  if (error == MPI_SUCCESS) {
    double* borrowed = nullptr;
    OPI_Borrow(&borrowed, 1, MPI_DOUBLE, me, 0, all, MPI_STATUS_IGNORE);
    OPI_Return(&borrowed);
    MPI_Wait(&lent, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(all);
  CHECK_EQ(OPI_Give(&one, 500, MPI_DOUBLE, (me + 1) % n, 5, all), MPI_SUCCESS);
  OPI_Take(&one, 500, MPI_DOUBLE, MPI_ANY_SOURCE, 5, all, MPI_STATUS_IGNORE);
  one[499] += me;
  MPI_Barrier(all);
  CHECK_EQ(one[499], 3.0 + me);
  OPI_Free(&one);
}

void alone() {
  double *one = numbers(10, 4), *back = nullptr;
  CHECK_EQ(OPI_Scatter(&one, 10, MPI_DOUBLE, &back, 0, MPI_COMM_SELF), MPI_SUCCESS);
  CHECK_EQ(OPI_Alltoall(&back, 10, MPI_DOUBLE, &one, MPI_COMM_SELF), MPI_SUCCESS);
  CHECK_EQ(OPI_Bcast(&one, 10, MPI_DOUBLE, 0, MPI_COMM_SELF), MPI_SUCCESS);
  CHECK_EQ(one[9], 4.0);
  OPI_Free(&one);
}

// Ranks that disagree on the root are told so, at the latest in the next collective.
void unlike_roots() {
  if (n < 3) return;
  int errors = 0;
  for (int round = 0; round < 2; ++round) {
    const int root = round == 0 ? me : 0;
    std::vector<double*> given(static_cast<std::size_t>(n));
    if (me == root) given = parts(5, 100 * round);
    double* mine = nullptr;
    errors += OPI_Scatter(given.data(), 5, MPI_DOUBLE, &mine, root, all) == MPI_ERR_OTHER;
    OPI_Free(&mine);
  }
  CHECK_EQ(errors, me == 0 ? 0 : 1);
}

}  // namespace

int main() {
  MPI_Comm_rank(all, &me);
  MPI_Comm_size(all, &n);
  for (const int count : {1, 11, 12, 1000, 40000}) {
    for (int root = 0; root < n; root += n > 4 ? n - 1 : 1) {
      scatter_and_gather(count, root);
      read_by_all(count, root);
    }
    all_to_all(count);
  }
  all_to_all_of_unlike_lengths();
  given_while_others_read();
  alone();
  unlike_roots();
  MPI_Barrier(all);
  return check::finish("ownership_collectives");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
