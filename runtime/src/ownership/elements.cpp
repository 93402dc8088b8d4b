// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of kanor::buffer: regions of plain bytes.
#include <cstring>
#include <limits>
#include <string>

#include "kanor/abi/buffer_block.hpp"
#include "ownership/region.hpp"

namespace kanor::abi {

void* new_elements(std::size_t bytes) {
  rt::Region& region = rt::make_region_here("a kanor::buffer was made", bytes);
  region.bytes = bytes;
  return region.object();
}

std::size_t bytes_of_elements(const void* elements) noexcept {
  return rt::Region::of(const_cast<void*>(elements)).bytes;
}

void buffer_memory::allocate(std::size_t count, std::size_t element_bytes) {
  if (count > std::numeric_limits<std::size_t>::max() / 4 / element_bytes)
    rt::fail("there is no memory for a kanor::buffer of " + std::to_string(count) + " elements of " +
             std::to_string(element_bytes) + " bytes");
  given_memory::put(*this, new_elements(count * element_bytes), count);
}

void buffer_memory::free() noexcept {
  if (abi::gift* const gift = given_memory::promised(*this))
    gift->from = nullptr;
  else
    rt::let_go(rt::Region::of(elements_));
  elements_ = nullptr;
  count_ = 0;
  given_ = 0;
}

void buffer_memory::follow() noexcept {
  if (abi::gift* const gift = given_memory::promised(*this)) gift->from = this;
}

void given_memory::promise(buffer_memory& buffer, gift& to) {
  to = {buffer.elements_ ? &buffer : nullptr, {buffer.elements_, buffer.count_}};
  if (to.from) buffer.given_ = reinterpret_cast<std::uint64_t>(&to);
}

void given_memory::settle(const gift& what, std::uint64_t number) noexcept {
  if (!what.from) return;
  what.from->elements_ = nullptr;
  what.from->count_ = 0;
  what.from->given_ = number;
}

void given_memory::put(buffer_memory& buffer, void* elements, std::size_t count) noexcept {
  if (buffer.elements_) buffer.free();
  buffer.elements_ = elements;
  buffer.count_ = count;
  buffer.given_ = 0;
}

void given_memory::adopt(buffer_memory& buffer, void* elements, std::size_t element_bytes) {
  const std::size_t bytes = bytes_of_elements(elements);
  rt::Region& region = rt::Region::of(elements);
  if (!rt::is_sole(region)) {
    void* const copy = new_elements(bytes);
    std::memcpy(copy, elements, bytes);
    rt::let_go(region);
    elements = copy;
  } else {
    rt::keep_room(rt::here(), region);
  }
  put(buffer, elements, bytes / element_bytes);
}

}  // namespace kanor::abi
