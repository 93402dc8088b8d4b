// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ownership/open_buffer.hpp"

#include <algorithm>
#include <cstring>

namespace kanor::rt {
namespace {

/// Adds bytes to a sum, word by word.
std::uint64_t summed(std::uint64_t sum, const std::byte* data, std::size_t bytes) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
  constexpr unsigned half = 32;
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, std::min(bytes - at, sizeof word));
    sum = (sum ^ word) * factor;
    sum ^= sum >> half;
  }
  return sum;
}

}  // namespace

std::uint64_t OpenBuffer::sum() const {
  if (!layout_) return summed(0, data_, bytes_);
  std::byte room[4096];
  std::uint64_t sum = 0;
  for (std::size_t begin = 0; begin < bytes_; begin += sizeof room) {
    const std::size_t end = std::min(bytes_, begin + sizeof room);
    layout_->pack(room, data_, begin, end);
    sum = summed(sum, room, end - begin);
  }
  return sum;
}

}  // namespace kanor::rt
