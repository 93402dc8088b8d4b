// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/process_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <vector>

namespace kanor::rt {
namespace {

/// A child that has changed its copy of `memory`, and waits until this ends.
class Child {
 public:
  explicit Child(std::vector<std::uint32_t>& memory) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    process_ = ::fork();
    if (process_ == 0) {
      for (std::uint32_t& number : memory) number += 1000;
      if (::write(ready[1], "x", 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
    char letter;
    EXPECT_EQ(::read(ready[0], &letter, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~Child() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  int process() const { return process_; }

 private:
  int process_ = 0;
};

TEST(ProcessMemory, IsReadAndWritten) {
  std::vector<std::uint32_t> memory(300'000, 7);
  const Child child(memory);
  const std::size_t bytes = memory.size() * sizeof memory[0];
  std::vector<std::uint32_t> got(memory.size());
  ASSERT_TRUE(read_process(child.process(), got.data(), memory.data(), bytes));
  EXPECT_EQ(got, std::vector<std::uint32_t>(memory.size(), 1007));
  EXPECT_EQ(memory.front(), 7u);

  const std::uint32_t number = 5;
  ASSERT_TRUE(write_process(child.process(), &memory[2], &number, sizeof number));
  ASSERT_TRUE(read_process(child.process(), got.data(), memory.data(), bytes));
  EXPECT_EQ(got[2], 5u);
  EXPECT_EQ(got[3], 1007u);
  EXPECT_EQ(memory[2], 7u);
}

TEST(ProcessMemory, SaysWhatIsNone) {
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  char* const memory = static_cast<char*>(
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(::mprotect(memory + page, page, PROT_NONE), 0);
  std::vector<char> room(2 * page);
  EXPECT_TRUE(read_process(::getpid(), room.data(), memory, page));
  EXPECT_FALSE(read_process(::getpid(), room.data(), memory, page + 1));
  EXPECT_EQ(errno, EFAULT);
  EXPECT_TRUE(read_process(::getpid(), room.data(), memory + page, 0));
  ::munmap(memory, 2 * page);
  // No process has this number: the kernel's own limit is 4194304.
  EXPECT_FALSE(read_process(4194304 + 1, room.data(), room.data(), 1));
  EXPECT_EQ(errno, ESRCH);
}

}  // namespace
}  // namespace kanor::rt
