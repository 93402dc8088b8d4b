// RUN: %kanorc -O1 %s -o %t && %run_everywhere --ranks 1,2,3 %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --ranks 1,4 %t
// RUN: env KANOR_DISABLE=sharing KANOR_CHECK=1 %run_everywhere --keep KANOR_DISABLE,KANOR_CHECK --ranks 2 %t
// RUN: env KANOR_CHECK=1 %kanorrun -n 1 %t 2>&1 | %FileCheck %s
// RUN: %kanorrun -n 1 %t 2>&1 | %FileCheck %s --check-prefix=UNCHECKED --implicit-check-not=kanor:
// UNCHECKED: ownership_errors rank 0 of 1: ok
// Mistakes in calls of kanor/opi.h and kanor/mpi.h: the class that each answers, what it leaves as it was,
// and what is said of it, which checked mode prints as well.
#include <kanor/opi.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "check.hpp"

namespace {

int me, n;
bool checked;

/// The latest call's words: of OPI_Error_text, and the same of MPI_Error_string.
std::string error_text(int error) {
  char text[MPI_MAX_ERROR_STRING];
  int length = -1;
  CHECK_EQ(MPI_Error_string(error, text, &length), MPI_SUCCESS);
  CHECK(std::string(text) == OPI_Error_text());
  CHECK(static_cast<int>(std::strlen(text)) == length);
  return text;
}

/// A call has failed with this class; its words begin with its name, tell its place, if it is OPI's, and have
/// all of these.
void expect(int line, const std::string& call, int error, int expected,
            std::initializer_list<const char*> words) {
  check::equal(__FILE__, line, "the error class", error, expected);
  if (error == MPI_SUCCESS) return;
  const std::string text = error_text(error), name = call.substr(0, call.find('('));
  const auto wants = [&](const std::string& word, bool has) {
    if (!has) check::failed(__FILE__, line, "the text", text, word);
  };
  if (call.starts_with("OPI_") || call.starts_with("MPI_")) wants(name, text.starts_with(name));
  if (call.starts_with("OPI_"))
    wants("its place", text.find("/ownership_errors.cpp:" + std::to_string(line)) != std::string::npos);
  for (const char* const word : words) wants(word, text.find(word) != std::string::npos);
  wants("one line", text.find('\n') == std::string::npos);
}
#define EXPECT(call, error, ...) expect(__LINE__, #call, call, error, {__VA_ARGS__})

/// The place of the call that follows, as messages name it.
#define NEXT_LINE ("ownership_errors.cpp:" + std::to_string(__LINE__ + 1))

int* numbers(int count) {
  int* made = nullptr;
  OPI_Alloc(&made, count * sizeof *made);
  for (int i = 0; i < count; ++i) made[i] = i;
  return made;
}

void wrong_arguments() {
  MPI_Request request = MPI_REQUEST_NULL;
  int* buffer = numbers(100);
  int* const same = buffer;
  const MPI_Datatype no_type = 0x7000000;
  const MPI_Comm no_comm = 77;
  const std::string highest = "no rank " + std::to_string(n);

  EXPECT(OPI_Alloc(nullptr, 8), MPI_ERR_ARG, "NULL");
  EXPECT(OPI_Free(nullptr), MPI_ERR_ARG, "NULL");
  EXPECT(OPI_Give(nullptr, 1, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_ARG, "NULL");
  EXPECT(OPI_Igive(nullptr, 1, MPI_INT, me, 0, MPI_COMM_WORLD, &request), MPI_ERR_ARG, "NULL");
  EXPECT(OPI_Take(nullptr, 1, MPI_INT, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_ARG, "NULL");
  EXPECT(OPI_Itake(nullptr, 1, MPI_INT, me, 0, MPI_COMM_WORLD, &request), MPI_ERR_ARG, "NULL");
  CHECK(request == MPI_REQUEST_NULL);

  EXPECT(OPI_Give(&buffer, -1, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, "-1");
  EXPECT(OPI_Give(&buffer, 101, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, "OPI_Give", "404", "400");
  EXPECT(OPI_Igive(&buffer, 51, MPI_DOUBLE, me, 0, MPI_COMM_WORLD, &request), MPI_ERR_COUNT, "OPI_Igive",
         "408");
  CHECK(request == MPI_REQUEST_NULL);
  EXPECT(OPI_Give(&buffer, 1, MPI_DATATYPE_NULL, me, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, "datatype");
  EXPECT(OPI_Give(&buffer, 1, no_type, me, 0, MPI_COMM_WORLD), MPI_ERR_TYPE, "datatype");
  EXPECT(OPI_Give(&buffer, 1, MPI_INT, n, 0, MPI_COMM_WORLD), MPI_ERR_RANK, highest.c_str());
  EXPECT(OPI_Give(&buffer, 1, MPI_INT, -1, 0, MPI_COMM_WORLD), MPI_ERR_RANK, "no rank -1");
  EXPECT(OPI_Give(&buffer, 1, MPI_INT, 1, 0, MPI_COMM_SELF), MPI_ERR_RANK, "no rank 1");
  EXPECT(OPI_Give(&buffer, 1, MPI_INT, me, -1, MPI_COMM_WORLD), MPI_ERR_TAG, "-1");
  EXPECT(OPI_Give(&buffer, 1, MPI_INT, MPI_PROC_NULL, -5, MPI_COMM_WORLD), MPI_ERR_TAG, "-5");
  EXPECT(OPI_Give(&buffer, 1, MPI_INT, me, 0, MPI_COMM_NULL), MPI_ERR_COMM, "communicator");
  EXPECT(OPI_Igive(&buffer, 1, MPI_INT, me, 0, no_comm, &request), MPI_ERR_COMM, "communicator");
  CHECK(request == MPI_REQUEST_NULL);
  CHECK(buffer == same && buffer[99] == 99);

  int* taken = buffer;
  EXPECT(OPI_Take(&taken, -2, MPI_INT, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_COUNT, "-2");
  EXPECT(OPI_Take(&taken, 1, no_type, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_TYPE, "datatype");
  EXPECT(OPI_Take(&taken, 1, MPI_INT, n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK,
         highest.c_str());
  EXPECT(OPI_Itake(&taken, 1, MPI_INT, -3, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK, "no rank -3");
  CHECK(request == MPI_REQUEST_NULL);
  EXPECT(OPI_Itake(&taken, 1, MPI_INT, me, -2, MPI_COMM_WORLD, &request), MPI_ERR_TAG, "-2");
  EXPECT(OPI_Take(&taken, 1, MPI_INT, me, 0, no_comm, MPI_STATUS_IGNORE), MPI_ERR_COMM, "communicator");
  CHECK(request == MPI_REQUEST_NULL);

  int number = 5;
  EXPECT(MPI_Send(&number, -1, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_COUNT, "-1");
  EXPECT(MPI_Send(&number, 1, MPI_INT, n, 0, MPI_COMM_WORLD), MPI_ERR_RANK, highest.c_str());
  EXPECT(MPI_Send(&number, 1, MPI_INT, me, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG, "-1");
  EXPECT(MPI_Isend(&number, 1, no_type, me, 0, MPI_COMM_WORLD, &request), MPI_ERR_TYPE, "datatype");
  EXPECT(MPI_Recv(&number, 1, MPI_INT, n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK,
         highest.c_str());
  EXPECT(MPI_Irecv(&number, 1, MPI_INT, me, 0, MPI_COMM_NULL, &request), MPI_ERR_COMM, "communicator");
  EXPECT(MPI_Comm_rank(MPI_COMM_NULL, &number), MPI_ERR_COMM, "communicator");
  EXPECT(MPI_Comm_size(no_comm, &number), MPI_ERR_COMM, "communicator");
  EXPECT(MPI_Barrier(no_comm), MPI_ERR_COMM, "communicator");
  EXPECT(MPI_Type_size(no_type, &number), MPI_ERR_TYPE, "datatype");
  const MPI_Status status = {0, 0, 0, 8};
  EXPECT(MPI_Get_count(&status, MPI_DATATYPE_NULL, &number), MPI_ERR_TYPE, "datatype");
  EXPECT(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL), MPI_ERR_ARG, "MPI_ERRHANDLER_NULL");
  CHECK_EQ(number, 5);
  CHECK_EQ(OPI_Free(&buffer), MPI_SUCCESS);
}

/// Pointers that are no buffers, or not any more.
void not_owned() {
  alignas(64) char on_the_stack[256] = {};
  void* pointer = on_the_stack + 64;
  EXPECT(OPI_Free(&pointer), MPI_ERR_BUFFER, "OPI_Free", "OPI_Alloc or OPI_Take");
  CHECK(pointer == on_the_stack + 64);
  EXPECT(OPI_Give(&pointer, 1, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "OPI_Give",
         "OPI_Alloc or OPI_Take");
  CHECK(pointer == on_the_stack + 64);
  pointer = nullptr;
  EXPECT(OPI_Give(&pointer, 0, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "OPI_Give");
  EXPECT(OPI_Give(&pointer, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "OPI_Give");
  CHECK_EQ(OPI_Free(&pointer), MPI_SUCCESS);
  std::vector<int> heap(1000);
  int* element = heap.data();
  EXPECT(OPI_Free(&element), MPI_ERR_BUFFER, "OPI_Alloc or OPI_Take");

  int* buffer = numbers(1000);
  int* inside = buffer + 16;
  EXPECT(OPI_Free(&inside), MPI_ERR_BUFFER, "OPI_Free");
  inside = buffer + 1;
  EXPECT(OPI_Give(&inside, 1, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "OPI_Give");
  CHECK(inside == buffer + 1);
  int* again = buffer;
  const std::string freed_at = NEXT_LINE;
  CHECK_EQ(OPI_Free(&buffer), MPI_SUCCESS);
  EXPECT(OPI_Free(&again), MPI_ERR_BUFFER, checked ? freed_at.c_str() : "KANOR_CHECK=1");
  EXPECT(OPI_Give(&again, 1, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER,
         checked ? freed_at.c_str() : "KANOR_CHECK=1");

  // Given away: to another rank, and to oneself, which has it again then.
  buffer = again = numbers(1000);
  const int other = (me + 1) % n;
  const std::string given_at = NEXT_LINE;
  CHECK(OPI_Give(&buffer, 1000, MPI_INT, other, 4, MPI_COMM_WORLD) == MPI_SUCCESS);
  EXPECT(OPI_Give(&again, 1, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER,
         checked ? given_at.c_str() : "KANOR_CHECK=1");
  const std::string given_to = checked ? "given to rank " + std::to_string(other) : "KANOR_CHECK=1";
  EXPECT(OPI_Free(&again), MPI_ERR_BUFFER, given_to.c_str());
  CHECK_EQ(OPI_Take(&buffer, 1000, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
           MPI_SUCCESS);
  CHECK_EQ(buffer[999], 999);
  again = buffer;
  CHECK_EQ(OPI_Free(&again), MPI_SUCCESS);

  // A kanor::buffer's memory is its own to free.
  kanor::buffer<int> own(1000);
  int* elements = own.data();
  EXPECT(OPI_Free(&elements), MPI_ERR_BUFFER, "OPI_Free");
  EXPECT(OPI_Give(&elements, 1, MPI_INT, me, 0, MPI_COMM_WORLD), MPI_ERR_BUFFER, "OPI_Give");
  CHECK(elements == own.data());
}

/// Messages that are longer than there is room: they are gone, the next one comes, and the sender's place is
/// told.
void too_long() {
  const int other = (me + 1) % n, from = (me + n - 1) % n;
  const std::string source = "rank " + std::to_string(from);
  for (const int count : {20, 30, 5000}) {
    std::string sent_at[4];
    int* buffer = numbers(count);
    sent_at[0] = NEXT_LINE;
    OPI_Give(&buffer, count, MPI_INT, other, 7, MPI_COMM_WORLD);
    buffer = numbers(count);
    sent_at[1] = NEXT_LINE;
    OPI_Give(&buffer, count, MPI_INT, other, 8, MPI_COMM_WORLD);
    const std::vector<int> sent(static_cast<std::size_t>(count), 6);
    MPI_Send(sent.data(), count, MPI_INT, other, 9, MPI_COMM_WORLD);
    MPI_Send(sent.data(), count, MPI_INT, other, 9, MPI_COMM_WORLD);
    MPI_Send(sent.data(), count - 1, MPI_INT, other, 9, MPI_COMM_WORLD);
    buffer = numbers(count);
    sent_at[2] = NEXT_LINE;
    OPI_Give(&buffer, count, MPI_INT, other, 10, MPI_COMM_WORLD);
    buffer = numbers(count);
    sent_at[3] = NEXT_LINE;
    OPI_Give(&buffer, count, MPI_INT, other, 11, MPI_COMM_WORLD);
    const auto told = [&](int which) { return checked ? sent_at[which].c_str() : "KANOR_CHECK=1"; };
    const std::string bytes = std::to_string(4 * count), room = std::to_string(4 * (count - 1));

    MPI_Status status = {-9, -9, -9, 9};
    buffer = numbers(1);
    int* const before = buffer;
    EXPECT(OPI_Take(&buffer, count - 1, MPI_INT, from, 7, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE,
           "OPI_Take", source.c_str(), bytes.c_str(), room.c_str(), "tag 7", told(0));
    CHECK(!buffer);
    CHECK_EQ(status.MPI_SOURCE * 100 + status.MPI_TAG, 100 * from + 7);
    buffer = before;
    CHECK_EQ(OPI_Free(&buffer), MPI_SUCCESS);

    std::vector<int> into(static_cast<std::size_t>(count), -1);
    EXPECT(MPI_Recv(into.data(), count - 1, MPI_INT, from, 8, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE,
           "MPI_Recv", source.c_str(), bytes.c_str(), told(1));
    CHECK_EQ(into.back(), -1);
    CHECK_EQ(status.MPI_ERROR, MPI_ERR_TRUNCATE);
    EXPECT(MPI_Recv(into.data(), count - 1, MPI_INT, from, 9, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE,
           "MPI_Recv");
    EXPECT(OPI_Take(&buffer, count - 1, MPI_INT, from, 9, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE,
           "OPI_Take");
    CHECK_EQ(MPI_Recv(into.data(), count - 1, MPI_INT, from, 9, MPI_COMM_WORLD, &status), MPI_SUCCESS);
    CHECK_EQ(into[0], 6);

    // In the middle of those that succeed.
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int *first = nullptr, *second = nullptr, right = 0;
    OPI_Itake(&first, count - 1, MPI_INT, from, 10, MPI_COMM_WORLD, &requests[0]);
    OPI_Itake(&second, count, MPI_INT, from, 11, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&right, 1, MPI_INT, from, 12, MPI_COMM_WORLD, &requests[2]);
    const int answer = 42;
    MPI_Isend(&answer, 1, MPI_INT, other, 12, MPI_COMM_WORLD, &requests[3]);
    CHECK_EQ(MPI_Waitall(4, requests, statuses), MPI_ERR_IN_STATUS);
    CHECK_EQ(statuses[0].MPI_ERROR, MPI_ERR_TRUNCATE);
    for (int i = 1; i < 4; ++i) CHECK_EQ(statuses[i].MPI_ERROR, MPI_SUCCESS);
    EXPECT(statuses[0].MPI_ERROR, MPI_ERR_TRUNCATE, "OPI_Itake", bytes.c_str(), told(2));
    CHECK(!first);
    CHECK_EQ(second[count - 1], count - 1);
    CHECK_EQ(right, 42);
    OPI_Free(&second);
    for (const MPI_Request request : requests) CHECK(request == MPI_REQUEST_NULL);
  }
}

/// The text of a class of which no call has spoken last.
void other_texts() {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(MPI_SUCCESS, text, &length);
  CHECK_EQ(std::string(text), "no error");
  EXPECT(OPI_Alloc(nullptr, 1), MPI_ERR_ARG, "NULL");
  MPI_Error_string(MPI_ERR_IN_STATUS, text, &length);
  CHECK(std::string(text).find("status") != std::string::npos);
  MPI_Error_string(MPI_ERR_TRUNCATE, text, &length);
  CHECK(std::string(text).find("15") != std::string::npos);
  // Until the next call fails.
  int* buffer = numbers(5);
  CHECK_EQ(OPI_Free(&buffer), MPI_SUCCESS);
  CHECK(std::string(OPI_Error_text()).find("NULL") != std::string::npos);
}

}  // namespace

int main() {
  checked = std::getenv("KANOR_CHECK") != nullptr;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  // OPI's calls answer their errors in any case.
  EXPECT(OPI_Alloc(nullptr, 8), MPI_ERR_ARG, "NULL");
  // CHECK: kanor: rank 0: OPI_Alloc at {{.*}}errors.cpp:[[#]] on rank 0: the address of the pointer is NULL
  CHECK_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), MPI_SUCCESS);
  wrong_arguments();
  // CHECK: kanor: rank 0: OPI_Give at {{.*}}errors.cpp:[[#]] on rank 0: 404 bytes are given, but the buffer has 400
  not_owned();
  // CHECK: rank 0: OPI_Give of a pointer at {{.*}}errors.cpp:[[#]] on rank 0: it does not point to
  // CHECK: rank 0: OPI_Free of {{.*}}errors.cpp:[[#]] on rank 0: the buffer was freed by OPI_Free at
  // CHECK: rank 0: OPI_Give of {{.*}}cpp:[[#]] on rank 0: the buffer was given to rank 0 at {{.*}}cpp:[[#]]
  too_long();
  // CHECK: rank 0: OPI_Take at {{.*}}cpp:[[#]] on rank 0 has room for 76 bytes, but rank 0 sent 80 with tag 7
  // CHECK-SAME: at ownership_errors.cpp:[[#]]
  other_texts();
  // CHECK: ownership_errors rank 0 of 1: ok
  return check::finish("ownership_errors");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
