// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/paged_deltas.hpp"

#include <algorithm>
#include <utility>

#include "c_api/page_ranges.hpp"
#include "c_api/receives.hpp"
#include "job/failure.hpp"
#include "platform/children.hpp"

namespace kanor::rt::c_api {
namespace {

/// While it lives, a thread may wait for a receive, which remains.
class Touching {
 public:
  explicit Touching(std::atomic<int>& threads) : threads_(threads) {
    threads_.fetch_add(1, std::memory_order_acq_rel);
  }
  ~Touching() { threads_.fetch_sub(1, std::memory_order_acq_rel); }
  Touching(const Touching&) = delete;
  Touching& operator=(const Touching&) = delete;

 private:
  std::atomic<int>& threads_;
};

}  // namespace

PagedDeltas::PagedDeltas(Rank& self) : self_(self), costs_{ready_to_watch_pages()} {
  if (costs_.fault_ns == 0) return;
  if (self.waits.has_threads.load(std::memory_order_relaxed)) take_turns(self);
  static const bool minds_forks = [] {
    const auto open_own = [] {
      Rank* const rank = here_or_null();
      if (PagedDeltas* const deltas = rank ? there(*rank) : nullptr) deltas->open_all();
    };
    return at_forks(open_own, nullptr, nullptr), true;
  }();
  static_cast<void>(minds_forks);
}
PagedDeltas::~PagedDeltas() = default;

PagedDeltas* PagedDeltas::there(Rank& self) {
  return static_cast<PagedDeltas*>(attachment(self, Attached::paged_deltas).get());
}

PagedDeltas* PagedDeltas::of(Rank& self) {
  const Switches& is = self.home.switches;
  if (!is.pages || !is.delta) return nullptr;
  std::unique_ptr<Attachment>& attached = attachment(self, Attached::paged_deltas);
  if (!attached) attached = std::make_unique<PagedDeltas>(self);
  PagedDeltas* const deltas = there(self);
  return deltas->costs_.fault_ns > 0 ? deltas : nullptr;
}

std::shared_ptr<WrittenPages> PagedDeltas::watch(const Content& elements, const Place& begun,
                                                 const WrittenPages::Send& send) {
  const InTurn turn(self_);
  sweep();
  for (const auto& one : sends())
    if (one->join(elements, send)) return ++self_.deltas.pages.sends, one;
  complete_those_in(elements, elements.bytes);
  // What comes to a receive is written as well.
  const bool can_watch = !incomplete_receive(self_, elements.data, elements.bytes) &&
                         pays(sites_[{begun.file, begun.line}]) && ready_to_watch_pages() > 0 &&
                         WrittenPages::protect(elements);
  if (!can_watch) return ++self_.deltas.pages.unwatched, nullptr;
  ++self_.deltas.pages.sends;
  auto made = std::make_shared<WrittenPages>(self_, *this, costs_, elements, begun);
  made->join(elements, send);
  sends_.push_back(made);
  set_before_calls(self_, this);
  return made;
}

bool PagedDeltas::pays(const Site& site) const {
  // In theory a loop as long as four faults gains nothing: with the best number of increments, the receiver
  // ends by twice the root of both later. Both sides have more costs than faults.
  constexpr std::int64_t least_faults = 12;
  if (self_.home.switches.increment_bytes > 0) return true;
  return !site.came_at_once && (site.computed_ns < 0 || site.computed_ns >= least_faults * costs_.all_ns());
}

int PagedDeltas::receive_at_once(const Wanted& what, const Content& elements, const Place& place,
                                 Site& site) {
  ++self_.deltas.pages.unwatched;
  Incoming incoming(self_, what, elements.bytes, const_cast<void*>(elements.data), elements.layout);
  const int error = receive_now(self_, incoming, elements, {"Delta_recv", place});
  site.came_at_once = incoming.increments() < 2;
  return error;
}

bool PagedDeltas::can_hide(const Content& elements, std::size_t end) const {
  constexpr std::size_t least_hidden_pages = 2;  // fewer are not worth a fault
  const Calls& calls = Calls::of(self_);
  // Another thread's call would wait for this receive, too.
  if (calls.environment.thread_level == MPI_THREAD_MULTIPLE) return false;
  const std::size_t begin = first_page(static_cast<const std::byte*>(elements.data));
  if (end < begin + least_hidden_pages * page_bytes()) return false;
  // The runtime uses memory of requests, which may lie behind the elements.
  return end <= elements.bytes || !has_other_requests(self_);
}

int PagedDeltas::receive(MPI_Comm comm, const Wanted& what, const Content& elements, const Place& place) {
  const InTurn turn(self_);
  sweep();
  Site& site = sites_[{place.file, place.line}];
  const std::size_t end = elements.layout ? 0 : end_of_pages_to_hide(elements);
  complete_those_in(elements, std::max(end, elements.bytes));
  if (!can_hide(elements, end) || !pays(site) || ready_to_watch_pages() == 0)
    return receive_at_once(what, elements, place, site);
  std::vector<std::byte> shadow;
  if (!shadows_.empty()) {
    shadow = std::move(shadows_.back());
    shadows_.pop_back();
  }
  if (shadow.size() < elements.bytes) shadow.resize(elements.bytes);
  PagedReceive& made =
      receives_.emplace_back(self_, *this, comm, what, elements, end, place, std::move(shadow));
  if (!made.hide()) {
    shadows_.push_back(made.take_shadow());
    receives_.pop_back();
    return receive_at_once(what, elements, place, site);
  }
  ++self_.deltas.pages.receives;
  set_before_calls(self_, this);
  const Touching touching(touching_);
  made.begin();
  return MPI_SUCCESS;
}

void PagedDeltas::need(const void* data, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(data);
  const Touching touching(touching_);
  for (PagedReceive& one : receives_) one.need(begin, begin + bytes);
}

void PagedDeltas::complete_those_in(const Content& elements, std::size_t bytes) {
  if (elements.layout) return complete();
  const auto* const begin = static_cast<const std::byte*>(elements.data);
  const std::byte* const end = begin + bytes;
  const bool are_received = std::any_of(receives_.begin(), receives_.end(),
                                        [&](const PagedReceive& one) { return one.overlaps(begin, end); });
  const auto open = sends();
  const bool are_sent =
      std::any_of(open.begin(), open.end(), [&](const auto& one) { return one->overlaps(begin, end); });
  if (are_received || are_sent) complete();
}

void PagedDeltas::sweep() {
  if (touching_.load(std::memory_order_acquire) > 0) return;
  receives_.remove_if([&](PagedReceive& one) {
    if (!one.is_over()) return false;
    sites_[{one.place.file, one.place.line}].came_at_once = one.incoming().increments() < 2;
    report_errors(one);
    shadows_.push_back(one.take_shadow());
    return true;
  });
  std::erase_if(sends_, [](const auto& one) { return one.expired(); });
}

std::vector<std::shared_ptr<WrittenPages>> PagedDeltas::sends() const {
  std::vector<std::shared_ptr<WrittenPages>> all;
  for (const auto& one : sends_)
    if (auto send = one.lock()) all.push_back(std::move(send));
  return all;
}

void PagedDeltas::complete() {
  const InTurn turn(self_);
  // An error handler of the program may make calls, and other threads may while this one waits.
  if (completing_ == std::this_thread::get_id()) return;
  while (completing_ != std::thread::id()) self_.waits.turns->pass();
  completing_ = std::this_thread::get_id();
  for (const auto& send : sends()) send->stop();
  {
    const Touching touching(touching_);
    for (PagedReceive& one : receives_) {
      const InCall in_call(self_, "Delta_recv", one.place);
      one.complete();
    }
  }
  // Threads that have waited for the same elements.
  while (self_.waits.turns && touching_.load(std::memory_order_acquire) > 0) self_.waits.turns->pass();
  sweep();
  // While this thread has waited, another one may have begun a delta.
  const auto open = sends();
  if (receives_.empty() &&
      std::all_of(open.begin(), open.end(), [](const auto& one) { return one->is_stopped(); }))
    set_before_calls(self_, nullptr);
  completing_ = {};
}

void PagedDeltas::open_all() {
  complete();
  const InTurn turn(self_);
  for (const auto& send : sends()) send->open();
}

void PagedDeltas::report_errors(PagedReceive& receive) {
  const int error = settle(self_, receive.incoming(), nullptr, "Delta_recv", receive.place);
  if (error != MPI_SUCCESS) handle_error(self_, receive.comm, error);
}

bool PagedDeltas::is_own_thread() const { return here_or_null() == &self_ && !is_forked_child(); }

void PagedDeltas::open() {
  if (is_own_thread()) complete();
}

bool PagedDeltas::touched(std::byte* byte, bool writes, const void* code) {
  if (!is_own_thread()) return false;
  const Touching touching(touching_);
  const InTurn turn(self_);
  ++self_.deltas.pages.faults;
  return touch(byte, writes, code);
}

bool PagedDeltas::touch(std::byte* byte, bool writes, const void* code) {
  for (PagedReceive& one : receives_) {
    if (!one.has(byte)) continue;
    const InCall in_call(self_, "Delta_recv", one.place);
    if (one.need_page(byte)) return true;
  }
  for (const auto& one : sends())
    if (writes && one->has(byte) && one->touched(byte, code)) return true;
  return false;
}

}  // namespace kanor::rt::c_api
