// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deltas whose program names nothing: page faults tell what it writes and reads. Bao et al., "Delta Send-Recv
// for Dynamic Pipelining in MPI Programs", CCGrid 2012, section II.B.1, "OS triggering".
#pragma once

#include <kanor/mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "c_api/calls.hpp"
#include "c_api/paged_receive.hpp"
#include "c_api/written_pages.hpp"
#include "platform/page_faults.hpp"

namespace kanor::rt::c_api {

/// A pending receive that has some of these bytes, which have not come; null if there is none.
Incoming* incomplete_receive(Rank& self, const void* data, std::size_t bytes);
/// Returns true if there are active requests beside those of delta sends.
bool has_other_requests(Rank& self);

/// The deltas of one rank that follow page faults. Where several threads of the rank use the pages, they take
/// turns.
class PagedDeltas final : public Attachment, public PageOwner {
 public:
  explicit PagedDeltas(Rank& self);
  ~PagedDeltas() override;
  /// Those of the rank; null if the program has not asked for them (KANOR_DELTA), or the system refuses.
  static PagedDeltas* of(Rank& self);

  /// Watches what the program writes to the elements of a delta send, until that is over; null if it can't.
  /// Sends of the same elements that have begun one after the other have the same.
  std::shared_ptr<WrittenPages> watch(const Content& elements, const Place& begun,
                                      const WrittenPages::Send& send);
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
  void open() override;

 private:
  /// Those of the rank that have been made; null if there are none.
  static PagedDeltas* there(Rank& self);

  /// What the last message at a place of the program was like.
  struct Site {
    std::int64_t computed_ns = -1;  ///< of a send; -1: there was none
    bool came_at_once = false;      ///< to a receive: there were no increments before the last
  };

  /// Returns true if the calling thread is the rank's, or one that it has started. The memory may be another
  /// rank's now.
  bool is_own_thread() const;
  /// Returns true if the elements' pages up to `end` can be hidden.
  bool can_hide(const Content& elements, std::size_t end) const;
  /// Returns true if the pages are to be watched for what they last were at this place.
  bool pays(const Site& site) const;
  int receive_at_once(const Wanted& what, const Content& elements, const Place& place, Site& site);
  /// Forgets receives and sends that are over.
  void sweep();
  /// The sends that are not over.
  std::vector<std::shared_ptr<WrittenPages>> sends() const;
  /// Completes all, and opens also what has been sent: a child of this process is to have all of its memory.
  void open_all();
  /// Completes all if deltas watch pages of these bytes, which have the elements.
  void complete_those_in(const Content& elements, std::size_t bytes);
  bool touch(std::byte* byte, bool writes, const void* code);
  void report_errors(PagedReceive& receive);

  Rank& self_;
  FaultCosts costs_;
  std::atomic<int> touching_{0};  ///< threads that wait for receives
  std::thread::id completing_{};  ///< the thread that completes all
  std::map<std::pair<const char*, int>, Site> sites_;
  std::list<PagedReceive> receives_;
  std::vector<std::weak_ptr<WrittenPages>> sends_;  ///< the delta sends have them
  std::vector<std::vector<std::byte>> shadows_;     ///< memory of receives that are over
};

}  // namespace kanor::rt::c_api
