// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ streams and the C++ library's own state: every rank has its own, as if it were a process.
//
// The flags and precision of std::cout, string streams, the global locale, terminate's handler, and
// characters that one rank reads of a file that all of them open.
#include <mpi.h>
#include <unistd.h>

#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

#include "check.h"

namespace {

int rank, size;

struct Point {
  int x, y;
};

std::ostream& operator<<(std::ostream& out, const Point& point) {
  return out << '(' << point.x << ", " << point.y << ')';
}

std::ostringstream collected;
const int slot = std::ios_base::xalloc();

void check_string_streams() {
  collected << "rank " << rank << ": " << std::setw(5) << std::setfill('*') << rank << ' '
            << Point{rank, -rank};
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string number = std::to_string(rank);
  CHECK_STR(collected.str().c_str(), ("rank " + number + ": ****" + number + " (" + number + ", " +
                                      std::to_string(-rank) + ")")
                                         .c_str());
  std::istringstream in("12 0x1f word\n");
  int twelve = 0, hexadecimal = 0;
  std::string word;
  in >> twelve >> std::hex >> hexadecimal >> word;
  CHECK_EQ(twelve, 12);
  CHECK_EQ(hexadecimal, 31);
  CHECK_STR(word.c_str(), "word");
}

// What the other ranks set in std::cout does not reach rank 0's.
void check_cout() {
  if (rank != 0) std::cout << std::hex << std::showbase << std::setprecision(2) << std::fixed;
  std::cout.iword(slot) = rank + 1;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::cout << 255 << ' ' << 1234.5678 << std::endl;
  CHECK_EQ(std::cout.iword(slot), rank + 1);
  CHECK(((std::cout.flags() & std::ios_base::basefield) == std::ios_base::hex) == (rank != 0));
  CHECK_EQ(std::cout.precision(), rank != 0 ? 2 : 6);
  MPI_Barrier(MPI_COMM_WORLD);
  std::cout << std::dec << std::noshowbase << std::defaultfloat << std::setprecision(6);
}

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

void check_locale() {
  if (rank % 2) std::locale::global(std::locale(std::locale::classic(), new Comma));
  MPI_Barrier(MPI_COMM_WORLD);
  std::ostringstream out;
  out << 1.5;
  CHECK_STR(out.str().c_str(), rank % 2 ? "1,5" : "1.5");
  MPI_Barrier(MPI_COMM_WORLD);
  std::locale::global(std::locale::classic());
}

[[noreturn]] void own_terminate() { _exit(3); }

void check_terminate() {
  const std::terminate_handler before = std::get_terminate();
  if (rank == 0) std::set_terminate(own_terminate);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK((std::get_terminate() == own_terminate) == (rank == 0));
  MPI_Barrier(MPI_COMM_WORLD);
  std::set_terminate(before);
}

void check_files() {
  char name[] = "/tmp/mpi_program_XXXXXX";
  const int file = mkstemp(name);  // each rank its own
  CHECK(file >= 0);
  {
    std::ofstream out(name);
    for (int i = 0; i < 100; ++i) out << rank * i << '\n';
  }
  std::ifstream in(name);
  int sum = 0, number = 0;
  while (in >> number) sum += number;
  CHECK_EQ(sum, rank * 4950);
  CHECK(in.eof());
  close(file);
  unlink(name);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_part("string streams");
  check_string_streams();
  check_part("cout");
  check_cout();
  check_part("locale");
  check_locale();
  check_part("terminate");
  check_terminate();
  check_part("files");
  check_files();
  return check_finish();
}
