// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed messages, and counting what has arrived.
//
// Pack, Unpack, Pack_size, messages of MPI_PACKED, Pack_external and Unpack_external with
// "external32", Get_elements, Get_elements_x, Status_set_elements, Status_set_elements_x,
// Status_set_cancelled.
#include <mpi.h>
#include <stdlib.h>

#include "ring.h"

// A count, so many doubles, and a text, in one message.
static void check_pack(void) {
  char buffer[2000];
  int at = 0, bytes, count = 3 + rank, total = 0, got = -1;
  double numbers[20], read[20];
  char text[] = "packed", back[8] = "";
  MPI_Status status;
  for (int i = 0; i < 20; ++i) numbers[i] = rank + i / 8.0;
  MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &bytes);
  CHECK(bytes >= 4);
  total += bytes;
  MPI_Pack_size(count, MPI_DOUBLE, MPI_COMM_WORLD, &bytes);
  CHECK(bytes >= 8 * count);
  total += bytes;
  MPI_Pack_size(7, MPI_CHAR, MPI_COMM_WORLD, &bytes);
  total += bytes;
  MPI_Pack(&count, 1, MPI_INT, buffer, sizeof buffer, &at, MPI_COMM_WORLD);
  CHECK(at > 0);
  MPI_Pack(numbers, count, MPI_DOUBLE, buffer, sizeof buffer, &at, MPI_COMM_WORLD);
  MPI_Pack(text, 7, MPI_CHAR, buffer, sizeof buffer, &at, MPI_COMM_WORLD);
  CHECK(at <= total);
  const int sent = at;
  MPI_Sendrecv_replace(buffer, sizeof buffer, MPI_PACKED, right, 1, left, 1, MPI_COMM_WORLD,
                       &status);
  MPI_Get_count(&status, MPI_PACKED, &got);
  CHECK_EQ(got, sizeof buffer);
  at = 0;
  MPI_Unpack(buffer, sizeof buffer, &at, &count, 1, MPI_INT, MPI_COMM_WORLD);
  CHECK_EQ(count, 3 + left);
  MPI_Unpack(buffer, sizeof buffer, &at, read, count, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < 3 + left; ++i) CHECK_NUM(read[i], left + i / 8.0);
  MPI_Unpack(buffer, sizeof buffer, &at, back, 7, MPI_CHAR, MPI_COMM_WORLD);
  CHECK_STR(back, "packed");
  CHECK_EQ(at - sent, 8 * (left - rank));
}

// Packed here, received as what it is there; and the other way round.
static void check_types(void) {
  int numbers[30], got[30], at = 0;
  char buffer[400];
  MPI_Datatype vector;
  MPI_Status status;
  for (int i = 0; i < 30; ++i) numbers[i] = 1000 * rank + i, got[i] = -1;
  MPI_Type_vector(5, 2, 6, MPI_INT, &vector);
  MPI_Type_commit(&vector);
  MPI_Pack(numbers, 1, vector, buffer, sizeof buffer, &at, MPI_COMM_WORLD);
  CHECK(at >= 40);
  MPI_Sendrecv(buffer, at, MPI_PACKED, right, 2, got, 30, MPI_INT, left, 2, MPI_COMM_WORLD,
               &status);
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 10);
  for (int i = 0; i < 10; ++i) CHECK_EQ(got[i], 1000 * left + i / 2 * 6 + i % 2);
  MPI_Sendrecv(numbers, 1, vector, right, 3, buffer, sizeof buffer, MPI_PACKED, left, 3,
               MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_PACKED, &count);
  at = 0;
  for (int i = 0; i < 30; ++i) got[i] = -1;
  MPI_Unpack(buffer, count, &at, got, 1, vector, MPI_COMM_WORLD);
  for (int i = 0; i < 30; ++i) CHECK_EQ(got[i], i % 6 < 2 ? 1000 * left + i : -1);
  // In pieces that are other ones than it was packed in.
  at = 0;
  for (int i = 0; i < 10; ++i) {
    int one = -1;
    MPI_Unpack(buffer, count, &at, &one, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK_EQ(one, 1000 * left + i / 2 * 6 + i % 2);
  }
  MPI_Type_free(&vector);
}

