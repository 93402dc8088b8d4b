// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The standard streams of C++: every rank has its own, as if it were a process.
//
// State, flags, buffers, ties and exceptions of std::cout and the others, whole lines of std::cout and
// printf, sync_with_stdio, and streams in constructors before main. With the argument `end`: buffers of
// the program's are flushed at the end.
#include <mpi.h>

#include <iomanip>
#include <iostream>
#include <sstream>

#include "check.h"

#ifdef WITH_LIBRARY
std::ostream& out_of_library();
#else
static std::ostream& out_of_library() { return std::cout; }
#endif

namespace {

int rank, size;

// Set before main, and seen by nothing else.
struct Early {
  Early() {
    std::cout << "" << std::setfill('.');
    is_good = std::cout.good() && std::cout.rdbuf() && std::cin.tie() == &std::cout;
  }
  bool is_good = false;
} early;

void say(const char* what) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::cout << what << std::setw(6) << 255 << ' ' << 3.14159 << std::endl;
  MPI_Barrier(MPI_COMM_WORLD);
}

// The usual ways to silence all ranks but one.
void check_silence() {
  if (rank != 0) std::cout.setstate(std::ios_base::failbit);
  std::cout << (rank != 0 ? "not printed" : "");
  say("state");
  CHECK(std::cout.good() == (rank == 0));
  std::cout.clear();

  std::ostringstream own;
  std::streambuf* const before = std::cout.rdbuf();
  if (rank != 0) std::cout.rdbuf(own.rdbuf());
  std::cout << (rank != 0 ? "collected" : "");
  say("buffer");
  CHECK_STR(own.str().c_str(), rank != 0 ? "collected" : "");
  std::cout.rdbuf(before);

  if (rank != 0) std::cout.rdbuf(nullptr);
  say("no buffer");
  std::cout.rdbuf(before);
  CHECK(std::cout.good());
}

void check_flags() {
  const std::ios_base::fmtflags before = std::cout.flags();
  if (rank != 0) std::cout << std::hex << std::showbase << std::setprecision(2) << std::fixed << std::left;
  if (rank != 0) std::cout << std::setw(20) << std::setfill('*');
  say("flags");
  CHECK_EQ(std::cout.width(), rank != 0 ? 20 : 0);
  CHECK_EQ(std::cout.fill(), rank != 0 ? '*' : '.');
  std::cout.flags(before);
  std::cout << std::setw(0) << std::setprecision(6) << std::setfill('.');
}

void check_others() {
  CHECK(std::cin.tie() == &std::cout && std::cerr.tie() == &std::cout && !std::clog.tie());
  CHECK((std::cerr.flags() & std::ios_base::unitbuf) && !(std::clog.flags() & std::ios_base::unitbuf));
  CHECK(std::wcin.tie() != nullptr && std::wcerr.tie() == std::wcin.tie());
  CHECK(&out_of_library() == &std::cout);
  std::ostringstream own;
  std::streambuf* const before = std::cerr.rdbuf();
  if (rank % 2) std::cerr.rdbuf(own.rdbuf());
  if (rank % 2) std::cin.setstate(std::ios_base::failbit);
  if (rank % 2) std::clog.exceptions(std::ios_base::failbit);
  if (rank % 2) std::wcerr << std::hex;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank % 2) std::cerr << rank;
  CHECK_STR(own.str().c_str(), rank % 2 ? std::to_string(rank).c_str() : "");
  CHECK(std::cin.good() == (rank % 2 == 0));
  CHECK((std::clog.exceptions() != std::ios_base::goodbit) == (rank % 2 == 1));
  CHECK(((std::wcerr.flags() & std::ios_base::basefield) == std::ios_base::hex) == (rank % 2 == 1));
  MPI_Barrier(MPI_COMM_WORLD);
  std::cerr.rdbuf(before);
}

// All ranks print the same line, in pieces and at once.
void check_lines() {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 200; ++i) {
    std::cout << "one line";
    printf(", from %s", "printf");
    std::cout << " and " << 'c' << "out: " << std::setw(4) << 17 << '\n';
  }
  std::cout << std::flush;
  say("lines");
  std::ios_base::sync_with_stdio(rank % 2 == 0);
  say("not synchronized");
}

/// Tells when it is flushed.
struct Telling : std::stringbuf {
  int sync() override {
    printf("flushed: %s\n", str().c_str());
    fflush(stdout);
    return 0;
  }
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1) {
    std::cout.rdbuf(new Telling);
    std::cout << "from every rank";
    MPI_Finalize();
    return 0;
  }
  CHECK(early.is_good);
  check_part("silence");
  check_silence();
  check_part("flags");
  check_flags();
  check_part("others");
  check_others();
  check_part("lines");
  check_lines();
  return check_finish();
}
