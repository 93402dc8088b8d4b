// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/thread.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace kanor::rt {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

/// A soft limit, until the end of a test.
class Limited {
 public:
  Limited(__rlimit_resource kind, rlim_t soft) : kind_(kind) {
    ::getrlimit(kind, &before_);
    rlimit next = before_;
    next.rlim_cur = soft;
    is_set_ = ::setrlimit(kind, &next) == 0;
  }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;
  ~Limited() { ::setrlimit(kind_, &before_); }

  bool is_set() const { return is_set_; }
  rlim_t hard() const { return before_.rlim_max; }
  rlim_t soft() const {
    rlimit now{};
    ::getrlimit(kind_, &now);
    return now.rlim_cur;
  }

 private:
  __rlimit_resource kind_;
  rlimit before_{};
  bool is_set_ = false;
};

TEST(Thread, TheStackIsAsLargeAsTheProcesss) {
  const Limited limited(RLIMIT_STACK, 3 * mib);
  EXPECT_GE(rank_stack_bytes(), 3 * mib);
  EXPECT_LT(rank_stack_bytes(), 4 * mib);
}

TEST(Thread, TheStackHasRoomIfThereIsNoLimit) {
  const Limited unlimited(RLIMIT_STACK, RLIM_INFINITY);
  if (!unlimited.is_set()) GTEST_SKIP() << "the stack's hard limit is set";
  {
    const Limited tight(RLIMIT_AS, std::size_t{1} << 46);
    EXPECT_GE(rank_stack_bytes(), 64 * mib);
    EXPECT_LT(rank_stack_bytes(), 65 * mib);
  }
  EXPECT_GE(rank_stack_bytes(), 64 * mib);
  EXPECT_LE(rank_stack_bytes(), 4097 * mib);
  pthread_t thread{};
  const auto use = [](void* given) -> void* {
    volatile char room[32 * mib];
    room[0] = 1;
    return room[0] == 1 ? nullptr : given;
  };
  ASSERT_EQ(start_thread(thread, rank_stack_bytes(), use, nullptr), 0);
  EXPECT_EQ(::pthread_join(thread, nullptr), 0);
}

TEST(Thread, FilesAreThoseOfAllProcessesWithinTheHardLimit) {
  {
    const Limited files(RLIMIT_NOFILE, 20);
    make_room_for_files(3);
    EXPECT_EQ(files.soft(), std::min<rlim_t>(60, files.hard()));
  }
  const Limited files(RLIMIT_NOFILE, 20);
  make_room_for_files(1 << 30);
  EXPECT_EQ(files.soft(), std::min<rlim_t>(rlim_t{20} << 30, files.hard()));
}

}  // namespace
}  // namespace kanor::rt
