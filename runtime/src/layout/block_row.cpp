// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/block_row.hpp"

#include <bit>
#include <cstring>

#include "kanor/abi/section.hpp"
#include "layout/detour.hpp"

namespace kanor::rt {
namespace {

struct AtStride {
  std::uintptr_t at;
  std::uintptr_t stride;
  std::byte* operator()(std::size_t block) const { return reinterpret_cast<std::byte*>(at + stride * block); }
};

struct AtOffsets {
  std::uintptr_t at;
  const std::ptrdiff_t* offsets;
  std::byte* operator()(std::size_t block) const {
    return reinterpret_cast<std::byte*>(at + static_cast<std::uintptr_t>(offsets[block]));
  }
};

/// Copies each block by a move of its first bytes and one of `rest` bytes at `rest_at`.
template <std::size_t first, std::size_t rest, class To, class From>
void copy_by_moves(To to, From from, std::size_t count, std::size_t rest_at) {
  for (std::size_t block = 0; block < count; ++block) {
    std::byte* const there = to(block);
    const std::byte* const here = from(block);
    std::memcpy(there, here, first);
    std::memcpy(there + rest_at, here + rest_at, rest);
  }
}

/// Copies blocks of `unit` to 2 * `unit` - 1 bytes.
template <std::size_t unit, class To, class From>
void copy_by_units(To to, From from, std::size_t count, std::size_t bytes) {
  if (bytes == unit) return copy_by_moves<unit, 0>(to, from, count, 0);
  if (2 * bytes == 3 * unit) return copy_by_moves<unit, unit / 2>(to, from, count, unit);
  copy_by_moves<unit, unit>(to, from, count, bytes - unit);  // some bytes twice
}

template <class To, class From>
void copy_each(To to, From from, std::size_t count, std::size_t bytes) {
  switch (std::bit_floor(bytes)) {
    case 1:
      return copy_by_units<1>(to, from, count, bytes);
    case 2:
      return copy_by_units<2>(to, from, count, bytes);
    case 4:
      return copy_by_units<4>(to, from, count, bytes);
    case 8:
      return copy_by_units<8>(to, from, count, bytes);
    case 16:
      return copy_by_units<16>(to, from, count, bytes);
    case 32:
      return copy_by_units<32>(to, from, count, bytes);
    case 64:
      return copy_by_units<64>(to, from, count, bytes);
    default:
      for (std::size_t block = 0; block < count; ++block) std::memcpy(to(block), from(block), bytes);
  }
}

template <class To>
void copy_to(To to, const BlockRow& from, std::size_t count) {
  if (from.offsets)
    copy_each(to, AtOffsets{from.at, from.offsets}, count, from.bytes);
  else
    copy_each(to, AtStride{from.at, static_cast<std::uintptr_t>(from.stride)}, count, from.bytes);
}

}  // namespace

void copy_directly(const BlockRow& to, const BlockRow& from, std::size_t count) {
  if (count == 1 || (to.is_dense() && from.is_dense()))
    std::memcpy(reinterpret_cast<void*>(to.first()), reinterpret_cast<const void*>(from.first()),
                count * from.bytes);
  else if (to.offsets)
    copy_to(AtOffsets{to.at, to.offsets}, from, count);
  else
    copy_to(AtStride{to.at, static_cast<std::uintptr_t>(to.stride)}, from, count);
}

void copy_blocks(const BlockRow& to, const BlockRow& from, std::size_t count) {
  constexpr std::size_t most_detour_block = 512;
  const bool may_be_message = to.is_dense() != from.is_dense() && from.bytes <= most_detour_block &&
                              count * from.bytes >= abi::least_detour_bytes;
  may_be_message ? copy_to_or_from_message(to, from, count) : copy_directly(to, from, count);
}

}  // namespace kanor::rt

void kanor::abi::copy_blocks(void* to, std::ptrdiff_t to_stride, const void* from, std::ptrdiff_t from_stride,
                             std::size_t bytes, std::size_t count) {
  const auto row = [&](const void* at, std::ptrdiff_t stride) {
    return rt::BlockRow{reinterpret_cast<std::uintptr_t>(at), stride, nullptr, count, bytes};
  };
  rt::copy_blocks(row(to, to_stride), row(from, from_stride), count);
}
