// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole pages in elements of messages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/machine.hpp"

namespace kanor::rt::c_api {

inline std::size_t up_to_page(std::size_t address) {
  return (address + page_bytes() - 1) / page_bytes() * page_bytes();
}
inline std::size_t down_to_page(std::size_t address) { return address / page_bytes() * page_bytes(); }
inline std::size_t address_of(const std::byte* byte) { return reinterpret_cast<std::uintptr_t>(byte); }

/// Where the first whole page begins, and the last one ends, counted from the data's beginning on.
inline std::size_t first_page(const std::byte* data) {
  return up_to_page(address_of(data)) - address_of(data);
}
inline std::size_t last_page_end(const std::byte* data, std::size_t bytes) {
  const std::size_t end = down_to_page(address_of(data) + bytes);
  return end > address_of(data) ? end - address_of(data) : 0;
}

}  // namespace kanor::rt::c_api
