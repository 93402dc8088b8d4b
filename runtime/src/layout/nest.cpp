// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/nest.hpp"

#include <algorithm>
#include <cstring>
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
  for (const Run& run : runs) made->add(run.bytes, 1);
  made->runs_ = std::move(runs);
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
    made->runs_ = {{run->offset, made->bytes_}};
    return made;
  }
  made->shape_ = Shape::repeated;
  made->stride_ = stride;
  made->count_ = count;
  made->inner_ = nest;
  std::ptrdiff_t length = 0;
  if (nest->shape_ == Shape::repeated &&
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
    if (nest.shape_ == Shape::runs && nest.runs_.size() <= most_inlined) {
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
  made->shape_ = Shape::sequence;
  for (const Part& part : longer) made->add(part.nest->bytes_, 1);
  made->parts_ = std::move(longer);
  return made;
}

std::byte* Nest::pack_one(std::byte* to, std::uintptr_t from) const {
  switch (shape_) {
    case Shape::runs:
      for (const Run& run : runs_) {
        std::memcpy(to, memory(moved(from, run.offset)), run.bytes);
        to += run.bytes;
      }
      return to;
    case Shape::repeated:
      if (const Run* const run = inner_->only_run()) {
        copy_blocks(address(to), static_cast<std::ptrdiff_t>(run->bytes), moved(from, run->offset), stride_,
                    count_, run->bytes);
        return to + bytes_;
      }
      for (std::size_t i = 0; i < count_; ++i) to = inner_->pack_one(to, moved(from, stride_, i));
      return to;
    case Shape::sequence:
      break;
  }
  for (const Part& part : parts_) to = part.nest->pack_one(to, moved(from, part.offset));
  return to;
}

const std::byte* Nest::unpack_one(std::uintptr_t to, const std::byte* from) const {
  switch (shape_) {
    case Shape::runs:
      for (const Run& run : runs_) {
        std::memcpy(memory(moved(to, run.offset)), from, run.bytes);
        from += run.bytes;
      }
      return from;
    case Shape::repeated:
      if (const Run* const run = inner_->only_run()) {
        copy_blocks(moved(to, run->offset), stride_, address(from), static_cast<std::ptrdiff_t>(run->bytes),
                    count_, run->bytes);
        return from + bytes_;
      }
      for (std::size_t i = 0; i < count_; ++i) from = inner_->unpack_one(moved(to, stride_, i), from);
      return from;
    case Shape::sequence:
      break;
  }
  for (const Part& part : parts_) from = part.nest->unpack_one(moved(to, part.offset), from);
  return from;
}

/// Unpacks what there is: less than the whole nest.
void Nest::unpack_part(std::uintptr_t to, const std::byte*& from, std::size_t& bytes) const {
  const auto inner = [&](const Nest& nest, std::uintptr_t there) {
    if (nest.bytes_ > bytes) return nest.unpack_part(there, from, bytes);
    from = nest.unpack_one(there, from);
    bytes -= nest.bytes_;
  };
  for (const Run& run : runs_) {
    const std::size_t copied = std::min(run.bytes, bytes);
    if (copied == 0) return;
    std::memcpy(memory(moved(to, run.offset)), from, copied);
    from += copied;
    bytes -= copied;
  }
  for (std::size_t i = 0; i < count_ && bytes > 0; ++i) inner(*inner_, moved(to, stride_, i));
  for (std::size_t i = 0; i < parts_.size() && bytes > 0; ++i)
    inner(*parts_[i].nest, moved(to, parts_[i].offset));
}

void Nest::pack(std::byte* to, const std::byte* from, std::size_t count, std::ptrdiff_t stride) const {
  if (bytes_ == 0) return;
  if (const Run* const run = only_run())
    return copy_blocks(address(to), static_cast<std::ptrdiff_t>(run->bytes),
                       moved(address(from), run->offset), stride, count, run->bytes);
  for (std::size_t i = 0; i < count; ++i) to = pack_one(to, moved(address(from), stride, i));
}

void Nest::unpack(std::byte* to, std::ptrdiff_t stride, const std::byte* from, std::size_t bytes) const {
  if (bytes_ == 0) return;
  const std::size_t whole = bytes / bytes_;
  std::size_t rest = bytes % bytes_;
  if (const Run* const run = only_run()) {
    copy_blocks(moved(address(to), run->offset), stride, address(from),
                static_cast<std::ptrdiff_t>(run->bytes), whole, run->bytes);
    from += whole * bytes_;
  } else {
    for (std::size_t i = 0; i < whole; ++i) from = unpack_one(moved(address(to), stride, i), from);
  }
  if (rest > 0) unpack_part(moved(address(to), stride, whole), from, rest);
}

}  // namespace kanor::rt
