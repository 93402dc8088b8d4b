// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A receive whose elements the program waits for where it uses them.
#pragma once

#include <kanor/mpi.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "ownership/passing.hpp"
#include "platform/page_faults.hpp"

namespace kanor::rt::c_api {

/// Returns the end of the pages, from the data's beginning on, that can be hidden until these elements come:
/// all that they are in, but the first one if it has something else, too. 0 if they can't be.
///
/// What shares the last page would be hidden with the last elements, so nothing may. And malloc() must not
/// use the pages while a message is still to come: if the program frees the memory, the pages must be gone.
std::size_t end_of_pages_to_hide(const Content& elements);

/// A receive whose elements come into other memory, and from there into their pages when these are used.
class PagedReceive {
 public:
  /// `end`: of end_of_pages_to_hide(). `shadow`: memory for the elements, which take_shadow() returns.
  PagedReceive(Rank& self, PageOwner& owner, MPI_Comm comm, const Wanted& what, const Content& elements,
               std::size_t end, const Place& place, std::vector<std::byte> shadow);
  PagedReceive(const PagedReceive&) = delete;
  PagedReceive& operator=(const PagedReceive&) = delete;

  /// Hides the pages; returns false, and does nothing, if they can't be filled later. Their content is what
  /// it was where no elements come.
  bool hide();
  /// Posts the receive, and waits for the elements before the first whole page.
  void begin();

  bool has(const std::byte* byte) const { return data_ + first_ <= byte && byte < data_ + end_; }
  bool overlaps(const std::byte* begin, const std::byte* end) const {
    return begin < data_ + std::max(bytes_, end_) && data_ < end;
  }
  /// Returns true if all pages are open, and nothing more comes.
  bool is_over() const { return left_ == 0 && incoming_.done(); }
  const Incoming& incoming() const { return incoming_; }
  std::vector<std::byte> take_shadow() { return std::move(shadow_); }

  /// Waits until the bytes of the page have come, and opens it, with its neighbours that have come too.
  /// Returns false if it was open.
  bool need_page(const std::byte* byte);
  /// The same for all pages of some bytes.
  void need(const std::byte* begin, const std::byte* end);
  /// Waits for all.
  void complete();

  const MPI_Comm comm;
  const Place place;

 private:
  bool has_come(const Range& range) const;
  void await(const Range& range);
  bool copy(const Range& range);
  void open(std::size_t begin, std::size_t end);
  void open_all();

  Rank& self_;
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

}  // namespace kanor::rt::c_api
