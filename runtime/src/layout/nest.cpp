// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/nest.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace kanor::rt {
namespace {

/// The most bytes that there are: no address space has more.
constexpr std::size_t most_bytes = std::size_t{1} << 56;
/// The most runs of a part that are put into a sequence's own list: following a pointer costs about as much.
constexpr std::size_t most_inlined = 4;

std::uintptr_t address(const std::byte* base) { return reinterpret_cast<std::uintptr_t>(base); }
std::byte* memory(std::uintptr_t address) { return reinterpret_cast<std::byte*>(address); }
std::uintptr_t moved(std::uintptr_t base, std::ptrdiff_t offset) {
  return base + static_cast<std::uintptr_t>(offset);
}
std::uintptr_t moved(std::uintptr_t base, std::ptrdiff_t stride, std::size_t count) {
  return base + static_cast<std::uintptr_t>(stride) * count;
}

/// Copies blocks whose length the compiler knows, or (0) does not know.
template <std::size_t known>
void copy_blocks_of(std::uintptr_t to, std::ptrdiff_t to_stride, std::uintptr_t from,
                    std::ptrdiff_t from_stride, std::size_t count, std::size_t bytes) {
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(memory(to), memory(from), known ? known : bytes);
    to = moved(to, to_stride);
    from = moved(from, from_stride);
  }
}

void copy_blocks(std::uintptr_t to, std::ptrdiff_t to_stride, std::uintptr_t from, std::ptrdiff_t from_stride,
                 std::size_t count, std::size_t bytes) {
  const auto dense = static_cast<std::ptrdiff_t>(bytes);
  if (count > 0 && to_stride == dense && from_stride == dense) {
    std::memcpy(memory(to), memory(from), count * bytes);
    return;
  }
  switch (bytes) {
    case 4:
      return copy_blocks_of<4>(to, to_stride, from, from_stride, count, bytes);
    case 8:
      return copy_blocks_of<8>(to, to_stride, from, from_stride, count, bytes);
    case 16:
      return copy_blocks_of<16>(to, to_stride, from, from_stride, count, bytes);
    default:
      return copy_blocks_of<0>(to, to_stride, from, from_stride, count, bytes);
  }
}

/// Copies memory to packed bytes, and moves on in these.
struct Packing {
  std::byte* to;

  void block(std::uintptr_t from, std::size_t bytes) {
    std::memcpy(to, memory(from), bytes);
    to += bytes;
  }
  void blocks(std::uintptr_t from, std::ptrdiff_t stride, std::size_t count, std::size_t bytes) {
    copy_blocks(address(to), static_cast<std::ptrdiff_t>(bytes), from, stride, count, bytes);
    to += count * bytes;
  }
};

/// The reverse.
struct Unpacking {
  const std::byte* from;

  void block(std::uintptr_t to, std::size_t bytes) {
    std::memcpy(memory(to), from, bytes);
    from += bytes;
  }
  void blocks(std::uintptr_t to, std::ptrdiff_t stride, std::size_t count, std::size_t bytes) {
    copy_blocks(to, stride, address(from), static_cast<std::ptrdiff_t>(bytes), count, bytes);
    from += count * bytes;
  }
};

/// The one of several runs or parts in which packed byte `begin` is.
template <class Parts>
auto part_with(const Parts& parts, std::size_t begin) {
  return std::prev(std::upper_bound(parts.begin(), parts.end(), begin,
                                    [](std::size_t at, const auto& part) { return at < part.before; }));
}

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
  made->runs_ = std::move(runs);
  for (Run& run : made->runs_) {
    run.before = made->bytes_;
    made->add(run.bytes, 1);
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
  std::ptrdiff_t length = 0;
  if (nest->inner_ &&
      !__builtin_mul_overflow(nest->stride_, static_cast<std::ptrdiff_t>(nest->count_), &length) &&
      length == stride) {
    made->count_ = count * nest->count_;
    made->stride_ = nest->stride_;
    made->inner_ = nest->inner_;
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
    if (!nest.inner_ && nest.parts_.empty() && nest.runs_.size() <= most_inlined) {
      for (const Run& run : nest.runs_) append(runs, {part.offset + run.offset, run.bytes});
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
  }
  return made;
}

template <class Move>
void Nest::move_repeated(std::uintptr_t at, std::ptrdiff_t stride, std::size_t count, Move& move) const {
  if (const Run* const run = only_run())
    return move.blocks(moved(at, run->offset), stride, count, run->bytes);
  for (std::size_t i = 0; i < count; ++i) move_all(moved(at, stride, i), move);
}

template <class Move>
void Nest::move_all(std::uintptr_t at, Move& move) const {
  for (const Run& run : runs_) move.block(moved(at, run.offset), run.bytes);
  if (inner_) inner_->move_repeated(at, stride_, count_, move);
  for (const Part& part : parts_) part.nest->move_all(moved(at, part.offset), move);
}

template <class Move>
void Nest::move_repeated_range(std::uintptr_t at, std::ptrdiff_t stride, std::size_t begin, std::size_t end,
                               Move& move) const {
  const std::size_t first = begin / bytes_, last = end / bytes_;
  const std::size_t from = begin % bytes_, rest = end % bytes_;
  if (first == last) return move_range(moved(at, stride, first), from, rest, move);
  const std::size_t whole = from > 0 ? first + 1 : first;
  if (whole > first) move_range(moved(at, stride, first), from, bytes_, move);
  move_repeated(moved(at, stride, whole), stride, last - whole, move);
  if (rest > 0) move_range(moved(at, stride, last), 0, rest, move);
}

template <class Move>
void Nest::move_range(std::uintptr_t at, std::size_t begin, std::size_t end, Move& move) const {
  if (begin >= end) return;
  if (inner_) return inner_->move_repeated_range(at, stride_, begin, end, move);
  if (!parts_.empty()) {
    for (auto part = part_with(parts_, begin); part != parts_.end() && part->before < end; ++part) {
      const Nest& nest = *part->nest;
      const std::size_t from = begin > part->before ? begin - part->before : 0;
      nest.move_range(moved(at, part->offset), from, std::min(end - part->before, nest.bytes_), move);
    }
    return;
  }
  for (auto run = part_with(runs_, begin); run != runs_.end() && run->before < end; ++run) {
    const std::size_t from = begin > run->before ? begin - run->before : 0;
    move.block(moved(at, run->offset + static_cast<std::ptrdiff_t>(from)),
               std::min(end - run->before, run->bytes) - from);
  }
}

void Nest::pack(std::byte* to, const std::byte* from, std::ptrdiff_t stride, std::size_t begin,
                std::size_t end) const {
  if (begin >= end) return;
  Packing packing{to};
  move_repeated_range(address(from), stride, begin, end, packing);
}

void Nest::unpack(std::byte* to, std::ptrdiff_t stride, const std::byte* from, std::size_t begin,
                  std::size_t end) const {
  if (begin >= end) return;
  Unpacking unpacking{from};
  move_repeated_range(address(to), stride, begin, end, unpacking);
}

}  // namespace kanor::rt
