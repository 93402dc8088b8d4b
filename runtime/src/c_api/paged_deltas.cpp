// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/paged_deltas.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "c_api/message_checks.hpp"
#include "job/failure.hpp"
#include "ownership/pace.hpp"
#include "platform/children.hpp"
#include "platform/machine.hpp"

namespace kanor::rt::c_api {
namespace {

constexpr std::size_t least_pages = 2;  ///< fewer are not worth a fault

std::size_t up_to_page(std::size_t address) {
  return (address + page_bytes() - 1) / page_bytes() * page_bytes();
}
std::size_t down_to_page(std::size_t address) { return address / page_bytes() * page_bytes(); }
std::size_t address_of(const std::byte* byte) { return reinterpret_cast<std::uintptr_t>(byte); }

/// The whole pages in memory, from its beginning on.
std::size_t first_page(const std::byte* data) { return up_to_page(address_of(data)) - address_of(data); }
std::size_t last_page_end(const std::byte* data, std::size_t bytes) {
  const std::size_t end = down_to_page(address_of(data) + bytes);
  return end > address_of(data) ? end - address_of(data) : 0;
}
bool has_enough_pages(std::size_t begin, std::size_t end) {
  return end >= begin + least_pages * page_bytes();
}

/// The end of the pages from `data` on that nothing else uses, if `data` is what malloc() has returned for a
/// block with a mapping of its own; 0 if it is not. Before the block, the C library puts how far it lies from
/// the mapping's beginning, and the rest of the mapping's size with a mark. Freeing the block unmaps its
/// pages, and touches none of them.
std::size_t end_of_own_mapping(const std::byte* data) {
  constexpr std::size_t head_bytes = 2 * sizeof(std::size_t), flags = 7, is_mapped = 2;
  const std::size_t head = address_of(data) - head_bytes;
  if (head < page_bytes() || head % head_bytes != 0) return 0;
  if (head / page_bytes() != address_of(data) / page_bytes() && !is_readable(data - head_bytes)) return 0;
  std::size_t words[2];
  std::memcpy(words, data - head_bytes, head_bytes);
  const std::size_t before = words[0], size = words[1] & ~flags;
  const bool is_own = (words[1] & flags) == is_mapped && size > head_bytes && before <= head &&
                      (head - before) % page_bytes() == 0 && (before + size) % page_bytes() == 0;
  return is_own ? size - head_bytes : 0;
}

/// Returns true if a variable of the program or of a library lies there, which nobody frees.
bool is_static(const std::byte* byte) {
  dl_find_object found{};
  return ::_dl_find_object(const_cast<std::byte*>(byte), &found) == 0;
}

bool overlap(const std::byte* begin, const std::byte* end, const std::byte* other,
             const std::byte* other_end) {
  return begin < other_end && other < end;
}

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

/// A receive whose elements come into other memory, and from there into their pages when these are used.
class PagedReceive {
 public:
  PagedReceive(PagedDeltas& owner, MPI_Comm comm, const Wanted& what, const Content& elements,
               std::size_t end, const Place& place, std::vector<std::byte> shadow)
      : comm(comm),
        place(place),
        owner_(owner),
        data_(static_cast<std::byte*>(const_cast<void*>(elements.data))),
        bytes_(elements.bytes),
        first_(first_page(data_)),
        end_(end),
        shadow_(std::move(shadow)),
        incoming_(owner.self_, what, elements.bytes, shadow_.data()),
        watched_(owner, data_ + first_, data_ + end_) {
    compare_on_arrival(incoming_, elements.described);
  }
  ~PagedReceive() { owner_.shadows_.push_back(std::move(shadow_)); }
  PagedReceive(const PagedReceive&) = delete;
  PagedReceive& operator=(const PagedReceive&) = delete;

  /// Hides the pages; returns false, and does nothing, if they can't be filled later. Their content is what
  /// it was where no elements come.
  bool hide() {
    // Threads that there are not yet begin after all receives are complete.
    if (owner_.self_.waits.turns) writer_.emplace();
    const std::byte first = data_[first_], last = data_[end_ - 1];
    if (!set_access(data_ + first_, end_ - first_, Access::hidden)) return false;
    if (writer_ &&
        (!writer_->write(data_ + first_, &first, 1) || !writer_->write(data_ + end_ - 1, &last, 1)))
      return set_access(data_ + first_, end_ - first_, Access::write), false;
    closed_.assign((end_ - first_) / page_bytes(), true);
    left_ = closed_.size();
    return true;
  }

