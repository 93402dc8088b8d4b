// RUN: %kanorc -O1 %s -o %t && %run_everywhere %t
// RUN: env KANOR_DISABLE=sharing %run_everywhere --keep KANOR_DISABLE --ranks 2,5 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 3 %t
// Columns that are lent and come back, datatypes with gaps, and requests that end in any order.
#include <kanor/opi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"

namespace {

constexpr int rows = 200, columns = 30;
int me, n, to, from;
const MPI_Comm all = MPI_COMM_WORLD;

bool says(const char* words) { return std::string(OPI_Error_text()).find(words) != std::string::npos; }

MPI_Datatype columns_of(int length) {
  MPI_Datatype made;
  MPI_Type_vector(rows, length, columns, MPI_DOUBLE, &made);
  MPI_Type_commit(&made);
  return made;
}

double* matrix() {
  double* made = nullptr;
  OPI_Alloc(&made, rows * columns * sizeof *made);
  for (int i = 0; i < rows * columns; ++i) made[i] = me * 10000 + i;
  return made;
}

// Everybody lends its third column, and writes its fourth one meanwhile.
void column_and_back() {
  MPI_Datatype column = columns_of(1);
  double *mine = matrix(), *third = nullptr;
  MPI_Request lent;
  MPI_Status status;
  CHECK_EQ(OPI_Lend(mine, 3 * sizeof(double), 1, column, to, 3, all, &lent), MPI_SUCCESS);
  double* copy = mine;
  CHECK_EQ(OPI_Free(&copy), MPI_ERR_BUFFER);
  CHECK(says("lent"));
  CHECK_EQ(OPI_Give(&copy, 1, MPI_DOUBLE, to, 3, all), MPI_ERR_BUFFER);
  for (int i = 0; i < rows; ++i) mine[i * columns + 4] = -1;
  CHECK_EQ(OPI_Borrow(&third, 1, column, MPI_ANY_SOURCE, MPI_ANY_TAG, all, &status), MPI_SUCCESS);
  CHECK_EQ(status.MPI_SOURCE, from);
  CHECK_EQ(status.MPI_TAG, 3);
  int count = 0;
  MPI_Get_count(&status, column, &count);
  CHECK_EQ(count, 1);
  for (int i = 0; i < rows; ++i) {
    CHECK_EQ(third[i * columns], from * 10000.0 + i * columns + 3);
    third[i * columns] *= 2;
  }
  copy = third;
  CHECK_EQ(OPI_Return(&third), MPI_SUCCESS);
  CHECK(third == nullptr);
  CHECK_EQ(OPI_Return(&copy), MPI_ERR_BUFFER);
  CHECK_EQ(OPI_Return(&third), MPI_SUCCESS);
  CHECK_EQ(MPI_Wait(&lent, MPI_STATUS_IGNORE), MPI_SUCCESS);
  int wrong = 0;
  for (int i = 0; i < rows * columns; ++i) {
    const double value = me * 10000.0 + i;
    wrong += mine[i] != (i % columns == 4 ? -1 : i % columns == 3 ? 2 * value : value);
  }
  CHECK_EQ(wrong, 0);
  CHECK_EQ(OPI_Free(&mine), MPI_SUCCESS);
  MPI_Type_free(&column);
}

void unlike_layouts() {
  MPI_Datatype one = columns_of(1), two = columns_of(2);
  double *mine = matrix(), *borrowed = mine;
  MPI_Request lent;
  CHECK_EQ(OPI_Lend(mine, 0, 1, two, to, 4, all, &lent), MPI_SUCCESS);
  CHECK_EQ(OPI_Borrow(&borrowed, 1, one, from, 4, all, MPI_STATUS_IGNORE), MPI_ERR_TYPE);
  CHECK(borrowed == nullptr);
  int done = 0;
  while (!done) MPI_Test(&lent, &done, MPI_STATUS_IGNORE);
  CHECK_EQ(OPI_Free(&mine), MPI_SUCCESS);
  MPI_Type_free(&one);
  MPI_Type_free(&two);
}

void mistakes() {
  MPI_Datatype column;
  MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, &column);
  double* mine = matrix();
  MPI_Request request;
  CHECK_EQ(OPI_Lend(mine, 0, 1, column, to, 3, all, &request), MPI_ERR_TYPE);
  CHECK(says("committed"));
  MPI_Type_commit(&column);
  CHECK_EQ(OPI_Lend(mine, columns * sizeof(double), 1, column, to, 3, all, &request), MPI_ERR_COUNT);
  // Offsets that would come around the end of all addresses.
  for (const std::size_t offset : {SIZE_MAX - 63, SIZE_MAX - 3, sizeof(double) * rows * columns + 1})
    CHECK_EQ(OPI_Lend(mine, offset, 16, MPI_INT, to, 3, all, &request), MPI_ERR_COUNT);
  CHECK_EQ(OPI_Lend(mine, 0, 1, column, to, 3, all, nullptr), MPI_ERR_ARG);
  CHECK_EQ(OPI_Give(&mine, 1, column, to, 3, all), MPI_ERR_TYPE);
  CHECK(mine != nullptr && says("OPI_Lend"));
  CHECK_EQ(OPI_Lend(mine, 0, 1, column, MPI_PROC_NULL, 3, all, &request), MPI_SUCCESS);
  CHECK_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  double* none = mine;
  CHECK_EQ(OPI_Borrow(&none, 1, column, MPI_PROC_NULL, 3, all, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK(none == nullptr);
  CHECK_EQ(OPI_Give(&none, 1, MPI_INT, to, 3, all), MPI_ERR_BUFFER);
  CHECK(says("NULL"));
  OPI_Free(&mine);
  MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
  MPI_Datatype gone = column;
  CHECK_EQ(MPI_Type_free(&column), MPI_SUCCESS);
  CHECK(column == MPI_DATATYPE_NULL);
  int bytes = 0;
  CHECK_EQ(MPI_Type_size(gone, &bytes), MPI_ERR_TYPE);
  gone = MPI_INT;
  CHECK_EQ(MPI_Type_free(&gone), MPI_ERR_TYPE);
  CHECK_EQ(MPI_Waitall(1, nullptr, MPI_STATUSES_IGNORE), MPI_ERR_ARG);
  CHECK_EQ(MPI_Send(nullptr, 1, MPI_INT, me, 0, all), MPI_ERR_BUFFER);
  CHECK_EQ(OPI_Itake(&none, 1, MPI_INT, me, 0, all, nullptr), MPI_ERR_ARG);
  MPI_Comm_set_errhandler(all, MPI_ERRORS_ARE_FATAL);
}

// A request that has been completed is not waited for again by a copy of its handle.
void completed_twice() {
  int* taken = nullptr;
  MPI_Request request, copy;
  OPI_Itake(&taken, 500, MPI_INT, me, 6, all, &request);
  copy = request;
  int* given = nullptr;
  OPI_Alloc(&given, 500 * sizeof(int));
  OPI_Give(&given, 500, MPI_INT, me, 6, all);
  CHECK_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
  CHECK_EQ(MPI_Wait(&copy, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
  MPI_Comm_set_errhandler(all, MPI_ERRORS_ARE_FATAL);
  OPI_Free(&taken);
}

void messages_with_gaps() {
  MPI_Datatype column = columns_of(1), row;
  MPI_Type_contiguous(columns, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  int bytes = 0;
  MPI_Type_size(column, &bytes);
  CHECK_EQ(bytes, rows * 8);
  double* mine = matrix();
  std::vector<double> packed(rows);
  MPI_Request request;
  MPI_Isend(mine + 5, 1, column, to, 9, all, &request);
  MPI_Recv(packed.data(), rows, MPI_DOUBLE, from, 9, all, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < rows; ++i) CHECK_EQ(packed[static_cast<std::size_t>(i)], from * 10000.0 + i * columns + 5);
  MPI_Send(packed.data(), rows, MPI_DOUBLE, to, 10, all);
  MPI_Irecv(mine + 6, 1, column, from, 10, all, &request);
  MPI_Type_free(&column);  // what has begun goes on
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const int before = (from + n - 1) % n;
  for (int i = 0; i < rows; ++i) CHECK_EQ(mine[i * columns + 6], before * 10000.0 + i * columns + 5);
  // A row is a block: it can be given.
  CHECK_EQ(OPI_Give(&mine, rows, row, to, 11, all), MPI_SUCCESS);
  CHECK_EQ(OPI_Take(&mine, rows * columns, MPI_DOUBLE, from, 11, all, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(mine[0], from * 10000.0);
  OPI_Free(&mine);
  MPI_Type_free(&row);
}

void any_of_several() {
  std::vector<double*> taken(static_cast<std::size_t>(n));
  std::vector<MPI_Request> requests(static_cast<std::size_t>(n));
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < n; ++i)
      OPI_Itake(&taken[static_cast<std::size_t>(i)], 1000, MPI_DOUBLE, i, round, all, &requests[static_cast<std::size_t>(i)]);
    for (int i = 0; i < n; ++i) {
      double* given = nullptr;
      OPI_Alloc(&given, 1000 * sizeof *given);
      given[999] = me;
      OPI_Give(&given, 1000, MPI_DOUBLE, i, round, all);
    }
    int sum = 0, at = -1;
    for (int i = 0; i < n; ++i) {
      MPI_Status status;
      MPI_Waitany(n, requests.data(), &at, &status);
      // Which is first is not defined.
      CHECK(status.MPI_SOURCE == at);
      CHECK(taken[static_cast<std::size_t>(at)][999] == at);
      OPI_Free(&taken[static_cast<std::size_t>(at)]);
      sum += at;
    }
    CHECK_EQ(sum, n * (n - 1) / 2);
    MPI_Waitany(n, requests.data(), &at, MPI_STATUS_IGNORE);
    CHECK_EQ(at, MPI_UNDEFINED);
  }
}

}  // namespace

int main() {
  MPI_Comm_rank(all, &me);
  MPI_Comm_size(all, &n);
  to = (me + 1) % n;
  from = (me + n - 1) % n;
  column_and_back();
  unlike_layouts();
  mistakes();
  completed_twice();
  messages_with_gaps();
  any_of_several();
  MPI_Barrier(all);
  return check::finish("ownership_lending");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
