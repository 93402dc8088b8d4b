// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/paged_receive.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "c_api/calls.hpp"
#include "c_api/message_checks.hpp"
#include "c_api/page_ranges.hpp"
#include "job/failure.hpp"

namespace kanor::rt::c_api {
namespace {

/// The end of the pages from `data` on that nothing else uses, if `data` is what malloc() has returned for a
/// block with a mapping of its own; 0 if it is not. Before the block, the C library puts how far it lies from
/// the mapping's beginning, and the rest of the mapping's size with a mark. Freeing the block unmaps its
/// pages, and touches none of them.
std::size_t end_of_own_mapping(const std::byte* data) {
  constexpr std::size_t head_bytes = 2 * sizeof(std::size_t), flags = 7, is_mapped = 2;
  const std::size_t head = address_of(data) - head_bytes;
  if (head < page_bytes() || head % head_bytes != 0) return 0;
  if (!is_readable(data - head_bytes)) return 0;
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

}  // namespace

std::size_t end_of_pages_to_hide(const Content& elements) {
  const auto* const data = static_cast<const std::byte*>(elements.data);
  const std::size_t own = end_of_own_mapping(data);
  if (own >= elements.bytes) return up_to_page(address_of(data) + elements.bytes) - address_of(data);
  const std::size_t end = last_page_end(data, elements.bytes);
  return end == elements.bytes && is_static(data) ? end : 0;
}

PagedReceive::PagedReceive(Rank& self, PageOwner& owner, MPI_Comm comm, const Wanted& what,
                           const Content& elements, std::size_t end, const Place& place,
                           std::vector<std::byte> shadow)
    : comm(comm),
      place(place),
      self_(self),
      data_(static_cast<std::byte*>(const_cast<void*>(elements.data))),
      bytes_(elements.bytes),
      first_(first_page(data_)),
      end_(end),
      shadow_(std::move(shadow)),
      incoming_(self, what, elements.bytes, shadow_.data()),
      watched_(owner, data_ + first_, data_ + end_) {
  compare_on_arrival(incoming_, elements.described);
}

bool PagedReceive::hide() {
  std::byte* const first = data_ + first_;
  const std::size_t bytes = end_ - first_;
  // Threads that there are not yet begin after all receives are complete.
  if (self_.waits.turns) writer_.emplace();
  // Elements, which nobody else writes now.
  const std::byte in_first = *first, in_last = first[bytes - page_bytes()];
  const auto can_fill = [&] {
    return !writer_ ||
           (writer_->write(first, &in_first, 1) && writer_->write(first + bytes - page_bytes(), &in_last, 1));
  };
  if (!set_access(first, bytes, Access::hidden) || !can_fill())
    return set_access(first, bytes, Access::write), false;
  closed_.assign(bytes / page_bytes(), true);
  left_ = closed_.size();
  return true;
}

void PagedReceive::begin() {
  c_api::begin(self_, incoming_);
  await({0, first_});
  copy({0, first_});
  if (incoming_.done()) open_all();
}

bool PagedReceive::need_page(const std::byte* byte) {
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

void PagedReceive::need(const std::byte* begin, const std::byte* end) {
  begin = std::max<const std::byte*>(begin, data_ + first_);
  end = std::min<const std::byte*>(end, data_ + end_);
  while (begin < end) {
    need_page(begin);
    const auto at = static_cast<std::size_t>(begin - data_) - first_;
    begin = data_ + first_ + down_to_page(at) + page_bytes();
  }
}

void PagedReceive::complete() {
  if (!incoming_.done()) Matcher::of(self_).wait(incoming_);
  open_all();
}

bool PagedReceive::has_come(const Range& range) const {
  const std::size_t end = std::min(range.end, bytes_);
  return range.begin >= end || incoming_.has_come(shadow_.data() + range.begin, end - range.begin);
}

void PagedReceive::await(const Range& range) {
  if (has_come(range)) return;
  Matcher::of(self_).wait_until(incoming_, [&] { return has_come(range); });
}

/// Copies what has come of these bytes to its place. Returns false if it is no more.
bool PagedReceive::copy(const Range& range) {
  for (const Range& come : incoming_.come_within({range.begin, std::min(range.end, bytes_)})) {
    if (!writer_)
      std::memcpy(data_ + come.begin, shadow_.data() + come.begin, come.bytes());
    else if (!writer_->write(data_ + come.begin, shadow_.data() + come.begin, come.bytes()))
      return false;
  }
  return true;
}

void PagedReceive::open(std::size_t begin, std::size_t end) {
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

void PagedReceive::open_all() {
  // The program may have given the memory back, and others may use pages at these addresses now.
  const bool is_there = !watched_.has_lapsed() && (is_static(data_) || end_of_own_mapping(data_) >= bytes_);
  const auto is_hidden = [&](std::size_t page) {
    return closed_[page] && !is_readable(data_ + first_ + page * page_bytes());
  };
  for (std::size_t begin = 0, end = 0; is_there && begin < closed_.size(); begin = end + 1) {
    for (end = begin; end < closed_.size() && is_hidden(end);) ++end;
    if (begin < end) open(begin, end);
  }
  std::fill(closed_.begin(), closed_.end(), false);
  left_ = 0;
}

}  // namespace kanor::rt::c_api
