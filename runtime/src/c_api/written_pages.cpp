// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_api/written_pages.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "c_api/page_ranges.hpp"
#include "job/failure.hpp"
#include "platform/clock.hpp"
#include "platform/machine.hpp"

namespace kanor::rt::c_api {

WrittenPages::WrittenPages(Rank& self, PageOwner& owner, FaultCosts& costs, const Content& elements,
                           const Place& begun)
    : self_(self),
      costs_(costs),
      data_(static_cast<std::byte*>(const_cast<void*>(elements.data))),
      bytes_(elements.bytes),
      begun_(begun),
      first_(first_page(data_)),
      end_(last_page_end(data_, bytes_)),
      open_(first_ + page_bytes()),
      opened_ns_(monotonic_ns()),
      opened_bytes_(open_),
      watched_(owner, data_ + first_, data_ + end_) {}

WrittenPages::~WrittenPages() { open(); }

bool WrittenPages::protect(const Content& elements) {
  // With fewer, nothing is final before the end.
  constexpr std::size_t least_written_pages = 3;
  auto* const data = static_cast<std::byte*>(const_cast<void*>(elements.data));
  const std::size_t begin = first_page(data), end = last_page_end(data, elements.bytes);
  // In a program without shared libraries, nobody knows whose an instruction is.
  static const bool knows_code = !is_c_library(reinterpret_cast<const void*>(&is_c_library));
  if (elements.layout || !knows_code || end < begin + least_written_pages * page_bytes()) return false;
  std::byte* const first = data + begin + page_bytes();
  const std::size_t bytes = end - begin - page_bytes();
  if (!is_writable(first) || !is_writable(data + end - 1)) return false;
  return set_access(first, bytes, Access::read) || (set_access(first, bytes, Access::write), false);
}

bool WrittenPages::join(const Content& elements, const Send& send) {
  if (elements.layout || elements.data != data_ || elements.bytes != bytes_ || is_stopped_ || sent_ > 0)
    return false;
  sends_.push_back(send);
  return true;
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
  if (open_ < end_) ++self_.deltas.pages.stopped;
  open_ = end_;
}

void WrittenPages::open() {
  stop();
  set(first_, std::max(first_, std::min(sent_, end_)), Access::write);
}

std::size_t WrittenPages::next_bytes() const {
  const Switches& is = self_.home.switches;
  const auto page = static_cast<double>(page_bytes());
  if (is.increment_bytes > 0) return std::max(page_bytes(), down_to_page(is.increment_bytes));
  // The whole takes n faults, and the receiver comes one n-th later: their sum is least for these bytes.
  const double computed_ns = static_cast<double>(std::max<std::int64_t>(monotonic_ns() - opened_ns_, 1));
  const double rest = static_cast<double>(bytes_) / page;
  const double pages = std::sqrt(rest * static_cast<double>(costs_.all_ns()) /
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
  const std::int64_t begun_ns = monotonic_ns();
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
  opened_ns_ = monotonic_ns();
  // Now and then it is interrupted.
  const std::int64_t took = opened_ns_ - begun_ns;
  std::int64_t& usual = costs_.handling_ns;
  usual = usual == 0 ? took : std::min(took, usual + usual / 8);
  if (final.bytes() > 0)
    for (const Send& send : sends_) send(final);
  opened_ns_ = monotonic_ns();
  taken_ns_ += costs_.fault_ns + opened_ns_ - begun_ns;
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
      "to the last; otherwise call Delta_send_data");
  fail(line.view());
}

}  // namespace kanor::rt::c_api
