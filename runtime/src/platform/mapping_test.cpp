// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/mapping.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kanor::rt {
namespace {

/// What `work` returns in a child of this process: changed limits are its own.
template <class Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = -1;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

/// Where a process may have descriptors below `most_descriptors`: 0 if the mapping's file is numbered from
/// `number` on, and a child that is no part of the job writes to memory of its own.
int files_number_is(int number, rlim_t most_descriptors) {
  return in_child([=] {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = most_descriptors;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
    for (int other = 3; other < 1024; ++other) ::close(other);
    const Mapping mapping(Sharing::with_forked_processes, 4096);
    if (!mapping.data() || !is_open(number) || is_open(number == 512 ? 4 : 512)) return 2;
    const int written = in_child([&] {
      Mapping::make_all_private();
      *mapping.data() = std::byte{7};
      return 0;
    });
    return written == 0 && *mapping.data() == std::byte{0} ? 0 : 3;
  });
}

// least_number, and the next to the one it had where no descriptor may be so large.
TEST(Mapping, KeepsItsFileWhereTheProgramHasNone) {
  EXPECT_EQ(files_number_is(512, 513), 0);
  EXPECT_EQ(files_number_is(4, 512), 0);
}

}  // namespace
}  // namespace kanor::rt
