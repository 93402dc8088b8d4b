// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages whose owner is asked when the program uses them.
#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>

#include "platform/pages.hpp"

namespace kanor::rt {

/// An owner of pages. Lives as long as any thread may use them.
class PageOwner {
 public:
  /// Called when a thread uses one of the owner's watched pages in a way that set_access() has forbidden: on
  /// that thread, at that instruction, inside of the handler of SIGSEGV. May wait and allocate memory:
  /// whoever uses the elements of a message holds no lock that this needs. Returns true if it has opened the
  /// page, and false if there is nothing to open: then it is an error, or another thread has opened it
  /// meanwhile. `code`: the instruction.
  virtual bool touched(std::byte* byte, bool writes, const void* code) = 0;
  /// Called when the system is about to use watched pages, which it can't wait for: opens them.
  virtual void open() = 0;

 protected:
  ~PageOwner() = default;
};

/// Returns true if the program is linked with ThreadSanitizer. It calls each allocation in a signal handler
/// an error, so no pages are watched.
bool has_thread_sanitizer();

/// The nanoseconds that a use of a watched page takes until the program goes on, beside what the owner does;
/// 0 if this thread can't watch pages, as the system refuses or SIGSEGV is blocked. The first call makes the
/// process watch: from then on SIGSEGV comes to the owners first, and, where no page is watched, to the
/// handler that process_sigaction() has set, before or later. Call it whenever pages are to be watched: a
/// library may have set a handler in another way.
std::int64_t ready_to_watch_pages();

/// While it lives, the pages from `begin` on before `end` are watched. Any number at a time. A program may
/// give the memory back meanwhile: the watch lapses when other pages at the same addresses are watched.
class WatchedPages {
 public:
  WatchedPages(PageOwner& owner, std::byte* begin, std::byte* end);
  ~WatchedPages();
  WatchedPages(const WatchedPages&) = delete;
  WatchedPages& operator=(const WatchedPages&) = delete;

  /// Returns true if others have watched some of these pages since.
  bool has_lapsed() const;
  /// Called when pages have been opened, which another thread may have touched before that.
  static void have_been_opened();

 private:
  struct Slot;
  friend class Watch;
  Slot& slot_;
};

/// Called before the system uses memory for the program: asks the owners of watched pages in it to open them.
void open_for_system(const void* data, std::size_t bytes);

/// Writes into pages of this process, also where Access::hidden forbids it, so that no thread sees a page
/// that is half filled.
class HiddenWriter {
 public:
  HiddenWriter();
  ~HiddenWriter();
  HiddenWriter(const HiddenWriter&) = delete;
  HiddenWriter& operator=(const HiddenWriter&) = delete;

  /// Returns false if there are no such pages, or the system refuses.
  bool write(std::byte* to, const std::byte* from, std::size_t bytes) const;

 private:
  int memory_;
};

/// Returns true if this instruction is the C library's, or a sanitizer's in its place. In a program without
/// shared libraries nobody knows, and it returns true.
bool is_c_library(const void* code);

/// Returns true if anything is mapped there, also if nobody may use it.
bool is_mapped(std::byte* page);
/// Return true if the program itself may read this byte; or write it, which keeps its value.
bool is_readable(const std::byte* byte);
bool is_writable(std::byte* byte);

/// process_sigaction() for SIGSEGV, if the process watches pages: what happens where no page is watched.
/// Returns false, and does nothing, if it does not watch any. Async-signal-safe, but for `action`.
bool change_action_behind_pages(const struct sigaction* action, struct sigaction* before);

}  // namespace kanor::rt
