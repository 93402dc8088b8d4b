// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/block_walk.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

namespace kanor::rt {
namespace {

std::uintptr_t moved(std::uintptr_t base, std::ptrdiff_t offset) {
  return base + static_cast<std::uintptr_t>(offset);
}
std::uintptr_t moved(std::uintptr_t base, std::ptrdiff_t stride, std::size_t count) {
  return base + static_cast<std::uintptr_t>(stride) * count;
}

/// The one of several runs or nests in which packed byte `begin` is.
template <class Parts>
std::size_t part_with(const Parts& parts, std::size_t begin) {
  const auto after = std::upper_bound(parts.begin(), parts.end(), begin,
                                      [](std::size_t at, const auto& part) { return at < part.before; });
  return static_cast<std::size_t>(std::distance(parts.begin(), after)) - 1;
}

}  // namespace

BlockWalk::BlockWalk(std::uintptr_t at)
    : blocks_{at, 0, nullptr, 1, std::numeric_limits<std::size_t>::max()} {}

BlockWalk::BlockWalk(const Nest& nest, std::uintptr_t at, std::ptrdiff_t stride, std::size_t begin)
    : nest_(&nest), nest_at_(moved(at, stride, begin / nest.bytes())), nest_stride_(stride) {
  if (nest.depth_ > usual_depth) {
    deep_ = std::make_unique<Frame[]>(nest.depth_);
    frames_ = deep_.get();
  }
  if (const Run* const run = nest.only_run()) {
    blocks_ = {moved(nest_at_, run->offset), stride, nullptr, std::numeric_limits<std::size_t>::max(),
               run->bytes};
    passed_ = begin % nest.bytes();
    return;
  }
  enter(nest, nest_at_, begin % nest.bytes());
  nest_at_ = moved(nest_at_, nest_stride_);
}

/// Makes the nest the innermost one, and finds the blocks in which its packed byte `begin` is.
void BlockWalk::enter(const Nest& nest, std::uintptr_t at, std::size_t begin) {
  for (const Nest* inner = &nest;;) {
    Frame& frame = frames_[depth_++];
    frame = {inner, at, 0};
    std::size_t before = 0;
    if (inner->inner_) {
      frame.next = begin / inner->inner_->bytes_;
      before = frame.next * inner->inner_->bytes_;
    } else if (!inner->offsets_.empty()) {
      frame.next = begin / inner->run_bytes_;
      before = frame.next * inner->run_bytes_;
    } else if (!inner->parts_.empty()) {
      frame.next = part_with(inner->parts_, begin);
      before = inner->parts_[frame.next].before;
    } else {
      frame.next = part_with(inner->runs_, begin);
      before = inner->runs_[frame.next].before;
    }
    begin -= before;
    if (take_part(frame, begin)) return;
    const std::size_t part = frame.next++;
    at = inner->inner_ ? moved(at, inner->stride_, part) : moved(at, inner->parts_[part].offset);
    inner = inner->inner_ ? inner->inner_.get() : inner->parts_[part].nest.get();
  }
}

/// Takes the frame's next part if it is a row of blocks, as many as follow it alike. Returns false if it is a
/// nest, which is to be entered.
bool BlockWalk::take_part(Frame& frame, std::size_t begin) {
  const Nest& nest = *frame.nest;
  const Run* const repeated = nest.inner_ ? nest.inner_->only_run() : nullptr;
  if (repeated) {
    blocks_ = {moved(moved(frame.at, nest.stride_, frame.next), repeated->offset), nest.stride_, nullptr,
               nest.count_ - frame.next, repeated->bytes};
    frame.next = nest.count_;
  } else if (!nest.offsets_.empty()) {
    blocks_ = {frame.at, 0, nest.offsets_.data() + frame.next, nest.offsets_.size() - frame.next,
               nest.run_bytes_};
    frame.next = nest.offsets_.size();
  } else if (!nest.runs_.empty()) {
    const Run& run = nest.runs_[frame.next++];
    blocks_ = {moved(frame.at, run.offset), 0, nullptr, 1, run.bytes};
  } else {
    return false;
  }
  passed_ = begin;
  return true;
}

void BlockWalk::find_next() {
  while (depth_ > 0) {
    Frame& frame = frames_[depth_ - 1];
    const Nest& nest = *frame.nest;
    const std::size_t parts = nest.inner_           ? nest.count_
                              : nest.parts_.empty() ? nest.offsets_.size() + nest.runs_.size()
                                                    : nest.parts_.size();
    if (frame.next == parts) {
      --depth_;
      continue;
    }
    if (take_part(frame, 0)) return;
    const std::size_t part = frame.next++;
    if (nest.inner_) return enter(*nest.inner_, moved(frame.at, nest.stride_, part), 0);
    return enter(*nest.parts_[part].nest, moved(frame.at, nest.parts_[part].offset), 0);
  }
  enter(*nest_, nest_at_, 0);
  nest_at_ = moved(nest_at_, nest_stride_);
}

void copy(BlockWalk& to, BlockWalk& from, std::size_t bytes) {
  // As many whole blocks of one side as fit into a block of the other.
  const auto within = [&](const BlockWalk& in, const BlockWalk& of) {
    const std::size_t length = of.blocks().bytes;
    return of.passed() > 0 ? 0 : std::min({of.blocks().count, in.rest() / length, bytes / length});
  };
  while (bytes > 0) {
    const BlockRow &there = to.blocks(), &here = from.blocks();
    if (there.bytes == here.bytes && to.passed() == 0 && from.passed() == 0 && bytes >= here.bytes) {
      const std::size_t count = std::min({there.count, here.count, bytes / here.bytes});
      bytes -= count * here.bytes;
      copy_blocks(there, here, count);
      to.pass_blocks(count);
      from.pass_blocks(count);
    } else if (const std::size_t taken = within(to, from); taken > 0) {
      const std::size_t length = here.bytes;
      copy_blocks({to.at(), static_cast<std::ptrdiff_t>(length), nullptr, taken, length}, here, taken);
      bytes -= taken * length;
      to.pass_bytes(taken * length);
      from.pass_blocks(taken);
    } else if (const std::size_t filled = within(from, to); filled > 0) {
      const std::size_t length = there.bytes;
      copy_blocks(there, {from.at(), static_cast<std::ptrdiff_t>(length), nullptr, filled, length}, filled);
      bytes -= filled * length;
      from.pass_bytes(filled * length);
      to.pass_blocks(filled);
    } else {
      const std::size_t piece = std::min({to.rest(), from.rest(), bytes});
      std::memcpy(reinterpret_cast<void*>(to.at()), reinterpret_cast<const void*>(from.at()), piece);
      bytes -= piece;
      to.pass_bytes(piece);
      from.pass_bytes(piece);
    }
  }
}

}  // namespace kanor::rt