// The same bytes on every machine: big end first.
static void check_external(void) {
  const unsigned char expected[] = {0x01, 0x02, 0x03, 0x04, 0xff, 0xfe, 0x3f, 0xf8, 0, 0,
                                    0,    0,    0,    0,    'o',  'k',  0x40, 0x20, 0, 0};
  unsigned char buffer[64];
  int number = 0x01020304;
  short small = -2;
  double real = 1.5;
  float single = 2.5f;
  char text[2] = {'o', 'k'};
  MPI_Aint at = 0, bytes = -1;
  MPI_Pack_external_size("external32", 1, MPI_INT, &bytes);
  CHECK_EQ(bytes, 4);
  MPI_Pack_external_size("external32", 3, MPI_DOUBLE, &bytes);
  CHECK_EQ(bytes, 24);
  MPI_Pack_external("external32", &number, 1, MPI_INT, buffer, sizeof buffer, &at);
  MPI_Pack_external("external32", &small, 1, MPI_SHORT, buffer, sizeof buffer, &at);
  MPI_Pack_external("external32", &real, 1, MPI_DOUBLE, buffer, sizeof buffer, &at);
  MPI_Pack_external("external32", text, 2, MPI_CHAR, buffer, sizeof buffer, &at);
  MPI_Pack_external("external32", &single, 1, MPI_FLOAT, buffer, sizeof buffer, &at);
  CHECK_EQ(at, 20);
  for (int i = 0; i < 20; ++i) CHECK_EQ(buffer[i], expected[i]);
  number = 0;
  small = 0;
  real = single = 0;
  text[0] = text[1] = 0;
  at = 0;
  MPI_Unpack_external("external32", buffer, 20, &at, &number, 1, MPI_INT);
  MPI_Unpack_external("external32", buffer, 20, &at, &small, 1, MPI_SHORT);
  MPI_Unpack_external("external32", buffer, 20, &at, &real, 1, MPI_DOUBLE);
  MPI_Unpack_external("external32", buffer, 20, &at, text, 2, MPI_CHAR);
  MPI_Unpack_external("external32", buffer, 20, &at, &single, 1, MPI_FLOAT);
  CHECK_EQ(at, 20);
  CHECK_EQ(number, 0x01020304);
  CHECK_EQ(small, -2);
  CHECK_NUM(real, 1.5);
  CHECK_NUM(single, 2.5);
  CHECK(text[0] == 'o' && text[1] == 'k');
  // A type with gaps.
  MPI_Datatype vector;
  int numbers[6] = {1, 2, 3, 4, 5, 6}, read[6] = {0};
  MPI_Type_vector(3, 1, 2, MPI_INT, &vector);
  MPI_Type_commit(&vector);
  at = 0;
  MPI_Pack_external("external32", numbers, 1, vector, buffer, sizeof buffer, &at);
  CHECK_EQ(at, 12);
  CHECK(buffer[3] == 1 && buffer[7] == 3 && buffer[11] == 5 && buffer[0] == 0);
  at = 0;
  MPI_Unpack_external("external32", buffer, 12, &at, read, 1, vector);
  for (int i = 0; i < 6; ++i) CHECK_EQ(read[i], i % 2 ? 0 : i + 1);
  MPI_Type_free(&vector);
}

struct record {
  int number;
  char letters[4];
};

// How much of a structure has arrived.
static void check_elements(void) {
  MPI_Datatype type, pairs;
  MPI_Status status;
  struct record got[4];
  char bytes[20] = "";
  int count = -1;
  MPI_Count long_count = -1;
  MPI_Type_create_struct(2, (int[]){1, 4}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_CHAR},
                         &type);
  MPI_Type_commit(&type);
  struct record sent[2] = {{rank, "abc"}, {rank + 1, "def"}};
  MPI_Sendrecv(sent, 2, type, right, 4, got, 4, type, left, 4, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &count);
  CHECK_EQ(count, 2);
  MPI_Get_elements(&status, type, &count);
  CHECK_EQ(count, 10);
  MPI_Get_elements_x(&status, type, &long_count);
  CHECK_EQ(long_count, 10);
  CHECK_EQ(got[1].number, left + 1);
  // One and a part: a number, four letters, a number.
  MPI_Type_create_struct(3, (int[]){1, 4, 1}, (MPI_Aint[]){0, 4, 8},
                         (MPI_Datatype[]){MPI_INT, MPI_CHAR, MPI_INT}, &pairs);
  MPI_Type_commit(&pairs);
  memcpy(bytes, &rank, 4);
  memcpy(bytes + 8, &rank, 4);
  MPI_Sendrecv(bytes, 1, pairs, right, 5, got, 4, type, left, 5, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, type, &count);
  CHECK_EQ(count, MPI_UNDEFINED);
  MPI_Get_elements(&status, type, &count);
  CHECK_EQ(count, 6);
  MPI_Get_elements(&status, pairs, &count);
  CHECK_EQ(count, 6);
  CHECK_EQ(got[1].number, left);
  MPI_Type_free(&pairs);
  MPI_Type_free(&type);
}

static void check_status(void) {
  MPI_Status status;
  MPI_Datatype pair;
  int count = -1, cancelled = -1;
  MPI_Count long_count = -1;
  memset(&status, 0, sizeof status);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Status_set_elements(&status, MPI_INT, 5);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 5);
  MPI_Get_count(&status, pair, &count);
  CHECK_EQ(count, MPI_UNDEFINED);
  MPI_Get_elements(&status, pair, &count);
  CHECK_EQ(count, 5);
  const MPI_Count much = (MPI_Count)3 << 31;
  MPI_Status_set_elements_x(&status, MPI_BYTE, much);
  MPI_Get_elements_x(&status, MPI_BYTE, &long_count);
  CHECK_EQ(long_count, much);
  MPI_Get_count(&status, MPI_BYTE, &count);
  CHECK_EQ(count, MPI_UNDEFINED);  // more than an int holds
  MPI_Status_set_cancelled(&status, 1);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK_EQ(cancelled, 1);
  MPI_Status_set_cancelled(&status, 0);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK_EQ(cancelled, 0);
  MPI_Type_free(&pair);
}

int main(int argc, char** argv) {
  begin_ring(&argc, &argv);
  check_part("pack");
  check_pack();
  check_part("types");
  check_types();
  check_part("external32");
  check_external();
  check_part("elements");
  check_elements();
  check_part("status");
  check_status();
  return check_finish();
}
