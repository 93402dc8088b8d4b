// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/page_faults.hpp"

#include <gtest/gtest.h>
#include <setjmp.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "platform/machine.hpp"
#include "platform/signals.hpp"

namespace kanor::rt {
namespace {

constexpr std::size_t pages = 4;

/// An address that no program may use. Not null, whose use UBSanitizer would report itself.
std::byte* nowhere() { return reinterpret_cast<std::byte*>(page_bytes()); }

/// Pages that open when they are touched.
class Opening final : public PageOwner {
 public:
  Opening() : memory_(map_pages(pages * page_bytes())) { std::memset(memory_, 1, pages * page_bytes()); }
  ~Opening() { unmap_pages(memory_, pages * page_bytes()); }

  bool touched(std::byte* byte, bool writes, const void* code) override {
    is_by_library = is_c_library(code);
    touches.push_back({static_cast<std::size_t>(byte - memory_) / page_bytes(), writes});
    if (!opens) return false;
    return set_access(page(touches.back().page), page_bytes(), Access::write);
  }
  void open() override { set_access(page(0), pages * page_bytes(), Access::write); }

  std::byte* page(std::size_t number) const { return memory_ + number * page_bytes(); }
  int read(std::size_t number) const {
    return static_cast<int>(*static_cast<volatile std::byte*>(page(number)));
  }
  void write(std::size_t number, int value) const {
    *static_cast<volatile std::byte*>(page(number)) = static_cast<std::byte>(value);
  }

  struct Touch {
    std::size_t page;
    bool writes;
    bool operator==(const Touch&) const = default;
  };
  std::vector<Touch> touches;
  std::size_t bytes = page_bytes();
  bool opens = true, is_by_library = false;

 private:
  std::byte* const memory_;
};

class PageFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (has_thread_sanitizer()) GTEST_SKIP() << "ThreadSanitizer allows nothing in a handler of page faults";
    ASSERT_GT(ready_to_watch_pages(), 0);
  }
};
using PageFaultsDeathTest = PageFaults;

TEST_F(PageFaults, AskTheOwnerWhatTouchesHiddenPages) {
  Opening owner;
  const WatchedPages watched(owner, owner.page(0), owner.page(pages));
  ASSERT_TRUE(set_access(owner.page(1), 2 * page_bytes(), Access::hidden));
  EXPECT_EQ(owner.read(0), 1);
  EXPECT_EQ(owner.read(2), 1);
  owner.write(1, 7);
  EXPECT_EQ(owner.read(1), 7);
  EXPECT_EQ(owner.touches, (std::vector<Opening::Touch>{{2, false}, {1, true}}));
}

TEST_F(PageFaults, AskOnlyForWritesToPagesThatCanBeRead) {
  Opening owner;
  const WatchedPages watched(owner, owner.page(0), owner.page(pages));
  ASSERT_TRUE(set_access(owner.page(0), pages * page_bytes(), Access::read));
  EXPECT_EQ(owner.read(3), 1);
  owner.write(3, 2);
  EXPECT_EQ(owner.touches, (std::vector<Opening::Touch>{{3, true}}));
}

TEST_F(PageFaults, TellTheCLibraryFromTheProgram) {
  Opening owner;
  const WatchedPages watched(owner, owner.page(0), owner.page(pages));
  ASSERT_TRUE(set_access(owner.page(0), pages * page_bytes(), Access::read));
  owner.write(0, 2);
  EXPECT_FALSE(owner.is_by_library);
  std::vector<std::byte> content(page_bytes());
  std::memcpy(owner.page(1), content.data(), *static_cast<volatile std::size_t*>(&owner.bytes));
  EXPECT_TRUE(owner.is_by_library);
}

TEST_F(PageFaults, HiddenPagesAreFilledBeforeTheyOpen) {
  Opening owner;
  const HiddenWriter writer;
  std::vector<std::byte> content(2 * page_bytes(), std::byte{9});
  ASSERT_TRUE(set_access(owner.page(0), pages * page_bytes(), Access::hidden));
  EXPECT_FALSE(is_readable(owner.page(1)));
  EXPECT_TRUE(writer.write(owner.page(1), content.data(), content.size()));
  EXPECT_FALSE(is_readable(owner.page(1)));
  ASSERT_TRUE(set_access(owner.page(0), pages * page_bytes(), Access::write));
  EXPECT_EQ(std::vector<std::byte>(owner.page(1), owner.page(3)), content);
  EXPECT_EQ(owner.read(0), 1);
  EXPECT_EQ(owner.read(3), 1);
  // Nothing is mapped any more.
  std::byte* const gone = map_pages(page_bytes());
  EXPECT_TRUE(is_mapped(gone) && is_mapped(owner.page(1)));
  unmap_pages(gone, page_bytes());
  EXPECT_FALSE(is_mapped(gone));
  EXPECT_FALSE(writer.write(gone, content.data(), 1));
}

TEST_F(PageFaults, OpenForTheSystem) {
  Opening owner;
  const WatchedPages watched(owner, owner.page(1), owner.page(3));
  ASSERT_TRUE(set_access(owner.page(1), 2 * page_bytes(), Access::hidden));
  open_for_system(owner.page(0), page_bytes());
  open_for_system(owner.page(3), page_bytes());
  EXPECT_FALSE(is_readable(owner.page(1)));
  open_for_system(owner.page(3) - 1, 1);
  EXPECT_TRUE(is_readable(owner.page(1)));
  EXPECT_TRUE(owner.touches.empty());
}

