// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copying a few bytes.
#pragma once

#include <cstddef>
#include <cstring>

namespace kanor::rt {

/// memcpy for what is mostly a number or two, of a size that only the run tells: up to 32 bytes without a
/// call, by two moves that may overlap.
inline void copy_few(void* to, const void* from, std::size_t bytes) {
  auto* const out = static_cast<std::byte*>(to);
  const auto* const in = static_cast<const std::byte*>(from);
  // Both halves are read before either is written, so that the compiler keeps them in registers.
  const auto halves = [&]<std::size_t size>() {
    std::byte first[size], last[size];
    std::memcpy(first, in, size);
    std::memcpy(last, in + bytes - size, size);
    std::memcpy(out, first, size);
    std::memcpy(out + bytes - size, last, size);
  };
  if (bytes > 32)
    std::memcpy(to, from, bytes);
  else if (bytes >= 16)
    halves.template operator()<16>();
  else if (bytes >= 8)
    halves.template operator()<8>();
  else if (bytes >= 4)
    halves.template operator()<4>();
  else if (bytes > 0)
    std::memcpy(to, from, bytes);
}

}  // namespace kanor::rt