  /// Posts the receive, and waits for the elements before the first whole page.
  void begin() {
    c_api::begin(owner_.self_, incoming_);
    await({0, first_});
    copy({0, first_});
    if (incoming_.done()) open_all();
  }

  bool has(const std::byte* byte) const { return data_ + first_ <= byte && byte < data_ + end_; }
  bool overlaps(const std::byte* begin, const std::byte* end) const {
    return overlap(begin, end, data_, data_ + std::max(bytes_, end_));
  }
  bool is_over() const { return left_ == 0 && incoming_.done(); }
  const Incoming& incoming() const { return incoming_; }

  /// Waits until the bytes of the page have come, and opens it, with its neighbours that have come too.
  /// Returns false if it was open.
  bool need_page(const std::byte* byte) {
    const std::size_t page = (static_cast<std::size_t>(byte - data_) - first_) / page_bytes();
    if (!closed_[page]) return false;
    const Range wanted{first_ + page * page_bytes(), first_ + (page + 1) * page_bytes()};
    await(wanted);
    if (!closed_[page]) return true;  // another thread has opened it
    std::size_t begin = page, end = page + 1;
    const auto can_open = [&](std::size_t one) {
      return closed_[one] && has_come({first_ + one * page_bytes(), first_ + (one + 1) * page_bytes()});
    };
    while (begin > 0 && can_open(begin - 1)) --begin;
    while (end < closed_.size() && can_open(end)) ++end;
    open(begin, end);
    return true;
  }

  void need(const std::byte* begin, const std::byte* end) {
    begin = std::max<const std::byte*>(begin, data_ + first_);
    end = std::min<const std::byte*>(end, data_ + end_);
    while (begin < end) {
      need_page(begin);
      const auto at = static_cast<std::size_t>(begin - data_) - first_;
      begin = data_ + first_ + down_to_page(at) + page_bytes();
    }
  }

  void complete() {
    if (!incoming_.done()) Matcher::of(owner_.self_).wait(incoming_);
    open_all();
  }

  const MPI_Comm comm;
  const Place place;

 private:
  bool has_come(const Range& range) const {
    const std::size_t end = std::min(range.end, bytes_);
    return range.begin >= end || incoming_.has_come(shadow_.data() + range.begin, end - range.begin);
  }

  void await(const Range& range) {
    if (has_come(range)) return;
    Matcher::of(owner_.self_).wait_until(incoming_, [&] { return has_come(range); });
  }

  /// Copies what has come of these bytes to its place. Returns false if it is no more.
  bool copy(const Range& range) {
    for (const Range& come : incoming_.come_within({range.begin, std::min(range.end, bytes_)})) {
      if (!writer_)
        std::memcpy(data_ + come.begin, shadow_.data() + come.begin, come.bytes());
      else if (!writer_->write(data_ + come.begin, shadow_.data() + come.begin, come.bytes()))
        return false;
    }
    return true;
  }

  void open(std::size_t begin, std::size_t end) {
    const Range range{first_ + begin * page_bytes(), first_ + end * page_bytes()};
    // Other threads must not see pages that are half filled. Where the program has given the memory back,
    // nothing is to be filled.
    if (!writer_ || copy(range)) {
      const bool is_open = set_access(data_ + range.begin, range.bytes(), Access::write);
      if (!is_open && is_mapped(data_ + range.begin))
        fail(
            "Delta_recv: the system refuses to open pages: it limits into how many pieces memory is cut "
            "(vm.max_map_count)");
      if (is_open && !writer_) copy(range);
    }
    std::fill(closed_.begin() + static_cast<std::ptrdiff_t>(begin),
              closed_.begin() + static_cast<std::ptrdiff_t>(end), false);
    left_ -= end - begin;
    WatchedPages::have_been_opened();
  }

