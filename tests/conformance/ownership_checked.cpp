// What only checked mode notices of buffers, and answers as an error: elements that are lent twice, pointers to no
// buffer's beginning, and elements that are taken as others.
//
// RUN: %kanorc -O1 %s -o %t
// RUN: env KANOR_CHECK=1 %run_everywhere --keep KANOR_CHECK --modes threads,processes,mpi --ranks 1,2 %t
#include <kanor/opi.h>

#include <cstring>
#include <initializer_list>
#include <string>

#include "check.hpp"

namespace {

int me, n;

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
    wants("its place", text.find("/ownership_checked.cpp:" + std::to_string(line)) != std::string::npos);
  for (const char* const word : words) wants(word, text.find(word) != std::string::npos);
  wants("one line", text.find('\n') == std::string::npos);
}
#define EXPECT(call, error, ...) expect(__LINE__, #call, call, error, {__VA_ARGS__})

/// The place of the call that follows, as messages name it.
#define NEXT_LINE ("ownership_checked.cpp:" + std::to_string(__LINE__ + 1))

int* numbers(int count) {
  int* made = nullptr;
  OPI_Alloc(&made, count * sizeof *made);
  for (int i = 0; i < count; ++i) made[i] = i;
  return made;
}

/// What only checked mode notices: elements lent twice, and what a pointer is that is no buffer's beginning.
void lends_and_points() {
  int *buffer = numbers(100), *inside = buffer + 10, *borrowed = nullptr;
  MPI_Request first, second;
  const std::string made = "a buffer of 400 bytes that OPI_Alloc at ";
  EXPECT(OPI_Free(&inside), MPI_ERR_BUFFER, "it points to byte 40 of ", made.c_str(),
         " returned, and must point to its beginning");
  CHECK(inside == buffer + 10);
  const std::string lent_at = NEXT_LINE;
  CHECK_EQ(OPI_Lend(buffer, 40, 10, MPI_INT, me, 5, MPI_COMM_WORLD, &first), MPI_SUCCESS);
  EXPECT(OPI_Lend(buffer, 76, 1, MPI_INT, me, 6, MPI_COMM_WORLD, &second), MPI_ERR_BUFFER,
         "some of the elements are lent already, by OPI_Lend at ", lent_at.c_str(), ", and were not returned yet");
  CHECK(second == MPI_REQUEST_NULL);
  CHECK_EQ(OPI_Lend(buffer, 80, 1, MPI_INT, me, 6, MPI_COMM_WORLD, &second), MPI_SUCCESS);
  const std::string borrowed_at = NEXT_LINE;
  CHECK_EQ(OPI_Borrow(&borrowed, 10, MPI_INT, me, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_SUCCESS);
  inside = borrowed;
  EXPECT(OPI_Give(&inside, 10, MPI_INT, me, 7, MPI_COMM_WORLD), MPI_ERR_BUFFER, "OPI_Borrow at ",
         borrowed_at.c_str(), " has borrowed the elements that it points to, which belong to the lender");
  CHECK_EQ(OPI_Return(&borrowed), MPI_SUCCESS);
  CHECK_EQ(OPI_Borrow(&borrowed, 1, MPI_INT, me, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(OPI_Return(&borrowed), MPI_SUCCESS);
  CHECK_EQ(MPI_Wait(&first, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(MPI_Wait(&second, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(OPI_Lend(buffer, 40, 10, MPI_INT, me, 5, MPI_COMM_WORLD, &first), MPI_SUCCESS);
  CHECK_EQ(OPI_Borrow(&borrowed, 10, MPI_INT, me, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(OPI_Return(&borrowed), MPI_SUCCESS);
  CHECK_EQ(MPI_Wait(&first, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK_EQ(OPI_Free(&buffer), MPI_SUCCESS);
  // A rank that is wrong is named.
  const std::string on_rank = "on rank " + std::to_string(me) + ": there is no rank " + std::to_string(n);
  EXPECT(MPI_Send(&me, 1, MPI_INT, n, 0, MPI_COMM_WORLD), MPI_ERR_RANK, on_rank.c_str());
}

/// Elements that are taken as others than those that were given.
void takes_others() {
  int* buffer = numbers(10);
  float* taken = nullptr;
  const std::string given_at = NEXT_LINE;
  CHECK_EQ(OPI_Give(&buffer, 10, MPI_INT, me, 8, MPI_COMM_WORLD), MPI_SUCCESS);
  EXPECT(OPI_Take(&taken, 10, MPI_FLOAT, me, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_TYPE,
         "basic element 0 (counted from 0) is received as MPI_FLOAT, but rank ",
         " sent it as MPI_INT with tag 8 at ", given_at.c_str());
  CHECK(taken != nullptr);
  CHECK_EQ(OPI_Free(&taken), MPI_SUCCESS);
}

}  // namespace

int main() {
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  lends_and_points();
  takes_others();
  return check::finish("ownership_checked");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