TEST_F(PageFaults, TellWhatTheProgramMayDo) {
  Opening owner;
  EXPECT_TRUE(is_readable(owner.page(0)) && is_writable(owner.page(0)));
  EXPECT_EQ(owner.read(0), 1);
  ASSERT_TRUE(set_access(owner.page(0), page_bytes(), Access::read));
  EXPECT_TRUE(is_readable(owner.page(0)) && !is_writable(owner.page(0)));
  ASSERT_TRUE(set_access(owner.page(0), page_bytes(), Access::write));
}

TEST_F(PageFaults, AskWhoeverWatchesAmongMany) {
  constexpr int owners = 9;
  std::vector<std::unique_ptr<Opening>> all;
  std::vector<std::unique_ptr<WatchedPages>> watched;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < owners; ++i) {
      Opening& one = *all.emplace_back(std::make_unique<Opening>());
      watched.push_back(std::make_unique<WatchedPages>(one, one.page(1), one.page(2)));
      ASSERT_TRUE(set_access(one.page(1), page_bytes(), Access::hidden));
    }
    for (const auto& one : all) EXPECT_EQ(one->read(1), 1);
    for (const auto& one : all) EXPECT_EQ(one->touches.size(), 1u);
    watched.clear();
    all.clear();
  }
}

TEST_F(PageFaults, ThreadsThatTouchOnePageAllGoOn) {
  class Locked final : public PageOwner {
   public:
    bool touched(std::byte* byte, bool, const void*) override {
      const std::scoped_lock lock(turn_);
      if (!std::exchange(is_hidden, false)) return false;
      set_access(byte, page_bytes(), Access::write);
      WatchedPages::have_been_opened();
      return true;
    }
    void open() override {}
    bool is_hidden = false;

   private:
    std::mutex turn_;
  } owner;
  std::byte* const page = map_pages(page_bytes());
  {
    const WatchedPages watched(owner, page, page + page_bytes());
    for (int round = 0; round < 300; ++round) {
      owner.is_hidden = true;
      ASSERT_TRUE(set_access(page, page_bytes(), Access::hidden));
      std::atomic<int> waiting{2};
      const auto touch = [&] {
        for (--waiting; waiting > 0;) {
        }
        EXPECT_EQ(static_cast<int>(*static_cast<volatile std::byte*>(page)), 0);
      };
      std::thread other(touch);
      touch();
      other.join();
    }
  }
  unmap_pages(page, page_bytes());
}

sigjmp_buf before_fault;
std::atomic<void*> fault_address{nullptr};

void jump_back(int, siginfo_t* info, void*) {
  fault_address = info->si_addr;
  siglongjmp(before_fault, 1);
}

/// Reads a byte; returns false if the handler of jump_back() has come instead.
bool can_read(const std::byte* byte) {
  if (sigsetjmp(before_fault, 1) != 0) return false;
  static_cast<void>(*static_cast<const volatile std::byte*>(byte));
  return true;
}

TEST_F(PageFaults, OthersGoToTheProgramsHandler) {
  struct sigaction own {
  }, before{}, asked{};
  own.sa_sigaction = jump_back;
  own.sa_flags = SA_SIGINFO;
  ASSERT_EQ(process_sigaction(SIGSEGV, &own, &before), 0);
  ASSERT_EQ(process_sigaction(SIGSEGV, nullptr, &asked), 0);
  EXPECT_EQ(asked.sa_sigaction, jump_back);
  Opening owner;
  const WatchedPages watched(owner, owner.page(0), owner.page(1));
  ASSERT_TRUE(set_access(owner.page(0), 2 * page_bytes(), Access::hidden));
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(can_read(owner.page(1)));
    EXPECT_EQ(fault_address, owner.page(1));
    EXPECT_FALSE(can_read(nowhere()));
  }
  EXPECT_TRUE(can_read(owner.page(0)));
  EXPECT_EQ(owner.touches.size(), 1u);
  // One that its owner does not open is an error.
  owner.opens = false;
  ASSERT_TRUE(set_access(owner.page(0), page_bytes(), Access::hidden));
  EXPECT_FALSE(can_read(owner.page(0)));
  ASSERT_EQ(process_sigaction(SIGSEGV, &before, nullptr), 0);
  EXPECT_GT(ready_to_watch_pages(), 0);
}

TEST_F(PageFaults, AHandlerForOneFaultIsCalledOnce) {
  struct sigaction own {
  }, before{}, asked{};
  own.sa_sigaction = jump_back;
  own.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND);
  ASSERT_EQ(process_sigaction(SIGSEGV, &own, &before), 0);
  EXPECT_FALSE(can_read(nowhere()));
  ASSERT_EQ(process_sigaction(SIGSEGV, nullptr, &asked), 0);
  EXPECT_EQ(asked.sa_handler, SIG_DFL);
  ASSERT_EQ(process_sigaction(SIGSEGV, &before, nullptr), 0);
}

TEST_F(PageFaultsDeathTest, AnErrorEndsTheProcessAsItWould) {
  const auto crash = [](bool by_fault) {
    ready_to_watch_pages();
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    process_sigaction(SIGSEGV, &standard, nullptr);
    if (by_fault)
      static_cast<void>(*static_cast<volatile std::byte*>(nowhere()));
    else
      ::raise(SIGSEGV);
  };
  EXPECT_EXIT(crash(true), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(crash(false), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(PageFaultsDeathTest, NoPagesAreWatchedBehindAnotherHandler) {
  EXPECT_EXIT(
      {
        const bool could = ready_to_watch_pages() > 0;
        struct sigaction other {};
        other.sa_sigaction = jump_back;
        other.sa_flags = SA_SIGINFO;
        system_sigaction(SIGSEGV, &other, nullptr);
        std::_Exit(could && ready_to_watch_pages() == 0 ? 5 : 6);
      },
      testing::ExitedWithCode(5), "");
}

}  // namespace
}  // namespace kanor::rt
