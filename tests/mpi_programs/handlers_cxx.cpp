// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static objects begin MPI in their constructors, and end it in their destructors, after thread_local ones
// and handlers.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#ifdef WITH_LIBRARY
extern "C" void begin_in_library(void (*take_step)(int));
constexpr int in_library = 2;
#else
constexpr int in_library = 0;
#endif

namespace {

int step = 0;

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "step %d: %s\n", step, what);
  MPI_Abort(MPI_COMM_WORLD, 77);
}

void take_step(int number) {
  expect(++step == number, "steps are out of order");
  int rank = -1, size = 0, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Reduce(&number, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  expect(rank != 0 || sum == size * number, "the sum is wrong");
}

/// As in public programs: the object of which there is one ends MPI.
struct Manager {
  Manager() {
    int version = 0, subversion = 0, length = 0, on = 1, off = 1, level = -1;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_version(&version, &subversion);
    MPI_Get_library_version(text, &length);
    MPI_Initialized(&on);
    MPI_Finalized(&off);
    expect(version == 3 && length > 0 && !on && !off, "before MPI begins");
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    MPI_Initialized(&on);
    expect(level == MPI_THREAD_SERIALIZED && on, "MPI has begun");
  }
  ~Manager() {
    take_step(5 + in_library);
    MPI_Finalize();
    std::printf("MPI has ended\n");
  }
} manager;

struct Step {
  explicit Step(int number) : number_(number) {}
  ~Step() { take_step(number_); }
  int number_;
};

struct Log {
  ~Log() {
    lines.push_back("end");
    take_step(static_cast<int>(lines.size()) + 1 + in_library);
  }
  std::vector<std::string> lines;
};

void handler() { take_step(3 + in_library); }

}  // namespace

int main(int argc, char** argv) {
  int level = -1;
  MPI_Query_thread(&level);
  expect(level == MPI_THREAD_SERIALIZED, "the level of threads");
  static Log log;
  log.lines.assign(2, "line");
  std::atexit(handler);
  static Step second(2 + in_library);
  thread_local Step first(1);
  expect(first.number_ == 1, "objects are made");
#ifdef WITH_LIBRARY
  begin_in_library(take_step);
#endif
  if (argc > 1) std::exit(std::atoi(argv[1]));
  return 0;
}