  void open_all() {
    // Where the program has given memory back, there may be other pages.
    const auto is_hidden = [&](std::size_t page) {
      return closed_[page] && !is_readable(data_ + first_ + page * page_bytes());
    };
    for (std::size_t begin = 0, end = 0; begin < closed_.size(); begin = end + 1) {
      for (end = begin; end < closed_.size() && is_hidden(end);) ++end;
      if (begin < end) open(begin, end);
    }
    std::fill(closed_.begin(), closed_.end(), false);
    left_ = 0;
  }

  PagedDeltas& owner_;
  std::byte* const data_;
  const std::size_t bytes_;
  const std::size_t first_, end_;  ///< the watched pages, from the data on
  std::vector<std::byte> shadow_;
  Incoming incoming_;
  std::optional<HiddenWriter> writer_;  ///< nothing: the rank has no other threads
  const WatchedPages watched_;
  std::vector<bool> closed_;  ///< the pages that are hidden
  std::size_t left_ = 0;      ///< so many
};

PagedDeltas::PagedDeltas(Rank& self) : self_(self), fault_ns_(ready_to_watch_pages()) {
  if (fault_ns_ == 0) return;
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
  return deltas->fault_ns_ > 0 ? deltas : nullptr;
}

std::shared_ptr<WrittenPages> PagedDeltas::watch(const Content& elements, const Place& begun, Send send) {
  auto* const data = static_cast<std::byte*>(const_cast<void*>(elements.data));
  const std::size_t begin = first_page(data), end = last_page_end(data, elements.bytes);
  sweep();
  for (WrittenPages* const one : sends_) {
    if (one->data_ != data || one->bytes_ != elements.bytes || one->is_stopped_ || one->sent_ > 0) continue;
    one->sends_.push_back(std::move(send));
    ++self_.pages.sends;
    return one->shared_from_this();
  }
  complete_those_in(elements);
  const bool can_watch = !elements.layout && has_enough_pages(begin, end) &&
                         pays(sites_[{begun.file, begun.line}]) && ready_to_watch_pages() > 0 &&
                         is_writable(data + begin) && is_writable(data + end - 1) &&
                         set_access(data + begin + page_bytes(), end - begin - page_bytes(), Access::read);
  if (!can_watch) return ++self_.pages.unwatched, nullptr;
  ++self_.pages.sends;
  set_before_calls(self_, [this] { complete(); });
  auto made = std::make_shared<WrittenPages>(*this, elements, begun);
  made->sends_.push_back(std::move(send));
  return made;
}

bool PagedDeltas::pays(const Site& site) const {
  // With n increments, the receiver ends a loop and n faults later than it began. A loop as long as four
  // faults gains nothing.
  constexpr std::int64_t least_faults = 8;
  if (self_.home.switches.increment_bytes > 0) return true;
  return !site.came_at_once &&
         (site.computed_ns < 0 || site.computed_ns >= least_faults * (fault_ns_ + handling_ns_));
}

int PagedDeltas::receive_at_once(const Wanted& what, const Content& elements, const Place& place,
                                 Site& site) {
  ++self_.pages.unwatched;
  Incoming incoming(self_, what, elements.bytes, const_cast<void*>(elements.data), elements.layout);
  compare_on_arrival(incoming, elements.described);
  kanor::rt::receive(self_, incoming);
  site.came_at_once = incoming.increments() < 2;
  return settle(self_, incoming, nullptr, "Delta_recv", place);
}

int PagedDeltas::receive(MPI_Comm comm, const Wanted& what, const Content& elements, const Place& place) {
  auto* const data = static_cast<std::byte*>(const_cast<void*>(elements.data));
  sweep();
  Site& site = sites_[{place.file, place.line}];
  complete_those_in(elements);
  const std::size_t begin = first_page(data), own_end = end_of_own_mapping(data);
  std::size_t end = last_page_end(data, elements.bytes);
  if (own_end >= elements.bytes) end = up_to_page(address_of(data) + elements.bytes) - address_of(data);
  // The last elements could be read before they have come where they share a page with something else. Of
  // other memory, malloc() may use hidden pages once it has been freed, and wait with its lock.
  const bool can_watch = !elements.layout && has_enough_pages(begin, end) && end >= elements.bytes &&
                         (own_end >= elements.bytes || is_static(data)) && pays(site) &&
                         ready_to_watch_pages() > 0;
  if (!can_watch) return receive_at_once(what, elements, place, site);
  std::vector<std::byte> shadow;
  if (!shadows_.empty()) {
    shadow = std::move(shadows_.back());
    shadows_.pop_back();
  }
  if (shadow.size() < elements.bytes) shadow.resize(elements.bytes);
  PagedReceive& made = receives_.emplace_back(*this, comm, what, elements, end, place, std::move(shadow));
  if (!made.hide()) {
    receives_.pop_back();
    return receive_at_once(what, elements, place, site);
  }
  ++self_.pages.receives;
  set_before_calls(self_, [this] { complete(); });
  made.begin();
  return MPI_SUCCESS;
}

void PagedDeltas::need(const void* data, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(data);
  const Touching touching(touching_);
  for (PagedReceive& one : receives_) one.need(begin, begin + bytes);
}

void PagedDeltas::complete_those_in(const Content& elements) {
  if (elements.layout) return complete();
  const auto* const begin = static_cast<const std::byte*>(elements.data);
  const std::byte* const end = begin + elements.bytes;
  const bool are_received = std::any_of(receives_.begin(), receives_.end(),
                                        [&](const PagedReceive& one) { return one.overlaps(begin, end); });
  const bool are_sent = std::any_of(sends_.begin(), sends_.end(), [&](const WrittenPages* one) {
    return overlap(begin, end, one->data_, one->data_ + one->bytes_);
  });
  if (are_received || are_sent) complete();
}

void PagedDeltas::sweep() {
  if (touching_.load(std::memory_order_acquire) > 0) return;
  receives_.remove_if([&](PagedReceive& one) {
    if (!one.is_over()) return false;
    sites_[{one.place.file, one.place.line}].came_at_once = one.incoming().increments() < 2;
    report_errors(one);
    return true;
  });
}

void PagedDeltas::complete() {
  const InTurn turn(self_);
  // An error handler of the program may make calls, and other threads may while this one waits.
  if (completing_ == std::this_thread::get_id()) return;
  while (completing_ != std::thread::id()) self_.waits.turns->pass();
  completing_ = std::this_thread::get_id();
  for (WrittenPages* const send : sends_) send->stop();
  for (PagedReceive& one : receives_) {
    const InCall in_call(self_, "Delta_recv", one.place);
    one.complete();
  }
  // Threads that have waited for the same elements.
  while (self_.waits.turns && touching_.load(std::memory_order_acquire) > 0) self_.waits.turns->pass();
  sweep();
  set_before_calls(self_, nullptr);
  completing_ = {};
}
void PagedDeltas::open_all() {
  complete();
  const InTurn turn(self_);
  for (WrittenPages* const send : sends_) send->open();
}

void PagedDeltas::report_errors(PagedReceive& receive) {
  const int error = settle(self_, receive.incoming(), nullptr, "Delta_recv", receive.place);
  if (error != MPI_SUCCESS) handle_error(self_, receive.comm, error);
}

bool PagedDeltas::touched(std::byte* byte, bool writes, const void* code) {
  if (is_forked_child()) return false;
  const Touching touching(touching_);
  const InTurn turn(self_);
  ++self_.pages.faults;
  return touch(byte, writes, code);
}

bool PagedDeltas::touch(std::byte* byte, bool writes, const void* code) {
  for (PagedReceive& one : receives_) {
    if (!one.has(byte)) continue;
    const InCall in_call(self_, "Delta_recv", one.place);
    return one.need_page(byte);
  }
  const auto found =
      std::find_if(sends_.begin(), sends_.end(), [&](const WrittenPages* one) { return one->has(byte); });
  return writes && found != sends_.end() && (*found)->touched(byte, code);
}

WrittenPages::WrittenPages(PagedDeltas& owner, const Content& elements, const Place& begun)
    : owner_(owner),
      data_(static_cast<std::byte*>(const_cast<void*>(elements.data))),
      bytes_(elements.bytes),
      begun_(begun),
      first_(first_page(data_)),
      end_(last_page_end(data_, bytes_)),
      open_(first_ + page_bytes()),
      opened_ns_(now_ns()),
      opened_bytes_(open_),
      watched_(owner, data_ + first_, data_ + end_) {
  owner_.sends_.push_back(this);
}

WrittenPages::~WrittenPages() {
  open();
  std::erase(owner_.sends_, this);
}

void WrittenPages::set(std::size_t begin, std::size_t end, Access access) {
  if (begin < end && !set_access(data_ + begin, end - begin, access))
    fail(
        "Delta_send_begin: the system refuses to change the access to pages: it limits into how many pieces "
        "memory is cut (vm.max_map_count)");
}

void WrittenPages::stop() {
  if (is_stopped_) return;
  is_stopped_ = true;
  set(std::max(open_, first_), end_, Access::write);
  WatchedPages::have_been_opened();
  if (open_ < end_) ++owner_.self_.pages.stopped;
  open_ = end_;
}

void WrittenPages::open() {
  stop();
  set(first_, std::max(first_, std::min(sent_, end_)), Access::write);
}

std::size_t WrittenPages::next_bytes() const {
  const Switches& is = owner_.self_.home.switches;
  const auto page = static_cast<double>(page_bytes());
  if (is.increment_bytes > 0) return std::max(page_bytes(), down_to_page(is.increment_bytes));
  // The whole takes n faults, and the receiver comes one n-th later: their sum is least for these bytes.
  const double computed_ns = static_cast<double>(std::max<std::int64_t>(now_ns() - opened_ns_, 1));
  const double rest = static_cast<double>(bytes_) / page;
  const double pages = std::sqrt(rest * static_cast<double>(owner_.fault_ns_ + owner_.handling_ns_) /
                                 (computed_ns * page / static_cast<double>(opened_bytes_)));
  const double most = std::max(1.0, rest / 4);
  return static_cast<std::size_t>(std::clamp(std::round(pages), 1.0, most)) * page_bytes();
}

bool WrittenPages::touched(const std::byte* byte, const void* code) {
  const auto at = static_cast<std::size_t>(byte - data_);
  if (at < sent_) fail_written(at);
  if (at < open_) return false;
  // What lies between may not have been written yet.
  if (at >= open_ + page_bytes() / 2) return stop(), true;
  const std::int64_t begun_ns = now_ns();
  const std::size_t bytes = next_bytes(), end = std::min(open_ + bytes, end_);
  Range final{sent_, open_ - page_bytes()};
  if (final.end <= std::max(sent_, first_) || is_c_library(code)) final.end = sent_;
  // From here on they are final: nobody can write them any more.
  set(std::max(sent_, first_), final.end, Access::read);
  set(open_, end, Access::write);
  WatchedPages::have_been_opened();
  if (sent_ == 0 && final.end > 0) first_bytes_.assign(data_, data_ + first_);
  opened_bytes_ = end - open_;
  sent_ = final.end;
  open_ = end;
  opened_ns_ = now_ns();
  // Now and then it is interrupted.
  const std::int64_t took = opened_ns_ - begun_ns;
  owner_.handling_ns_ =
      owner_.handling_ns_ == 0 ? took : std::min(took, owner_.handling_ns_ + owner_.handling_ns_ / 8);
  if (final.bytes() > 0)
    for (const PagedDeltas::Send& send : sends_) send(final);
  opened_ns_ = now_ns();
  handling_ns_ += owner_.fault_ns_ + opened_ns_ - begun_ns;
  return true;
}

void WrittenPages::check_first_bytes() const {
  if (first_bytes_.empty() || std::memcmp(first_bytes_.data(), data_, first_bytes_.size()) == 0) return;
  const auto differs = std::mismatch(first_bytes_.begin(), first_bytes_.end(), data_).first;
  fail_written(static_cast<std::size_t>(differs - first_bytes_.begin()));
}

void WrittenPages::fail_written(std::size_t byte) const {
  Line line;
  line.text("byte ").number(static_cast<std::int64_t>(byte)).text(" of the delta send that was begun at ");
  line.text(begun_.file).text(":").number(begun_.line);
  line.text(
      " was written after it had been sent: with KANOR_DELTA=pages elements are written once, from the first "
      "to the "
      "last; otherwise call Delta_send_data");
  fail(line.view());
}

}  // namespace kanor::rt::c_api
