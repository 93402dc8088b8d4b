// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: bytes that differ from their neighbours.
#pragma once

#include <cstddef>
#include <vector>

namespace kanor::rt {

using Bytes = std::vector<std::byte>;

inline Bytes counted(std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = std::byte(i % 251 + 1);
  return bytes;
}

}  // namespace kanor::rt
