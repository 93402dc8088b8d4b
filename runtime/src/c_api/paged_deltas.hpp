// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deltas whose program names nothing: page faults tell what it writes and reads. Bao et al., "Delta Send-Recv
// for Dynamic Pipelining in MPI Programs", CCGrid 2012, section II.B.1, "OS triggering".
#pragma once

#include <kanor/mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "c_api/calls.hpp"
#include "platform/page_faults.hpp"

namespace kanor::rt::c_api {

class PagedReceive;
class WrittenPages;

/// The deltas of one rank that follow page faults. Where several threads of the rank use the pages, they take
/// turns.
class PagedDeltas final : public Attachment, public PageOwner {
 public:
  /// Called with bytes of a delta send that are final.
  using Send = std::function<void(const Range& final)>;

  explicit PagedDeltas(Rank& self);
  ~PagedDeltas() override;
  /// Those of the rank; null if the program has not asked for them (KANOR_DELTA), or the system refuses.
  static PagedDeltas* of(Rank& self);

  /// Watches what the program writes to the elements of a delta send, until that is over; null if it can't.
  /// Sends of the same elements that have begun one after the other have the same.
  std::shared_ptr<WrittenPages> watch(const Content& elements, const Place& begun, Send send);
  /// Notes how long the program has computed between the begin and the end of a delta send.
  void note_computed(const Place& begun, std::int64_t ns) {
    sites_[{begun.file, begun.line}].computed_ns = ns;
  }
  /// Receives for Delta_recv without a status, and returns the error class. The program waits for the
  /// elements when it reads or writes them; or here, if their pages can't be watched, or if that would not
  /// pay.
  int receive(MPI_Comm comm, const Wanted& what, const Content& elements, const Place& place);
  /// Waits until these bytes have come, as far as such receives put them there.
  void need(const void* data, std::size_t bytes);
  /// Completes all receives, and watches no pages any longer but for those that have been sent.
  void complete();

  bool touched(std::byte* byte, bool writes, const void* code) override;
  void open() override { complete(); }

 private:
  /// Those of the rank that have been made; null if there are none.
  static PagedDeltas* there(Rank& self);
  friend WrittenPages;
  friend PagedReceive;

  /// What the last message at a place of the program was like.
  struct Site {
    std::int64_t computed_ns = -1;  ///< of a send; -1: there was none
    bool came_at_once = false;      ///< to a receive: there were no increments before the last
  };

  /// Returns true if the pages are to be watched for what they last were at this place.
  bool pays(const Site& site) const;
  int receive_at_once(const Wanted& what, const Content& elements, const Place& place, Site& site);
  /// Forgets receives that are over.
  void sweep();
  /// Completes all, and opens also what has been sent: a child of this process is to have all of its memory.
  void open_all();
  /// The pages are not to be watched while other deltas watch them.
  void complete_those_in(const Content& elements);
  bool touch(std::byte* byte, bool writes, const void* code);
  void report_errors(PagedReceive& receive);

  Rank& self_;
  const std::int64_t fault_ns_;
  std::int64_t handling_ns_ = 0;  ///< what it takes to change the access to an increment; 0: unknown
  std::atomic<int> touching_{0};  ///< threads that wait for receives
  std::thread::id completing_{};  ///< the thread that completes all
  std::map<std::pair<const char*, int>, Site> sites_;
  std::list<PagedReceive> receives_;
  std::vector<WrittenPages*> sends_;
  std::vector<std::vector<std::byte>> shadows_;  ///< memory of receives that are over
};

/// The pages of a delta send's elements, which the program writes from the first to the last. When it comes
/// to a new page, all up to the one before that are final, and can't be written any more until the send is
/// over. The one before is not: a compiler may change the order of the stores in a turn of a loop. The C
/// library's copies write their first bytes last, so while one runs nothing is final.
class WrittenPages : public std::enable_shared_from_this<WrittenPages> {
 public:
  WrittenPages(PagedDeltas& owner, const Content& elements, const Place& begun);
  ~WrittenPages();
  WrittenPages(const WrittenPages&) = delete;
  WrittenPages& operator=(const WrittenPages&) = delete;

  /// From now on the program may write what has not been sent in any order.
  void stop();
  /// The same, also for what has been sent.
  void open();
  /// What faults, and what they led to, have taken.
  std::int64_t handling_ns() const { return handling_ns_; }
  /// The bytes at the beginning that have been sent.
  std::size_t sent_bytes() const { return sent_; }
  /// Ends the job if bytes that share a page with others were written after they had been sent.
  void check_first_bytes() const;

 private:
  friend PagedDeltas;

  bool has(const std::byte* byte) const {
    return data_ + first_ <= byte && byte < data_ + (is_stopped_ ? sent_ : end_);
  }
  bool touched(const std::byte* byte, const void* code);
  void set(std::size_t begin, std::size_t end, Access access);
  [[noreturn]] void fail_written(std::size_t byte) const;
  std::size_t next_bytes() const;

  PagedDeltas& owner_;
  std::byte* const data_;
  const std::size_t bytes_;
  const Place begun_;
  std::vector<PagedDeltas::Send> sends_;
  const std::size_t first_, end_;       ///< the whole pages, from the data on
  std::size_t sent_ = 0, open_;         ///< up to where bytes are sent, and can be written
  std::vector<std::byte> first_bytes_;  ///< before the whole pages, as they were sent
  std::int64_t opened_ns_ = 0, handling_ns_ = 0;
  std::size_t opened_bytes_ = 0;
  bool is_stopped_ = false;
  const WatchedPages watched_;
};

}  // namespace kanor::rt::c_api
