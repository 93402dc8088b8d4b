// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_library/lines.hpp"

#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

extern "C" int __wrap_setvbuf(FILE* stream, char* buffer, int mode, size_t bytes) noexcept;

namespace kanor::rt {
namespace {

/// What `work` returns in a child of this process, whose standard output is an empty file and goes by lines.
template <class Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::FILE* const file = std::tmpfile();
    if (!file || ::dup2(::fileno(file), STDOUT_FILENO) < 0) ::_exit(100);
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    write_whole_lines(&lock);
    ::_exit(work());
  }
  int status = -1;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

off_t bytes_written() {
  struct stat file {};
  return ::fstat(STDOUT_FILENO, &file) == 0 ? file.st_size : -1;
}

void print(std::size_t bytes, char one) { std::fputs(std::string(bytes, one).c_str(), stdout); }

// Up to most_bytes of a line wait for its end.
TEST(Lines, ThatAreVeryLongComeInPieces) {
  EXPECT_EQ(in_child([] {
              print(std::size_t{1} << 20, 'x');
              if (bytes_written() != 0) return 1;
              print(1, 'x');
              return bytes_written() == (1 << 20) + 1 ? 0 : 2;
            }),
            0);
}

// Less than most_gathered bytes of lines wait for each other.
TEST(Lines, WaitWhereTheProgramHasABuffer) {
  EXPECT_EQ(in_child([] {
              print(1, '\n');
              if (bytes_written() != 1) return 1;
              __wrap_setvbuf(stdout, nullptr, _IOFBF, std::size_t{1} << 20);
              print((64 << 10) - 1, '\n');
              if (bytes_written() != 1) return 2;
              print(1, '\n');
              return bytes_written() == 1 + (64 << 10) ? 0 : 3;
            }),
            0);
}

}  // namespace
}  // namespace kanor::rt
