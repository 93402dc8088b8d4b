// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/block_row.hpp"

#include <cstring>

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

/// `known` is the length, where the compiler is to know it, or 0.
template <std::size_t known, class To, class From>
void copy_each(To to, From from, std::size_t count, std::size_t bytes) {
  for (std::size_t block = 0; block < count; ++block)
    std::memcpy(to(block), from(block), known ? known : bytes);
}

template <class To, class From>
void copy_each(To to, From from, std::size_t count, std::size_t bytes) {
  switch (bytes) {
    case 4:
      return copy_each<4>(to, from, count, bytes);
    case 8:
      return copy_each<8>(to, from, count, bytes);
    case 12:
      return copy_each<12>(to, from, count, bytes);
    case 16:
      return copy_each<16>(to, from, count, bytes);
    case 24:
      return copy_each<24>(to, from, count, bytes);
    case 32:
      return copy_each<32>(to, from, count, bytes);
    case 48:
      return copy_each<48>(to, from, count, bytes);
    case 64:
      return copy_each<64>(to, from, count, bytes);
    default:
      return copy_each<0>(to, from, count, bytes);
  }
}

template <class To>
void copy_to(To to, const BlockRow& from, std::size_t count) {
  if (from.offsets)
    copy_each(to, AtOffsets{from.at, from.offsets}, count, from.bytes);
  else
    copy_each(to, AtStride{from.at, static_cast<std::uintptr_t>(from.stride)}, count, from.bytes);
}

bool is_dense(const BlockRow& blocks) {
  return !blocks.offsets && blocks.stride == static_cast<std::ptrdiff_t>(blocks.bytes);
}

}  // namespace

void copy_blocks(const BlockRow& to, const BlockRow& from, std::size_t count) {
  if (count == 1 || (is_dense(to) && is_dense(from)))
    std::memcpy(reinterpret_cast<void*>(to.first()), reinterpret_cast<const void*>(from.first()),
                count * from.bytes);
  else if (to.offsets)
    copy_to(AtOffsets{to.at, to.offsets}, from, count);
  else
    copy_to(AtStride{to.at, static_cast<std::uintptr_t>(to.stride)}, from, count);
}

}  // namespace kanor::rt
