// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables' side of kanor/abi/globalised.hpp.
#include <algorithm>

#include "job/failure.hpp"
#include "ownership/region.hpp"

// The lowest room that kanor/abi/block.hpp's includers are linked with.
extern "C" const char this_program_has_blocks_of_Kanor_so_link_it_with_kanorc = 0;

namespace kanor::abi {

namespace {

/// The number of blocks that send copies after a conflict: the double after one that follows at once, up to
/// the most.
constexpr int least_patience = 16, most_patience = 1024;
/// The length from which one copy on conflict costs less than the two of a message.
constexpr std::size_t least_shared_bytes = std::size_t{1} << 20;
/// The most bytes that copies for all receivers but one may have: about what is copied in the time that a
/// conflict takes beside its copy. Measured with broadcasts to 1 to 15 ranks, each with a core.
constexpr std::size_t most_copied_again_bytes = 16384;

constexpr const char* made = "a variable that ranks may share was made";
constexpr const char* written = "a variable that ranks may share was written";
constexpr const char* released = "a variable that ranks may share was let go of";

/// The most references that a variable keeps of those that arrive.
constexpr std::uint32_t most_kept = 1024;

rt::SharingCounts* counts(rt::Rank& rank, const declaration& where) {
  return rt::SharingCounters::at(rank, where.file, where.line, where.name);
}

}  // namespace

void* region_handle::new_room(const region_kind& kind) const {
  rt::Region& region = rt::make_region_here(made, kind.bytes);
  region.destroy = kind.destroy;
  return region.object();
}

void region_handle::give_back(void* room) noexcept { rt::free_room(rt::Region::of(room)); }

void region_handle::acquire_or_copy(const region_kind& kind) {
  if (rt::has_left_job()) return;  // a child has a copy of everything
  rt::Rank& rank = rt::here(written);
  void* const before = object_;
  object_ =
      rt::acquire_or_copy(rank, rt::Region::of(object_), references_, kind, counts(rank, where_)).object();
  if (object_ == before) return;
  references_ = 1;
  if (shared_since_ == 0) return;
  const bool at_once = shared_since_ <= 2 && patience_ > 0;
  patience_ = static_cast<std::uint16_t>(at_once ? std::min(2 * patience_, most_patience) : least_patience);
  copies_left_ = patience_;
  shared_since_ = 0;
}

bool region_handle::prefers_copy(std::size_t value_bytes, std::uint64_t block, std::size_t others) noexcept {
  if (block != last_block_) {
    last_block_ = block;
    others_ = 0;
    was_copied_ = copies_left_ > 0 && value_bytes < least_shared_bytes;
    if (was_copied_)
      --copies_left_;
    else if (shared_since_ < most_patience)
      ++shared_since_;
  }
  others_ += others;
  if (others_ > 1 && (others_ - 1) * value_bytes > most_copied_again_bytes) was_copied_ = false;
  return was_copied_;
}

void* region_handle::rename(const region_kind& kind) {
  if (object_) {
    if (rt::has_left_job()) return new_room(kind);
    if (rt::SharingCounts* const counted = counts(rt::here(written), where_))
      counted->renamed_bytes += kind.flat ? kind.bytes : kind.value_bytes(object_);
    let_go();
  }
  return new_room(kind);
}

void region_handle::let_go() noexcept {
  if (lender_ && lender_->object_ == object_)
    lender_->references_ += references_;
  else
    rt::let_go(rt::Region::of(object_), references_);
  object_ = nullptr;
}

void region_handle::end_use() noexcept {
  if (rt::has_left_job()) return;  // a child's copy is its own until it ends
  if (rt::switches(rt::here(released)).sharing) let_go();
}

void region_handle::refer(bool gives) noexcept { rt::refer(rt::Region::of(object_), references_, gives); }

void region_handle::adopt(void* object) noexcept {
  if (object == object_ && references_ < most_kept) {
    ++references_;
    return;
  }
  if (object_) let_go();
  object_ = object;
  references_ = 1;
}

void region_handle::borrow(region_handle& lender) noexcept {
  if (&lender == this) return;
  lender.refer(false);
  adopt(lender.object_);
  if (lender_ == &lender) return;
  if (lender_) lender_->borrower_ = nullptr;
  if (lender.borrower_) lender.borrower_->lender_ = nullptr;
  lender_ = &lender;
  lender.borrower_ = this;
}

void region_handle::unlink() noexcept {
  if (lender_) lender_->borrower_ = nullptr;
  if (borrower_) borrower_->lender_ = nullptr;
}

}  // namespace kanor::abi
