// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/nest.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "layout/block_walk.hpp"

namespace kanor::rt {
namespace {

/// The most bytes that there are: no address space has more.
constexpr std::size_t most_bytes = std::size_t{1} << 56;
/// The most runs of a part that are put into a sequence's own list: following a pointer costs about as much.
constexpr std::size_t most_inlined = 4;
/// What is packed before it is moved on at once: it stays in the first cache.
constexpr std::size_t piece_bytes = 8192;

std::uintptr_t address(const std::byte* base) { return reinterpret_cast<std::uintptr_t>(base); }

/// Appends a run, or lengthens the last one if it ends where this one begins.
void append(std::vector<Run>& runs, const Run& run) {
  if (!runs.empty() && runs.back().offset + static_cast<std::ptrdiff_t>(runs.back().bytes) == run.offset)
    runs.back().bytes += run.bytes;
  else
    runs.push_back(run);
}

}  // namespace

void Nest::add(std::size_t bytes, std::size_t count) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(bytes, count, &all) || all > most_bytes || bytes_ + all > most_bytes)
    throw std::overflow_error("a nest of too many bytes");
  bytes_ += all;
}

Nest::Pointer Nest::of_runs(std::vector<Run> runs) {
  auto made = std::make_shared<Nest>();
  for (Run& run : runs) {
    run.before = made->bytes_;
    made->add(run.bytes, 1);
  }
  const bool alike =
      std::all_of(runs.begin(), runs.end(), [&](const Run& run) { return run.bytes == runs.front().bytes; });
  if (runs.size() > 1 && alike) {
    made->run_bytes_ = runs.front().bytes;
    made->offsets_.reserve(runs.size());
    for (const Run& run : runs) made->offsets_.push_back(run.offset);
  } else {
    made->runs_ = std::move(runs);
  }
  return made;
}

Nest::Pointer Nest::block(std::size_t bytes) {
  return of_runs(bytes > 0 ? std::vector<Run>{{0, bytes}} : std::vector<Run>());
}

Nest::Pointer Nest::repeated(const Pointer& nest, std::size_t count, std::ptrdiff_t stride) {
  if (count == 0 || nest->bytes_ == 0) return block(0);
  if (count == 1) return nest;
  auto made = std::make_shared<Nest>();
  made->add(nest->bytes_, count);
  const Run* const run = nest->only_run();
  if (run && static_cast<std::ptrdiff_t>(run->bytes) == stride) {
    made->runs_ = {{run->offset, made->bytes_, 0}};
    return made;
  }
  made->stride_ = stride;
  made->count_ = count;
  made->inner_ = nest;
  made->depth_ = nest->depth_ + 1;
  std::ptrdiff_t length = 0;
  if (nest->inner_ &&
      !__builtin_mul_overflow(nest->stride_, static_cast<std::ptrdiff_t>(nest->count_), &length) &&
      length == stride) {
    made->count_ = count * nest->count_;
    made->stride_ = nest->stride_;
    made->inner_ = nest->inner_;
    made->depth_ = nest->depth_;
  }
  return made;
}

Nest::Pointer Nest::sequence(std::span<const Part> parts) {
  std::vector<Part> longer;
  std::vector<Run> runs;
  const auto close = [&] {
    if (!runs.empty()) longer.push_back({0, of_runs(std::exchange(runs, {}))});
  };
  for (const Part& part : parts) {
    const Nest& nest = *part.nest;
    if (!nest.inner_ && nest.parts_.empty() && nest.runs_.size() + nest.offsets_.size() <= most_inlined) {
      const auto add_run = [&](std::ptrdiff_t offset, std::size_t bytes) { append(runs, {offset, bytes}); };
      nest.for_each_run(part.offset, add_run);
    } else {
      close();
      longer.push_back(part);
    }
  }
  if (longer.empty()) return of_runs(std::move(runs));
  close();
  if (longer.size() == 1 && longer.front().offset == 0) return longer.front().nest;
  auto made = std::make_shared<Nest>();
  made->parts_ = std::move(longer);
  for (Part& part : made->parts_) {
    part.before = made->bytes_;
    made->add(part.nest->bytes_, 1);
    made->depth_ = std::max(made->depth_, part.nest->depth_ + 1);
  }
  return made;
}

void Nest::pack(std::byte* to, const std::byte* from, std::ptrdiff_t stride, std::size_t begin,
                std::size_t end) const {
  if (begin >= end) return;
  BlockWalk here(*this, address(from), stride, begin);
  // Message memory lies in the cache of the core that had it last. Few large moves take it over faster than
  // many small ones, which each wait for a line.
  alignas(64) std::byte piece[piece_bytes];
  for (; end - begin > piece_bytes; begin += piece_bytes, to += piece_bytes) {
    const bool is_large = here.rest() >= piece_bytes;
    BlockWalk packed(address(is_large ? to : piece));
    copy(packed, here, piece_bytes);
    if (!is_large) std::memcpy(to, piece, piece_bytes);
  }
  BlockWalk packed(address(to));
  copy(packed, here, end - begin);
}

void Nest::unpack(std::byte* to, std::ptrdiff_t stride, const std::byte* from, std::size_t begin,
                  std::size_t end) const {
  if (begin >= end) return;
  BlockWalk there(*this, address(to), stride, begin), packed(address(from));
  copy(there, packed, end - begin);
}

}  // namespace kanor::rt
