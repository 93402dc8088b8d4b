// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Page faults tell which elements of a delta send are final.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ownership/passing.hpp"
#include "platform/page_faults.hpp"

namespace kanor::rt::c_api {

/// What faults take, in nanoseconds.
struct FaultCosts {
  const std::int64_t fault_ns;   ///< until the program goes on; 0: there are none, as no pages can be watched
  std::int64_t handling_ns = 0;  ///< to change the access to pages twice; 0: not known yet
  std::int64_t all_ns() const { return fault_ns + handling_ns; }
};

/// The pages of a delta send's elements, which the program writes from the first to the last. When it comes
/// to a new page, all up to the one before that are final, and can't be written any more until the send is
/// over. The one before is not: a compiler may change the order of the stores in a turn of a loop. The C
/// library's copies write their first bytes last, so while one runs nothing is final.
class WrittenPages {
 public:
  /// Called with bytes that are final.
  using Send = std::function<void(const Range& final)>;

  /// Protects the second page and all behind it. Returns false, and does nothing, if these elements' pages
  /// can't be watched.
  static bool protect(const Content& elements);
  /// Watches pages that are protected so. `costs` outlive this.
  WrittenPages(Rank& self, PageOwner& owner, FaultCosts& costs, const Content& elements, const Place& begun);
  ~WrittenPages();
  WrittenPages(const WrittenPages&) = delete;
  WrittenPages& operator=(const WrittenPages&) = delete;

  /// Makes a send of these elements get what is final, too; returns false if it has come too late, or has
  /// others.
  bool join(const Content& elements, const Send& send);
  bool has(const std::byte* byte) const {
    return data_ + first_ <= byte && byte < data_ + (is_stopped_ ? sent_ : end_);
  }
  bool overlaps(const std::byte* begin, const std::byte* end) const {
    return begin < data_ + bytes_ && data_ < end;
  }
  /// A byte that it has is to be written. Returns false if it is open already.
  bool touched(const std::byte* byte, const void* code);
  /// From now on the program may write what has not been sent in any order.
  void stop();
  bool is_stopped() const { return is_stopped_; }
  /// The same, also for what has been sent.
  void open();
  /// What faults, and what they led to, have taken.
  std::int64_t taken_ns() const { return taken_ns_; }
  /// The bytes at the beginning that have been sent.
  std::size_t sent_bytes() const { return sent_; }
  /// Ends the job if bytes that share a page with others were written after they had been sent.
  void check_first_bytes() const;

 private:
  void set(std::size_t begin, std::size_t end, Access access);
  [[noreturn]] void fail_written(std::size_t byte) const;
  std::size_t next_bytes() const;

  Rank& self_;
  FaultCosts& costs_;
  std::byte* const data_;
  const std::size_t bytes_;
  const Place begun_;
  std::vector<Send> sends_;
  const std::size_t first_, end_;       ///< the whole pages, from the data on
  std::size_t sent_ = 0, open_;         ///< up to where bytes are sent, and can be written
  std::vector<std::byte> first_bytes_;  ///< before the whole pages, as they were sent
  std::int64_t opened_ns_, taken_ns_ = 0;
  std::size_t opened_bytes_;
  bool is_stopped_ = false;
  const WatchedPages watched_;
};

}  // namespace kanor::rt::c_api
